// Package zerotest calls all methods of values as a program does that has not made them, or gives them nothing.
package zerotest

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Methods calls each exported method of the values, but for some, with zero values: once without a context, and once
// with one. Each call has a value of its own. None panics.
func Methods(t *testing.T, values []func() any, but ...string) {
	t.Helper()
	for _, ctx := range []context.Context{nil, t.Context()} {
		for _, value := range values {
			for i := range reflect.TypeOf(value()).NumMethod() {
				v := reflect.ValueOf(value())
				name := v.Type().String() + "." + v.Type().Method(i).Name
				if !slices.Contains(but, name) {
					assert.NotPanics(t, func() { call(v.Method(i), ctx) }, name)
				}
			}
		}
	}
}

// call calls a method. It goes through the sequences among the results, and closes what can be closed.
func call(m reflect.Value, ctx context.Context) {
	args := make([]reflect.Value, m.Type().NumIn())
	for i := range args {
		args[i] = reflect.New(m.Type().In(i)).Elem()
		if args[i].Type() == reflect.TypeFor[context.Context]() && ctx != nil {
			args[i].Set(reflect.ValueOf(ctx))
		}
	}
	if m.Type().IsVariadic() {
		args = args[:len(args)-1]
	}
	for _, out := range m.Call(args) {
		closer, ok := out.Interface().(interface{ Close() })
		switch {
		case ok && !out.IsNil():
			closer.Close()
		case out.Type().CanSeq2():
			for range out.Seq2() {
			}
		case out.Type().CanSeq() && out.Kind() == reflect.Func:
			for range out.Seq() {
			}
		}
	}
}
