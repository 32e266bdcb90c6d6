package web_test

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"testing"
	"time"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"

	"foyer/app/web"
	"foyer/app/web/op"
)

// limitsWorld declares a storefront read, a signed-in call, a cart write and the request for a sign-in code.
func limitsWorld(t *testing.T, adjust ...func(*web.Options)) *world {
	w := newWorld(t, adjust...)
	accessWorld(w)
	r := w.srv.Operations
	op.Declare(r, spec("createCart", "POST", "/storefront/carts", op.Spec{
		Access: op.Public, Rate: op.RateStorefrontWrite, Errors: []int{400}, Success: 201, Tag: "storefront",
	}), look)
	op.Declare(r, spec("createChallenge", "POST", "/auth/challenges", op.Spec{
		Access: op.Public, Rate: op.RateChallenge, Errors: []int{400}, NoReplay: true,
	}), look)
	return w
}

// calls makes n calls and returns how many were let through, and the last answer.
func (w *world) calls(n int, r req) (passed int, last resp) {
	for range n {
		if last = w.do(r); last.status < 300 {
			passed++
		}
	}
	return passed, last
}

var (
	readTimes  = req{path: "/storefront/offerings/" + uptown.String() + "/times"}
	createCart = req{method: "POST", path: "/storefront/carts"}
	holdCart   = req{method: "POST", path: "/storefront/carts/cart-token/hold", token: ownerToken}
	challenge  = req{method: "POST", path: "/auth/challenges"}
)

// TestWideNetworks: an IPv6 visitor who changes the address within a /64 has eight times the allowance of one, and no
// more. The one address keeps its own limit. A85.
func TestWideNetworks(t *testing.T) {
	w := limitsWorld(t, func(o *web.Options) { o.Limits = op.Limits{StorefrontMax: 30, WriteMax: 2, ChallengeMax: 3} })
	for name, c := range map[string]struct {
		r    req
		most int
	}{"reads": {readTimes, 30}, "writes": {createCart, 2}, "codes": {challenge, 3}} {
		w.clock.Advance(time.Hour)
		passed := 0
		for n := range tenancy.WideAllowance*c.most + 5 {
			c.r.remote = fmt.Sprintf("2001:db8:7::%x", n+1)
			if got := w.do(c.r); got.status < 300 {
				passed++
			} else {
				got.refused(t, 429)
			}
		}
		if passed != tenancy.WideAllowance*c.most {
			t.Errorf("%s of a /64: %d", name, passed)
		}
		w.clock.Advance(time.Hour)
		c.r.remote = "2001:db8:7::1"
		if passed, _ := w.calls(c.most+1, c.r); passed != c.most {
			t.Errorf("%s of one address: %d", name, passed)
		}
		c.r.remote = "2001:db8:7:1::1"
		w.do(c.r).data(t, map[bool]int{true: 201, false: 200}[name == "writes"], nil)
	}
}

// TestStorefrontLimit is A79 and A75: 480 a minute, the next is 429, and the window ends at Retry-After.
func TestStorefrontLimit(t *testing.T) {
	w := limitsWorld(t)
	passed, last := w.calls(481, readTimes)
	if passed != 480 {
		t.Fatalf("%d passed", passed)
	}
	last.refused(t, 429)
	if last.header("Retry-After") != "60" {
		t.Errorf("Retry-After %s", last.header("Retry-After"))
	}
	w.clock.Advance(20*time.Second + 300*time.Millisecond)
	last = w.do(readTimes)
	last.refused(t, 429)
	if last.header("Retry-After") != "40" {
		t.Errorf("Retry-After %s after 20.3 s", last.header("Retry-After"))
	}
	w.clock.Advance(39*time.Second + 699*time.Millisecond)
	last = w.do(readTimes)
	last.refused(t, 429)
	if last.header("Retry-After") != "1" {
		t.Errorf("Retry-After %s in the last millisecond", last.header("Retry-After"))
	}
	wait, _ := strconv.Atoi(last.header("Retry-After"))
	w.clock.Advance(time.Duration(wait) * time.Second)
	if passed, _ := w.calls(481, readTimes); passed != 480 {
		t.Errorf("new window: %d passed", passed)
	}
}

// TestWriteLimit is A81 and A226: 60 writes, counted in the 480; reads and signed-in calls leave the 60 alone.
func TestWriteLimit(t *testing.T) {
	w := limitsWorld(t)
	w.calls(100, readTimes)
	w.calls(100, holdCart)
	if passed, last := w.calls(61, createCart); passed != 60 || last.status != 429 || last.header("Retry-After") != "60" {
		t.Fatalf("%d writes passed, then %d", passed, last.status)
	}
	if passed, _ := w.calls(300, readTimes); passed != 480-100-100-61 {
		t.Errorf("%d reads passed after 100 reads, 100 holds and 61 writes", passed)
	}
}

// TestVisitorsAreApart is A85: separate allowances, and a forged header changes nothing.
func TestVisitorsAreApart(t *testing.T) {
	w := limitsWorld(t)
	if passed, _ := w.calls(60, createCart); passed != 60 {
		t.Fatal(passed)
	}
	again := createCart
	again.headers = []string{"X-Forwarded-For", "203.0.113.1"}
	w.do(again).refused(t, 429)
	again.headers = []string{"Cf-Connecting-Ip", "203.0.113.1"}
	w.do(again).refused(t, 429)
	neighbour := createCart
	neighbour.remote = "192.0.2.8"
	w.do(neighbour).data(t, 201, nil)
}

// TestOtherLimits is A217 and A82: 100 sign-in codes in 15 minutes, and no limit for operators.
func TestOtherLimits(t *testing.T) {
	w := limitsWorld(t)
	if passed, last := w.calls(101, challenge); passed != 100 || last.header("Retry-After") != "900" {
		t.Errorf("%d codes, Retry-After %s", passed, last.header("Retry-After"))
	}
	if passed, _ := w.calls(1000, req{path: "/businesses/" + studio.String() + "/catalog", token: studioKey}); passed != 1000 {
		t.Errorf("%d operator calls passed", passed)
	}
}

// TestLimitSettings is A80.
func TestLimitSettings(t *testing.T) {
	w := limitsWorld(t, func(o *web.Options) {
		o.Limits = op.Limits{StorefrontMax: 5, StorefrontWindow: 2500 * time.Millisecond, WriteMax: 2}
	})
	if passed, last := w.calls(9, createCart); passed != 2 || last.header("Retry-After") != "3" {
		t.Errorf("%d writes, Retry-After %s", passed, last.header("Retry-After"))
	}
	w.clock.Advance(2500 * time.Millisecond)
	if passed, _ := w.calls(9, readTimes); passed != 5 {
		t.Errorf("%d reads", passed)
	}
}

// TestLimitComesFirst: a call over the limit learns nothing, and an unreachable counter is a 500.
func TestLimitComesFirst(t *testing.T) {
	w := limitsWorld(t, func(o *web.Options) { o.Limits.StorefrontMax = 1 })
	w.do(holdCart)
	anonymous := holdCart
	anonymous.token = ""
	w.do(anonymous).refused(t, 429)

	broken := op.NewLimiter(op.Limits{}, clock.NewFixed(start), failingHit)
	if err := broken.Allow(context.Background(), op.RateChallenge, "192.0.2.7"); err == nil || fault.From(err) != nil {
		t.Errorf("error %v", err)
	}
}

func failingHit(context.Context, string, int, time.Duration) (pg.Hits, error) {
	return pg.Hits{}, io.ErrClosedPipe
}

// TestLimiterIsBounded: visitors beyond the bound are let through, and forgotten windows make room.
func TestLimiterIsBounded(t *testing.T) {
	c := clock.NewFixed(start)
	l := op.NewLimiter(op.Limits{StorefrontMax: 1}, c, failingHit)
	allow := func(visitor string) error { return l.Allow(context.Background(), op.RateStorefront, visitor) }
	for i := range 100_000 {
		if err := allow(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if allow("7") == nil {
		t.Error("a counted visitor is not limited any more")
	}
	for range 2 {
		if allow("late") != nil {
			t.Error("a visitor beyond the bound is refused")
		}
	}
	c.Advance(time.Minute)
	if allow("late") != nil || allow("late") == nil {
		t.Error("a new window does not count again")
	}
	c.Advance(-time.Hour)
	if allow("late") != nil {
		t.Error("a clock that was set back locks visitors out")
	}
}
