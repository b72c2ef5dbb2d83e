package web

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// This file defines bearer tokens that are listed in a file.

// shortestToken is the least length of a token. Attackers may guess as often as they like.
const shortestToken = 16

// settlingTime is how coarse the times of files may be: a second change so soon after a first one may not show.
const settlingTime = 2 * time.Second

// tokenFile is a file with a token a line, as it was when it was last read. Empty lines and those
// that begin with # count for nothing.
type tokenFile struct {
	path string
	log  *slog.Logger

	mu   sync.Mutex
	info os.FileInfo // nil when it could not be read
	read time.Time
	// sums are the digests of the tokens: of equal length, so that comparing takes equally long.
	sums [][sha256.Size]byte
}

// openTokenFile reads a file, which must hold tokens now.
func openTokenFile(path string, log *slog.Logger) (*tokenFile, error) {
	f := &tokenFile{path: path, log: log}
	if err := f.load(); err != nil {
		return nil, err
	}
	if f.info.Mode()&0o077 != 0 {
		log.Warn("others can read the tokens", "file", path, "mode", f.info.Mode().String())
	}
	return f, nil
}

// load reads the file. After an error nobody is let in.
func (f *tokenFile) load() error {
	f.sums, f.info, f.read = nil, nil, time.Now()
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	f.info = info
	sums, err := parseTokens(data)
	if err != nil {
		return fmt.Errorf("%s:%w", f.path, err)
	}
	f.sums = sums
	return nil
}

// parseTokens returns the digests of the tokens in a file.
func parseTokens(data []byte) ([][sha256.Size]byte, error) {
	var sums [][sha256.Size]byte
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		token := strings.TrimSpace(lines.Text())
		switch {
		case token == "" || token[0] == '#':
			continue
		case len(token) < shortestToken || strings.ContainsAny(token, " \t"):
			return nil, fmt.Errorf("%d: a token has at least %d characters and no spaces", n, shortestToken)
		}
		sums = append(sums, sha256.Sum256([]byte(token)))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf(" %w", err)
	}
	if len(sums) == 0 {
		return nil, fmt.Errorf("1: there is no token in this file")
	}
	return sums, nil
}

// changed reports whether the file is not the one that was read.
func (f *tokenFile) changed() bool {
	info, err := os.Stat(f.path)
	if err != nil || f.info == nil {
		return f.info != nil || err == nil
	}
	return !os.SameFile(info, f.info) || info.Size() != f.info.Size() || !info.ModTime().Equal(f.info.ModTime()) ||
		f.read.Sub(info.ModTime()) < settlingTime
}

// verify looks a token up.
func (f *tokenFile) verify(_ context.Context, token string) (*auth.TokenInfo, error) {
	sum := sha256.Sum256([]byte(token))
	found := 0
	for _, known := range f.current() {
		found |= subtle.ConstantTimeCompare(known[:], sum[:])
	}
	if found == 0 {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: "token " + hex.EncodeToString(sum[:8]), Extra: map[string]any{fromFile: true}}, nil
}

// current returns the digests of the tokens in the file as it is now.
func (f *tokenFile) current() [][sha256.Size]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed() {
		if err := f.load(); err != nil {
			f.log.Error("nobody is let in by a token of the file", "reason", err)
		}
	}
	return f.sums
}
