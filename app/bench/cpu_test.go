package bench

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestReadStat: a process's name may hold blanks and parentheses; the fields are counted behind it.
func TestReadStat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stat")
	for _, c := range []struct {
		text string
		want procStat
		ok   bool
	}{
		{"42 (postgres: app (x) y) S 7 42 42 0 -1 4194560 100 200 0 0 150 50 30 20 20 0 1 0 500", procStat{7, 2 * time.Second, 500 * time.Millisecond}, true},
		{"42 (short) S 7 42", procStat{}, false},
		{"no parenthesis 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", procStat{}, false},
		{"", procStat{}, false},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := readStat(path); ok != c.ok || got != c.want {
			t.Errorf("%q: %+v, %v", c.text, got, ok)
		}
	}
	if _, ok := readStat(filepath.Join(t.TempDir(), "gone")); ok {
		t.Error("a process that has gone has a time")
	}
}

// TestAnd: adding a process leaves the list it is added to alone.
func TestAnd(t *testing.T) {
	base := cpuOf{postmaster: 1, others: make([]int, 0, 4)}.and(2)
	a, b := base.and(3), base.and(4)
	if a.postmaster != 1 || len(base.others) != 1 || a.others[1] != 3 || b.others[1] != 4 {
		t.Errorf("%v, %v, %v", base, a, b)
	}
}
