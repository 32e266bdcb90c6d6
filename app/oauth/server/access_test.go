package server_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/audit"
	"foyer/app/fault"
	"foyer/app/oauth"
	"foyer/app/oauth/server"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// A63: a change of role, a removed member and a disconnected assistant end at the next call.
func TestAnAssistantLosesWhatThePersonLoses(t *testing.T) {
	h := open(t)
	c := h.client(t)
	m := h.member(t, "mia@example.com", policy.Manager)
	access, _ := c.connected(t, "mia@example.com")
	rename := func() (int, string) {
		t.Helper()
		l, err := h.Services.Business.Location(t.Context(), h.Studio.Owner, h.Studio.Location.ID)
		if err != nil {
			t.Fatal(err)
		}
		status, out := h.tool(t, access, "updateLocation", fmt.Sprintf(`{"id": %q, "version": %d, "name": "Pier"}`, l.ID,
			l.Version))
		return status, reason(out)
	}
	if got, why := rename(); got != http.StatusOK {
		t.Fatalf("a manager: %d %s", got, why)
	}
	events, err := h.Services.Audit.List(t.Context(), h.Studio.Owner, audit.ListInput{Surface: tenancy.SurfaceAssistant,
		Record: "locations"})
	if err != nil || len(events.Items) != 1 {
		t.Fatalf("%d events, %v", len(events.Items), err)
	}
	who := events.Items[0].Actor
	if who.ID != m.PersonID || who.Via.Client != "Helper <b>AI</b>" || who.Via.ID == uuid.Nil {
		t.Errorf("the activity log names %+v", who)
	}

	m = h.role(t, m, policy.Viewer)
	if got, why := rename(); got != http.StatusForbidden || why != "feature_missing" {
		t.Errorf("after the role was taken: %d %s", got, why)
	}
	if _, err := h.Services.Business.Deactivate(t.Context(), h.Studio.Owner, m.ID); err != nil {
		t.Fatal(err)
	}
	status, out := h.tool(t, access, "getBusiness", `{"businessId": "`+h.Studio.Business.ID.String()+`"}`)
	if status != http.StatusForbidden || reason(out) != "no_role" {
		t.Errorf("a former member: %d %v", status, out)
	}

	access, refresh := c.connected(t, h.Studio.Owner.Email)
	list, err := h.OAuth.Connections(t.Context(), h.Studio.Owner, paging.In[uuid.UUID]{})
	if err != nil || len(list.Items) != 2 || list.Items[0].PersonEmail != h.Studio.Owner.Email ||
		list.Items[1].UsedAt == nil {
		t.Fatalf("%+v %v", list, err)
	}
	if err := h.OAuth.Disconnect(t.Context(), h.Studio.Owner, list.Items[0].ID); err != nil {
		t.Fatal(err)
	}
	if status, _ := h.tool(t, access, "listBusinesses", "{}"); status != http.StatusUnauthorized {
		t.Errorf("after Disconnect: %d", status)
	}
	if status, _ := c.refresh(t, refresh); status != http.StatusBadRequest {
		t.Errorf("its refresh token: %d", status)
	}
	if err := h.OAuth.Disconnect(t.Context(), h.Studio.Owner, list.Items[0].ID); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("again: %v", err)
	}
}

// The list is a person's own, unless they manage the team; nobody else's can be disconnected, or told from none.
func TestConnectionsAreAPersonsOwn(t *testing.T) {
	h := open(t)
	c := h.client(t)
	h.member(t, "mia@example.com", policy.FrontDesk)
	c.connected(t, "mia@example.com")
	c.connected(t, h.Studio.Owner.Email)
	_, mia := h.People(t).SignIn(t, "mia@example.com")
	grants, _, _, err := h.Services.Business.Admit(t.Context(), mia, h.Studio.Business.ID)
	if err != nil {
		t.Fatal(err)
	}
	sc := tenancy.Scope{Principal: mia, Tenant: h.Studio.Business.ID, Grants: grants, Surface: tenancy.SurfaceConsole}
	own, err := h.OAuth.Connections(t.Context(), sc, paging.In[uuid.UUID]{})
	if err != nil || len(own.Items) != 1 || own.Items[0].PersonEmail != "mia@example.com" {
		t.Fatalf("%+v %v", own, err)
	}
	all, err := h.OAuth.Connections(t.Context(), h.Studio.Owner, paging.In[uuid.UUID]{Limit: 1})
	if err != nil || len(all.Items) != 1 || all.Next == nil {
		t.Fatalf("%+v %v", all, err)
	}
	if err := h.OAuth.Disconnect(t.Context(), sc, all.Items[0].ID); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("another's: %v", err)
	}
	if err := h.OAuth.Disconnect(t.Context(), sc, own.Items[0].ID); err != nil {
		t.Error(err)
	}
}

// Clients with a metadata document: it is fetched once while it is fresh, and used only if it says of itself what its
// address says.
func TestClientsWithADocument(t *testing.T) {
	h := open(t)
	const id = "https://assistant.example/client.json"
	c := &client{house: h, id: id, verifier: strings.Repeat("v", 43)}
	good := `{"client_id": "` + id + `", "client_name": "Fine Assistant", "redirect_uris": ["` + callback + `"]}`
	serve := func(status int, header, body string) {
		h.documents.answer = func(r *http.Request) (*http.Response, error) {
			hd := http.Header{"Content-Type": {"application/json"}}
			if name, value, ok := strings.Cut(header, ": "); ok {
				hd.Set(name, value)
			}
			return &http.Response{
				StatusCode: status, Header: hd, Body: io.NopCloser(strings.NewReader(body)), Request: r, ProtoMajor: 1,
				ProtoMinor: 1,
			}, nil
		}
	}
	refused := func(name string, id string) {
		t.Helper()
		b := h.browser(t)
		v := c.request()
		v.Set("client_id", id)
		b.get(t, c.address(v))
		if b.at.StatusCode != http.StatusBadRequest || !strings.Contains(b.text, "This assistant cannot be connected") {
			t.Errorf("%s: %s", name, b.at.Status)
		}
	}
	for name, bad := range map[string][3]string{
		"another client_id": {"200", "", strings.Replace(good, "client.json", "other.json", 1)},
		"a redirect":        {"302", "Location: https://assistant.example/new.json", ""},
		"not found":         {"404", "", good},
		"HTML":              {"200", "Content-Type: text/html", good},
		"huge":              {"200", "", good + strings.Repeat(" ", 64<<10)},
		"no JSON":           {"200", "", "<html>"},
		"an array":          {"200", "", "[" + good + "]"},
		"a secret":          {"200", "", strings.Replace(good, "{", `{"client_secret": "x", `, 1)},
		"a signed client":   {"200", "", strings.Replace(good, "{", `{"token_endpoint_auth_method": "private_key_jwt", `, 1)},
		"no redirect":       {"200", "", strings.Replace(good, callback, "javascript:alert(1)", 1)},
	} {
		var status int
		if _, err := fmt.Sscan(bad[0], &status); err != nil {
			t.Fatal(err)
		}
		serve(status, bad[1], bad[2])
		h.Clock.Advance(time.Hour) // of the limit of a visitor
		refused(name, id)
	}
	asked := len(h.documents.asked)
	for _, odd := range []string{
		"https://assistant.example", "https://assistant.example/", "https://user@assistant.example/c.json",
		"https://assistant.example/c.json#f", "https://assistant.example/a/../c.json",
		"https://assistant.example:8443/c.json",
		"http://assistant.example/c.json", "https:///c.json", "https://assistant.example/%2e%2e/c.json",
	} {
		refused(odd, odd)
	}
	if len(h.documents.asked) != asked {
		t.Errorf("addresses that are no documents were fetched: %v", h.documents.asked[asked:])
	}
	h.documents.answer = nil
	refused("no answer", id)

	serve(200, "Cache-Control: max-age=600", good)
	h.Clock.Advance(time.Hour)
	asked = len(h.documents.asked)
	status, out := c.redeem(t, c.code(t, h.Studio.Owner.Email))
	if status != http.StatusOK || len(h.documents.asked) != asked+1 {
		t.Fatalf("%d %v, fetched %d times", status, out, len(h.documents.asked)-asked)
	}
	h.Clock.Advance(601 * time.Second)
	b := h.browser(t)
	b.get(t, c.address(c.request()))
	if len(h.documents.asked) != asked+2 || !strings.Contains(b.text, "Fine Assistant") {
		t.Errorf("a stale document: fetched %d times", len(h.documents.asked)-asked)
	}
	b.signIn(t, h.Studio.Owner.Email)
	if !strings.Contains(b.text, "Identified by") {
		t.Error("the consent does not say who identifies the client")
	}
	for i := range 25 { // a visitor may make us fetch twenty an hour
		v := c.request()
		v.Set("client_id", fmt.Sprintf("https://assistant.example/%d.json", i))
		b.get(t, c.address(v))
	}
	if b.at.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the 25th document in an hour: %s", b.at.Status)
	}
}

// The program's own transport reaches public addresses only.
func TestDocumentsOfOurNetworkAreNotFetched(t *testing.T) {
	h := open(t)
	local := oauth.New(oauth.Options{DB: h.World.DB, Business: h.Services.Business, Secret: apptest.Secret})
	for _, id := range []string{
		"https://127.0.0.1/client.json", "https://localhost/client.json", "https://[::1]/client.json",
		"https://10.0.0.1/client.json", "https://169.254.169.254/latest/meta-data", "https://[fd00::1]/client.json",
	} {
		_, err := local.Client(t.Context(), "192.0.2.9", id)
		if !errors.Is(err, oauth.ErrUnknownClient) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// A registration is checked, and a visitor has twenty an hour; those that nobody connects are deleted after 30 days.
func TestRegistration(t *testing.T) {
	h := open(t)
	for body, want := range map[string]string{
		`{`:                      "invalid_client_metadata",
		`[]`:                     "invalid_client_metadata",
		`{"redirect_uris": "x"}`: "invalid_client_metadata",
		`{}`:                     "invalid_redirect_uri",
		`{"redirect_uris": ["http://assistant.example/cb"]}`:                                     "invalid_redirect_uri",
		`{"redirect_uris": ["https://*.example/cb"]}`:                                            "invalid_redirect_uri",
		`{"redirect_uris": ["https://u:p@assistant.example/cb"]}`:                                "invalid_redirect_uri",
		`{"redirect_uris": ["https://assistant.example/cb#x"]}`:                                  "invalid_redirect_uri",
		`{"redirect_uris": ["javascript:alert(1)"]}`:                                             "invalid_redirect_uri",
		`{"redirect_uris": ["https://a.example/cb"], "token_endpoint_auth_method": "tls"}`:       "invalid_client_metadata",
		`{"redirect_uris": ["https://a.example/cb"], "client_name": "a\u0000b"}`:                 "invalid_client_metadata",
		`{"redirect_uris": [` + strings.Repeat(`"https://a.example/cb",`, 20) + `"https://b/"]}`: "invalid_redirect_uri",
	} {
		h.Clock.Advance(time.Hour)
		if status, out := h.post(t, "/oauth/register", "application/json", body); status != 400 || out["error"] != want {
			t.Errorf("%s: %d %v", body, status, out)
		}
	}
	h.Clock.Advance(time.Hour)
	if status, out := h.post(t, "/oauth/register", "text/plain", "{}"); status != 400 ||
		out["error"] != "invalid_request" {
		t.Errorf("text: %d %v", status, out)
	}
	const fine = `{"redirect_uris": ["https://a.example/cb"], "logo_uri": "http://127.0.0.1/", "unknown": 1}`
	status, out := h.post(t, "/oauth/register", "application/json", fine)
	if status != http.StatusCreated || out["client_secret"] == nil || out["client_secret_expires_at"] != 0.0 ||
		out["token_endpoint_auth_method"] != "client_secret_basic" || out["client_name"] != "a.example" {
		t.Errorf("%d %v", status, out)
	}
	for range 18 {
		h.post(t, "/oauth/register", "application/json", fine)
	}
	if status, out = h.post(t, "/oauth/register", "application/json", fine); status != http.StatusCreated {
		t.Errorf("the 20th: %d %v", status, out)
	}
	if status, out = h.post(t, "/oauth/register", "application/json", fine); status != http.StatusTooManyRequests {
		t.Errorf("the 21st: %d %v", status, out)
	}
	h.Clock.Advance(30*24*time.Hour + time.Minute)
	used := h.client(t)
	used.connected(t, h.Studio.Owner.Email)
	if err := h.OAuth.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := apptest.Value[int](t, h.World, "select count(*) from oauth_clients"); n != 1 {
		t.Errorf("%d clients left, want the connected one", n)
	}
}

// A client with a secret proves itself in one of two ways, and in no other.
func TestClientsWithASecret(t *testing.T) {
	h := open(t)
	_, out := h.post(t, "/oauth/register", "application/json", `{"redirect_uris": ["`+callback+`"]}`)
	c := &client{house: h, id: out["client_id"].(string), verifier: strings.Repeat("v", 43)}
	secret := out["client_secret"].(string)
	form := func(code string, more ...string) string {
		v := url.Values{
			"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {callback}, "code_verifier": {c.verifier},
		}
		for i := 0; i < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		return v.Encode()
	}
	basic := func(id, secret string) string {
		r, _ := http.NewRequest(http.MethodPost, h.base, nil) //nolint:noctx // never sent
		r.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret))
		return r.Header.Get("Authorization")
	}
	const media = "application/x-www-form-urlencoded"
	code := c.code(t, h.Studio.Owner.Email)
	for name, sent := range map[string]struct {
		body, header, want string
		status             int
	}{
		"no secret":         {form(code, "client_id", c.id), "", "invalid_client", 401},
		"a wrong one":       {form(code), basic(c.id, "fcs_x"), "invalid_client", 401},
		"an unknown id":     {form(code), basic("fcl_x", secret), "invalid_client", 401},
		"both ways":         {form(code, "client_secret", secret), basic(c.id, secret), "invalid_request", 400},
		"another id":        {form(code, "client_id", "fcl_x"), basic(c.id, secret), "invalid_request", 400},
		"no base64":         {form(code), "Basic ???", "invalid_request", 400},
		"a parameter twice": {form(code) + "&code=x", basic(c.id, secret), "invalid_request", 400},
		"no grant":          {"client_id=" + c.id + "&client_secret=" + secret, "", "unsupported_grant_type", 400},
	} {
		header := []string{}
		if sent.header != "" {
			header = []string{"Authorization", sent.header}
		}
		if status, out := h.post(t, "/oauth/token", media, sent.body, header...); status != sent.status ||
			out["error"] != sent.want {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
	if status, out := h.post(t, "/oauth/token", media, form(code), "Authorization", basic(c.id, secret)); status != 200 {
		t.Errorf("by the header: %d %v", status, out)
	}
	code = c.code(t, h.Studio.Owner.Email)
	if status, out := h.post(t, "/oauth/token", media, form(code, "client_id", c.id, "client_secret",
		secret)); status != 200 {
		t.Errorf("by parameters: %d %v", status, out)
	}
	if status, out := h.post(t, "/oauth/token", "application/json", "{}"); status != 400 ||
		out["error"] != "invalid_request" {
		t.Errorf("JSON: %d %v", status, out)
	}
}

// A3 of the security goals: requests that must never send a person, or a code, somewhere else.
func TestAttacksOnTheConsent(t *testing.T) {
	h := open(t)
	c := h.client(t)
	stays := map[string]func(url.Values){
		"an unknown client": func(v url.Values) { v.Set("client_id", "fcl_unknown") },
		"no client":         func(v url.Values) { v.Del("client_id") },
		"another host":      func(v url.Values) { v.Set("redirect_uri", "https://evil.example/callback") },
		"a longer path":     func(v url.Values) { v.Set("redirect_uri", callback+"/x") },
		"a query":           func(v url.Values) { v.Set("redirect_uri", callback+"?x=1") },
		"a dot segment":     func(v url.Values) { v.Set("redirect_uri", "https://assistant.example/x/../callback") },
		"a subdomain": func(v url.Values) {
			v.Set("redirect_uri",
				"https://assistant.example.evil.example/callback")
		},
		"a user": func(v url.Values) {
			v.Set("redirect_uri",
				"https://assistant.example@evil.example/callback")
		},
		"a fragment":              func(v url.Values) { v.Set("redirect_uri", callback+"#x") },
		"http":                    func(v url.Values) { v.Set("redirect_uri", "http://assistant.example/callback") },
		"upper case":              func(v url.Values) { v.Set("redirect_uri", "https://ASSISTANT.example/callback") },
		"a port":                  func(v url.Values) { v.Set("redirect_uri", "https://assistant.example:444/callback") },
		"localhost for 127.0.0.1": func(v url.Values) { v.Set("redirect_uri", "http://localhost/callback") },
		"none of several":         func(v url.Values) { v.Del("redirect_uri") },
		"two redirects":           func(v url.Values) { v.Add("redirect_uri", "https://evil.example/") },
		"two clients":             func(v url.Values) { v.Add("client_id", "fcl_x") },
		"a backslash": func(v url.Values) {
			v.Set("redirect_uri",
				`https://assistant.example\@evil.example/callback`)
		},
		"a line feed": func(v url.Values) { v.Set("redirect_uri", callback+"\r\nSet-Cookie: a=b") },
	}
	for name, change := range stays {
		v := c.request()
		change(v)
		b := h.browser(t)
		b.get(t, c.address(v))
		if b.at.StatusCode != http.StatusBadRequest || b.at.Header.Get("Location") != "" || !strings.Contains(b.text,
			"cannot be connected") {
			t.Errorf("%s: %s %s", name, b.at.Status, b.at.Header.Get("Location"))
		}
	}
	for name, sent := range map[string]struct {
		change func(url.Values)
		want   string
	}{
		"token":           {func(v url.Values) { v.Set("response_type", "token") }, "unsupported_response_type"},
		"elsewhere":       {func(v url.Values) { v.Set("resource", "https://elsewhere.example/mcp") }, "invalid_target"},
		"REST":            {func(v url.Values) { v.Set("resource", h.base) }, "invalid_target"},
		"a state of 3 KB": {func(v url.Values) { v.Set("state", strings.Repeat("s", 3000)) }, "invalid_request"},
	} {
		v := c.request()
		sent.change(v)
		b := h.browser(t)
		b.get(t, c.address(v))
		if got := b.answer(t); got.Get("error") != sent.want || !strings.HasPrefix(b.at.Header.Get("Location"),
			callback+"?") {
			t.Errorf("%s: %v", name, got)
		}
	}
	// Any port on this computer; the rest as it was registered.
	v := c.request()
	v.Set("redirect_uri", "http://127.0.0.1:33418/callback")
	b := h.browser(t)
	b.get(t, c.address(v))
	b.signIn(t, h.Studio.Owner.Email)
	if !strings.Contains(b.text, "The assistant runs on this device") {
		t.Error("the consent does not warn of programs on this device")
	}
	if got := b.allow(t); got.Get("code") == "" || !strings.HasPrefix(b.at.Header.Get("Location"),
		"http://127.0.0.1:33418/callback?") {
		t.Errorf("%v", got)
	}
	// A consent that another site posts, or that names a business of others.
	b.get(t, c.address(c.request()))
	consent := b.at.Request.URL.String()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, consent, strings.NewReader("decision=allow"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "https://evil.example")
	answer, err := b.http.Do(r)
	b.read(t, answer, err)
	if b.at.StatusCode < 400 || b.at.Header.Get("Location") != "" {
		t.Errorf("another site's form: %s", b.at.Status)
	}
	stranger := h.World.Studio(t)
	b.get(t, consent)
	b.submit(t, "decision", url.Values{"decision": {"allow"}, "business": {stranger.Business.ID.String()}})
	if b.at.StatusCode != http.StatusNotFound || b.at.Header.Get("Location") != "" {
		t.Errorf("a business of others: %s", b.at.Status)
	}
	for _, garbage := range []string{"x", "e30", "!!!", strings.Repeat("A", 8000), "bnVsbA"} {
		b.get(t, h.base+"/oauth/authorize/"+garbage)
		if b.at.StatusCode != http.StatusNotFound && b.at.StatusCode != http.StatusBadRequest {
			t.Errorf("%.10s: %s", garbage, b.at.Status)
		}
	}
}

// Scripts of other sites may read the documents and ask for tokens, as none of these addresses looks at a cookie.
func TestPreflight(t *testing.T) {
	h := open(t)
	for _, path := range []string{server.MetadataPath, server.ResourcePath, "/oauth/token", "/oauth/register",
		"/oauth/revoke"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, h.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusNoContent || answer.Header.Get("Access-Control-Allow-Origin") != "*" ||
			!strings.Contains(answer.Header.Get("Access-Control-Allow-Headers"), "Authorization") {
			t.Errorf("%s: %s %v", path, answer.Status, answer.Header)
		}
	}
}

// A23: what an assistant needs it finds by tools, from nothing but its token; A33: a business it opens only with an
// invite.
func TestOpeningABusiness(t *testing.T) {
	h := open(t)
	c := h.client(t)
	access, _ := c.connected(t, h.Studio.Owner.Email)
	body := `{"name": "Second Studio", "currency": "USD", "zone": "America/New_York", "inviteToken": %q}`
	if status, out := h.tool(t, access, "createBusiness", fmt.Sprintf(body, "nothing")); status != 403 {
		t.Errorf("without an invite: %d %v", status, out)
	}
	invite := h.invite(t, h.Studio.Owner.Email)
	status, out := h.tool(t, access, "createBusiness", fmt.Sprintf(body, invite))
	if status != http.StatusOK {
		t.Fatalf("%d %v", status, out)
	}
	raw, _ := json.Marshal(out)
	if !bytes.Contains(raw, []byte("Second Studio")) {
		t.Errorf("%s", raw)
	}
	_, list := h.tool(t, access, "listBusinesses", "{}")
	if raw, _ := json.Marshal(list); bytes.Contains(raw, []byte("Second Studio")) {
		t.Error("the connection reaches the new business")
	}
}
