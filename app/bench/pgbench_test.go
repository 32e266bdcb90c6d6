package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWatch: the seconds before the window and after it do not count, nor do other lines.
func TestWatch(t *testing.T) {
	w := watch{warm: 1, last: 3}
	for _, line := range []string{
		"pgbench (15.20)",
		"progress: 1.0 s, 9.0 tps, lat 1.0 ms stddev 0.1, 0 failed",
		"progress: 2.0 s, 100.0 tps, lat 1.0 ms stddev 0.1, 0 failed",
		"progress: 3.0 s, 300.5 tps, lat 1.0 ms stddev 0.1, 0 failed",
		"progress: 4.0 s, 5000.0 tps, lat 1.0 ms stddev 0.1, 0 failed",
	} {
		w.line(line)
	}
	s, err := w.sample()
	if err != nil || s.rate != 200.25 {
		t.Errorf("rate %v, %v; want 200.25", s.rate, err)
	}
	if got := strings.Join(w.other, "|"); got != "pgbench (15.20)" {
		t.Errorf("other lines: %q", got)
	}
}

// TestWatchWithoutProgress: a run without a rate is an error with the other output.
func TestWatchWithoutProgress(t *testing.T) {
	for _, lines := range [][]string{
		{"script.sql:3: syntax error"},
		{"script.sql:3: syntax error", "progress: 1.0 s, 0.0 tps, lat 0.0 ms", "progress: 2.0 s, 0.0 tps, lat 0.0 ms"},
	} {
		w := watch{warm: 1, last: 2}
		for _, l := range lines {
			w.line(l)
		}
		if _, err := w.sample(); err == nil || !strings.Contains(err.Error(), "syntax error") {
			t.Errorf("%q: %v", lines, err)
		}
	}
}

func TestProcessed(t *testing.T) {
	const summary = "transaction type: script.sql\nnumber of clients: 8\nnumber of transactions actually processed: %d\nnumber of failed transactions: %d (0.000%%)\n"
	if n, err := processed(fmt.Sprintf(summary, 1234, 0)); n != 1234 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := processed(fmt.Sprintf(summary, 1234, 2)); err == nil {
		t.Error("failed transactions passed")
	}
	for _, empty := range []string{"", fmt.Sprintf(summary, 0, 0)} {
		if _, err := processed(empty); err == nil {
			t.Errorf("%q passed", empty)
		}
	}
}

// TestCompareTakesTurns: every contender runs once in each round, and another one begins.
func TestCompareTakesTurns(t *testing.T) {
	var order string
	named := func(name string, rate float64) contender {
		return contender{name, func(_ context.Context, _ timing) (sample, error) {
			order += name
			return sample{rate: rate + float64(len(order))}, nil
		}}
	}
	var said []string
	b := &bench{Options: Options{Rounds: 3, Say: func(line string) { said = append(said, line) }}}
	rounds, err := b.compare(t.Context(), "work", named("a", 100), named("b", 200), named("c", 300))
	if err != nil {
		t.Fatal(err)
	}
	if order != "abcbcacab" || len(said) != 3 || !strings.HasPrefix(said[0], "work 1/3: a 101/s") {
		t.Errorf("order %s, said %q", order, said)
	}
	for i, want := range []float64{100, 200, 300} {
		for _, s := range rounds[i] {
			if math.Abs(s.rate-want) > 9 {
				t.Errorf("contender %d got the rate %v of another", i, s.rate)
			}
		}
	}
	broken := contender{"broken", func(context.Context, timing) (sample, error) { return sample{}, errDone }}
	if _, err := b.compare(t.Context(), "work", broken); err == nil || !strings.Contains(err.Error(), "work, broken") {
		t.Errorf("a contender's error is told as %v", err)
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
