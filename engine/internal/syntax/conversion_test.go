package syntax

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConversion reads texts in which & stands for a comma, ^ for a quote, A for a, and % for +.
func TestConversion(t *testing.T) {
	conversion := map[rune]rune{'&': ',', '^': '\'', 'A': 'a', '%': '+'}
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"f(x&y). g.", []string{"f(x,y)", "g"}},
		{"'A&b'. A.", []string{"'A&b'", "a"}},
		{"^A&A^. x.", []string{"'a,a'", "x"}},
		{"\"A\\\"&\". 0'A. 0'''. 0'\\'.", []string{`"A\"&"`, "65", "39", "39"}},
		{"1%2. /* & ' */ x /*/ . */ . y.", []string{"+(1,2)", "x", "y"}},
		{"^aa'+'bb^'.", []string{"+(aa,'bb^')"}},
		{"x.y. z", []string{"error"}},
		{"^x", []string{"error"}},
	} {
		p := NewParser(NewInput("", &chunks{tt.text, 3}), nil, &Flags{Lenient: true})
		p.Conversion = conversion
		for _, want := range tt.want {
			read, err := p.Read()
			if want == "error" {
				var syntaxError *Error
				require.ErrorAs(t, err, &syntaxError, tt.text)
				continue
			}
			require.NoError(t, err, tt.text)
			require.Equal(t, want, canonical(read.Term), tt.text)
		}
	}
}

// TestConversionPlaces checks the places of terms that are read after other text.
func TestConversionPlaces(t *testing.T) {
	p := NewParser(NewTextInput("f", "a.\n  b(X&X) ."), nil, nil)
	p.Conversion = map[rune]rune{'&': ','}
	p.Positions = true
	_, err := p.Read()
	require.NoError(t, err)
	read, err := p.Read()
	require.NoError(t, err)
	require.Equal(t, "f:2:3", read.Pos.String())
	require.Equal(t, Place{2, 5, 7}, read.Vars[0].Pos)
	require.Equal(t, Place{2, 7, 9}, read.Layout.Args[1].Pos)
	_, err = p.Read()
	require.Equal(t, io.EOF, err)
}
