//go:build !linux

package main

// dropPages is for Linux, where servers run.
func dropPages() {}
