package sqltables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines SQLite. Values have the types that they were stored with, whatever their column declares.

// sqlite is a database of SQLite.
type sqlite struct{ name, file string } // file is "" behind a handle of others

func openSQLite(name, file string) (driver, error) {
	switch {
	case !slices.Contains(sql.Drivers(), SQLite):
		return nil, errors.New("this mcplogic is without SQLite; releases have it, and so has a build with -tags sqlite")
	case file == "":
		return nil, errors.New("got an address without a file, want sqlite:FILE")
	}
	db, err := sqliteFile(file)
	if err != nil {
		return nil, err
	}
	return &handle{dialect: &sqlite{name: name, file: file}, name: name, db: db, own: true, file: file}, nil
}

// sqliteFile opens a file read-only. Otherwise the driver would create a missing file.
func sqliteFile(file string) (*sql.DB, error) {
	path := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath()}).String()
	db, err := sql.Open(SQLite, path+"?mode=ro&_pragma=query_only(1)&_pragma=busy_timeout(1000)")
	if err == nil {
		db.SetMaxIdleConns(2*runtime.GOMAXPROCS(0) + 2)
	}
	return db, err
}

func (s *sqlite) problem(err error) error {
	if _, missing := os.Stat(s.file); s.file != "" && missing != nil {
		return &relation.Error{Database: s.name, Code: "connection", Message: "there is no file " + s.file}
	}
	e := &relation.Error{Database: s.name, Code: "sqlite", Message: strings.TrimPrefix(err.Error(), "SQL logic error: ")}
	var told interface{ Code() int }
	switch {
	case strings.HasPrefix(e.Message, "no such table"):
		e.Code, e.Wrong = codeTable, true
	case strings.HasPrefix(e.Message, "no such column"):
		e.Code, e.Wrong = codeColumn, true
	case errors.As(err, &told) && slices.Contains(noSharedMemory, told.Code()):
		e.Message += "; the database is in WAL mode, so that readers make a file " + s.file + "-shm: is the disk full, or " +
			"its folder read-only?"
	}
	return e
}

// noSharedMemory are the errors of SQLite about the shared-memory file of a database in WAL mode: a reader may not
// create it, or it cannot be opened, extended or mapped.
var noSharedMemory = []int{1288, 4618, 4874, 5386}

func (s *sqlite) catalogue(ctx context.Context, conn *sql.Conn, table string) (list []tableColumn, err error) {
	schema, name, qualified := strings.Cut(table, ".")
	// An integer key is an alias of rowid unless it has an index of its own. A descending key and the key of a table
	// without rowid have one.
	const info = `select name, "notnull", type = 'INTEGER' and pk = 1 and
		not exists (select 1 from pragma_index_list%[1]s where origin = 'pk'), type like '%%blob%%' or type like '%%binary%%',
		count(nullif(pk, 0)) over (), exists (select 1 from pragma_index_list%[1]s l, pragma_index_xinfo%[2]s x
			where l.partial = 0 and x.seqno = 0 and x.name = c.name and x.coll = 'BINARY')
		from pragma_table_xinfo%[1]s c where hidden <> 1`
	query, args := fmt.Sprintf(info, "(?1)", "(l.name)"), []any{table}
	if qualified {
		query, args = fmt.Sprintf(info, "(?1, ?2)", "(l.name, ?2)"), []any{name, schema}
	}
	rows, err := conn.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		found := tableColumn{kind: kindAny}
		var isKey, isBlob bool
		var keys int
		if err := rows.Scan(&found.name, &found.notNull, &isKey, &isBlob, &keys, &found.indexed); err != nil {
			return nil, err
		}
		switch {
		case isKey && keys == 1:
			found.kind, found.notNull, found.indexed = kindRowID, true, true
		case isBlob:
			found.kind = kindBlob
		}
		list = append(list, found)
	}
	return list, rows.Err()
}

// sizes asks for the result of analyze, and then for the rowids of the first and the last row. Views have neither.
func (s *sqlite) sizes(table string) []string {
	name, rows := table[strings.LastIndex(table, ".")+1:], quotedName(table)
	return []string{"select stat from sqlite_stat1 where tbl = '" + strings.ReplaceAll(name, "'", "''") + "' limit 1",
		"select coalesce(cast((select max(rowid) from " + rows + ") - (select min(rowid) from " + rows +
			") + 1 as integer), 0)"}
}

func (s *sqlite) opening(time.Duration) string { return "begin; savepoint " + savepoint }

func (s *sqlite) isSingle() bool { return false }

func (s *sqlite) isLost(error) bool { return false }

func (s *sqlite) add(st *statement, rows *relation.Rows, values []any) (wrong *errValue) {
	row := rows.Add()
	for i, at := range st.selected {
		st.set(rows, row, at, sqliteTerm(values[i]), &wrong)
	}
	return st.placed(wrong, rows, row)
}

// joined compares columns whose equal terms are equal values. NULL and the text null both become the atom null.
func (s *sqlite) joined(a, b *column) (condition string, ok bool) {
	if !sameTypes(s, a, b) || a.kind == kindBlob || b.kind == kindBlob {
		return "", false
	}
	x, y := columnText(a), columnText(b)
	switch {
	case a.kind == kindRowID || b.kind == kindRowID, a.notNull && b.notNull:
		return x + " = " + y, true
	case a.notNull:
		return fmt.Sprintf("(%s = %s or %s = 'null' and %s is null)", x, y, x, y), true
	case b.notNull:
		return fmt.Sprintf("(%s = %s or %s = 'null' and %s is null)", x, y, y, x), true
	}
	return fmt.Sprintf("(%s = %s or coalesce(%s, 'null') = 'null' and coalesce(%s, 'null') = 'null')", x, y, x, y), true
}

// tested compares numbers. Rows with other values pass, and the goal throws the error.
func (s *sqlite) tested(c *column, t relation.Test, n int) (condition string, ok bool) {
	if t.Standard != s.isNative(c) || !t.Standard && !c.isPlain() {
		return "", false
	}
	test := columnText(c) + " " + t.Op + " " + s.placeholder(n)
	if c.kind == kindRowID {
		return test, true
	}
	return "(" + test + " or " + s.notNumber(c, t) + ")", true
}

func (s *sqlite) compared(a, b *column, t relation.Test) (condition string, ok bool) {
	native := s.isNative(a) && s.isNative(b)
	if t.Standard != native || !native && (!a.isPlain() || !b.isPlain()) {
		return "", false
	}
	condition = columnText(a) + " " + t.Op + " " + columnText(b)
	if a.kind == kindRowID && b.kind == kindRowID {
		return condition, true
	}
	for _, other := range []string{s.notNumber(a, t), s.notNumber(b, t), s.mixed(a, b)} {
		condition += " or " + other
	}
	return "(" + condition + ")", true
}

// isNative is true only for columns of dates: each date has a single text, and the texts sort like the dates.
func (s *sqlite) isNative(c *column) bool { return c.asked.Type == "date" && c.kind == kindAny }

// notNumber is the condition that comparing a column is an error, or that its value is not a date.
func (s *sqlite) notNumber(c *column, t relation.Test) string {
	if t.Standard {
		return "date(" + columnText(c) + ") is not " + columnText(c) + " or " + columnText(c) + " is null"
	}
	if t.Integers {
		return "typeof(" + columnText(c) + ") <> 'integer'"
	}
	return "typeof(" + columnText(c) + ") not in ('integer', 'real')"
}

func (s *sqlite) number(c *column, v term.Term) (param any, ok bool) {
	const exact = 1 << 53
	if typ, of := c.exact(); of {
		return exactParam(typ, v)
	}
	switch v := v.(type) {
	case term.Int:
		return int64(v), v < exact && v > -exact
	case term.Float:
		return float64(v), !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0)
	}
	return nil, false
}

func (s *sqlite) placeholder(n int) string { return "?" + strconv.Itoa(n) }

// selected makes an expression of a column, for which the driver does not change the type of values.
func (s *sqlite) selected(c *column, text string) string {
	if c.name == "" { // a total
		return text
	}
	return "+" + text
}

// condition returns how a column is compared with a value. Bytes are found by their base64 only in a column that is
// declared to hold bytes, as otherwise each text would need two comparisons.
func (s *sqlite) condition(_ *column, v term.Term) (form, any) {
	switch v := v.(type) {
	case term.Int:
		return formEqual, int64(v)
	case term.Float:
		return formEqual, float64(v)
	case term.Atom:
		return formEqual, string(v)
	case term.String:
		return formEqual, string(v)
	}
	return formNever, nil
}

func sqliteTerm(v any) term.Term {
	switch v := v.(type) {
	case int64:
		return term.Int(v)
	case float64:
		return term.Float(v)
	case string:
		return term.Atom(v)
	case []byte:
		return bytesTerm(v)
	}
	return null
}

// This part defines what SQLite can tell exactly. A column may have values of any type, so statements ask for the
// types. Columns may have their own collations, so conditions compare bytes.

func (s *sqlite) isSame(c *column, v term.Term, f form) bool {
	switch v.(type) {
	case term.Atom, term.String:
		return f == formNull || f == formNullOrText || f == formEqual && c.isTextOf(v)
	case term.Int:
		return f == formSame || f == formEqual && c.isPlain()
	}
	return f == formEqual && (s.isNative(c) || c.isPlain() && isOrdinary(v))
}

func (s *sqlite) sameValue(c *column, f form, n int) string {
	name := columnText(c)
	switch {
	case f == formEqual:
		return fmt.Sprintf("typeof(%s) = typeof(?%d) and +%s = ?%d collate binary", name, n, name, n)
	case f == formNullOrText:
		return fmt.Sprintf("(%s is null or typeof(%s) = 'text' and +%s = 'null' collate binary)", name, name, name)
	}
	return ""
}

func (s *sqlite) sameTerms(a, b *column) (condition, doubt string, ok bool) {
	if a.kind == kindRowID && b.kind == kindRowID {
		return "", "", true
	}
	x, y := "coalesce("+columnText(a)+", 'null')", "coalesce("+columnText(b)+", 'null')"
	return fmt.Sprintf("typeof(%s) = typeof(%s) and %s = %s collate binary", x, y, x, y),
		fmt.Sprintf("typeof(%s) = 'real' and %s = 0", columnText(a), columnText(a)), true
}

func (s *sqlite) isDistinct(c *column) bool { return c.kind == kindRowID }

func (s *sqlite) raises(c *column, t relation.Test) string {
	if c.kind == kindRowID {
		return ""
	}
	return s.notNumber(c, t)
}

func (s *sqlite) doubtful(c *column, t relation.Test) string { return s.raises(c, t) }

func (s *sqlite) mixed(a, b *column) string {
	if a.kind == kindRowID && b.kind == kindRowID {
		return ""
	}
	return "typeof(" + columnText(a) + ") <> typeof(" + columnText(b) + ")"
}

// total does not add up large integers: their sum may exceed the integers of SQLite, which is an error.
func (s *sqlite) total(op string, c *column) (t totalText, ok bool) {
	if op == "count" {
		return totalText{text: "count(*)"}, true
	}
	name := columnText(c)
	if op == "sum" {
		small := name + " between -2147483648 and 2147483647"
		return totalText{text: "coalesce(sum(case when " + small + " then " + name + " else 0 end), 0)",
			doubt: "typeof(" + name + ") <> 'integer' or not (" + small + ")"}, c.isPlain()
	}
	t = totalText{text: op + "(" + name + ")", doubt: s.notNumber(c, relation.Test{}),
		mixed: "min(typeof(" + name + ")) <> max(typeof(" + name + "))"}
	return t, c.isPlain()
}

// ordered supports only keys: other columns may hold bytes, whose terms have another order.
func (s *sqlite) ordered(c *column, descending bool) []string {
	if c.kind != kindRowID || !c.isPlain() {
		return nil
	}
	return []string{columnText(c) + []string{"", " desc"}[map[bool]int{true: 1}[descending]]}
}

func (s *sqlite) grouped(c *column) (by, condition string, ok bool) {
	name := columnText(c)
	if c.kind == kindRowID {
		return name, "", c.isPlain()
	}
	return "typeof(" + name + "), +" + name + " collate binary", "typeof(" + name + ") in ('integer', 'text') and +" +
		name + " <> 'null' collate binary", c.kind == kindAny && c.isPlain()
}

func (s *sqlite) count(n int64) any { return n }
