package server_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/oauth"
)

// A8, A12: both documents, in both forms of the second, readable by scripts of any website.
func TestMetadata(t *testing.T) {
	h := open(t)
	for path, want := range map[string]map[string]any{
		"/.well-known/oauth-authorization-server": {
			"issuer": h.base, "authorization_endpoint": h.base + "/oauth/authorize", "token_endpoint": h.base + "/oauth/token",
			"registration_endpoint": h.base + "/oauth/register", "revocation_endpoint": h.base + "/oauth/revoke",
			"code_challenge_methods_supported":               []any{"S256"},
			"authorization_response_iss_parameter_supported": true, "client_id_metadata_document_supported": true,
		},
		"/.well-known/oauth-protected-resource": {"resource": h.base + "/mcp", "authorization_servers": []any{h.base}},
		"/.well-known/oauth-protected-resource/mcp": {
			"resource": h.base + "/mcp", "authorization_servers": []any{h.base}, "scopes_supported": []any{"operator"},
		},
	} {
		r, err := http.Get(h.base + path) //nolint:noctx // of the test
		if err != nil {
			t.Fatal(err)
		}
		cors := r.Header.Get("Access-Control-Allow-Origin")
		status, out := read(t, r)
		if status != http.StatusOK || cors != "*" {
			t.Errorf("%s: %d, origin %q", path, status, cors)
		}
		for name, value := range want {
			if got, _ := json.Marshal(out[name]); string(got) != string(must(json.Marshal(value))) {
				t.Errorf("%s: %s is %s", path, name, got)
			}
		}
	}
}

// A60: PKCE with S256 is required, and the code needs the right verifier, the right address and the right client.
func TestPKCEIsRequired(t *testing.T) {
	h := open(t)
	c := h.client(t)
	for name, change := range map[string]func(url.Values){
		"without a challenge": func(v url.Values) { v.Del("code_challenge") },
		"plain": func(v url.Values) {
			v.Set("code_challenge_method", "plain")
			v.Set("code_challenge",
				c.verifier)
		},
		"no method":         func(v url.Values) { v.Del("code_challenge_method") },
		"a short challenge": func(v url.Values) { v.Set("code_challenge", "abc") },
	} {
		v := c.request()
		change(v)
		b := h.browser(t)
		b.get(t, c.address(v))
		if got := b.answer(t); got.Get("error") != "invalid_request" || got.Get("state") != "s&t" ||
			got.Get("iss") != h.base {
			t.Errorf("%s: %v", name, got)
		}
	}
	code := c.code(t, h.Studio.Owner.Email)
	right := url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {callback}, "code_verifier": {c.verifier},
	}
	other := h.client(t)
	for name, change := range map[string]url.Values{
		"a wrong verifier": {"code_verifier": {rand.Text() + rand.Text()}},
		"no verifier":      {"code_verifier": nil},
		"another address":  {"redirect_uri": {"http://127.0.0.1/callback"}},
		"another client":   {"client_id": {other.id}},
		"another resource": {"resource": {"https://elsewhere.example/mcp"}},
	} {
		v := url.Values{}
		for _, of := range []url.Values{right, change} {
			for k, value := range of {
				v[k] = value
			}
		}
		status, out := c.token(t, v)
		want := "invalid_grant"
		if name == "another resource" {
			want = "invalid_target"
		}
		if status != http.StatusBadRequest || out["error"] != want {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
	status, out := c.token(t, right)
	if status != http.StatusOK || out["token_type"] != "Bearer" || out["expires_in"] != 3600.0 ||
		out["scope"] != "operator" {
		t.Fatalf("%d %v", status, out)
	}
	if status, _ := h.tool(t, out["access_token"].(string), "listBusinesses", "{}"); status != http.StatusOK {
		t.Errorf("the token is refused: %d", status)
	}
}

// A61: a person with one business is not asked for it; with several, the token is of the chosen one. The consent names
// the client as text, where it leads, and the business.
func TestChoiceOfTheBusiness(t *testing.T) {
	h := open(t)
	c := h.client(t)
	owner := h.Studio.Owner.Email
	b := h.browser(t)
	b.get(t, c.address(c.request()))
	if !strings.Contains(b.text, "Helper &lt;b&gt;AI&lt;/b&gt;") || strings.Contains(b.text, "<b>AI") {
		t.Error("the name of the client is not shown as text")
	}
	b.signIn(t, owner)
	for _, want := range []string{"Harbour Yoga", "assistant.example", owner,
		"Record payments, refund them and change balances"} {
		if !strings.Contains(b.text, want) {
			t.Errorf("the consent does not say %q:\n%s", want, b.text)
		}
	}
	policy := b.at.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "form-action 'self' https:") {
		t.Errorf("policy %s", policy)
	}
	b.submit(t, "decision", url.Values{"decision": {"deny"}})
	if got := b.answer(t); got.Get("error") != "access_denied" || got.Has("code") {
		t.Errorf("denied: %v", got)
	}

	second := h.World.Studio(t, func(p *apptest.StudioPlan) { p.Owner, p.Name = owner, "Lakeside Dance" })
	b = h.browser(t)
	b.get(t, c.address(c.request()))
	b.signIn(t, owner)
	if !strings.Contains(b.text, "Lakeside Dance") || !strings.Contains(b.text, "Harbour Yoga") {
		t.Fatalf("no choice:\n%s", b.text)
	}
	b.submit(t, "business", url.Values{"business": {second.Business.ID.String()}})
	_, out := c.redeem(t, b.allow(t).Get("code"))
	_, list := h.tool(t, out["access_token"].(string), "listBusinesses", "{}")
	raw, _ := json.Marshal(list)
	if !strings.Contains(string(raw), "Lakeside Dance") || strings.Contains(string(raw), "Harbour Yoga") {
		t.Errorf("businesses of the token: %s", raw)
	}
}

// A62: the token is of its business, and of /mcp alone.
func TestATokenIsOfOneBusinessAndOfMCP(t *testing.T) {
	h := open(t)
	c := h.client(t)
	owner := h.Studio.Owner.Email
	access, _ := c.connected(t, owner)
	second := h.World.Studio(t, func(p *apptest.StudioPlan) { p.Owner, p.Name = owner, "Lakeside Dance" })

	if status, _ := h.tool(t, access, "getBusiness",
		`{"businessId": "`+h.Studio.Business.ID.String()+`"}`); status != 200 {
		t.Errorf("its own business: %d", status)
	}
	for name, call := range map[string][2]string{
		"another business": {"getBusiness", `{"businessId": "` + second.Business.ID.String() + `"}`},
		"its location":     {"getLocation", `{"id": "` + second.Location.ID.String() + `"}`},
		"all bookings":     {"listMyBookings", `{}`},
		"the profile":      {"getProfile", `{}`},
		"the sessions":     {"listSessions", `{}`},
	} {
		if status, out := h.tool(t, access, call[0], call[1]); status != http.StatusForbidden {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
	_, unknown := h.tool(t, access, "getLocation", `{"id": "`+uuid.NewString()+`"}`)
	_, foreign := h.tool(t, access, "getLocation", `{"id": "`+second.Location.ID.String()+`"}`)
	if a, b := must(json.Marshal(unknown)), must(json.Marshal(foreign)); !bytes.Equal(a, b) {
		t.Errorf("a foreign location is %s, an unknown one %s", b, a)
	}
	for _, path := range []string{"/businesses", "/businesses/" + h.Studio.Business.ID.String(), "/me/profile"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+access)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if status, _ := read(t, answer); status != http.StatusUnauthorized {
			t.Errorf("REST %s: %d", path, status)
		}
	}
}

// A refresh token is exchanged once, however many ask at once; within ten seconds the same answer comes again, and
// later the connection ends.
func TestRefresh(t *testing.T) {
	h := open(t)
	c := h.client(t)
	access, refresh := c.connected(t, h.Studio.Owner.Email)

	const many = 50
	type reply struct {
		status int
		out    map[string]any
	}
	replies := make(chan reply, many)
	for range many {
		go func() {
			status, out := c.refresh(t, refresh)
			replies <- reply{status, out}
		}()
	}
	var next string
	for range many {
		r := <-replies
		if r.status != http.StatusOK {
			t.Fatalf("%d %v", r.status, r.out)
		}
		if got := r.out["refresh_token"].(string); next != "" && got != next {
			t.Fatal("two answers to one refresh token")
		}
		next = r.out["refresh_token"].(string)
	}
	if n := apptest.Value[int](t, h.World, "select count(*) from oauth_tokens where kind = 'refresh'"); n != 2 {
		t.Errorf("%d refresh tokens, want the used one and the next", n)
	}
	if status, _ := h.tool(t, access, "listBusinesses", "{}"); status != http.StatusOK {
		t.Errorf("the first access token, still good for an hour: %d", status)
	}

	status, out := c.refresh(t, next)
	if status != http.StatusOK {
		t.Fatalf("%d %v", status, out)
	}
	newest, last := out["access_token"].(string), out["refresh_token"].(string)
	// What was used, and whose successor was used, is a copy in other hands: also within the ten seconds.
	if status, out := c.refresh(t, refresh); status != http.StatusBadRequest || out["error"] != "invalid_grant" {
		t.Errorf("reuse: %d %v", status, out)
	}
	if status, _ := c.refresh(t, last); status != http.StatusBadRequest {
		t.Errorf("the newest refresh token after a reuse: %d", status)
	}
	for _, token := range []string{access, newest} {
		if status, _ := h.tool(t, token, "listBusinesses", "{}"); status != http.StatusUnauthorized {
			t.Errorf("an access token after a reuse: %d", status)
		}
	}

	_, refresh = c.connected(t, h.Studio.Owner.Email)
	if status, _ := c.refresh(t, refresh); status != http.StatusOK {
		t.Fatal(status)
	}
	h.Clock.Advance(11 * time.Second)
	if status, _ := c.refresh(t, refresh); status != http.StatusBadRequest {
		t.Errorf("after the ten seconds: %d", status)
	}
	if by := apptest.Values[string](t, h.World, "select ended_by from oauth_families"); strings.Join(by,
		" ") != "reuse reuse" {
		t.Errorf("ended by %v", by)
	}
}

// A code works for a minute and once: when it comes again, what it began ends.
func TestACodeWorksOnce(t *testing.T) {
	h := open(t)
	c := h.client(t)
	code := c.code(t, h.Studio.Owner.Email)
	status, out := c.redeem(t, code)
	if status != http.StatusOK {
		t.Fatalf("%d %v", status, out)
	}
	access := out["access_token"].(string)
	if status, out := c.redeem(t, code); status != http.StatusBadRequest || out["error"] != "invalid_grant" {
		t.Errorf("again: %d %v", status, out)
	}
	if status, _ := h.tool(t, access, "listBusinesses", "{}"); status != http.StatusUnauthorized {
		t.Errorf("the token of a code that came twice: %d", status)
	}
	code = c.code(t, h.Studio.Owner.Email)
	h.Clock.Advance(oauth.CodeLife)
	if status, _ := c.redeem(t, code); status != http.StatusBadRequest {
		t.Errorf("after a minute: %d", status)
	}
}

// An hour ends an access token, 90 days without use the connection; the client ends either with revoke.
func TestTheEndOfTokens(t *testing.T) {
	h := open(t)
	c := h.client(t)
	revoke := func(token string) {
		t.Helper()
		status, _ := c.post(t, "/oauth/revoke", "application/x-www-form-urlencoded",
			url.Values{"client_id": {c.id}, "token": {token}}.Encode())
		if status != http.StatusOK {
			t.Errorf("revoke: %d", status)
		}
	}
	good := func(token string) bool {
		status, _ := h.tool(t, token, "listBusinesses", "{}")
		return status == http.StatusOK
	}
	access, refresh := c.connected(t, h.Studio.Owner.Email)
	h.Clock.Advance(oauth.AccessLife)
	if good(access) {
		t.Error("an access token works after its hour")
	}
	_, out := c.refresh(t, refresh)
	access, refresh = out["access_token"].(string), out["refresh_token"].(string)
	revoke("unknown")
	revoke(access)
	if good(access) {
		t.Error("a revoked access token works")
	}
	status, out := c.refresh(t, refresh)
	if status != http.StatusOK {
		t.Fatal("the connection ended with its access token")
	}
	access, refresh = out["access_token"].(string), out["refresh_token"].(string)
	revoke(refresh)
	if status, _ := c.refresh(t, refresh); good(access) || status != http.StatusBadRequest {
		t.Error("a revoked connection goes on")
	}

	_, refresh = c.connected(t, h.Studio.Owner.Email)
	h.Clock.Advance(oauth.RefreshLife)
	if status, _ := c.refresh(t, refresh); status != http.StatusBadRequest {
		t.Errorf("a refresh token after 90 days: %d", status)
	}
	h.Clock.Advance(48 * time.Hour)
	if err := h.OAuth.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if by := apptest.Values[string](t, h.World, "select ended_by from oauth_families order by ended_at"); strings.Join(by,
		" ") != "revoked expired" {
		t.Errorf("ended by %v", by)
	}
	for _, table := range []string{"oauth_tokens", "oauth_codes"} {
		if n := apptest.Value[int](t, h.World, "select count(*) from "+table); n != 0 {
			t.Errorf("%d rows left in %s", n, table)
		}
	}
}
