//go:build !unix

package main

import (
	"os"
	"time"
)

// readable says that reading may block.
func readable(*os.File, time.Duration) bool { return true }
