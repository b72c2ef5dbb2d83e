// Package deep is the switch for tests that take long for what they find, or that install programs.
package deep

import (
	"os"
	"strconv"
	"testing"
)

const asked = "MCPLOGIC_DEEP"

// On reports whether MCPLOGIC_DEEP=1 asks for the deep tests. Without it no test installs or downloads anything.
func On() bool { return os.Getenv(asked) == "1" && !testing.Short() }

// Skip skips a deep test unless these are asked for. The text says what is not tested then.
func Skip(t testing.TB, what string) {
	t.Helper()
	if !On() {
		t.Skipf("NOT TESTED: %s (%s=1 tests it)", what, asked)
	}
}

// Missing skips a test that the machine lacks something for. It says what is not tested, and what is missing.
func Missing(t testing.TB, what, missing string) {
	t.Helper()
	t.Skipf("NOT TESTED: %s (%s)", what, missing)
}

// Count returns how often a test does something: many times if deep tests are asked for.
func Count(few, many int) int {
	if On() {
		return many
	}
	return few
}

// Number returns the number that an environment variable has, or otherwise where it is not set. A test fails if the
// variable has no number.
func Number(t testing.TB, variable string, otherwise int) int {
	t.Helper()
	text, set := os.LookupEnv(variable)
	if !set {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		t.Fatalf("%s is no number: %q", variable, text)
	}
	return n
}
