package web

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// This file defines the certificate of a server, which is renewed in its files while the server runs.

// certificate is a certificate as it was last read.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	pair    *tls.Certificate
	changed time.Time // of the file that was read
}

func openCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log}
	return c, c.load()
}

func (c *certificate) load() error {
	info, err := os.Stat(c.certFile)
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return err
	}
	c.pair, c.changed = &pair, info.ModTime()
	return nil
}

// current returns the certificate in the files, or the last good one.
func (c *certificate) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if info, err := os.Stat(c.certFile); err != nil || !info.ModTime().Equal(c.changed) {
		if err := c.load(); err != nil {
			c.log.Error("the certificate was not renewed", "reason", err)
		}
	}
	return c.pair, nil
}
