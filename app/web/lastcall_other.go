//go:build !linux

package web

import "net"

// takeAll is for Linux: elsewhere nothing refuses new connections in the moment when the line is empty.
func takeAll(ln net.Listener) net.Listener { return ln }
