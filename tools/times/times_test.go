package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestParts: what a program took itself, what those took that it waited for, and what one took that it left behind, stand in
// the line of its package; its exit code is passed on.
func TestParts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "times")
	burn := "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
	// The third has no parent any more when it ends; the substitution ends when its output is closed, which is then.
	script := burn + "; sh -c '" + burn + "'; x=$( (sh -c '" + burn + "' &) ); sleep 0.2; exit 7"
	times := filepath.Join(t.TempDir(), "times.bin")
	if out, err := exec.Command("go", "build", "-o", times, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(times, "-into", file, "/bin/sh", "-c", script)
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 7 {
		t.Fatalf("the exit code: %v", err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(data))
	if len(fields) != 5 || fields[0] != "times" {
		t.Fatalf("%q", data)
	}
	var d [4]time.Duration
	for i, field := range fields[1:] {
		if d[i], err = time.ParseDuration(field); err != nil {
			t.Fatal(err)
		}
	}
	clock, program, others := d[0], d[1], d[3]
	if clock < program || program == 0 || others < program*3/2 {
		t.Errorf("%q: the two others did twice what the program did", data)
	}
}

// TestTable: the rows are sorted by the clock, a package that ran twice is one, and a line that is none is told.
func TestTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "times")
	for _, c := range []cost{
		{"app/till", time.Second, 500 * time.Millisecond, 0, 0},
		{"app/hosted", 9 * time.Second, time.Second, 2 * time.Second, 3 * time.Second},
		{"app/till", time.Second, 500 * time.Millisecond, 100 * time.Millisecond, 0},
	} {
		if err := c.add(file); err != nil {
			t.Fatal(err)
		}
	}
	out := stdoutOf(t, func() error { return show(file) })
	want := "| `app/hosted` | 9.0 | 1.0 | 2.0 | 3.0 |\n| `app/till` | 2.0 | 1.0 | 0.1 | 0.0 |\n| `all` | 11.0 | 2.0 | 2.1 | 3.0 |\n"
	if !strings.HasSuffix(out, want) {
		t.Errorf("%s", out)
	}
	if err := os.WriteFile(file, []byte("something else\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if show(file) == nil {
		t.Error("a line that is none is taken")
	}
}

// stdoutOf is what f prints.
func stdoutOf(t *testing.T, f func() error) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	was := os.Stdout
	os.Stdout = file
	err = f()
	os.Stdout = was
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
