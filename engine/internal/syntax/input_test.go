package syntax

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestInputPositions(t *testing.T) {
	const text = "\uFEFFaé\n日b\r\n\xff"
	for name, in := range map[string]*Input{
		"text":   NewTextInput("f.pl", text),
		"reader": NewInput("f.pl", iotest.OneByteReader(strings.NewReader(text))),
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for {
				peeked, peekErr := in.PeekRune()
				r, _, err := in.ReadRune()
				require.Equal(t, peekErr, err)
				if err != nil {
					require.Equal(t, io.EOF, err)
					break
				}
				require.Equal(t, peeked, r)
				got = append(got, string(r)+"<"+in.Position().String())
			}
			want := []string{"a<f.pl:1:2", "é<f.pl:1:3", "\n<f.pl:2:1",
				"日<f.pl:2:2", "b<f.pl:2:3", "\r<f.pl:2:4", "\n<f.pl:3:1", "\uFFFD<f.pl:3:2"}
			require.Equal(t, want, got)
			require.Equal(t, 8, in.Offset(), "characters, the mark not counted")
		})
	}
}

func TestInputBytes(t *testing.T) {
	in := NewTextInput("", "\xEF\xBB\xBFa\n")
	var got []byte
	for {
		peeked, _ := in.PeekByte()
		b, err := in.ReadByte()
		if err != nil {
			break
		}
		require.Equal(t, peeked, b)
		got = append(got, b)
	}
	require.Equal(t, "\xEF\xBB\xBFa\n", string(got))
	require.Equal(t, 2, in.Line())
	require.Equal(t, 5, in.Bytes())
}

// lines gives one line a Read and counts, as a terminal does.
type lines struct {
	rest  []string
	reads int
}

func (l *lines) Read(b []byte) (int, error) {
	l.reads++
	if len(l.rest) == 0 {
		return 0, io.EOF
	}
	line := l.rest[0]
	l.rest = l.rest[1:]
	return copy(b, line), nil
}

// TestTerminal reads no further than the line with the end token, and leaves the rest of it.
func TestTerminal(t *testing.T) {
	tty := &lines{rest: []string{"foo(X,\n", "  Y). % c\n", "bar.\n"}}
	in := NewInput("user", tty)
	p := NewParser(in, nil, nil)
	_, err := p.Read()
	require.NoError(t, err)
	require.Equal(t, 2, tty.reads)
	r, _, err := in.ReadRune()
	require.NoError(t, err)
	require.Equal(t, ' ', r, "the character behind the full stop")
	require.Equal(t, 2, in.Line())
	_, err = p.Read()
	require.NoError(t, err)
	require.Equal(t, 3, tty.reads)
	_, err = p.Read()
	require.Equal(t, io.EOF, err)
	tty.rest = []string{"again.\n"}
	in.ClearEOF()
	read, err := p.Read()
	require.NoError(t, err)
	require.Equal(t, "again", canonical(read.Term))
}

func TestReaderErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"", "a(", "a. b"} {
		p := NewParser(NewInput("", io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))), nil, nil)
		var err error
		for err == nil {
			_, err = p.Read()
		}
		require.Equal(t, broken, err, text)
	}
	_, _, err := NewInput("", neverReader{}).ReadRune()
	require.Equal(t, io.ErrNoProgress, err)
}

type neverReader struct{}

func (neverReader) Read([]byte) (int, error) { return 0, nil }
