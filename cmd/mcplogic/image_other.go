//go:build !linux

package main

// This file defines that pages of the program file stay where they are on other systems than Linux.

func dropImage() {}
