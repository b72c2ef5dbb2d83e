// Package arrays moves and makes arrays of any size in pieces.
//
// The runtime cannot stop a goroutine that moves or clears memory. A collector that waits for one which moves an
// array of megabytes spins until then and sends it a signal every few microseconds, each of which finds it at the same
// place. The functions here can be stopped after each piece.
package arrays

import "unsafe"

// pieceBytes is what is moved at once: a microsecond's work, or some tens where the pages are new.
const pieceBytes = 1 << 14

// Append is append for arrays that become large. A large one grows by half, which touches less memory on the way
// than the quarter by which append makes it grow.
func Append[T any](s []T, more ...T) []T {
	if len(s)+len(more) <= cap(s) {
		return append(s, more...)
	}
	return appendGrown(s, more)
}

// Push is Append for one element, which is stored in its place.
func Push[T any](s []T, v T) []T {
	n := len(s)
	if n == cap(s) {
		return appendGrown(s, []T{v})
	}
	s = s[:n+1]
	s[n] = v
	return s
}

// appendGrown is Append for an array without room.
//
//go:noinline
func appendGrown[T any](s, more []T) []T {
	n := len(s) + len(more)
	if n*size[T]() <= pieceBytes {
		return append(s, more...)
	}
	grown := make([]T, n, max(n, len(s)+len(s)/2))
	Copy(grown, s)
	Copy(grown[len(s):], more)
	return grown
}

// Copy is copy for arrays of any size that do not overlap.
func Copy[T any](to, from []T) {
	piece := max(1, pieceBytes/max(1, size[T]()))
	for len(from) > piece {
		move(to, from[:piece])
		to, from = to[piece:], from[piece:]
	}
	copy(to, from)
}

// move is copy. It is a function that is called because that is where the runtime stops a goroutine for certain: a
// signal would nearly always find it inside the copying.
//
//go:noinline
func move[T any](to, from []T) { copy(to, from) }

// Room returns an array of n elements that hold anything: s, if it has room for them, or a new one.
func Room[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n)
}

// Bytes returns the bytes of a text, without copying them. They must not be changed.
func Bytes(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// Text returns a copy of bytes as a text.
func Text(b []byte) string {
	if len(b) <= pieceBytes {
		return string(b)
	}
	text := make([]byte, len(b))
	Copy(text, b)
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// Clone is [strings.Clone].
func Clone(text string) string { return Text(Bytes(text)) }

// size returns the bytes of an element.
func size[T any]() int {
	var none T
	return int(unsafe.Sizeof(none))
}
