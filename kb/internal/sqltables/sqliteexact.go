//go:build sqlite

package sqltables

import (
	"fmt"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what SQLite can tell exactly. A column may have values of any type, so statements ask for the
// types. Columns may have orders of their own; conditions compare bytes.

func (s *sqlite) isSame(c *column, v term.Term, f form) bool {
	switch v.(type) {
	case term.Atom, term.String:
		return f == formNull || f == formNullOrText || f == formEqual && c.isTextOf(v)
	case term.Int:
		return f == formSame || f == formEqual && c.isPlain()
	}
	return f == formEqual && c.isPlain() && isOrdinary(v)
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

// total adds up no large integers: their sum might be none that SQLite has, which is an error.
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

// ordered orders keys alone: of other columns some values may be bytes, whose terms are in another order.
func (s *sqlite) ordered(c *column, descending bool) []string {
	if c.kind != kindRowID || !c.isPlain() {
		return nil
	}
	return []string{columnText(c) + []string{"", " desc"}[map[bool]int{true: 1}[descending]]}
}

func (s *sqlite) count(n int64) any { return n }
