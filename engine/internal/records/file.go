package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// This file reads the text of a data file. It unpacks a packed file and converts other encodings to UTF-8.

// packed is the ending of files in the format of gzip (RFC 1952). The ending before it is that of the text.
const packed = ".gz"

// FormatOfFile returns the format of a data file, by its name.
func FormatOfFile(name string) (Format, bool) {
	return FormatOf(path.Ext(strings.TrimSuffix(name, packed)))
}

// Encodings holds the encodings of data files.
var Encodings = []string{"utf8", stream.Latin1, "utf16le", "utf16be"}

// maxUnpacked bounds the bytes of a text that was packed: a small file may unpack to any size.
const maxUnpacked = 1 << 30

// fileText is the text of a data file in UTF-8.
type fileText struct {
	io.Reader
	io.Closer
}

// FileText returns the text of a data file in UTF-8. A byte order mark counts more than the encoding. The result can
// seek if the file needs no unpacking or conversion.
func FileText(name string, file io.ReadCloser, encoding string) (io.ReadCloser, error) {
	r := bufio.NewReader(file)
	isPacked := strings.HasSuffix(name, packed)
	if isPacked {
		unpacked, err := gzip.NewReader(r)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("it is not in the format of gzip, as its ending says: %w", err), file.Close())
		}
		r = bufio.NewReader(&boundedText{unpacked, maxUnpacked})
	}
	switch begin, _ := r.Peek(4); {
	case bytes.HasSuffix(begin, []byte{0, 0}), len(begin) < 2: // UTF-32, or nothing
	case begin[0] == 0xff && begin[1] == 0xfe:
		encoding = "utf16le"
	case begin[0] == 0xfe && begin[1] == 0xff:
		encoding = "utf16be"
	}
	if seeker, ok := file.(io.Seeker); ok && !isPacked && stream.IsUTF8(encoding) {
		_, err := seeker.Seek(0, io.SeekStart)
		return file, err
	}
	return fileText{stream.Decode(r, encoding), file}, nil
}

// boundedText is a text that ends with an error after too many bytes.
type boundedText struct {
	io.Reader
	left int
}

// Read implements io.Reader.
func (b *boundedText) Read(p []byte) (n int, err error) {
	switch n, err = b.Reader.Read(p); {
	case n > b.left:
		return b.left, fmt.Errorf("the file unpacks to more than %d bytes", maxUnpacked)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the file ends before the text that is packed in it")
	}
	b.left -= n
	return n, err
}
