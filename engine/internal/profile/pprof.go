package profile

import (
	"compress/gzip"
	"encoding/binary"
	"io"
	"time"
)

// This file defines the format of pprof: a message of protocol buffers, profile.proto of github.com/google/pprof,
// compressed with gzip.

// The numbers of the fields that are written.
const (
	fieldSampleType = 1
	fieldSample     = 2
	fieldLocation   = 4
	fieldFunction   = 5
	fieldString     = 6
	fieldTime       = 9
	fieldDuration   = 10
	fieldPeriodType = 11
	fieldPeriod     = 12
)

// message is a message of protocol buffers while it is written.
type message []byte

// number adds a field that is a number. 0 is what a field is that is not there.
func (m *message) number(field int, n uint64) {
	if n != 0 {
		*m = binary.AppendUvarint(binary.AppendUvarint(*m, uint64(field)<<3), n)
	}
}

// bytes adds a field that is a text or a message.
func (m *message) bytes(field int, data []byte) {
	*m = binary.AppendUvarint(binary.AppendUvarint(*m, uint64(field)<<3|2), uint64(len(data)))
	*m = append(*m, data...)
}

// numbers adds a field of many numbers.
func (m *message) numbers(field int, list ...uint64) {
	var packed []byte
	for _, n := range list {
		packed = binary.AppendUvarint(packed, n)
	}
	m.bytes(field, packed)
}

// texts is the table of strings, whose first is empty.
type texts struct {
	list  []string
	index map[string]uint64
}

func (t *texts) of(text string) uint64 {
	n, ok := t.index[text]
	if !ok {
		n = uint64(len(t.list))
		t.list, t.index[text] = append(t.list, text), n
	}
	return n
}

// WritePprof writes the profile as go tool pprof reads it: samples, and the time that they stand for.
func (p *Profile) WritePprof(w io.Writer) error {
	p.mu.Lock()
	data := p.pprof()
	p.mu.Unlock()
	z := gzip.NewWriter(w)
	if _, err := z.Write(data); err != nil {
		return err
	}
	return z.Close()
}

// pprof returns the message. Each frame is a location of one line.
func (p *Profile) pprof() []byte {
	t := &texts{list: []string{""}, index: map[string]uint64{"": 0}}
	var m message
	valueType := func(kind, unit string) []byte {
		var v message
		v.number(1, t.of(kind))
		v.number(2, t.of(unit))
		return v
	}
	m.bytes(fieldSampleType, valueType("samples", "count"))
	m.bytes(fieldSampleType, valueType("time", "nanoseconds"))
	samples := int64(0)
	for _, s := range p.sorted() {
		ids := make([]uint64, len(s.frames))
		for i, n := range s.frames {
			ids[i] = uint64(n) + 1
		}
		var sample message
		sample.numbers(1, ids...)
		sample.numbers(2, uint64(s.count), uint64(s.time))
		m.bytes(fieldSample, sample)
		samples += s.count
	}
	p.places(&m, t)
	for _, text := range t.list {
		m.bytes(fieldString, []byte(text))
	}
	if !p.begun.IsZero() {
		m.number(fieldTime, uint64(p.begun.UnixNano()))
	}
	m.number(fieldDuration, uint64(p.total))
	m.bytes(fieldPeriodType, valueType("time", "nanoseconds"))
	m.number(fieldPeriod, uint64(p.total/time.Duration(max(samples, 1))))
	return m
}

// places adds the locations and functions. A function is a predicate of one file.
func (p *Profile) places(m *message, t *texts) {
	functions := map[Frame]uint64{}
	for i, f := range p.list {
		of := Frame{Predicate: f.Predicate, File: f.File}
		id, ok := functions[of]
		if !ok {
			id = uint64(len(functions)) + 1
			functions[of] = id
			var function message
			function.number(1, id)
			function.number(2, t.of(f.Predicate))
			function.number(3, t.of(f.Predicate))
			function.number(4, t.of(f.File))
			m.bytes(fieldFunction, function)
		}
		var line, location message
		line.number(1, id)
		line.number(2, uint64(f.Line))
		location.number(1, uint64(i)+1)
		location.bytes(4, line)
		m.bytes(fieldLocation, location)
	}
}
