package hosted_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/oauth"
)

// TestAssistantIsConnectedInABrowser: a person signs in, chooses a business and connects an assistant, with script and
// without; the browser follows to the client under the page's policy, with a code that the client redeems. Cancel
// sends them there without one. Every page on the way is accessible, which axe finds out with script.
func TestAssistantIsConnectedInABrowser(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]browser.Options{
		"with script": {}, "without script": {Width: 390, Height: 844, NoScript: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			connects(t, o)
		})
	}
}

func connects(t *testing.T, o browser.Options) {
	const verifier = "a verifier of at least forty-three characters"
	s := open(t, func(p *plan) { p.NoCards = true })
	answers := make(chan url.Values, 1)
	client := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/callback" { // the browser asks for an icon, too
			http.NotFound(w, r)
			return
		}
		answers <- r.URL.Query()
		_, _ = w.Write([]byte("<!doctype html><html lang=en><title>Client</title><h1>Back at the client</h1>"))
	}))
	t.Cleanup(client.Close)
	c, err := s.Services.OAuth.RegisterClient(t.Context(), "192.0.2.7", oauth.Registration{
		Name: "Claude", RedirectURIs: []string{client.URL + "/callback"}, AuthMethod: string(oauth.AuthNone),
	})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(verifier))
	start := oauth.Request{
		ClientID: c.ClientID, RedirectURI: client.URL + "/callback", ResponseType: "code", Method: "S256",
		Challenge: base64.RawURLEncoding.EncodeToString(sum[:]), State: "s",
	}
	begin := "/oauth/authorize?" + url.Values{
		"client_id": {start.ClientID}, "redirect_uri": {start.RedirectURI}, "response_type": {"code"}, "state": {"s"},
		"code_challenge": {start.Challenge}, "code_challenge_method": {"S256"},
	}.Encode()
	other := s.World.Studio(t, func(p *apptest.StudioPlan) { p.Owner, p.Name = s.Owner.Email, "Lakeside Dance" })

	l := s.look(t, o)
	see := func(page string) {
		t.Helper()
		if !o.NoScript {
			l.see(page)
		}
	}
	back := func(button string) url.Values {
		t.Helper()
		l.Click(button)
		if got := l.Text("h1"); got != "Back at the client" {
			t.Fatalf("%s says %q", l.URL(), got)
		}
		got := <-answers
		if got.Get("state") != "s" || got.Get("iss") != s.URL {
			t.Errorf("the client gets %v", got)
		}
		return got
	}
	l.at("/oauth/authorize?client_id=unknown")
	see("assistant-refused")
	l.at(begin)
	see("assistant-sign-in")
	l.signIn(s.Owner.Email)
	see("assistant-business")
	l.Click(`input[value="` + other.Business.ID.String() + `"]`)
	l.Click("main form button")
	if got := l.Text("h1"); got != "Connect Claude to Lakeside Dance?" {
		t.Fatalf("%s says %q", l.URL(), got)
	}
	see("assistant-consent")
	code := back("button[value=allow]").Get("code")
	if _, err := s.Services.OAuth.Redeem(t.Context(), c.Client, code, start.RedirectURI, verifier); err != nil {
		t.Errorf("the code %q: %v", code, err)
	}
	connected := apptest.Values[string](t, s.World, "select business_id::text from oauth_families")
	if len(connected) != 1 || connected[0] != other.Business.ID.String() {
		t.Errorf("connected to %v", connected)
	}

	l.at(begin)
	l.Click("main form button")
	if got := back("button[value=deny]"); got.Get("error") != oauth.AccessDenied || got.Has("code") {
		t.Errorf("after Cancel the client gets %v", got)
	}
	l.at(begin)
	l.Click("main form button")
	l.Click("form[action$='/leave'] button")
	l.signIn("nobody@example.com")
	see("assistant-no-business")
}
