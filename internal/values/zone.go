package values

import (
	"fmt"
	"math/big"
	"time"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines times and datetimes with a zone, which FEEL has: the zone is another argument, the seconds by which
// its clock is ahead of UTC or its name.

// Offset returns by how many seconds the clock of a time or a datetime is ahead of UTC. ok is false without a zone. A
// time of day in a zone with a name has the offset of the first of January 1970.
func Offset(t term.Term) (seconds int, ok bool) {
	c, isCompound := t.(*term.Compound)
	if !isCompound || !(c.Functor == "time" && len(c.Args) == 4 || c.Functor == "datetime" && len(c.Args) == 7) {
		return 0, false
	}
	last := len(c.Args) - 1
	if n, isNumber := c.Args[last].(term.Int); isNumber {
		return int(n), true
	}
	name, _ := c.Args[last].(term.Atom)
	place, err := time.LoadLocation(string(name))
	if err != nil {
		return 0, false
	}
	n := [6]int{1970, 1, 1}
	for i, arg := range c.Args[:last] {
		if r := Number(arg); r != nil {
			n[6-last+i] = int(new(big.Int).Quo(r.Num(), r.Denom()).Int64())
		}
	}
	_, seconds = time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, place).Zone()
	return seconds, true
}

// OffsetText is how an offset stands behind a time.
func OffsetText(seconds int) string {
	if seconds == 0 {
		return "Z"
	}
	sign := "+"
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	text := fmt.Sprintf("%s%02d:%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf(":%02d", seconds%60)
	}
	return text
}
