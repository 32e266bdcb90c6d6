package main

import (
	"fmt"
	"net"
	"reflect"
	"regexp"
	"testing"
	"time"

	"foyer/app/clock"
)

// TestClocksThatDiffer: of two servers on one database one is ahead, and a customer's requests alternate between
// them. Differences shorter than a hold have no effect; with a longer one the hold has expired at the one that is
// ahead, which refuses, and a customer who stays there books. Nothing is sold twice and nothing returns 500. F6.
func TestClocksThatDiffer(t *testing.T) {
	g := openGrowing(t)
	for _, c := range []struct {
		ahead time.Duration
		over  bool // a hold or a code that the first server has just made
	}{
		{-10 * time.Minute, false}, {-9 * time.Minute, false}, {9 * time.Minute, false}, {10 * time.Minute, true},
	} {
		t.Run(c.ahead.String(), func(t *testing.T) {
			other := g.beside(t, c.ahead)
			for _, paid := range []bool{false, true} {
				if c.over && paid {
					continue // it is not held long enough to be paid for
				}
				g.booksWith(t, other, paid, c.over)
			}
			g.signsInAt(t, other, c.over)
			for _, l := range []*lane{g.lane, other} {
				if err := l.whole(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// beside is another server, whose clock is ahead of the first one's.
func (g *growing) beside(t *testing.T, ahead time.Duration) *lane {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	now := &clock.Adjustable{}
	now.Advance(g.clock.Now().Sub(now.Now()) + ahead)
	of := g.parts
	of.clock, of.address, of.worker = now, ln.Addr(), false
	serveParts(t, ln, of)
	return &lane{killStudio: g.killStudio, server: &process{base: addressURL(ln.Addr())}}
}

// booksWith has a customer hold at the first server and continue at the other one; and once more with a key that the
// first one has seen.
func (g *growing) booksWith(t *testing.T, other *lane, paid, over bool) {
	t.Helper()
	ctx := t.Context()
	goods, err := g.take(paid)
	if err != nil {
		t.Fatal(err)
	}
	v, err := g.visit(ctx, goods)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	turns := func(r ask) (map[string]any, error) {
		asked++
		return []*lane{g.lane, other}[(asked+1)%2].ask(ctx, r)
	}
	receipt, err := v.book(ctx, turns)
	if over {
		if statusOf(err) != 409 {
			t.Errorf("a hold that is over by the other's clock: %v", err)
		}
		again := &visit{lane: other, goods: goods, session: v.session, cart: v.cart, token: v.token, total: v.total}
		again.cart += "again" // other keys: these are other requests
		receipt, err = again.book(ctx, func(r ask) (map[string]any, error) { return other.ask(ctx, r) })
	}
	if err != nil {
		t.Fatalf("paid %v: %v", paid, err)
	}
	if sold, err := v.text(ctx, `select count(*) || ' confirmed' from holds h join bookings b on b.hold_id = h.id
		where h.cart_id = $1 and b.state = 'confirmed'`, v.cart); err != nil || sold != "2 confirmed" {
		t.Errorf("paid %v: %s (%v)", paid, sold, err)
	}
	if over {
		return
	}
	for _, l := range []*lane{g.lane, other} {
		if told, err := l.ask(ctx, v.request("confirm", "")); err != nil || !reflect.DeepEqual(told, receipt) {
			t.Errorf("paid %v: confirmed again: %v (%v), the first time %v", paid, told, err, receipt)
		}
	}
}

var codeInMail = regexp.MustCompile(`\b(\d{6}) is your code`)

// signsInAt requests a code at the first server and verifies it at the other one.
func (g *growing) signsInAt(t *testing.T, other *lane, over bool) {
	t.Helper()
	ctx := t.Context()
	address := fmt.Sprintf("two.clocks%d@ninelives.example.com", g.customers)
	asked, err := g.ask(ctx, ask{method: "POST", path: "/auth/challenges", body: fmt.Sprintf(`{"channel":"email_code","email":%q}`, address)})
	if err != nil {
		t.Fatal(err)
	}
	g.until(t, "river.river_job where finalized_at is null")
	mails := g.mailbox.List(address)
	if len(mails) != 1 {
		t.Fatalf("%d mails", len(mails))
	}
	code := codeInMail.FindStringSubmatch(mails[0].Subject)
	in, err := other.ask(ctx, ask{method: "POST", path: "/auth/verify", body: fmt.Sprintf(`{"challengeId":%q,"code":%q}`, asked["challengeId"], code[1])})
	if over {
		if status := statusOf(err); status < 400 || status >= 500 {
			t.Errorf("a code that is over by the other's clock: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.ask(ctx, ask{method: "GET", path: "/me/profile", token: in["token"].(string)}); err != nil {
		t.Errorf("the session at the first server: %v", err)
	}
}

var statusInError = regexp.MustCompile(`: (\d{3}) \{`)

// statusOf returns the status in an error of lane.ask; 0 for none.
func statusOf(err error) (status int) {
	if err == nil {
		return 0
	}
	if found := statusInError.FindStringSubmatch(err.Error()); found != nil {
		_, _ = fmt.Sscan(found[1], &status)
	}
	return status
}
