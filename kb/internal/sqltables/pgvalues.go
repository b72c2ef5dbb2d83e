package sqltables

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/jsontext"
)

// This file defines the values of PostgreSQL, and what PostgreSQL computes exactly. Parameters are sent as texts.
// Numbers and booleans are received as bytes, all other values as texts.

// pgKinds are the kinds of columns by the numbers of their types.
var pgKinds = map[uint32]kind{
	16: kindBoolean, 17: kindBytes, 19: kindText, 20: kindInteger, 21: kindInteger, 23: kindInteger,
	25: kindText, 26: kindInteger, 114: kindJSON, 700: kindFloat, 701: kindFloat, 1042: kindPadded, 1043: kindText,
	1082: kindDate, 1083: kindTime, 1114: kindTimestamp, 1184: kindInstant, 1700: kindNumeric, 2950: kindUUID,
	3802: kindJSON,
}

// pgKind returns the kind of a type.
func pgKind(oid uint32) kind {
	if k, ok := pgKinds[oid]; ok {
		return k
	}
	return kindOther
}

// pgRanges are the smallest and the largest integers of types.
var pgRanges = map[uint32][2]int64{20: {math.MinInt64, math.MaxInt64}, 21: {math.MinInt16, math.MaxInt16},
	23: {math.MinInt32, math.MaxInt32}, oidOID: {0, math.MaxUint32}}

// isBinary reports whether the values of a column are received as their bytes.
func (c *column) isBinary() bool {
	return c.kind == kindInteger || c.kind == kindBoolean || c.kind == kindFloat && c.oid == oidFloat8
}

// The numbers of types, and how values are sent: as texts or as bytes.
const (
	oidInt2      = 21
	oidInt8      = 20
	oidInt4      = 23
	oidOID       = 26
	oidFloat8    = 701
	oidInet      = 869
	formatText   = 0
	formatBinary = 1
)

// formats are the forms in which the values of a statement are to be sent.
func formats(st *statement) []int16 {
	var list []int16
	for _, at := range st.selected {
		list = append(list, formatText)
		if st.columns[at].isBinary() {
			list[len(list)-1] = formatBinary
		}
	}
	return list
}

// addRow adds a row that has been received, with numbers and booleans as their bytes if it is binary.
func (st *statement) addRow(rows *relation.Rows, values [][]byte, binary bool) (wrong *errValue) {
	row := rows.Add()
	for i, at := range st.selected {
		c, data := st.columns[at], values[i]
		switch {
		case data == nil:
			row[at] = rows.OfText(relation.Atom, []byte(null))
		case c.asked.Type != "" && c.asked.Type != "any" && c.asked.Type != "number":
			st.set(rows, row, at, c.pgTerm(data, binary), &wrong)
		case binary && c.isBinary():
			row[at] = c.fromBytes(rows, data)
		case c.kind == kindText:
			row[at] = rows.OfText(relation.Atom, data)
		default:
			row[at] = rows.OfTerm(c.pgTerm(data, binary))
		}
	}
	return st.placed(wrong, rows, row)
}

// binary returns a value that has been received as its bytes.
func (c *column) fromBytes(rows *relation.Rows, data []byte) relation.Value {
	switch len(data) {
	case 1:
		if data[0] != 0 {
			return rows.OfText(relation.Atom, []byte("true"))
		}
		return rows.OfText(relation.Atom, []byte("false"))
	case 2:
		return relation.OfInt(int64(int16(binary.BigEndian.Uint16(data))))
	case 4:
		n := binary.BigEndian.Uint32(data)
		if c.oid == oidOID {
			return relation.OfInt(int64(n))
		}
		return relation.OfInt(int64(int32(n)))
	}
	n := binary.BigEndian.Uint64(data)
	if c.kind == kindFloat {
		return relation.OfFloat(math.Float64frombits(n))
	}
	return relation.OfInt(int64(n))
}

// pgTerm returns a value as a term.
func (c *column) pgTerm(data []byte, binary bool) term.Term {
	if !binary || !c.isBinary() {
		return pgTerm(c.kind, c.oid, data)
	}
	var one relation.Rows
	switch v := c.fromBytes(&one, data); v.Kind {
	case relation.Int:
		return term.Int(v.Int())
	case relation.Float:
		return term.Float(v.Float())
	default:
		one.Seal()
		return term.Atom(one.Text(v))
	}
}

// pgTerm returns the term of a value that is received as a text, or is a part of one.
func pgTerm(k kind, oid uint32, data []byte) term.Term {
	if k == kindInteger {
		if n, ok := smallInt(data); ok {
			return n
		}
	}
	text := string(data)
	switch k {
	case kindText, kindOther:
		return term.Atom(text)
	case kindInteger, kindNumeric:
		return numericTerm(text)
	case kindFloat:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return term.Float(f)
		}
	case kindBoolean:
		if text == "t" {
			return term.True
		}
		return term.False
	case kindPadded:
		return term.Atom(strings.TrimRight(text, " "))
	case kindBytes:
		if data, err := hex.DecodeString(strings.TrimPrefix(text, `\x`)); err == nil {
			return bytesTerm(data)
		}
	case kindTimestamp:
		return term.Atom(strings.Replace(text, " ", "T", 1))
	case kindInstant:
		if bare, ok := strings.CutSuffix(text, "+00"); ok {
			text = bare + "Z"
		}
		return term.Atom(strings.Replace(text, " ", "T", 1))
	case kindJSON:
		if t, ok := jsontext.Term(text); ok {
			return t
		}
	case kindArray:
		if list, rest, ok := pgArray(text, oid); ok && rest == "" {
			return list
		}
	}
	return term.Atom(text)
}

// smallInt returns the integer that a short text denotes.
func smallInt(data []byte) (n term.Int, ok bool) {
	const most = 18 // digits that fit
	digits, negative := bytes.CutPrefix(data, []byte("-"))
	if len(digits) == 0 || len(digits) > most {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + term.Int(c-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

// pgArray reads an array: {1,2,NULL,"a b",{3}}. Bounds before the braces are skipped.
func pgArray(text string, oid uint32) (list term.Term, rest string, ok bool) {
	if i := strings.Index(text, "={"); strings.HasPrefix(text, "[") && i > 0 {
		text = text[i+1:]
	}
	if !strings.HasPrefix(text, "{") {
		return nil, text, false
	}
	var items []term.Term
	for text = text[1:]; text != ""; {
		switch text[0] {
		case '}':
			return term.List(items...), text[1:], true
		case ',':
			text = text[1:]
		case '{':
			inner, after, ok := pgArray(text, oid)
			if !ok {
				return nil, text, false
			}
			items, text = append(items, inner), after
		case '"':
			item, after := pgQuoted(text)
			items, text = append(items, pgTerm(pgKind(oid), oid, []byte(item))), after
		default:
			end := strings.IndexAny(text, ",}")
			if end < 0 {
				return nil, text, false
			}
			item := pgTerm(pgKind(oid), oid, []byte(text[:end]))
			if text[:end] == "NULL" {
				item = null
			}
			items, text = append(items, item), text[end:]
		}
	}
	return nil, "", false
}

// pgQuoted reads an item of an array in quotes.
func pgQuoted(text string) (item, rest string) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return b.String(), text[i+1:]
		case text[i] == '\\' && i+1 < len(text):
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), ""
}

// pgLayouts are the forms of times as terms.
var pgLayouts = map[kind]string{kindDate: "2006-01-02", kindTime: "15:04:05.999999",
	kindTimestamp: "2006-01-02T15:04:05.999999", kindInstant: "2006-01-02T15:04:05.999999Z"}

// condition returns how a column is compared with a value. The server would end the transaction if it could not read
// the value, so a value that the column cannot have is not sent.
func (p *postgres) condition(c *column, v term.Term) (form, any) {
	text, isText := term.Text(v)
	number := numberText(v)
	_, isFloat := v.(term.Float)
	const maxDigits = 1 << 17
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) || len(number) > maxDigits {
		return formNever, nil
	}
	switch c.kind {
	case kindText, kindPadded:
		return sent(isText, text)
	case kindInteger:
		n, isInt := v.(term.Int)
		of := pgRanges[c.oid]
		return sent(isInt && of[0] <= int64(n) && int64(n) <= of[1], number)
	case kindNumeric:
		if _, isDecimal := numericTerm(text).(term.Atom); isText && isDecimal {
			return formNone, nil // too exact for a float, or no number
		}
		if f, _ := v.(term.Float); math.IsInf(float64(f), 0) {
			return formNone, nil // older servers do not know it
		}
		return sent(number != "", number)
	case kindFloat:
		f, _ := v.(term.Float)
		_, err := strconv.ParseFloat(number, 32)
		fits := c.oid == oidFloat8 || err == nil && (f == 0 || float32(f) != 0)
		return sent(isFloat && fits, number)
	case kindBoolean:
		return sent(text == "true" || text == "false", text)
	case kindBytes:
		data, err := base64.StdEncoding.DecodeString(text)
		return sent(isText && err == nil, `\x`+hex.EncodeToString(data))
	case kindDate, kindTime, kindTimestamp, kindInstant:
		at, err := time.Parse(pgLayouts[c.kind], text)
		if isText && (err != nil || at.Year() == 0 && c.kind != kindTime) {
			return formNone, nil // infinity, years before Christ
		}
		return sent(isText, text)
	case kindUUID:
		return sent(isUUID(text), text)
	case kindOther:
		switch {
		case !isText:
			return formNever, nil
		case c.oid == oidInet: // cast to a text it has another form than when it is sent
			return formNone, nil
		}
		return formText, text
	}
	return formNone, nil
}

// sent returns formEqual for a value that a column can have, and otherwise formNever.
func sent(possible bool, text string) (form, any) {
	if !possible {
		return formNever, nil
	}
	return formEqual, text
}

// isUUID reports whether a text has the form of a UUID as the server writes it.
func isUUID(text string) bool {
	const length = 36
	if len(text) != length {
		return false
	}
	for i, c := range []byte(text) {
		isDash := i == 8 || i == 13 || i == 18 || i == 23
		if isDash != (c == '-') || !isDash && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// oidName is the type of names, which are cut to a length before they are compared.
const oidName = 19

func (p *postgres) isSame(c *column, v term.Term, f form) bool {
	switch f {
	case formSame, formNull:
		return true
	case formNullOrText:
		return p.isDistinct(c) || c.kind == kindOther
	case formText:
		return c.isTextOf(v)
	case formEqual:
		if _, of := c.exact(); of {
			return p.isWhole(c)
		}
		switch c.kind {
		case kindText:
			return c.isTextOf(v) && !c.loose && c.oid != oidName
		case kindBoolean, kindUUID, kindDate:
			return c.isTextOf(v)
		case kindFloat:
			return c.isPlain() && c.oid == oidFloat8 && isOrdinary(v)
		}
	}
	return false
}

func (p *postgres) sameValue(*column, form, int) string { return "" }

func (p *postgres) sameTerms(a, b *column) (condition, doubt string, ok bool) {
	return "", "", p.isDistinct(a) && p.isDistinct(b)
}

func (p *postgres) isDistinct(c *column) bool {
	if p.isNative(c) {
		return true
	}
	switch c.kind {
	case kindInteger, kindBoolean, kindUUID, kindDate, kindBytes:
		return c.isPlain()
	case kindText:
		return !c.loose && (c.isPlain() || c.asked.Type == "string")
	}
	return false
}

func (p *postgres) grouped(c *column) (by, condition string, ok bool) {
	name := columnText(c)
	if c.kind == kindText {
		condition = name + " <> 'null'"
	}
	_, of := c.exact()
	return name, condition, p.isDistinct(c) && !of
}

func (p *postgres) raises(c *column, t relation.Test) string {
	if c.asked.Type == "decimal" {
		return p.doubtful(c, t)
	}
	return either(isNull(c), isLong(c))
}

func (p *postgres) doubtful(c *column, t relation.Test) string {
	doubt := isNull(c)
	if c.kind == kindFloat || c.kind == kindNumeric {
		doubt = either(doubt, isNaN(c))
	}
	if t.Standard && c.kind != kindTime {
		doubt = either(doubt, "not isfinite("+columnText(c)+")")
	}
	return either(doubt, isLong(c))
}

func (p *postgres) mixed(*column, *column) string { return "" }

// isNull is the condition that a column is NULL, or "" if the column has no NULL.
func isNull(c *column) string {
	if c.notNull {
		return ""
	}
	return columnText(c) + " is null"
}

func isNaN(c *column) string { return columnText(c) + " = 'NaN'" }

// isLong is the condition that the term of a numeric may be an atom, because a float cannot hold all of its digits, or
// an integer that is not compared exactly with floats. It is "" for columns without such values.
func isLong(c *column) string {
	if c.kind != kindNumeric || c.isShort() || c.asked.Type == "decimal" {
		return ""
	}
	return "length(" + columnText(c) + "::text) > 15"
}

// either is the disjunction of two conditions, each of which may be "".
func either(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " or " + b
}

func (p *postgres) total(op string, c *column) (t totalText, ok bool) {
	switch {
	case op == "count":
		return totalText{text: "count(*)", tableColumn: tableColumn{kind: kindInteger}}, true
	case !c.isPlain() && !p.isNative(c) || p.isNative(c) && c.asked.Type != "decimal":
		return t, false
	case op == "sum":
		t = totalText{text: "coalesce(sum(" + columnText(c) + "), 0)::numeric", doubt: p.doubtful(c, relation.Test{}),
			typ: c.asked.Type, tableColumn: tableColumn{kind: kindNumeric}}
		return t, c.kind == kindInteger && c.oid != oidOID || p.isNative(c)
	}
	t = totalText{text: op + "(" + columnText(c) + ")", doubt: p.doubtful(c, relation.Test{}), typ: c.asked.Type,
		tableColumn: c.tableColumn}
	if c.kind == kindNumeric && c.isPlain() { // of an integer and a float that are equal one is the largest
		t.mixed = "coalesce(min(scale(" + columnText(c) + ")) = 0 and max(scale(" + columnText(c) + ")) > 0, false)"
	}
	return t, c.kind == kindInteger || c.kind == kindFloat || c.kind == kindNumeric
}

// ordered puts NULL where its term belongs: atoms come after numbers and before strings.
func (p *postgres) ordered(c *column, descending bool) []string {
	name, way := columnText(c), []string{"", " desc"}
	if descending {
		way[0], way[1] = way[1], way[0]
	}
	text := ""
	switch {
	case c.asked.Type == "string" && c.kind == kindText:
		return []string{"(coalesce(" + name + ", 'null') <> 'null')" + way[0], "convert_to(" + name + ", 'UTF8')" + way[0]}
	case p.isNative(c) && c.asked.Type == "decimal":
		return []string{name + way[0]}
	case p.isNative(c): // the atom null comes before compound terms
		return []string{name + way[0] + []string{" nulls first", " nulls last"}[len(way[0])/5]}
	case !c.isPlain() || c.oid == oidInet:
		return nil
	}
	switch c.kind {
	case kindInteger:
		return []string{name + way[0]}
	case kindFloat:
		return []string{"coalesce(" + isNaN(c) + ", false)" + way[1], name + way[0], name + `::text collate "C"` + way[0]}
	case kindNumeric:
		if !c.isShort() {
			return nil
		}
		return []string{"coalesce(" + isNaN(c) + ", false)" + way[1], name + way[0]}
	case kindText:
		text = name
	case kindOther, kindDate, kindTime, kindUUID, kindBoolean:
		text = name + "::text"
	case kindTimestamp:
		text = "regexp_replace(" + name + "::text, ' ', 'T')"
	case kindInstant:
		text = "regexp_replace(regexp_replace(" + name + `::text, '\+00$', 'Z'), ' ', 'T')`
	default:
		return nil
	}
	if !c.notNull {
		text = "coalesce(" + text + ", 'null')"
	}
	return []string{"convert_to(" + text + ", 'UTF8')" + way[0]}
}

func (p *postgres) count(n int64) any { return strconv.FormatInt(n, 10) }
