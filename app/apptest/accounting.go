package apptest

import (
	"net/http"
	"net/url"
	"testing"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgeronline"
	"foyer/app/accounting/ledgersim"
	"foyer/app/clock"
	"foyer/app/sealed"
)

// Accounts is an accounting provider for tests: the client of the product against the simulator, in the process.
type Accounts struct {
	Sim    *ledgersim.Server
	Client *ledgeronline.Client
	Keys   *sealed.Keys
}

// appURL is the product's address for the provider.
const appURL = "https://book.example"

// NewAccounts makes a provider with the companies of the simulator. For a product that is served at another AppURL,
// the simulator's pages are below that address, so that browsers can open them.
func NewAccounts(t testing.TB, c clock.Clock, changes ...func(*ledgersim.Options)) Accounts {
	t.Helper()
	o := ledgersim.Options{Clock: c, AppURL: appURL, Seed: t.Name()}
	for _, change := range changes {
		change(&o)
	}
	sim, err := ledgersim.New(o)
	if err != nil {
		t.Fatal(err)
	}
	pages := ledgersim.BaseURL
	if o.AppURL != appURL {
		pages = o.AppURL
	}
	client := accountsClient(t, c, sim, o.AppURL, pages)
	keys, err := sealed.Parse(sealed.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	return Accounts{sim, client, keys}
}

// AccountsClient is the product's client with a transport to the simulator.
func AccountsClient(t testing.TB, c clock.Clock, to http.RoundTripper) *ledgeronline.Client {
	t.Helper()
	return accountsClient(t, c, to, appURL, ledgersim.BaseURL)
}

func accountsClient(t testing.TB, c clock.Clock, to http.RoundTripper, app, pages string) *ledgeronline.Client {
	t.Helper()
	at := ledgersim.At(pages, ledgersim.BaseURL)
	client, err := ledgeronline.New(ledgeronline.Options{
		Clock: c, HTTPClient: &http.Client{Transport: to},
		Pace: ledgeronline.NewPace(ledgeronline.PaceOptions{Clock: c, PerSecond: -1}),
		Settings: ledgeronline.Settings{
			AuthorizeURL: at.Authorize, TokenURL: at.Token, RevokeURL: at.Revoke, APIBase: at.API, AppBase: at.App,
			ClientID: ledgersim.DefaultClientID, ClientSecret: sealed.NewSecret(ledgersim.DefaultClientSecret),
			Scope: ledgersim.Scope, RedirectURI: app + "/accounting/callback",
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// Agree agrees at the provider to an address of accounting.Service.Begin, for a company, and returns its redirect.
func (a Accounts) Agree(t testing.TB, authorizeURL, company string) accounting.Return {
	t.Helper()
	callback, err := a.Sim.Approve(authorizeURL, company)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(callback)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	return accounting.Return{State: q.Get("state"), Code: q.Get("code"), Company: q.Get("realmId")}
}
