//go:build !race

package engine_test

// raceEnabled tells tests that they run ten times slower.
const raceEnabled = false
