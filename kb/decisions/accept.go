package decisions

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// This file defines the intended differences between recorded and replayed answers.

// Accepted are the intended differences, kept in a file beside the rules. One goroutine uses it.
type Accepted struct {
	name string
	list map[string]acceptance
	more []byte // lines that are not in the file yet
}

// acceptance is a line of the file: the answer that a call may have from now on, and why.
type acceptance struct {
	ID     string    `json:"id"`
	Answer string    `json:"answer"`
	Reason string    `json:"reason"`
	Time   time.Time `json:"time"`
}

// ReadAccepted reads a file, which need not be there.
func ReadAccepted(name string) (*Accepted, error) {
	a := &Accepted{name: name, list: map[string]acceptance{}}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	number := 0
	return a, eachLine(file, func(line []byte, _ int64) error {
		var one acceptance
		if number++; json.Unmarshal(line, &one) != nil || one.ID == "" {
			return fmt.Errorf("%s:%d: want a line of JSON with id, answer and reason", name, number)
		}
		a.list[one.ID] = one
		return nil
	})
}

// answerSum returns a hash of an answer.
func answerSum(r *Record) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", r.Outcome, r.plain())
	if r.Error != nil {
		fmt.Fprintf(h, "%d %s", r.Error.Code, r.Error.Message)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Reason returns why the answer of a call may differ from the recorded one.
func (a *Accepted) Reason(now *Record) (reason string, ok bool) {
	one, ok := a.list[now.ID]
	return one.Reason, ok && one.Answer == answerSum(now)
}

// Accept notes that a call may have this answer in place of the recorded one.
func (a *Accepted) Accept(now *Record, reason string) error {
	one := acceptance{now.ID, answerSum(now), reason, time.Now().UTC().Truncate(time.Second)}
	line, err := json.Marshal(one)
	a.list[now.ID], a.more = one, append(append(a.more, line...), '\n')
	return err
}

// Write adds the newly accepted differences to the file.
func (a *Accepted) Write() error {
	if len(a.more) == 0 {
		return nil
	}
	file, err := os.OpenFile(a.name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err == nil {
		_, err = file.Write(a.more)
		err = errors.Join(err, file.Close())
	}
	return err
}
