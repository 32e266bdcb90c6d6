package web

import (
	"io"
	"net"
	"runtime"
	"testing"
	"time"
)

// slowPair is a connection that was answered early, and its sender.
func slowPair(t *testing.T, ln net.Listener) (c *lingering, sender net.Conn) {
	t.Helper()
	sender, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sender.Close() })
	got, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c = got.(*lingering)
	c.of.mu.Lock()
	c.of.early++
	c.of.mu.Unlock()
	c.early.Store(true)
	return c, sender
}

func slowListener(t *testing.T) (net.Listener, *lingerers) {
	t.Helper()
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plain.Close() })
	of := &lingerers{}
	return lingerListener{plain, of}, of
}

func (l *lingerers) lingering() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.order.Len()
}

// TestLingerMany: there are never more than lingerMany; the longest goes first, and the last at the end.
func TestLingerMany(t *testing.T) {
	ln, of := slowListener(t)
	closed := make([]chan error, lingerMany+1)
	for i := range closed {
		c, _ := slowPair(t, ln)
		closed[i] = make(chan error, 1)
		go func() { closed[i] <- c.Close() }()
		for of.lingering() != min(i+1, lingerMany) {
			runtime.Gosched()
		}
	}
	<-closed[0]
	if n := of.lingering(); n != lingerMany {
		t.Errorf("%d linger", n)
	}
	began := time.Now()
	of.close(t.Context())
	for _, end := range closed[1:] {
		<-end
	}
	if took := time.Since(began); of.left() != 0 || took > 4*lingerEnd {
		t.Errorf("%d are left after %s", of.left(), took)
	}
}

// TestLingerMost: an endless sender is cut off.
func TestLingerMost(t *testing.T) {
	ln, _ := slowListener(t)
	c, sender := slowPair(t, ln)
	closed := make(chan error, 1)
	go func() { closed <- c.Close() }()
	sent, err := io.CopyBuffer(struct{ io.Writer }{sender}, struct{ io.Reader }{forever{}}, make([]byte, 1<<20))
	if err == nil || sent < lingerMost || sent > lingerMost+(64<<20) {
		t.Errorf("%d bytes, %v", sent, err)
	}
	<-closed
}

type forever struct{}

func (forever) Read(p []byte) (int, error) { return len(p), nil }
