package tables

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packed makes an XLSX file with one sheet.
func packed(t *testing.T, sheet, properties string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"xl/workbook.xml": `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
			properties + `<sheets><sheet name="Rates" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>` +
			`</Relationships>`,
		"xl/sharedStrings.xml": `<sst><si><t>age</t></si><si><r><t>ra</t></r><r><t>te</t></r></si></sst>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/>` +
			`<numFmt numFmtId="165" formatCode="0.00&quot;d&quot;[Red]"/></numFmts>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml": "<worksheet>" + sheet + "</worksheet>",
	} {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// gridText reads a sheet as lines of cells.
func gridText(data []byte, sheet string) (string, error) {
	next, _, _, err := XLSX(bytes.NewReader(data), sheet)
	if err != nil {
		return "", err
	}
	var lines []string
	for {
		row, err := next()
		if err != nil {
			return strings.Join(lines, "\n"), nil
		}
		lines = append(lines, row.Places[0].Cell+" "+strings.Join(row.Texts, "|"))
	}
}

// TestWorkbook reads cells of all kinds. The dates are those of ECMA-376, part 1, 18.17.4.1.
func TestWorkbook(t *testing.T) {
	sheet := `<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
		<row r="3"><c r="A3"><v>0.1</v></c><c r="B3" t="b"><v>1</v></c><c r="C3"><f>1+1</f><v>2</v></c>
		<c r="E3" t="inlineStr"><is><t>x</t></is></c></row>
		<row r="4"><c r="A4" s="1"><v>1</v></c><c r="B4" s="2"><v>59</v></c><c r="C4" s="2"><v>61</v></c>
		<c r="D4" s="2"><v>39448.5</v></c><c r="E4" s="1"><v>0.25</v></c><c r="F4" s="3"><v>1.5</v></c></row>
		<row r="5"><c r="A5"><v>7</v></c><c r="B5" t="str"><v>text</v></c></row></sheetData>
		<mergeCells><mergeCell ref="A5:A6"/></mergeCells>`
	text, err := gridText(packed(t, sheet, ""), "")
	require.NoError(t, err)
	require.Equal(t, "A1 age|rate\nA3 0.1|true|2||x\n"+
		"A4 1900-01-01|1900-02-28|1900-03-01|2008-01-01T12:00:00Z|06:00:00|1.5\nA5 7|text\nA6 7", text)
	text, err = gridText(packed(t, `<sheetData><row><c s="1"><v>1</v></c><c s="1"><v>37986</v></c></row></sheetData>`,
		`<workbookPr date1904="1"/>`), "Rates")
	require.NoError(t, err)
	require.Equal(t, "A1 1904-01-02|2008-01-01", text)
}

// TestLibreOffice reads what LibreOffice has written; see testdata/README.md.
func TestLibreOffice(t *testing.T) {
	for _, name := range []string{"libreoffice.xlsx", "libreoffice1904.xlsx"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		text, err := gridText(data, "Fees")
		require.NoError(t, err)
		require.Equal(t, `A1 zone|code (atom)|since|at|weight|out: fee
A3 "Berlin, north", Köln|007|2024-02-29|-|[0..2.5)|3.75
A4 "Berlin, north", Köln|not(007)|< 2024-02-29|06:30:00|5|0.15
A5 Paris|-|1900-02-28|>= 12:00:00|> 5|0.1`, text, name)
	}
}

// TestBadWorkbook expects a mistake for each thing that cannot be read, with the cell if there is one.
func TestBadWorkbook(t *testing.T) {
	cell := func(c string) []byte { return packed(t, "<sheetData><row r=\"2\">"+c+"</row></sheetData>", "") }
	for want, data := range map[string][]byte{
		"cell B2: the formula has no value":       cell(`<c r="B2"><f>1+1</f></c>`),
		"cell B2: the cell has the error #DIV/0!": cell(`<c r="B2" t="e"><v>#DIV/0!</v></c>`),
		"cell B2: there is no text 9":             cell(`<c r="B2" t="s"><v>9</v></c>`),
		`cell B2: "x" is no number`:               cell(`<c r="B2"><v>x</v></c>`),
		"is no date":                              cell(`<c r="B2" s="1"><v>99999999</v></c>`),
		"is no name of a cell":                    cell(`<c r="ZZZZZZ9"><v>1</v></c>`),
		"more than 5000000 cells": packed(t, `<sheetData/><mergeCells><mergeCell ref="A1:ZZ1000000"/></mergeCells>`,
			""),
		"the file is no workbook":    []byte("a,b\n1,2\n"),
		"cannot be read: XML":        packed(t, "<sheetData>", ""),
		"cannot be read: XML syntax": packed(t, "<sheetData>&x;</sheetData>", ""),
	} {
		_, err := gridText(data, "")
		require.ErrorContains(t, err, want)
	}
	_, err := gridText(cell(""), "Other")
	require.EqualError(t, err, "the workbook has no sheet Other; it has Rates")
}

// TestZipBomb checks the limit of unpacked bytes.
func TestZipBomb(t *testing.T) {
	data := packed(t, "<sheetData>"+strings.Repeat("<row/>", 1000)+"</sheetData>", "")
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	w := &workbook{files: z, left: 1000}
	var sheet xlsxSheet
	require.ErrorContains(t, w.part("xl/worksheets/sheet1.xml", &sheet), fmt.Sprint(maxUnpacked>>20, " MiB"))
	require.Equal(t, int64(1000), w.left, "nothing was unpacked: the archive says how large the part is")
}
