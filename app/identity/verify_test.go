package identity_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/identity"
	"foyer/app/pg"
)

func try(t *testing.T, p apptest.People, challenge uuid.UUID, code string) (identity.SignIn, error) {
	t.Helper()
	return p.Verify(t.Context(), identity.VerifyInput{Challenge: challenge, Code: code, By: apptest.AtHome})
}

// wrong returns another code.
func wrong(code string) string {
	if code[0] == '0' {
		return "1" + code[1:]
	}
	return "0" + code[1:]
}

// A37, A46: a right code creates the person and a session; the database has the token's hash only.
func TestVerifySignsIn(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	challenge, code := p.RequestCode(t, "ana@example.com")
	in, err := p.Verify(t.Context(), identity.VerifyInput{
		Challenge: challenge, Code: " " + code[:3] + "-" + code[3:] + " ", Agent: "Firefox\n on\x00 Linux " + strings.Repeat("x", 500),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Token) != 43 || !in.ExpiresAt.Equal(apptest.Start.Add(30*24*time.Hour)) {
		t.Errorf("session %+v", in)
	}
	sum := sha256.Sum256([]byte(in.Token))
	if n := count(t, w, "select count(*) from sessions where token_hash = $1 and length(agent) = 200", sum[:]); n != 1 {
		t.Errorf("%d sessions with that hash", n)
	}
	who, err := p.Authenticate(t.Context(), in.Token)
	if err != nil || who.Email != "ana@example.com" || who.Person() == uuid.Nil || who.Session == uuid.Nil {
		t.Errorf("authenticated as %+v (%v)", who, err)
	}
	if at := apptest.Value[time.Time](t, w, "select verified_at from persons where id = $1", who.ID); !at.Equal(apptest.Start) {
		t.Errorf("verified at %v", at)
	}
}

// Signing in again finds the same person, keeps the time of their first verification, and opens another session.
func TestVerifyFindsAKnownPerson(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	first, who := p.SignIn(t, "ana@example.com")
	w.Clock.Advance(time.Hour)
	second, again := p.SignIn(t, "ANA@example.com")
	if who.ID != again.ID || who.Session == again.Session || first.Token == second.Token {
		t.Errorf("first %+v, then %+v", who, again)
	}
	if n := count(t, w, "select count(*) from persons where verified_at = $1", apptest.Start); n != 1 {
		t.Error("the first verification was forgotten")
	}
}

// A38: the same error for every cause.
func TestVerifyRefusesInOneWay(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	used, usedCode := p.RequestCode(t, "used@example.com")
	if _, err := try(t, p, used, usedCode); err != nil {
		t.Fatal(err)
	}
	other, otherCode := p.RequestCode(t, "other@example.com")
	open, code := p.RequestCode(t, "open@example.com")
	over, overCode := p.RequestCode(t, "over@example.com")
	w.SQL(t, "update challenges set expires_at = $2 where id = $1", over, apptest.Start)
	for name, c := range map[string]struct {
		challenge uuid.UUID
		code      string
	}{
		"wrong code":                  {open, wrong(code)},
		"no code":                     {open, ""},
		"longer code":                 {open, code + "0"},
		"a code of another challenge": {open, otherCode},
		"unknown challenge":           {uuid.New(), code},
		"used challenge":              {used, usedCode},
		"challenge that is over":      {over, overCode},
	} {
		if code == otherCode {
			continue // one in a million
		}
		in, err := try(t, p, c.challenge, c.code)
		if !errors.Is(err, identity.ErrCode) || err.Error() != identity.ErrCode.Error() || in != (identity.SignIn{}) {
			t.Errorf("%s: %+v %v", name, in, err)
		}
	}
	if _, err := try(t, p, other, otherCode); err != nil {
		t.Errorf("the other challenge is as good as before: %v", err)
	}
}

// A38: five tries, ten minutes.
func TestVerifyCountsTries(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	four, fourCode := p.RequestCode(t, "four@example.com")
	five, fiveCode := p.RequestCode(t, "five@example.com")
	for i := range 5 {
		if i < 4 {
			_, _ = try(t, p, four, wrong(fourCode))
		}
		_, _ = try(t, p, five, wrong(fiveCode))
	}
	if _, err := try(t, p, four, fourCode); err != nil {
		t.Errorf("the fifth try is right: %v", err)
	}
	if _, err := try(t, p, five, fiveCode); !errors.Is(err, identity.ErrCode) {
		t.Errorf("a sixth try: %v", err)
	}
	late, lateCode := p.RequestCode(t, "late@example.com")
	last, lastCode := p.RequestCode(t, "last@example.com")
	w.Clock.Advance(10*time.Minute - time.Microsecond)
	if _, err := try(t, p, last, lastCode); err != nil {
		t.Errorf("just before the end: %v", err)
	}
	w.Clock.Advance(time.Microsecond)
	if _, err := try(t, p, late, lateCode); !errors.Is(err, identity.ErrCode) {
		t.Errorf("after ten minutes: %v", err)
	}
}

// At most five of two hundred parallel guesses are compared, and the right code is refused after them.
func TestParallelGuesses(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	challenge, code := p.RequestCode(t, "ana@example.com")
	var open sync.WaitGroup
	var right atomic.Int32
	for i := range 200 {
		open.Go(func() {
			guess := fmt.Sprintf("%06d", i)
			if guess == code {
				guess = wrong(guess)
			}
			if _, err := p.Verify(t.Context(), identity.VerifyInput{Challenge: challenge, Code: guess, By: apptest.AtHome}); err == nil {
				right.Add(1)
			} else if !errors.Is(err, identity.ErrCode) {
				t.Error(err)
			}
		})
	}
	open.Wait()
	if n := count(t, w, "select attempts from challenges where id = $1", challenge); n != 5 || right.Load() != 0 {
		t.Errorf("%d tries counted, %d right", n, right.Load())
	}
	if n := count(t, w, "select hits from rate_windows where bucket like 'identity.wrong:%'"); n != 5 {
		t.Errorf("%d guesses compared", n)
	}
	if _, err := try(t, p, challenge, code); !errors.Is(err, identity.ErrCode) {
		t.Errorf("the right code after two hundred wrong ones: %v", err)
	}
}

// Two right codes at the same time open one session.
func TestParallelRightCodes(t *testing.T) {
	w := apptest.Open(t)
	for round := range 50 {
		p := w.People(t, identity.Limits{PerVisitor: 1000})
		challenge, code := p.RequestCode(t, fmt.Sprintf("a%d@example.com", round))
		var both sync.WaitGroup
		var opened atomic.Int32
		for range 2 {
			both.Go(func() {
				if _, err := p.Verify(t.Context(), identity.VerifyInput{Challenge: challenge, Code: code, By: apptest.AtHome}); err == nil {
					opened.Add(1)
				} else if !errors.Is(err, identity.ErrCode) {
					t.Error(err)
				}
			})
		}
		both.Wait()
		if opened.Load() != 1 {
			t.Fatalf("round %d: %d sessions", round, opened.Load())
		}
	}
	if s, p := count(t, w, "select count(*) from sessions"), count(t, w, "select count(*) from persons"); s != 50 || p != 50 {
		t.Errorf("%d sessions of %d persons", s, p)
	}
}

// A217: fifty wrong codes a day, then nothing is compared and nothing mailed until the next day. The response stays
// the same.
func TestWrongCodesOfADay(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t, identity.Limits{WrongADay: 7, PerAddress: 100})
	early, earlyCode := p.RequestCode(t, "ana@example.com")
	for range 2 {
		challenge, code := p.RequestCode(t, "ana@example.com")
		for range 5 {
			_, _ = try(t, p, challenge, wrong(code))
		}
	}
	if _, err := try(t, p, early, earlyCode); !errors.Is(err, identity.ErrCode) {
		t.Errorf("a right code on a day with ten wrong ones: %v", err)
	}
	if _, code := p.RequestCode(t, "ana@example.com"); code != "" {
		t.Error("a code was mailed")
	}
	if _, code := p.RequestCode(t, "bob@example.com"); code == "" {
		t.Error("another address has its own day")
	}
	w.Clock.Advance(12 * time.Hour) // it is midnight in UTC
	p.SignIn(t, "ana@example.com")
}

// A right code does not count among the wrong ones, in any number of sign-ins.
func TestRightCodesAreNoWrongOnes(t *testing.T) {
	p := apptest.Open(t).People(t, identity.Limits{WrongADay: 2, PerAddress: 100})
	for range 6 {
		p.SignIn(t, "ana@example.com")
	}
}

// A217: the default is fifty, across challenges and against parallel guesses. The fiftieth wrong code is the last
// one.
func TestFiftyGuesses(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t, identity.Limits{PerAddress: 100})
	left, leftCode := p.RequestCode(t, "ana@example.com")
	var all sync.WaitGroup
	guess := func(times int) {
		challenge, code := p.RequestCode(t, "ana@example.com")
		if code == "" {
			t.Fatal("no code was mailed")
		}
		for range times {
			all.Go(func() {
				_, _ = p.Verify(t.Context(), identity.VerifyInput{Challenge: challenge, Code: wrong(code), By: apptest.AtHome})
			})
		}
	}
	for range 9 {
		guess(5)
	}
	guess(4)
	all.Wait()
	p.SignIn(t, "ana@example.com") // forty-nine wrong ones
	guess(1)
	all.Wait()
	if _, code := p.RequestCode(t, "ana@example.com"); code != "" {
		t.Error("a code was mailed after fifty wrong ones")
	}
	if _, err := try(t, p, left, leftCode); !errors.Is(err, identity.ErrCode) {
		t.Errorf("a fifty-first guess was compared: %v", err)
	}
}

// A sign-in repeated under its Idempotency-Key returns the same token, and the stored response does not reveal it. A
// wrong code stays wrong and is counted once.
func TestRepeatedVerify(t *testing.T) {
	w := apptest.Open(t)
	p := w.People(t)
	challenge, code := p.RequestCode(t, "ana@example.com")
	again := func(key byte, code string) (identity.SignIn, error) {
		ctx := pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{key}})
		return p.Verify(ctx, identity.VerifyInput{Challenge: challenge, Code: code, By: apptest.AtHome})
	}
	for range 3 {
		if _, err := again(1, wrong(code)); !errors.Is(err, identity.ErrCode) {
			t.Error(err)
		}
	}
	if n := count(t, w, "select attempts from challenges where id = $1", challenge); n != 1 {
		t.Errorf("%d tries", n)
	}
	first, err := again(2, code)
	if err != nil {
		t.Fatal(err)
	}
	second, err := again(2, code)
	if err != nil || second.Token != first.Token || !second.ExpiresAt.Equal(first.ExpiresAt) {
		t.Errorf("%+v, then %+v (%v)", first, second, err)
	}
	if n := count(t, w, "select count(*) from replays where result::text like '%' || $1 || '%'", first.Token); n != 0 {
		t.Error("the kept answer shows the token")
	}
}
