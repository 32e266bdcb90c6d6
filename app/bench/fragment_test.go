package bench

import (
	"bytes"
	"strings"
	"testing"
)

// TestNginx: if installed, it serves the bytes and ends when it is told; otherwise the error has the package to
// install.
func TestNginx(t *testing.T) {
	body := bytes.Repeat([]byte("<li>a class</li>\n"), 2000)
	web, err := startNginx(t.Context(), t.TempDir(), body)
	if _, missing := findNginx(); missing != nil {
		if err == nil || !strings.Contains(err.Error(), "apt-get install nginx") {
			t.Errorf("without nginx: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := dial(web.address)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // on one connection
		got, err := c.do(head("GET", web.path, "", ""))
		if err != nil || !bytes.Equal(got, body) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	if s, ok := statOf(web.cmd.Process.Pid); ok && s.parent == 0 {
		t.Error("it has no parent: its CPU would not be found")
	}
	if err := c.conn.Close(); err != nil {
		t.Fatal(err)
	}
	if err := web.stop(); err != nil {
		t.Error(err)
	}
	if _, err := dial(web.address); err == nil {
		t.Error("it still serves")
	}
}
