package tables

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file reads workbooks: the sheets of XLSX files (ECMA-376). A table needs their texts, numbers, dates and merged
// cells.

// The bounds of a workbook: the bytes of the file, the bytes of its unpacked parts, and the cells of a sheet.
const (
	maxWorkbook = 64 << 20
	maxUnpacked = 512 << 20
	maxCells    = 5_000_000
)

// workbook is an open XLSX file.
type workbook struct {
	files  *zip.Reader
	left   int64 // bytes that may still be unpacked
	shared []string
	dates  []bool // whether the style with this number is one of dates
	is1904 bool
	sheet  string
	rows   map[int]map[int]string
	// formulas is the number of cells with a formula, and formula is the first one.
	formulas int
	formula  Place
}

// XLSX returns the rows of a sheet as a function for Options.Next, and the name of the sheet. A name of "" means the
// first sheet. noted is a warning that cells have formulas, nil if none has.
func XLSX(r io.Reader, name string) (next func() (GridRow, error), sheet string, noted *Mistake, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxWorkbook+1))
	if err != nil {
		return nil, "", nil, err
	}
	w := &workbook{left: maxUnpacked, rows: map[int]map[int]string{}}
	if len(data) > maxWorkbook {
		return nil, "", nil, w.wrong("the workbook is larger than 64 MiB")
	}
	if w.files, err = zip.NewReader(bytes.NewReader(data), int64(len(data))); err != nil {
		return nil, "", nil, w.wrong("the file is no workbook: %s", err)
	}
	if err := w.read(name); err != nil {
		return nil, "", nil, err
	}
	if w.formulas > 0 {
		noted = mistake(w.formula, "the sheet has %s; each counts by the value that was saved with it",
			spell.Count(w.formulas, "formula"))
	}
	return w.grid(), w.sheet, noted, nil
}

// tooLarge is the mistake of a workbook that exceeds maxUnpacked.
const tooLarge = "the parts of the workbook are larger than 512 MiB"

func (w *workbook) wrong(format string, args ...any) *Mistake {
	return mistake(Place{Place: syntax.Place{Line: 1, Column: 1}}, format, args...)
}

// part reads a part of the workbook into a value. A missing part leaves the value as it is.
func (w *workbook) part(name string, into any) error {
	f, err := w.files.Open(strings.TrimPrefix(name, "/"))
	if err != nil {
		return nil
	}
	defer f.Close()
	if about, err := f.Stat(); err == nil && about.Size() > w.left { // the archive may state a wrong size
		return w.wrong(tooLarge)
	}
	limited := &io.LimitedReader{R: f, N: w.left}
	err = xml.NewDecoder(limited).Decode(into)
	w.left = limited.N
	if limited.N == 0 {
		return w.wrong(tooLarge)
	}
	if err != nil {
		return w.wrong("%s in the workbook cannot be read: %s", name, err)
	}
	return nil
}

// The parts of a workbook.
type (
	xlsxBook struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	xlsxRelations struct {
		List []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	xlsxText struct {
		Text string     `xml:"t"`
		Runs []xlsxText `xml:"r"`
	}
	xlsxStrings struct {
		Items []xlsxText `xml:"si"`
	}
	xlsxStyles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	xlsxSheet struct {
		Rows []struct {
			Number int        `xml:"r,attr"`
			Cells  []xlsxCell `xml:"c"`
		} `xml:"sheetData>row"`
		Merged []struct {
			Ref string `xml:"ref,attr"`
		} `xml:"mergeCells>mergeCell"`
	}
	xlsxCell struct {
		Ref     string   `xml:"r,attr"`
		Type    string   `xml:"t,attr"`
		Style   int      `xml:"s,attr"`
		Value   *string  `xml:"v"`
		Formula *string  `xml:"f"`
		Inline  xlsxText `xml:"is"`
	}
)

// text returns the text and the texts of its runs.
func (t xlsxText) text() string {
	text := t.Text
	for _, r := range t.Runs {
		text += r.Text
	}
	return text
}

// read reads a sheet.
func (w *workbook) read(name string) error {
	var book xlsxBook
	var relations xlsxRelations
	var texts xlsxStrings
	var styles xlsxStyles
	for part, into := range map[string]any{"xl/workbook.xml": &book, "xl/_rels/workbook.xml.rels": &relations,
		"xl/sharedStrings.xml": &texts, "xl/styles.xml": &styles} {
		if err := w.part(part, into); err != nil {
			return err
		}
	}
	for _, item := range texts.Items {
		w.shared = append(w.shared, item.text())
	}
	w.is1904 = book.Properties.Date1904 == "1" || book.Properties.Date1904 == "true"
	custom := map[int]string{}
	for _, f := range styles.Formats {
		custom[f.ID] = f.Code
	}
	for _, c := range styles.Cells {
		w.dates = append(w.dates, isDateFormat(c.Format, custom[c.Format]))
	}
	var names []string
	for _, s := range book.Sheets {
		names = append(names, s.Name)
	}
	at := slices.Index(names, name)
	if name == "" && len(names) > 0 {
		at = 0
	}
	if at < 0 {
		return w.wrong("the workbook has no sheet %s; it has %s", name, strings.Join(names, ", "))
	}
	w.sheet = names[at]
	for _, r := range relations.List {
		if r.ID == book.Sheets[at].ID {
			var sheet xlsxSheet
			target := r.Target
			if !strings.HasPrefix(target, "/") {
				target = path.Join("xl", target)
			}
			if err := w.part(target, &sheet); err != nil {
				return err
			}
			return w.cells(&sheet)
		}
	}
	return w.wrong("the sheet %s is missing in the workbook", w.sheet)
}

// quotedFormat matches the parts of a number format that are not codes: texts, colours and conditions.
var quotedFormat = lazyregexp.New(`"[^"]*"|\\.|\[[^\]hms]*\]`)

// isDateFormat reports whether a format of numbers is one of dates or times.
func isDateFormat(id int, code string) bool {
	if code == "" {
		return id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 && id <= 58
	}
	return strings.ContainsAny(strings.ToLower(quotedFormat().ReplaceAllString(code, "")), "ymdhs")
}

// cellAt returns the row and the column of a reference such as B3, from 0.
func cellAt(ref string) (row, column int, ok bool) {
	letters := strings.TrimRight(ref, "0123456789")
	n, err := strconv.Atoi(ref[len(letters):])
	for _, c := range letters {
		if c < 'A' || c > 'Z' || column > 1<<20 {
			return 0, 0, false
		}
		column = column*26 + int(c-'A') + 1
	}
	return n - 1, column - 1, err == nil && n > 0 && n <= 1<<20 && column > 0 && column <= 1<<14
}

// cells reads the texts of the cells of a sheet. The text of a merged cell is repeated in each cell that it covers.
func (w *workbook) cells(sheet *xlsxSheet) error {
	count := 0
	for i, r := range sheet.Rows {
		for j := range r.Cells {
			c := &r.Cells[j]
			row, column, ok := cellAt(c.Ref)
			if c.Ref == "" {
				row, column, ok = max(r.Number, i+1)-1, j, true
			}
			text, err := w.text(c)
			if c.Formula != nil {
				if w.formulas++; w.formulas == 1 {
					w.formula = Place{cellName(row, column), syntax.Place{Line: row + 1, Column: column + 1}}
				}
			}
			if !ok {
				err = fmt.Errorf("%q is no name of a cell", c.Ref)
			}
			if err != nil {
				return mistake(Place{cellName(row, column), syntax.Place{Line: row + 1, Column: column + 1}}, "%s", err)
			}
			if count++; count > maxCells {
				return w.wrong("the sheet has more than %d cells", maxCells)
			}
			w.set(row, column, text)
		}
	}
	for _, m := range sheet.Merged {
		first, last, _ := strings.Cut(m.Ref, ":")
		top, left, ok := cellAt(first)
		bottom, right, also := cellAt(last)
		if !ok || !also {
			continue
		}
		if count += (bottom - top + 1) * (right - left + 1); count > maxCells {
			return w.wrong("the sheet has more than %d cells", maxCells)
		}
		for row := top; row <= bottom; row++ {
			for column := left; column <= right; column++ {
				w.set(row, column, w.rows[top][left])
			}
		}
	}
	return nil
}

func (w *workbook) set(row, column int, text string) {
	if w.rows[row] == nil {
		w.rows[row] = map[int]string{}
	}
	w.rows[row][column] = text
}

// text returns the text of a cell. For a formula this is the value that was saved with it.
func (w *workbook) text(c *xlsxCell) (string, error) {
	if c.Type == "inlineStr" {
		return c.Inline.text(), nil
	}
	if c.Value == nil {
		if c.Formula != nil {
			return "", errors.New("the formula has no value; open the file in a spreadsheet and save it")
		}
		return "", nil
	}
	value := *c.Value
	switch c.Type {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(w.shared) {
			return "", fmt.Errorf("there is no text %s", value)
		}
		return w.shared[n], nil
	case "str", "d":
		return value, nil
	case "b":
		return strconv.FormatBool(value == "1"), nil
	case "e":
		return "", fmt.Errorf("the cell has the error %s", value)
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return "", fmt.Errorf("%q is no number", value)
	}
	if c.Style >= 0 && c.Style < len(w.dates) && w.dates[c.Style] {
		return w.date(f)
	}
	return strconv.FormatFloat(f, 'f', -1, 64), nil
}

// date returns the date, the time or both for a serial number. It counts days from 1900, with an impossible
// 1900-02-29, or from 1904. LibreOffice writes negative numbers for earlier days.
func (w *workbook) date(serial float64) (string, error) {
	const least, most = -693_593, 2_958_466 // 0001-01-01 and 10000-01-01, from 1900
	if serial < least || serial >= most {
		return "", fmt.Errorf("%v is no date", serial)
	}
	days := math.Floor(serial)
	fraction := serial - days
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case w.is1904:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days >= 0 && days < 60:
		start = start.AddDate(0, 0, 1)
	}
	at := start.AddDate(0, 0, int(days)).Add(time.Duration(math.Round(fraction*86400)) * time.Second)
	switch {
	case fraction == 0:
		return at.Format("2006-01-02"), nil
	case days == 0:
		return at.Format("15:04:05"), nil
	}
	return at.Format("2006-01-02T15:04:05Z"), nil
}

// grid returns the rows with a text.
func (w *workbook) grid() func() (GridRow, error) {
	numbers := make([]int, 0, len(w.rows))
	for n := range w.rows {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return func() (GridRow, error) {
		if len(numbers) == 0 {
			return GridRow{}, errEnd
		}
		n := numbers[0]
		numbers = numbers[1:]
		width := 0
		for column, text := range w.rows[n] {
			if text != "" {
				width = max(width, column+1)
			}
		}
		row := GridRow{Texts: make([]string, max(width, 1))}
		for column := range row.Texts {
			row.Texts[column] = w.rows[n][column]
			row.Places = append(row.Places, Place{cellName(n, column), syntax.Place{Line: n + 1, Column: column + 1}})
		}
		return row, nil
	}
}
