package native

import (
	"fmt"
	"io"
	"sync"
)

// This file defines the map of native code that Linux perf reads: a line for each predicate, of address, size and name.

var perfMap struct {
	sync.Mutex
	to io.Writer
}

// MapTo writes the places of what is translated from now on to w. nil ends that.
func MapTo(w io.Writer) {
	ready := w != nil && prepare()
	perfMap.Lock()
	defer perfMap.Unlock()
	perfMap.to = w
	if ready {
		_, _ = fmt.Fprintf(w, "%x %x routines of native code\n", routines.pages.base(), len(routines.pages.memory))
	}
}

// Mapped reports whether there is a map.
func Mapped() bool {
	perfMap.Lock()
	defer perfMap.Unlock()
	return perfMap.to != nil
}

// Name puts a unit into the map, if there is one.
func (u *Unit) Name(name string) {
	perfMap.Lock()
	defer perfMap.Unlock()
	if perfMap.to != nil {
		_, _ = fmt.Fprintf(perfMap.to, "%x %x %s\n", u.pages.base(), u.size, name)
	}
}
