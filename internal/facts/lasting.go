package facts

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// This file defines how a replica sees to it that changes last.
//
// A change is seen as soon as it has its place in the log, so that the next change of the same facts need not wait for
// the disk. Whoever has made it or seen it waits until it lasts, and one wait serves all that come meanwhile.

// latecomer waits for records to last. tell is called with an error if that is not known. One without patience waits
// no longer than the log can be reached.
type latecomer struct {
	tell    func(err error)
	patient bool
}

// await has somebody told when all records that the program has last, some time after the next hurry.
func (r *Replica) await(c latecomer) {
	r.lasting.Lock()
	defer r.lasting.Unlock()
	if r.ended {
		c.tell(ErrClosed)
		return
	}
	r.late = append(r.late, c)
}

// hurry has the log flushed, if anybody waits for that.
func (r *Replica) hurry() {
	r.lasting.Lock()
	defer r.lasting.Unlock()
	if !r.flushes && !r.ended && len(r.late) > 0 {
		r.flushes = true
		r.follow.Go(r.flushAll)
	}
}

// lose notes that the log has been loaded anew up to a record. Nobody knows whether it has what was there before.
func (r *Replica) lose(newest Record) {
	r.lasting.Lock()
	defer r.lasting.Unlock()
	r.newest, r.lasts = newest, Record{}
	for _, c := range r.late {
		c.tell(errUnknown)
	}
	r.late = nil
}

// flushAll flushes the log until nobody waits for that.
func (r *Replica) flushAll() {
	for {
		r.lasting.Lock()
		newest, late := r.newest, r.late
		r.late = nil
		r.flushes = len(late) > 0
		r.lasting.Unlock()
		if len(late) == 0 {
			return
		}
		err := r.flush(newest, func(err error) {
			late = slices.DeleteFunc(late, func(c latecomer) bool {
				if !c.patient {
					c.tell(err)
				}
				return !c.patient
			})
		})
		for _, c := range late {
			c.tell(err)
		}
	}
}

// flush flushes the log up to a record. failed is called with the error of an attempt after which there is another.
func (r *Replica) flush(newest Record, failed func(error)) error {
	until := r.clock.Now().Add(patience)
	for {
		err := r.log.Flush(r.ctx, newest)
		switch {
		case err == nil:
			r.lasting.Lock()
			r.lasts = newest
			r.lasting.Unlock()
			return nil
		case errors.Is(err, ErrForked):
			r.Hold(func() { _ = r.catchUp() }) // else whoever follows the log finds it out
			return errUnknown
		case r.ctx.Err() != nil, r.clock.Now().After(until):
			return fmt.Errorf("%w: %w", errUnknown, err)
		}
		failed(err)
		r.clock.Sleep(r.ctx, retryTime)
	}
}

// endLasting waits for those that wait. From then on nobody does.
func (r *Replica) endLasting() {
	r.lasting.Lock()
	if r.flushes {
		over := make(chan struct{})
		r.late = append(r.late, latecomer{func(error) { close(over) }, true})
		r.lasting.Unlock()
		<-over
		r.lasting.Lock()
	}
	defer r.lasting.Unlock()
	r.ended = true
	for _, c := range r.late {
		c.tell(ErrClosed)
	}
	r.late = nil
}

// Lasting waits until the changes that calls see now last, but not longer than the log can be reached.
func (r *Replica) Lasting(ctx context.Context) {
	r.lasting.Lock()
	all := r.newest == r.lasts
	r.lasting.Unlock()
	if all {
		return
	}
	done := make(chan struct{})
	r.await(latecomer{func(error) { close(done) }, false})
	r.hurry()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
