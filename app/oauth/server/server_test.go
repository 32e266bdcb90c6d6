package server_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"foyer/app/api"
	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/business"
	"foyer/app/hosted"
	"foyer/app/identity"
	"foyer/app/mcp"
	"foyer/app/oauth"
	"foyer/app/oauth/server"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/media/mediatest"
	"foyer/policy"
)

// house is the product with the REST API, the pages, the authorization server and the assistants' address.
type house struct {
	*apptest.World
	apptest.Studio
	assembly.Services
	base      string
	documents *documents
}

// callback is the address of the client in the tests, on another site.
const callback = "https://assistant.example/callback"

func open(t *testing.T) *house {
	t.Helper()
	w := apptest.Open(t)
	h := &house{World: w, Studio: w.Studio(t), documents: &documents{}}
	quiet := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	h.Services = assembly.New(assembly.Settings{
		DB: w.DB, Log: quiet, Mail: w.Mailbox(t), Letters: apptest.Letters{}, Store: mediatest.Store(t),
		Secret: apptest.Secrets, Fetch: h.documents,
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.base = "http://" + ln.Addr().String()
	srv := web.New(web.Options{
		BaseURL: h.base, Build: "427", Secret: bytes.Repeat([]byte("w"), 32), Clock: w.Clock, Log: quiet,
		Gate: api.Gate(h.Services), Known: policy.Known, Hit: w.DB.Hit, Tags: api.Tags, Words: api.Words,
		Limits:    op.Limits{StorefrontMax: 1e6, WriteMax: 1e6, ChallengeMax: 1e6},
		ErrorPage: hosted.ErrorPage,
	})
	api.Register(srv, h.Services)
	mcp.Register(srv, mcp.Options{Caller: mcp.CallerOf(h.Services), Log: quiet})
	server.Register(srv, server.Options{OAuth: h.OAuth, Log: quiet})
	hosted.Register(srv, hosted.Options{Services: h.Services, Clock: w.Clock, BaseURL: h.base})
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }()
	t.Cleanup(func() {
		if err := srv.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return h
}

// documents answers the requests for clients' metadata documents.
type documents struct {
	answer func(r *http.Request) (*http.Response, error)
	asked  []string
}

func (d *documents) RoundTrip(r *http.Request) (*http.Response, error) {
	d.asked = append(d.asked, r.URL.String())
	if d.answer == nil {
		return nil, errors.New("no internet")
	}
	return d.answer(r)
}

// browser is a person at the pages, who fills in forms.
type browser struct {
	*house
	http *http.Client
	page *html.Node
	text string
	at   *http.Response
}

func (h *house) browser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{house: h, http: &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if !strings.HasPrefix(r.URL.String(), h.base+"/") {
			return http.ErrUseLastResponse // the client's address
		}
		return nil
	}}}
}

func (b *browser) read(t *testing.T, answer *http.Response, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	b.at, b.text = answer, string(body)
	if b.page, err = html.Parse(bytes.NewReader(body)); err != nil {
		t.Fatal(err)
	}
}

func (b *browser) get(t *testing.T, address string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := b.http.Do(r)
	b.read(t, answer, err)
}

// submit sends the form of the page that has a field, with the values.
func (b *browser) submit(t *testing.T, with string, values url.Values) {
	t.Helper()
	var form *html.Node
	fields := url.Values{}
	for n := range b.page.Descendants() {
		if n.Type != html.ElementNode || n.Data != "form" {
			continue
		}
		fields = url.Values{}
		for in := range n.Descendants() {
			if name := attr(in, "name"); name != "" {
				if attr(in, "type") == "hidden" {
					fields.Set(name, attr(in, "value"))
				}
				if name == with {
					form = n
				}
			}
		}
		if form != nil {
			break
		}
	}
	if form == nil {
		t.Fatalf("no form with %s at %s (%s):\n%s", with, b.at.Request.URL, b.at.Status, b.text)
	}
	for name, v := range values {
		fields[name] = v
	}
	to, err := b.at.Request.URL.Parse(attr(form, "action"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.EqualFold(attr(form, "method"), "post") {
		to.RawQuery = fields.Encode()
		b.get(t, to.String())
		return
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to.String(), strings.NewReader(fields.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := b.http.Do(r)
	b.read(t, answer, err)
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// signIn goes through the two steps of the sign-in.
func (b *browser) signIn(t *testing.T, email string) {
	t.Helper()
	b.submit(t, "email", url.Values{"email": {email}})
	people := b.People(t)
	people.Deliver(t, apptest.Value[uuid.UUID](t, b.World,
		"select id from challenges where email = $1 order by created_at desc, id desc limit 1", email))
	b.submit(t, "code", url.Values{"code": {people.Mail.List(email)[0].Subject}})
}

// allow presses Connect, and returns the parameters that the client gets.
func (b *browser) allow(t *testing.T) url.Values {
	t.Helper()
	b.submit(t, "decision", url.Values{"decision": {"allow"}})
	return b.answer(t)
}

// answer returns the parameters that the browser was sent to the client with.
func (b *browser) answer(t *testing.T) url.Values {
	t.Helper()
	to, err := url.Parse(b.at.Header.Get("Location"))
	if err != nil || b.at.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s at %s:\n%s", b.at.Status, b.at.Request.URL, b.text)
	}
	return to.Query()
}

// client is a registered client without a secret.
type client struct {
	*house
	id, verifier string
}

func (h *house) client(t *testing.T) *client {
	t.Helper()
	status, out := h.post(t, "/oauth/register", "application/json", `{"client_name": "Helper <b>AI</b>",
		"redirect_uris": ["`+callback+`", "http://127.0.0.1/callback"], "token_endpoint_auth_method": "none"}`)
	if status != http.StatusCreated || out["client_secret"] != nil {
		t.Fatalf("%d %v", status, out)
	}
	return &client{house: h, id: out["client_id"].(string), verifier: rand.Text() + rand.Text()}
}

// request returns the parameters of an authorization request.
func (c *client) request() url.Values {
	sum := sha256.Sum256([]byte(c.verifier))
	return url.Values{
		"response_type": {"code"}, "client_id": {c.id}, "redirect_uri": {callback}, "state": {"s&t"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
		"resource": {c.base + "/mcp"}, "scope": {"operator"},
	}
}

func (c *client) address(values url.Values) string {
	return c.base + "/oauth/authorize?" + values.Encode()
}

// code is what the client gets after a person signed in and agreed.
func (c *client) code(t *testing.T, email string) string {
	t.Helper()
	b := c.browser(t)
	b.get(t, c.address(c.request()))
	b.signIn(t, email)
	return b.allow(t).Get("code")
}

// token sends a request for tokens.
func (c *client) token(t *testing.T, values url.Values) (int, map[string]any) {
	t.Helper()
	if !values.Has("client_id") {
		values.Set("client_id", c.id)
	}
	return c.post(t, "/oauth/token", "application/x-www-form-urlencoded", values.Encode())
}

func (c *client) redeem(t *testing.T, code string) (int, map[string]any) {
	t.Helper()
	return c.token(t, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {callback}, "code_verifier": {c.verifier},
	})
}

func (c *client) refresh(t *testing.T, token string) (int, map[string]any) {
	t.Helper()
	return c.token(t, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}})
}

// connected are the tokens of a new connection of a person.
func (c *client) connected(t *testing.T, email string) (access, refresh string) {
	t.Helper()
	status, out := c.redeem(t, c.code(t, email))
	if status != http.StatusOK {
		t.Fatalf("%d %v", status, out)
	}
	return out["access_token"].(string), out["refresh_token"].(string)
}

// post sends a body, and returns the JSON of the answer.
func (h *house) post(t *testing.T, path, media, body string, header ...string) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", media)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, answer)
}

func read(t *testing.T, answer *http.Response) (int, map[string]any) {
	t.Helper()
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &out); err != nil {
			t.Fatalf("%s: %s", answer.Status, raw)
		}
	}
	return answer.StatusCode, out
}

// tool calls a tool with a token, and returns its structured content. A token that is refused is the status 401.
func (h *house) tool(t *testing.T, token, name, arguments string) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.base+"/mcp", strings.NewReader(
		`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "`+name+`", "arguments": `+arguments+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + token, "Content-Type": "application/json",
		"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18",
	} {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		return answer.StatusCode, nil
	}
	_, data, _ := strings.Cut(string(body), "data: ")
	var message struct {
		Result struct {
			IsError           bool
			StructuredContent map[string]any
		}
		Error *struct{ Message string }
	}
	if err := json.Unmarshal([]byte(data), &message); err != nil || message.Error != nil {
		t.Fatalf("%s", body)
	}
	status := http.StatusOK
	if message.Result.IsError {
		status = http.StatusForbidden
	}
	return status, message.Result.StructuredContent
}

// reason is the reason in the envelope of a refusal.
func reason(out map[string]any) string {
	e, _ := out["error"].(map[string]any)
	details, _ := e["details"].(map[string]any)
	r, _ := details["reason"].(string)
	return r
}

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

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A60: PKCE with S256 is required, and the code needs the right verifier, the right address and the right client.
func TestPKCEIsRequired(t *testing.T) {
	h := open(t)
	c := h.client(t)
	for name, change := range map[string]func(url.Values){
		"without a challenge": func(v url.Values) { v.Del("code_challenge") },
		"plain":               func(v url.Values) { v.Set("code_challenge_method", "plain"); v.Set("code_challenge", c.verifier) },
		"no method":           func(v url.Values) { v.Del("code_challenge_method") },
		"a short challenge":   func(v url.Values) { v.Set("code_challenge", "abc") },
	} {
		v := c.request()
		change(v)
		b := h.browser(t)
		b.get(t, c.address(v))
		if got := b.answer(t); got.Get("error") != "invalid_request" || got.Get("state") != "s&t" || got.Get("iss") != h.base {
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
	if status != http.StatusOK || out["token_type"] != "Bearer" || out["expires_in"] != 3600.0 || out["scope"] != "operator" {
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
	for _, want := range []string{"Harbour Yoga", "assistant.example", owner, "Record payments, refund them and change balances"} {
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

	if status, _ := h.tool(t, access, "getBusiness", `{"businessId": "`+h.Studio.Business.ID.String()+`"}`); status != 200 {
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
	if by := apptest.Values[string](t, h.World, "select ended_by from oauth_families"); strings.Join(by, " ") != "reuse reuse" {
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
	if by := apptest.Values[string](t, h.World, "select ended_by from oauth_families order by ended_at"); strings.Join(by, " ") != "revoked expired" {
		t.Errorf("ended by %v", by)
	}
	for _, table := range []string{"oauth_tokens", "oauth_codes"} {
		if n := apptest.Value[int](t, h.World, "select count(*) from "+table); n != 0 {
			t.Errorf("%d rows left in %s", n, table)
		}
	}
}

// member adds somebody to the team, with a role in the whole business.
func (h *house) member(t *testing.T, email string, role policy.Role) business.Member {
	t.Helper()
	m, err := h.Services.Business.AddMember(t.Context(), h.Studio.Owner, business.AddMemberInput{
		Email: email, Name: "Mia", Roles: []business.RoleAt{{Role: role}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// role exchanges the roles of a member for one.
func (h *house) role(t *testing.T, m business.Member, role policy.Role) business.Member {
	t.Helper()
	m, err := h.Services.Business.UpdateMember(t.Context(), h.Studio.Owner, business.UpdateMemberInput{
		MemberID: m.ID, Version: m.Version, Roles: &[]business.RoleAt{{Role: role}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// invite returns the token of an invite to open a business.
func (h *house) invite(t *testing.T, email string) string {
	t.Helper()
	in, err := identity.CreateInvite(t.Context(), h.World.DB, email, "")
	if err != nil {
		t.Fatal(err)
	}
	return in.Token
}
