package stream_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// TestDecodeIsAReader reads decoded text in pieces of any size, also of less than a character.
func TestDecodeIsAReader(t *testing.T) {
	const text = "a\u00fc\u20ac\U0001F467z"
	for _, encoding := range stream.Encodings {
		if encoding == "ascii" || encoding == "octet" || encoding == stream.Latin1 {
			continue
		}
		var coded strings.Builder
		_, err := stream.Encode(&coded, encoding).Write([]byte(text))
		require.NoError(t, err)
		r := stream.Decode(strings.NewReader(coded.String()), encoding)
		require.NoError(t, iotest.TestReader(r, []byte(text)), encoding)
	}
}
