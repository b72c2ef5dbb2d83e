package commit

import (
	"sync"
	"time"
)

// turnstile is a lock for many or for one. Commits hold it while a journal stores them. A journal may have to commit
// the changes of others meanwhile, so these pass a turnstile that somebody waits to close.
type turnstile struct {
	gate sync.RWMutex
	held sync.RWMutex
}

// enter takes the lock for one of many. It waits for those that wait to close it, unless passes is set.
func (t *turnstile) enter(passes bool) {
	if !passes {
		t.gate.RLock()
		defer t.gate.RUnlock()
	}
	t.held.RLock()
}

func (t *turnstile) leave() { t.held.RUnlock() }

// close takes the lock for one. It never waits within held, as those that pass would wait for it there.
func (t *turnstile) close() {
	const often = 50 * time.Microsecond
	t.gate.Lock()
	for !t.held.TryLock() {
		time.Sleep(often)
	}
}

func (t *turnstile) open() {
	t.held.Unlock()
	t.gate.Unlock()
}
