package ledgeronline_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/civil"
	"foyer/app/clock"
	"foyer/app/sealed"
)

// start is the initial time of the tests' clocks.
var start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

const realm = "9130350000000001"

func settings() ledgeronline.Settings {
	return ledgeronline.Settings{
		AuthorizeURL: "https://ledger.example/connect/oauth2", TokenURL: "https://oauth.ledger.example/tokens",
		RevokeURL: "https://oauth.ledger.example/revoke", APIBase: "https://api.ledger.example/v3/company/",
		AppBase: "https://ledger.example/app/", ClientID: "client",
		ClientSecret: sealed.NewSecret("client-secret-canary-0123456789"),
		RedirectURI:  "https://studio.example/accounting/callback", Scope: "accounting",
	}
}

func conn() ledgeronline.Conn {
	return ledgeronline.Conn{Realm: realm, AccessToken: sealed.NewSecret("access-token-canary-0123456789")}
}

// canned answers every request alike, or with the next of several answers, and keeps the requests.
type canned struct {
	status  int
	header  http.Header
	body    string
	more    []string // bodies of the answers after the first; the last one repeats
	err     error
	content io.ReadCloser // instead of body

	mu     sync.Mutex
	sent   []*http.Request
	bodies []string
}

func (c *canned) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body := []byte{}
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	c.sent, c.bodies = append(c.sent, r), append(c.bodies, string(body))
	if c.err != nil {
		return nil, c.err
	}
	answer := c.body
	if n := len(c.sent) - 1; n > 0 && len(c.more) > 0 {
		answer = c.more[min(n, len(c.more))-1]
	}
	h := c.header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set("intuit_tid", "1-tid-7")
	content := c.content
	if content == nil {
		content = io.NopCloser(strings.NewReader(answer))
	}
	status := c.status
	if status == 0 {
		status = http.StatusOK
	}
	return &http.Response{StatusCode: status, Header: h, Body: content, Request: r}, nil
}

func (c *canned) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.sent)
}

// failer is a test, or a check of rapid.
type failer interface {
	Helper()
	Fatal(args ...any)
}

// open returns a client of a transport, without a limit of speed.
func open(t failer, transport http.RoundTripper, changes ...func(*ledgeronline.Options)) (
	*ledgeronline.Client, *clock.Fixed,
) {
	t.Helper()
	now := clock.NewFixed(start)
	o := ledgeronline.Options{
		Settings: settings(), Clock: now, HTTPClient: &http.Client{Transport: transport},
		Pace: ledgeronline.NewPace(ledgeronline.PaceOptions{Clock: now, PerSecond: -1}),
	}
	for _, change := range changes {
		change(&o)
	}
	c, err := ledgeronline.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, now
}

// at returns a client whose API is a server.
func at(t *testing.T, h http.Handler, changes ...func(*ledgeronline.Options)) (*ledgeronline.Client, *httptest.Server) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	c, _ := open(t, nil, append([]func(*ledgeronline.Options){func(o *ledgeronline.Options) {
		o.HTTPClient = nil
		o.Settings.APIBase, o.Settings.TokenURL = srv.URL+"/v3/company", srv.URL+"/tokens"
	}}, changes...)...)
	return c, srv
}

func usd() ledgeronline.Journal {
	return ledgeronline.Journal{
		Date: civil.NewDate(2026, 11, 20), DocNumber: "BK-7F3K2Q9D", Note: "Bookings 2026-11-20, Main Street (batch 1)",
		Currency: "USD",
		Lines: []ledgeronline.JournalLine{
			{AccountID: "46", Amount: 2200, Description: "Classes"},
			{Debit: true, AccountID: "91", Amount: 2294, Description: "Card payments"},
			{AccountID: "89", Amount: 94, Description: "Sales tax"},
		},
	}
}

func payout() ledgeronline.Deposit {
	return ledgeronline.Deposit{
		Date: civil.NewDate(2026, 11, 22), DocNumber: "BK-ABCD2345", Note: "Payout 2026-11-22", Currency: "USD",
		BankAccountID: "35",
		Lines: []ledgeronline.DepositLine{
			{AccountID: "26", Amount: 2395, Description: "Card payments"},
			{AccountID: "8", Amount: -94, Description: "Card processing fees"},
		},
	}
}
