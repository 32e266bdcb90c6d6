package main

import (
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest"
	"foyer/app/clock"
	"foyer/app/sealed"
)

// ledgerSecret is the client secret of these settings, which no message has.
const ledgerSecret = "a secret of the provider"

// ledgerSettings are valid settings of the accounting provider.
func ledgerSettings() map[string]string {
	return map[string]string{
		"LEDGER_ONLINE_AUTHORIZE_URL": "https://ledger.example.com/connect",
		"LEDGER_ONLINE_TOKEN_URL":     "https://oauth.example.com/token",
		"LEDGER_ONLINE_REVOKE_URL":    "https://oauth.example.com/revoke",
		"LEDGER_ONLINE_API_BASE":      "https://api.example.com/v3/company",
		"LEDGER_ONLINE_APP_BASE":      "https://app.example.com/app",
		"LEDGER_ONLINE_CLIENT_ID":     "client",
		"LEDGER_ONLINE_CLIENT_SECRET": ledgerSecret,
		"LEDGER_ONLINE_SCOPE":         "accounting",
	}
}

// environOf returns settings as an environment.
func environOf(settings map[string]string) (out []string) {
	for name, value := range settings {
		out = append(out, name+"="+value)
	}
	return out
}

// TestLedgerSettings: the settings of the accounting provider are complete or empty, and an error names the setting.
func TestLedgerSettings(t *testing.T) {
	const base = "https://book.example.com"
	c, err := read(t, append(environOf(ledgerSettings()), "BASE_URL="+base+"/")...)
	if err != nil {
		t.Fatal(err)
	}
	s := c.ledger(c.BaseURL)
	if s.RedirectURI != base+"/accounting/callback" || s.ClientSecret.Reveal() != ledgerSecret || !s.Configured() {
		t.Errorf("%+v", s)
	}
	if c, err := read(t); err != nil || c.ledger(base).Configured() {
		t.Errorf("without settings: %+v, %v", c.ledger(base), err)
	}
	set := ledgerSettings()
	set["LEDGER_ONLINE_REDIRECT_URI"], set["LEDGER_ONLINE_MINOR_VERSION"] = "https://other.example.com/back", "80"
	c, err = read(t, environOf(set)...)
	if s := c.ledger(base); err != nil || s.RedirectURI != "https://other.example.com/back" || s.MinorVersion != 80 {
		t.Errorf("%+v, %v", s, err)
	}
	wrong := func(name, value string) {
		t.Helper()
		set := ledgerSettings()
		set[name] = value
		_, err := read(t, environOf(set)...)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%q: %v", name, value, err)
		}
		if err != nil && strings.Contains(err.Error(), ledgerSecret) {
			t.Errorf("%s=%q: the client secret shows: %v", name, value, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ledgerSettings())) {
		wrong(name, "")
	}
	for name, value := range map[string]string{
		"LEDGER_ONLINE_AUTHORIZE_URL": "ledger.example.com",
		"LEDGER_ONLINE_TOKEN_URL":     "http://oauth.example.com/token",
		"LEDGER_ONLINE_REVOKE_URL":    "http://oauth.example.com/revoke",
		"LEDGER_ONLINE_API_BASE":      "https://api.example.com/v3?x=1",
		"LEDGER_ONLINE_APP_BASE":      "ftp://app.example.com",
		"LEDGER_ONLINE_REDIRECT_URI":  "/accounting/callback",
		"LEDGER_ONLINE_MINOR_VERSION": "74",
	} {
		wrong(name, value)
	}
	_, err = read(t, append(environOf(ledgerSettings()), "DATABASE_URL=postgres://x", "FOYER_SECRET="+killSecret)...)
	if err == nil || !strings.Contains(err.Error(), "FOYER_SEAL_KEYS must be set") {
		t.Errorf("without keys for its tokens: %v", err)
	}
}

// TestLedgerClient: a start has a client of the accounting provider if one is configured, and refuses the simulator by
// any of its addresses and by its client id.
func TestLedgerClient(t *testing.T) {
	start := func(settings map[string]string) (accounting.Provider, error) {
		t.Helper()
		c, err := read(t, environOf(settings)...)
		if err != nil {
			t.Fatal(err)
		}
		p := &parts{config: c, clock: clock.System{}, log: slog.New(slog.DiscardHandler)}
		err = (&product{baseURL: "http://localhost"}).outside(p)
		return p.accounting, err
	}
	if client, err := start(nil); client != nil || err != nil {
		t.Errorf("not configured: %v, %v", client, err)
	}
	if client, err := start(ledgerSettings()); err != nil {
		t.Error(err)
	} else if u, err := url.Parse(client.AuthorizeURL("state")); err != nil || u.Host != "ledger.example.com" ||
		u.Query().Get("redirect_uri") != "http://localhost/accounting/callback" {
		t.Errorf("%v, %v", u, err)
	}
	at := ledgersim.At("http://localhost:8080", ledgersim.BaseURL)
	for name, value := range map[string]string{
		"AUTHORIZE_URL": at.Authorize, "TOKEN_URL": at.Token, "REVOKE_URL": at.Revoke, "API_BASE": at.API, "APP_BASE": at.App,
		"CLIENT_ID": ledgersim.DefaultClientID,
	} {
		set := ledgerSettings()
		set["LEDGER_ONLINE_"+name] = value
		client, err := start(set)
		if client != nil || err == nil || !strings.Contains(err.Error(), `simulator runs in "foyer dev" only`) {
			t.Errorf("%s: %v, %v", name, client, err)
		}
	}
}

// TestDoctorOfAccounting: the doctor finds a provider that does not answer, and tokens that no key opens, of which it
// prints nothing.
func TestDoctorOfAccounting(t *testing.T) {
	provider := httptest.NewServer(http.NotFoundHandler())
	defer provider.Close()
	w := apptest.Open(t)
	key := sealed.NewKey()
	keys, err := sealed.Parse(key)
	if err != nil {
		t.Fatal(err)
	}
	connectLedger(t, w, w.Studio(t), keys)
	set := ledgerSettings()
	for name, value := range set {
		if u, err := url.Parse(value); err == nil && u.Host != "" {
			set[name] = provider.URL + u.Path
		}
	}
	set["DATABASE_URL"], set["DATABASE_JOB_URL"], set["FOYER_SECRET"] = w.URL("foyer_app"), w.URL("foyer_job"), killSecret
	for name, c := range map[string]struct {
		name, value string // of a changed setting
		state, says string
	}{
		"well":          {"", "", "ok", "the seal keys decrypt all tokens (connections: 1)"},
		"rotated":       {"FOYER_SEAL_KEYS", sealed.NewKey() + "," + key, "ok", "(connections: 1)"},
		"lost key":      {"FOYER_SEAL_KEYS", sealed.NewKey(), "bad", "the tokens of 1 of 1 connections"},
		"no answer":     {"LEDGER_ONLINE_TOKEN_URL", "http://127.0.0.1:1/token", "bad", "_TOKEN_URL: no answer"},
		"the simulator": {"LEDGER_ONLINE_CLIENT_ID", ledgersim.DefaultClientID, "bad", "foyer dev"},
	} {
		t.Run(name, func(t *testing.T) {
			all := maps.Clone(set)
			all["FOYER_SEAL_KEYS"] = key
			if c.name != "" {
				all[c.name] = c.value
			}
			config, err := read(t, environOf(all)...)
			if err != nil {
				t.Fatal(err)
			}
			state, says := checkAccounting(t.Context(), config, &program{ctx: t.Context()})
			if state != c.state || !strings.Contains(says, c.says) {
				t.Errorf("%s: %s", state, says)
			}
			if strings.Contains(says, key[:8]) || strings.Contains(says, ledgerSecret) {
				t.Errorf("a secret shows: %s", says)
			}
		})
	}
	config, err := read(t)
	if err != nil {
		t.Fatal(err)
	}
	state, says := checkAccounting(t.Context(), config, &program{ctx: t.Context()})
	if state != "off" || !strings.Contains(says, "LEDGER_ONLINE_") {
		t.Errorf("not configured: %s: %s", state, says)
	}
}

// connectLedger connects a studio to a simulated provider, with tokens sealed by these keys.
func connectLedger(t *testing.T, w *apptest.World, studio apptest.Studio, keys *sealed.Keys) {
	t.Helper()
	accounts := apptest.NewAccounts(t, w.Clock)
	quiet := slog.New(slog.DiscardHandler)
	s := accounting.New(accounting.Options{DB: w.DB, Provider: accounts.Client, Keys: keys, Log: quiet})
	address, err := s.Begin(t.Context(), studio.Owner)
	if err != nil {
		t.Fatal(err)
	}
	to, err := s.Returned(t.Context(), accounts.Agree(t, address, ledgersim.RealmUSD))
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := s.Complete(t.Context(), studio.Owner, to.Attempt)
	if err != nil || outcome != accounting.OutcomeConnected {
		t.Fatalf("%s, %v", outcome, err)
	}
}
