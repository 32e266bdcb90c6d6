package ledgeronline

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foyer/app/clock"
)

var paceStart = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// paced returns a pace that waits by setting its clock.
func paced(limit int) (*Pace, *clock.Fixed) {
	now := clock.NewFixed(paceStart)
	return NewPace(PaceOptions{Clock: now, PerSecond: limit, Wait: func(ctx context.Context, d time.Duration) error {
		now.Advance(d)
		return ctx.Err()
	}}), now
}

func request1(t testing.TB, p *Pace, realm string) {
	t.Helper()
	done, until, err := p.acquire(t.Context(), realm)
	if err != nil || !until.IsZero() {
		t.Fatalf("%v, rests until %v", err, until)
	}
	done()
}

// In no second of any length of requests are there more than five.
func TestPaceOfASecond(t *testing.T) {
	ctx := t.Context()
	rapid.Check(t, func(t *rapid.T) {
		p, now := paced(0)
		var starts []time.Time
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			now.Advance(time.Duration(rapid.IntRange(0, 400).Draw(t, "pause")) * time.Millisecond)
			done, _, err := p.acquire(ctx, "1")
			if err != nil {
				t.Fatal(err)
			}
			starts = append(starts, now.Now())
			done()
		}
		for i := 5; i < len(starts); i++ {
			if starts[i].Sub(starts[i-5]) < time.Second {
				t.Fatalf("six requests between %v and %v", starts[i-5], starts[i])
			}
		}
	})
}

func TestPaceDoesNotDelayWithoutNeed(t *testing.T) {
	p, now := paced(0)
	for range 5 {
		request1(t, p, "1")
	}
	request1(t, p, "2")
	if !now.Now().Equal(paceStart) {
		t.Error("five requests of one company and one of another waited")
	}
	request1(t, p, "1")
	if !now.Now().Equal(paceStart.Add(time.Second)) {
		t.Errorf("the sixth was sent at %v", now.Now())
	}
}

// Requests of one company are sent one after the other, those of others meanwhile.
func TestPaceOneAtATime(t *testing.T) {
	p := NewPace(PaceOptions{Clock: clock.NewFixed(paceStart), PerSecond: -1})
	var running [3]atomic.Int32
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			realm := i % 3
			done, _, err := p.acquire(t.Context(), fmt.Sprint(realm))
			if err != nil {
				t.Error(err)
				return
			}
			defer done()
			if running[realm].Add(1) != 1 {
				t.Error("two at once")
			}
			time.Sleep(time.Millisecond)
			running[realm].Add(-1)
		})
	}
	all.Wait()
	done, _, _ := p.acquire(t.Context(), "0")
	request1(t, p, "1") // another company is not held up
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, _, err := p.acquire(ctx, "0"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	done()
	request1(t, p, "0")
}

func TestPaceRests(t *testing.T) {
	p, now := paced(0)
	request1(t, p, "1")
	p.rest("1", time.Minute)
	end := paceStart.Add(time.Minute)
	if done, until, err := p.acquire(t.Context(), "1"); done != nil || !until.Equal(end) || err != nil {
		t.Errorf("%v, %v", until, err)
	}
	if !p.Resting("1").Equal(end) || !p.Resting("2").IsZero() {
		t.Error("the wrong company rests")
	}
	request1(t, p, "2")
	p.rest("1", time.Second) // a shorter rest does not end a longer one
	if !p.Resting("1").Equal(end) {
		t.Errorf("rests until %v", p.Resting("1"))
	}
	now.Set(end.Add(-time.Microsecond))
	if p.Resting("1").IsZero() {
		t.Error("ended early")
	}
	now.Set(end)
	if !p.Resting("1").IsZero() {
		t.Error("does not end")
	}
	request1(t, p, "1")
	p.rest("1", 24*time.Hour)
	if until := p.Resting("1"); until.Sub(now.Now()) != maxResting {
		t.Errorf("rests until %v", until)
	}
	now.Advance(-48 * time.Hour) // a clock that is set back does not extend a rest by days
	if !p.Resting("1").IsZero() {
		t.Error("rests for days")
	}
	request1(t, p, "1")
}

// A rest that begins while requests wait for their turn holds them, too.
func TestPaceRestsDuringWaiting(t *testing.T) {
	p, _ := paced(0)
	done, _, _ := p.acquire(t.Context(), "1")
	result := make(chan time.Time)
	go func() {
		_, until, _ := p.acquire(t.Context(), "1")
		result <- until
	}()
	p.rest("1", time.Minute)
	done()
	if until := <-result; until.IsZero() {
		t.Error("sent during the rest")
	}
}

func TestPaceWaitEnds(t *testing.T) {
	now := clock.NewFixed(paceStart)
	p := NewPace(PaceOptions{Clock: now}) // a timer
	for range 5 {
		request1(t, p, "1")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, _, err := p.acquire(ctx, "1"); !errors.Is(err, context.DeadlineExceeded) ||
		time.Since(began) > 500*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	now.Advance(time.Second)
	request1(t, p, "1") // the turn was given up
	now.Advance(-time.Hour)
	began = time.Now()
	request1(t, p, "1")
	if time.Since(began) > time.Second+500*time.Millisecond {
		t.Error("a clock that was set back stops a company")
	}
}

func TestPaceForgetsCompanies(t *testing.T) {
	p, now := paced(0)
	p.rest("resting", 10*time.Minute)
	for i := range 5000 {
		now.Advance(50 * time.Millisecond)
		request1(t, p, fmt.Sprint(i))
		if len(p.companies) > 2*firstSweep {
			t.Fatalf("%d companies remembered", len(p.companies))
		}
	}
	if p.Resting("resting").IsZero() {
		t.Error("a rest is forgotten")
	}
	now = clock.NewFixed(paceStart)
	p = NewPace(PaceOptions{Clock: now})
	done, _, _ := p.acquire(t.Context(), "busy")
	for i := range 3 * maxPaced {
		request1(t, p, fmt.Sprint(i)) // at one instant
	}
	if len(p.companies) > maxPaced {
		t.Errorf("%d companies remembered", len(p.companies))
	}
	if _, ok := p.companies["busy"]; !ok {
		t.Error("a company with a request is forgotten")
	}
	done()
}

// The charts of a bounded number of companies are kept: the latest.
func TestChartsAreBounded(t *testing.T) {
	now := clock.NewFixed(paceStart)
	c := newCharts(now)
	reads := 0
	get := func(realm string) {
		t.Helper()
		if _, err := c.get(t.Context(), realm, false, func() ([]Account, error) {
			reads++
			return []Account{{ID: realm}},
				nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 * maxCharts {
		now.Advance(time.Millisecond)
		get(fmt.Sprint(i))
	}
	if len(c.byRealm) > maxCharts {
		t.Errorf("%d charts", len(c.byRealm))
	}
	reads = 0
	get(fmt.Sprint(3*maxCharts - 1))
	get("0")
	if reads != 1 {
		t.Errorf("%d reads", reads)
	}
}

// A chart that was read before an account was created is not kept after it.
func TestChartOfBeforeACreation(t *testing.T) {
	c := newCharts(clock.NewFixed(paceStart))
	for n, want := range []string{"old", "new"} {
		got, err := c.get(t.Context(), "1", false, func() ([]Account, error) {
			if n == 0 {
				c.forget("1") // meanwhile
			}
			return []Account{{ID: want}}, nil
		})
		if err != nil || got[0].ID != want {
			t.Errorf("%v, %v", got, err)
		}
	}
}
