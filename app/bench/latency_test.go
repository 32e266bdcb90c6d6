package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

func TestPercentile(t *testing.T) {
	var hundred []time.Duration
	for i := range 100 {
		hundred = append(hundred, time.Duration(100-i)) // the order does not matter
	}
	for _, c := range []struct {
		of      []time.Duration
		percent int
		want    time.Duration
	}{
		{hundred, 99, 99}, {hundred, 50, 50}, {hundred, 100, 100}, {hundred[:1], 99, 100}, {hundred[:3], 50, 99}, {nil, 99, 0},
	} {
		if got := percentile(c.of, c.percent); got != c.want {
			t.Errorf("p%d of %d is %d, want %d", c.percent, len(c.of), got, c.want)
		}
	}
	if hundred[0] != 100 {
		t.Error("it sorts what it is given")
	}
}

// TestOneAtATime: what is done before the window is not counted; the first error is told; running out is none.
func TestOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		c := oneAtATime("x", func(context.Context, int) error {
			n++
			if n > 3 {
				time.Sleep(2 * time.Millisecond)
			} else {
				time.Sleep(9 * time.Millisecond)
			}
			return nil
		})
		s, err := c.run(t.Context(), timing{warm: 25 * time.Millisecond, window: 30 * time.Millisecond})
		if err != nil || s.p50 != 2*time.Millisecond {
			t.Errorf("p50 %v, %v", s.p50, err)
		}
	})
	boom := errors.New("boom")
	if _, err := oneAtATime("x", func(context.Context, int) error { return boom }).run(t.Context(), brief); !errors.Is(err, boom) {
		t.Errorf("told %v", err)
	}
	if _, err := oneAtATime("x", func(context.Context, int) error { return errDone }).run(t.Context(), brief); !errors.Is(err, errNothing) {
		t.Errorf("told %v", err)
	}
}

// A log of two clients, of which one's first transaction began before the window.
const aLog = `0 1 1500 0 1700000000 1500
1 1 1000 0 1700000000 2000
0 2 400 0 1700000001 100
0 3 600 0 1700000002 200
1 2 900000 0 1700000002 300
`

func TestLatencies(t *testing.T) {
	got, err := latenciesOf([]byte(aLog), time.Second)
	if err != nil || len(got) != 2 || got[0] != 600*time.Microsecond || got[1] != 900*time.Millisecond {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"0 1 15", "0 1 x 0 1700000000 1500"} {
		if _, err := latenciesOf([]byte(bad), 0); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestLogsAreReadOnce: those of all threads, and they are gone after it.
func TestLogsAreReadOnce(t *testing.T) {
	p := pgbench{dir: t.TempDir()}
	for _, name := range []string{"latency.77", "latency.77.1"} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte("0 1 700 0 1700000000 1500\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if p50, err := p.readLatencies(0); err != nil || p50 != 700*time.Microsecond {
		t.Errorf("%v, %v", p50, err)
	}
	if _, err := p.readLatencies(0); err == nil {
		t.Error("the logs of the run before are still there")
	}
}
