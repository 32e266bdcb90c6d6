package ledgersim_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/accounting/ledgersim"
	"foyer/app/civil"
	"foyer/app/clock"
	"foyer/app/sealed"
)

const app = "http://studio.example"

var start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// sim is the simulator behind the real client, with a clock that stands still until it is set.
type sim struct {
	*ledgersim.Server
	*ledgeronline.Client
	clock *clock.Fixed
}

func open(t *testing.T, changes ...func(*ledgersim.Options)) sim {
	t.Helper()
	s := sim{clock: clock.NewFixed(start)}
	o := ledgersim.Options{Clock: s.clock, AppURL: app, Seed: "test"}
	for _, change := range changes {
		change(&o)
	}
	var err error
	if s.Server, err = ledgersim.New(o); err != nil {
		t.Fatal(err)
	}
	s.Client = s.client(t, 0)
	return s
}

// client returns a client of the simulator; patience is 0 for the default.
func (s sim) client(t *testing.T, patience time.Duration) *ledgeronline.Client {
	t.Helper()
	at := ledgersim.At(app, ledgersim.BaseURL)
	c, err := ledgeronline.New(ledgeronline.Options{
		Settings: ledgeronline.Settings{
			AuthorizeURL: at.Authorize, TokenURL: at.Token, RevokeURL: at.Revoke, APIBase: at.API, AppBase: at.App,
			ClientID: ledgersim.DefaultClientID, ClientSecret: sealed.NewSecret(ledgersim.DefaultClientSecret),
			RedirectURI: app + "/accounting/callback", Scope: ledgersim.Scope,
		},
		Clock: s.clock, HTTPClient: &http.Client{Transport: s.Server}, Patience: patience,
		Pace: ledgeronline.NewPace(ledgeronline.PaceOptions{Clock: s.clock, PerSecond: -1}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// code presses Approve and returns the code of the callback.
func (s sim) code(t *testing.T, realm string) string {
	t.Helper()
	callback, err := s.Approve(s.AuthorizeURL("state-1"), realm)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(callback)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if q.Get("state") != "state-1" || q.Get("realmId") != realm || u.Host != "studio.example" ||
		u.Path != "/accounting/callback" {
		t.Fatalf("callback %s", callback)
	}
	return q.Get("code")
}

// connect connects a company.
func (s sim) connect(t *testing.T, realm string) (ledgeronline.Conn, ledgeronline.Tokens) {
	t.Helper()
	tokens, err := s.Exchange(t.Context(), s.code(t, realm), realm)
	if err != nil {
		t.Fatal(err)
	}
	return ledgeronline.Conn{Realm: realm, AccessToken: tokens.Access}, tokens
}

// failed fails unless an error is of a class, and returns it.
func failed(t *testing.T, err error, class ledgeronline.Class, unknown bool) {
	t.Helper()
	if ledgeronline.ClassOf(err) != class || ledgeronline.Unknown(err) != unknown {
		t.Fatalf("%v, want %s", err, class)
	}
	if e, ok := err.(*ledgeronline.Error); ok && e.Status >= 400 && e.Trace == "" {
		t.Errorf("%v has no trace", err)
	}
}

// journal is a valid journal entry of Demo USD.
func journal() ledgeronline.Journal {
	return ledgeronline.Journal{
		Date: civil.NewDate(2026, 11, 20), DocNumber: "BK-7F3K2Q9D", Note: "Bookings 2026-11-20 (batch 1)", Currency: "USD",
		Lines: []ledgeronline.JournalLine{
			{Debit: true, AccountID: "26", Amount: 2294, Description: "Card payments"},
			{AccountID: "46", Amount: 2200, Description: "Classes"},
			{AccountID: "89", Amount: 94, Description: "Sales tax"},
		},
	}
}

// deposit is a valid deposit of Demo USD.
func deposit() ledgeronline.Deposit {
	return ledgeronline.Deposit{
		Date: civil.NewDate(2026, 11, 22), DocNumber: "BK-ABCD2345", Note: "Payout (batch 2)", Currency: "USD",
		BankAccountID: "35",
		Lines: []ledgeronline.DepositLine{
			{AccountID: "26", Amount: 2395, Description: "Card payments"}, {AccountID: "8", Amount: -94, Description: "Fees"},
		},
	}
}
