// Package deep is the switch for tests that take long for what they find, or that install programs.
package deep

import (
	"os"
	"testing"
)

const variable = "MCPLOGIC_DEEP"

// On reports whether MCPLOGIC_DEEP=1 asks for the deep tests. Without it no test installs or downloads anything.
func On() bool { return os.Getenv(variable) == "1" && !testing.Short() }

// Skip skips a deep test unless these are asked for. The text says what is not tested then.
func Skip(t testing.TB, what string) {
	t.Helper()
	if !On() {
		t.Skipf("NOT TESTED: %s (%s=1 tests it)", what, variable)
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
