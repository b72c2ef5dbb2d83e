//go:build !linux

package pages

// This file defines that pages of the program file stay where they are on other systems than Linux.

// Drop does nothing.
func Drop() {}
