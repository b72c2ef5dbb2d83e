//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// This file defines how a process is ended together with those it has forked.

func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
