package tables

import (
	"archive/zip"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file writes tables: as grids of texts in CSV, TSV and XLSX, and as models of DMN.

// Write writes a table that was read from a grid, in the format csv, tsv, xlsx or dmn. name is the name of the
// predicate.
func (t *Table) Write(w io.Writer, format, name string) error {
	switch format {
	case "csv", "tsv":
		c := csv.NewWriter(w)
		if format == "tsv" {
			c.Comma = '\t'
		}
		return c.WriteAll(t.grid())
	case "xlsx":
		return writeWorkbook(w, t.grid())
	}
	_, err := io.WriteString(w, t.dmn(name))
	return err
}

// IsFormat reports whether tables are written in a format.
func IsFormat(format string) bool {
	return slices.Contains([]string{"csv", "tsv", "xlsx", "dmn"}, format)
}

// grid returns the texts of the table: its head, and its rows.
func (t *Table) grid() [][]string {
	var head []string
	noted := slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Note != "" })
	for _, c := range t.Columns {
		text := c.Name + " (" + typeText(c.Type) + ")"
		if c.Output {
			text = "out: " + text
		}
		head = append(head, text)
	}
	for _, c := range t.Times {
		head = append(head, c.Name)
	}
	if noted {
		head = append(head, "note: note")
	}
	list := [][]string{head}
	for _, r := range t.Rows {
		var row []string
		for i, cell := range r.Cells {
			text := strings.TrimSpace(cell.Text)
			if text == "" && !t.Columns[i].Output {
				text = "-"
			}
			row = append(row, text)
		}
		for _, cell := range r.Times {
			row = append(row, cell.Text)
		}
		if noted {
			row = append(row, r.Note)
		}
		list = append(list, row)
	}
	return list
}

// typeText writes a type in the form of a head: texts between bars, or a type of mode/2.
func typeText(t term.Term) string {
	args, ok := term.Is(t, "oneof", 1)
	if !ok {
		return syntax.FormatTerm(t)
	}
	list, _ := term.Slice(args[0])
	var texts []string
	for _, item := range list {
		text, isAtom := item.(term.Atom)
		if !isAtom || strings.TrimSpace(string(text)) != string(text) || strings.ContainsAny(string(text), "|()\n") {
			return syntax.FormatTerm(t)
		}
		texts = append(texts, string(text))
	}
	if len(texts) < 2 {
		return syntax.FormatTerm(t)
	}
	return strings.Join(texts, "|")
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}

// numberForm matches a number that a cell of a spreadsheet keeps exactly.
var numberForm = lazyregexp.New(`^-?(0|[1-9]\d{0,14})$`)

// writeWorkbook writes a workbook with one sheet.
func writeWorkbook(w io.Writer, grid [][]string) error {
	var rows strings.Builder
	for i, texts := range grid {
		fmt.Fprintf(&rows, `<row r="%d">`, i+1)
		for j, text := range texts {
			if numberForm().MatchString(text) {
				fmt.Fprintf(&rows, `<c r="%s"><v>%s</v></c>`, cellName(i, j), text)
			} else {
				fmt.Fprintf(&rows, `<c r="%s" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, cellName(i, j),
					escaped(text))
			}
		}
		rows.WriteString("</row>")
	}
	const (
		kind    = "application/vnd.openxmlformats-officedocument.spreadsheetml."
		schemas = "http://schemas.openxmlformats.org/"
		links   = schemas + "officeDocument/2006/relationships"
	)
	relation := func(kind, target string) string {
		return `<Relationships xmlns="` + schemas + `package/2006/relationships"><Relationship Id="rId1" Type="` + links +
			kind + `" Target="` + target + `"/></Relationships>`
	}
	main := ` xmlns="` + schemas + `spreadsheetml/2006/main"`
	z := zip.NewWriter(w)
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="` + schemas + `package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + kind + `sheet.main+xml"/>` +
			`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + kind + `worksheet+xml"/></Types>`},
		{"_rels/.rels", relation("/officeDocument", "xl/workbook.xml")},
		{"xl/_rels/workbook.xml.rels", relation("/worksheet", "worksheets/sheet1.xml")},
		{"xl/workbook.xml", `<workbook` + main + ` xmlns:r="` + links +
			`"><sheets><sheet name="Table" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/worksheets/sheet1.xml", `<worksheet` + main + `><sheetData>` + rows.String() + `</sheetData></worksheet>`},
	} {
		out, err := z.Create(part[0])
		if err == nil {
			_, err = io.WriteString(out, xml.Header+part[1])
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// cellFEEL returns the text of a cell in the syntax of FEEL. An expression keeps its text.
func cellFEEL(c *Column, cell *Cell) string {
	if c.Output {
		if feel.Constant(cell.Value) {
			return feel.Written(cell.Value, true)
		}
		return cell.Text
	}
	var list []string
	for _, item := range cell.Tests.Items {
		if _, isList := term.Slice(item); isList || !feel.Constant(item) {
			return cell.Text
		}
		list = append(list, feel.Written(item, true))
	}
	switch text := strings.Join(list, ", "); {
	case cell.Tests.Any:
		return "-"
	case cell.Tests.Not:
		return "not(" + text + ")"
	default:
		return text
	}
}

// typeRefs holds the names of types in DMN.
var typeRefs = map[Kind]string{Number: "number", Text: "string", Boolean: "boolean", "date": "date", "time": "time",
	"datetime": "date and time", "duration": "days and time duration", Anyhow: "Any"}

// dmn writes a model with one decision.
func (t *Table) dmn(name string) string {
	var inputs, required, heads, outputs, rules strings.Builder
	hit := "COLLECT"
	for text, policy := range dmnPolicies {
		if policy == t.Hit && text != "" {
			hit = strings.Replace(text, "COLLECT ", `COLLECT" aggregation="`, 1)
		}
	}
	for i, c := range t.Columns {
		text, ref := escaped(c.Name), typeRefs[c.Kind]
		if c.Output {
			fmt.Fprintf(&outputs, "      <output name=\"%s\" typeRef=\"%s\">", text, ref)
			if _, listed := kindOf(c.Type); listed != nil {
				var list []string
				for _, v := range listed {
					list = append(list, feel.Written(v, true))
				}
				fmt.Fprintf(&outputs, "<outputValues><text>%s</text></outputValues>", escaped(strings.Join(list, ", ")))
			}
			outputs.WriteString("</output>\n")
			continue
		}
		fmt.Fprintf(&inputs, "  <inputData id=\"i%d\" name=\"%s\"><variable name=\"%s\" typeRef=\"%s\"/></inputData>\n", i,
			text, text, ref)
		fmt.Fprintf(&required, "    <informationRequirement><requiredInput href=\"#i%d\"/></informationRequirement>\n", i)
		fmt.Fprintf(&heads, "      <input><inputExpression typeRef=\"%s\"><text>%s</text></inputExpression></input>\n", ref,
			text)
	}
	if len(t.Times) > 0 {
		heads.WriteString("      <input><inputExpression typeRef=\"date\"><text>today()</text></inputExpression></input>\n")
	}
	for _, r := range t.Rows {
		rules.WriteString("      <rule>")
		for _, output := range []bool{false, true} {
			if day := r.dayTest(); output && len(t.Times) > 0 {
				fmt.Fprintf(&rules, "<inputEntry><text>%s</text></inputEntry>", escaped(cellFEEL(&Column{}, &day)))
			}
			for i := range t.Columns {
				if c := &t.Columns[i]; c.Output == output {
					entry := map[bool]string{false: "inputEntry", true: "outputEntry"}[output]
					fmt.Fprintf(&rules, "<%s><text>%s</text></%s>", entry, escaped(cellFEEL(c, &r.Cells[i])), entry)
				}
			}
		}
		if r.Note != "" {
			fmt.Fprintf(&rules, "<annotationEntry><text>%s</text></annotationEntry>", escaped(r.Note))
		}
		rules.WriteString("</rule>\n")
	}
	return xml.Header + `<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" namespace="mcplogic" name="` +
		escaped(name) + "\">\n" + inputs.String() + `  <decision id="d" name="` + escaped(name) + "\">\n" +
		required.String() + `    <decisionTable hitPolicy="` + hit + "\">\n" + heads.String() + outputs.String() +
		rules.String() + "    </decisionTable>\n  </decision>\n</definitions>\n"
}
