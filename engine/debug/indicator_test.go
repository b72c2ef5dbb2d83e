package debug

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParseIndicator reads predicate indicators as editors and people write them.
func TestParseIndicator(t *testing.T) {
	for text, want := range map[string]string{
		"append/3": "user append 3", "kin:elder/2": "kin elder 2", ":-/2": "user :- 2", "a::-/2": "a :- 2",
		"//2": "user / 2", "=:=/2": "user =:= 2", "a:/2": "user a: 2",
		"'a:b'/1": "user a:b 1", "'My kin':'it''s'/0": "My kin it's 0",
		"append": "no", "append/x": "no", "append/-1": "no", "/1": "no", "": "no", "'a/1": "no", "X:'a'/1": "no",
		"'a'//1": "no",
	} {
		got := "no"
		if module, name, arity, ok := ParseIndicator(text); ok {
			got = fmt.Sprint(module, " ", name, " ", arity)
		}
		require.Equal(t, want, got, text)
	}
}
