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

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"foyer/app/api"
	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/business"
	"foyer/app/hosted"
	"foyer/app/identity"
	"foyer/app/mcp"
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

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
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
