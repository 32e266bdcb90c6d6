package ledgersim_test

import (
	"testing"
	"time"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/accounting/ledgersim"
)

func fail(t *testing.T, s sim, f ledgersim.Fault) {
	t.Helper()
	if err := s.Fail(f); err != nil {
		t.Fatal(err)
	}
}

func TestFaults(t *testing.T) {
	for kind, want := range map[ledgersim.FaultKind]struct {
		class   ledgeronline.Class
		unknown bool
		made    int
	}{
		ledgersim.Throttle:    {ledgeronline.Throttled, false, 0},
		ledgersim.ServerError: {ledgeronline.Transient, true, 0},
		ledgersim.HTML:        {ledgeronline.Transient, true, 0},
		ledgersim.In200:       {ledgeronline.Transient, true, 0},
		ledgersim.Cut:         {ledgeronline.Transient, true, 0},
		ledgersim.Lost:        {ledgeronline.Transient, true, 1},
		ledgersim.Silent:      {ledgeronline.Transient, true, 1},
		ledgersim.Slow:        {ledgeronline.Transient, true, 1},
		ledgersim.Truncated:   {ledgeronline.Transient, true, 1},
		ledgersim.ForgetID:    {"", false, 1},
	} {
		t.Run(string(kind), func(t *testing.T) {
			s := open(t)
			s.Client = s.client(t, 50*time.Millisecond)
			conn, _ := s.connect(t, ledgersim.RealmUSD)
			fail(t, s, ledgersim.Fault{Kind: kind, Realm: ledgersim.RealmUSD, Op: "journalentry", Delay: time.Minute})
			if _, err := s.CompanyInfo(t.Context(), conn); err != nil {
				t.Fatalf("another operation fails: %v", err)
			}
			_, err := s.PostJournal(t.Context(), conn, journal(), "id-1")
			if ledgeronline.ClassOf(err) != want.class || ledgeronline.Unknown(err) != want.unknown {
				t.Errorf("%v", err)
			}
			if n := len(s.Documents(ledgersim.RealmUSD)); n != want.made {
				t.Errorf("%d documents, want %d", n, want.made)
			}
			s.clock.Advance(time.Minute)
			doc, err := s.PostJournal(t.Context(), conn, journal(), "id-1")
			if err != nil || kind != ledgersim.ForgetID && len(s.Documents(ledgersim.RealmUSD)) != 1 {
				t.Errorf("%+v, %v, %d documents", doc, err, len(s.Documents(ledgersim.RealmUSD)))
			}
		})
	}
	s := open(t)
	if s.Fail(ledgersim.Fault{Kind: "fire"}) == nil {
		t.Error("an unknown fault is accepted")
	}
	fail(t, s, ledgersim.Fault{Kind: ledgersim.ServerError, Times: 3})
	s.Heal()
	s.connect(t, ledgersim.RealmUSD)
	fail(t, s, ledgersim.Fault{Kind: ledgersim.Slow, Delay: time.Millisecond})
	s.connect(t, ledgersim.RealmUSD)
}

// An answer with new tokens can be lost, too: the old refresh token is then dead, unless the provider has a grace.
func TestLostTokens(t *testing.T) {
	for _, grace := range []bool{false, true} {
		s := open(t, func(o *ledgersim.Options) { o.Grace = grace })
		_, tokens := s.connect(t, ledgersim.RealmUSD)
		s.clock.Advance(48 * time.Hour)
		fail(t, s, ledgersim.Fault{Kind: ledgersim.Lost, Op: "token"})
		_, err := s.Refresh(t.Context(), tokens.Refresh)
		failed(t, err, ledgeronline.Transient, true)
		_, err = s.Refresh(t.Context(), tokens.Refresh)
		if grace && err != nil || !grace && ledgeronline.ClassOf(err) != ledgeronline.InvalidGrant {
			t.Errorf("grace %v: %v", grace, err)
		}
	}
}

// A company that was refused for speed rests for a minute, without requests; others go on.
func TestThrottle(t *testing.T) {
	s := open(t)
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	eur, _ := s.connect(t, ledgersim.RealmEUR)
	fail(t, s, ledgersim.Fault{Kind: ledgersim.Throttle, Realm: ledgersim.RealmUSD})
	for range 3 {
		_, err := s.PostJournal(t.Context(), conn, journal(), "id-1")
		failed(t, err, ledgeronline.Throttled, false)
	}
	if calls := s.Calls(ledgersim.RealmUSD)["journalentry"]; calls != 1 {
		t.Errorf("%d requests", calls)
	}
	if !s.Resting(ledgersim.RealmUSD).Equal(start.Add(time.Minute)) || !s.Resting(ledgersim.RealmEUR).IsZero() {
		t.Errorf("rests until %v", s.Resting(ledgersim.RealmUSD))
	}
	if _, err := s.CompanyInfo(t.Context(), eur); err != nil {
		t.Error(err)
	}
	s.clock.Advance(time.Minute)
	if _, err := s.PostJournal(t.Context(), conn, journal(), "id-1"); err != nil {
		t.Error(err)
	}
}

func TestManyCompanies(t *testing.T) {
	s := open(t)
	seen := map[string]bool{}
	for range 200 {
		realm := s.AddCompany("A studio", "US", "USD")
		if seen[realm] {
			t.Fatal("an id twice")
		}
		seen[realm] = true
		conn, _ := s.connect(t, realm)
		if _, err := s.PostJournal(t.Context(), conn, journal(), "id-1"); err != nil || len(s.Documents(realm)) != 1 {
			t.Fatal(err)
		}
	}
}
