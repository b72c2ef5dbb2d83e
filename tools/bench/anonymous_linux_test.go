package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnonymousPages(t *testing.T) {
	require.EqualValues(t, 480, anonymousPages("1200 700 220 10 0 500 0\n"))
	require.Zero(t, anonymousPages(""))
	require.Zero(t, anonymousKiB(1<<30), "there is no such process")
}
