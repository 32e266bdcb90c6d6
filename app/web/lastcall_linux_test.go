package web

import (
	"errors"
	"io"
	"net"
	"testing"
)

// TestLastCall: connections in the backlog when a listener is closed are served, and later ones are refused.
func TestLastCall(t *testing.T) {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln := takeAll(plain)
	var outside []net.Conn
	for range 5 {
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, "hello"); err != nil {
			t.Fatal(err)
		}
		outside = append(outside, c)
	}
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	for range outside {
		c, err := ln.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		said := make([]byte, 5)
		if _, err := io.ReadFull(c, said); err != nil || string(said) != "hello" {
			t.Errorf("%q, %v", said, err)
		}
	}
	if c, err := ln.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after the last: %v, %v", c, err)
	}
	if c, err := net.Dial("tcp", ln.Addr().String()); err == nil {
		_ = c.Close()
		t.Error("somebody got in after the end")
	}
}
