package identity_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/jobs"
)

func count(t *testing.T, w *apptest.World, sql string, args ...any) int {
	t.Helper()
	return apptest.Value[int](t, w, sql, args...)
}

// A34, A64: the code is mailed, six digits, and stored nowhere.
func TestChallengeMailsACode(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	challenge, code := p.RequestCode(t, " Ana@Example.COM ")
	if !regexp.MustCompile(`^[0-9]{6}$`).MatchString(code) {
		t.Fatalf("code %q", code)
	}
	if got := p.Mail.List("ana@example.com"); len(got) != 1 || got[0].Text != "  "+code {
		t.Errorf("mailed %+v", got)
	}
	if n := count(t, w, "select count(*) from persons"); n != 0 {
		t.Errorf("%d persons before any code came back", n)
	}
	if n := count(t, w, "select count(*) from challenges where id = $1 and challenges::text like '%' || $2 || '%'", challenge, code); n != 0 {
		t.Error("the challenge's row holds the code")
	}
	if n := count(t, w, "select count(*) from river.river_job where kind = 'identity.code' and args->>'challenge' = $1::text", challenge); n != 1 {
		t.Errorf("%d jobs", n)
	}
}

// The worker runs the job of Challenge.
func TestTheWorkerMailsTheCode(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	registry := jobs.NewRegistry()
	p.Register(registry)
	if err := registry.Sweeps(t.Context()); err != nil {
		t.Fatal(err)
	}
	worker, err := jobs.Start(t.Context(), w.Worker(t), registry, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := worker.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}()
	if _, err := p.Challenge(t.Context(), "ana@example.com", apptest.AtHome); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); len(p.Mail.List("")) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no mail after twenty seconds")
		}
	}
}

// A36: the response does not reveal a known address. Neither does the number of round trips.
func TestKnownAndUnknownAddressesAreAlike(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	p.SignIn(t, "known@example.com")
	trips := func(email string) int {
		time.Sleep(300 * time.Millisecond) // waking the workers is a trip, and the queue does it at most every 100 ms
		return w.Statements(func() {
			if _, err := p.Challenge(t.Context(), email, apptest.AtHome); err != nil {
				t.Fatal(err)
			}
		})
	}
	trips("first@example.com") // the pool opens its connections
	if known, unknown := trips("known@example.com"), trips("unknown@example.com"); known != unknown {
		t.Errorf("%d trips for a known address, %d for an unknown one", known, unknown)
	}
}

// A36.
func TestChallengeRefusesWhatIsNoAddress(t *testing.T) {
	p := apptest.Open(t).People(t)
	for _, email := range []string{"", "ana", "ana@", "@example.com", "ana@example", "a b@example.com", "ana@example.com\r\nBcc: x@y.de",
		"ana@exam_ple.com", "ana@-example.com", ".ana@example.com", "a..b@example.com", "ana@example.com, bob@example.com", "änna@example.com"} {
		_, err := p.Challenge(t.Context(), email, apptest.AtHome)
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || f.Fields[0].Field != "email" {
			t.Errorf("%q: %v", email, err)
		}
	}
}

// A217: 10 per address and 100 per visitor in 15 minutes, the same for known and unknown addresses.
func TestChallengeLimits(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	ask := func(email, visitor string) error {
		_, err := p.Challenge(t.Context(), email, identity.Origin{Visitor: visitor})
		return err
	}
	for i := range 10 {
		if err := ask("ana@example.com", "192.0.2.9"); err != nil {
			t.Fatalf("code %d: %v", i+1, err)
		}
	}
	w.Clock.Advance(time.Minute)
	err := ask("ANA@example.com ", "192.0.2.200")
	if f := fault.From(err); !errors.Is(err, identity.ErrTooManyCodes) || f.RetryAfter != 14*60 {
		t.Errorf("the eleventh code for an address: %v", err)
	}
	if err := ask("bob@example.com", "192.0.2.9"); err != nil {
		t.Errorf("another address: %v", err)
	}
	w.Clock.Advance(14 * time.Minute)
	if err := ask("ana@example.com", "192.0.2.9"); err != nil {
		t.Errorf("in the next window: %v", err)
	}

	few := w.People(t, identity.Limits{PerVisitor: 3, Window: time.Hour})
	w.Clock.Advance(time.Hour)
	for i, email := range []string{"a@example.com", "b@example.com", "c@example.com", "d@example.com"} {
		_, err := few.Challenge(t.Context(), email, identity.Origin{Visitor: "203.0.113.5"})
		if (i == 3) != errors.Is(err, identity.ErrTooManyCodes) {
			t.Errorf("visitor's code %d: %v", i+1, err)
		}
	}
}

// IPv6 visitors also count by /64, at eight times the limit.
func TestChallengesOfAWideNetwork(t *testing.T) {
	p := apptest.Open(t).People(t, identity.Limits{PerVisitor: 2})
	for n := range 17 {
		_, err := p.Challenge(t.Context(), fmt.Sprintf("a%d@example.com", n), identity.Origin{Visitor: fmt.Sprintf("2001:db8::%x", n+1)})
		if (n == 16) != errors.Is(err, identity.ErrTooManyCodes) {
			t.Errorf("code %d: %v", n+1, err)
		}
	}
	if _, err := p.Challenge(t.Context(), "a@example.com", identity.Origin{Visitor: "2001:db8:0:1::1"}); err != nil {
		t.Errorf("the next network: %v", err)
	}
}

// Requesting another person's codes, and guessing them, uses up the limit of one's own network for that address.
// Another network, a device with an earlier sign-in of that person, and a live session of theirs have limits of their
// own. A217, booking.md 1.2.
func TestNobodyLocksAnotherOut(t *testing.T) {
	for _, asks := range []bool{true, false} { // by requesting; by guessing
		w := apptest.Open(t)
		p := w.People(t, identity.Limits{PerAddress: 4, WrongADay: 8})
		const ana = "ana@example.com"
		_, known := p.SignIn(t, ana)
		before, _ := p.SignIn(t, ana)
		other, _ := p.SignIn(t, "ben@example.com")
		w.Clock.Advance(15 * time.Minute)
		attacker := identity.Origin{Visitor: "198.51.100.7"}
		use := func(by identity.Origin) (got bool) {
			challenge, err := p.Challenge(t.Context(), ana, by)
			if errors.Is(err, identity.ErrTooManyCodes) {
				return false
			}
			if err != nil {
				t.Fatal(err)
			}
			mails := len(p.Mail.List(ana))
			p.Deliver(t, challenge)
			if len(p.Mail.List(ana)) == mails {
				return false
			}
			if asks {
				return true
			}
			code := p.Mail.List(ana)[0].Subject
			for range 4 {
				_, _ = p.Verify(t.Context(), identity.VerifyInput{Challenge: challenge, Code: wrong(code), By: by})
			}
			w.Clock.Advance(15 * time.Minute)
			return true
		}
		for n := 0; use(attacker); n++ {
			if n > 10 {
				t.Fatal("the attacker is never stopped")
			}
		}
		same := identity.Origin{Visitor: "198.51.100.200"}
		forged := identity.Origin{Visitor: same.Visitor, Device: before.Device[:40] + "AAA"}
		others := identity.Origin{Visitor: same.Visitor, Device: other.Device, SignedIn: "ben@example.com"}
		for name, by := range map[string]identity.Origin{"a neighbour": same, "a forged device": forged, "another's device and session": others} {
			if use(by) {
				t.Errorf("%s is let through (asks %t)", name, asks)
			}
		}
		for name, by := range map[string]identity.Origin{
			"another network":    {Visitor: "198.51.101.7"},
			"a device of theirs": {Visitor: attacker.Visitor, Device: before.Device},
			"a live session":     {Visitor: attacker.Visitor, SignedIn: known.Email},
		} {
			if !use(by) {
				t.Errorf("%s is locked out (asks %t)", name, asks)
			}
		}
		home := identity.Origin{Visitor: attacker.Visitor, Device: before.Device}
		challenge, code := p.RequestCodeAs(t, ana, home)
		if _, err := p.Verify(t.Context(), identity.VerifyInput{Challenge: challenge, Code: code, By: home}); err != nil {
			t.Errorf("the right code on a known device: %v (asks %t)", err, asks)
		}
	}
}

// The job reads the data again: a code that is expired, used or guessed too often is not mailed.
func TestStaleCodesAreNotMailed(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	mail := func(challenge uuid.UUID) int {
		before := len(p.Mail.List(""))
		if err := p.MailCode(t.Context(), identity.CodeJob{Challenge: challenge}); err != nil {
			t.Fatal(err)
		}
		return len(p.Mail.List("")) - before
	}
	used, code := p.RequestCode(t, "used@example.com")
	if _, err := p.Verify(t.Context(), identity.VerifyInput{Challenge: used, Code: code}); err != nil {
		t.Fatal(err)
	}
	late, _ := p.RequestCode(t, "late@example.com")
	if n := mail(used); n != 0 {
		t.Error("a used code was mailed")
	}
	if n := mail(late); n != 1 {
		t.Error("a job that runs twice mails twice while the code holds")
	}
	w.Clock.Advance(identity.CodeLife)
	if n := mail(late); n != 0 {
		t.Error("a code that is over was mailed")
	}
	if n := mail(uuid.New()); n != 0 {
		t.Error("an unknown challenge was mailed")
	}
}
