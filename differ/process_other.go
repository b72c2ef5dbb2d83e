//go:build !unix

package main

import "os/exec"

// This file defines how a process is ended where there are no process groups.

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
