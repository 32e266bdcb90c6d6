package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/app/web/op"
)

// The world of the fake gate: one business with two locations, another business, and their roles.
var (
	studio    = uuid.MustParse("0190a1b2-0000-7000-8000-000000000001")
	other     = uuid.MustParse("0190a1b2-0000-7000-8000-000000000002")
	unknown   = uuid.MustParse("0190a1b2-0000-7000-8000-0000000000ff")
	uptown    = uuid.MustParse("0190a1b2-0000-7000-8000-000000000011")
	downtown  = uuid.MustParse("0190a1b2-0000-7000-8000-000000000012")
	elsewhere = uuid.MustParse("0190a1b2-0000-7000-8000-000000000021")
	start     = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// Tokens of the fake gate.
const (
	ownerToken    = "owner-session"    // everything in studio
	uptownToken   = "uptown-session"   // catalog.manage at uptown only
	viewerToken   = "viewer-session"   // location.view in studio
	strangerToken = "stranger-session" // no role anywhere
	studioKey     = "bk_studio"        // everything in studio
	otherKey      = "bk_other"         // everything in other
	brokenToken   = "broken"           // the database is down
)

var allFeatures = tenancy.NewFeatureSet("business.manage", "catalog.manage", "location.view", "crm.view")

func personID(token string) uuid.UUID { return uuid.NewSHA1(uuid.Nil, []byte(token)) }

// fakeGate counts with hit, and lets in by the tables below.
func fakeGate(hit func(context.Context, string, int, time.Duration) (pg.Hits, error)) op.Gate {
	grants := map[string]tenancy.Grants{
		ownerToken:  {All: allFeatures, Owner: true},
		uptownToken: {AtLocation: map[uuid.UUID]tenancy.FeatureSet{uptown: tenancy.NewFeatureSet("catalog.manage")}},
		viewerToken: {All: tenancy.NewFeatureSet("location.view")},
		studioKey:   {All: allFeatures},
	}
	return op.Gate{Enter: func(ctx context.Context, k op.Knock) (e op.Entry, err error) {
		for _, w := range k.Count {
			h, err := hit(ctx, w.Bucket, w.Most, w.Length)
			if err != nil {
				return e, err
			}
			e.Hits = append(e.Hits, h)
		}
		if e.Principal, err = fakePrincipal(k.Bearer); err != nil {
			return e, err
		}
		e.At, e.Found = fakePlace(k.Kind, k.ID)
		if k.Roles && (e.At.Business == studio || e.At.Business == other) {
			e.Exists, e.Grants = true, grants[e.Principal.Name]
			_, known := grants[e.Principal.Name]
			e.Member = known && e.At.Business == studio
		}
		return e, nil
	}}
}

func fakePrincipal(bearer string) (p tenancy.Principal, err error) {
	switch bearer {
	case ownerToken, uptownToken, viewerToken, strangerToken:
		p.Actor = tenancy.Actor{Kind: tenancy.ActorPerson, ID: personID(bearer), Name: bearer}
	case studioKey:
		p.Actor, p.Business = tenancy.Actor{Kind: tenancy.ActorKey, ID: personID(bearer), Name: bearer}, studio
	case otherKey:
		p.Actor, p.Business = tenancy.Actor{Kind: tenancy.ActorKey, ID: personID(bearer), Name: bearer}, other
	case brokenToken:
		err = io.ErrUnexpectedEOF
	}
	return p, err
}

func fakePlace(kind, id string) (p pg.Location, found bool) {
	switch kind + " " + id {
	case "location " + uptown.String(), "offering " + uptown.String(), "asset " + uptown.String(), "cart " + "cart-token":
		return pg.Location{Business: studio, Location: uptown}, true
	case "location " + downtown.String():
		return pg.Location{Business: studio, Location: downtown}, true
	case "location " + elsewhere.String(), "offering " + elsewhere.String():
		return pg.Location{Business: other, Location: elsewhere}, true
	}
	if kind == op.KindBusiness {
		return pg.Location{Business: uuid.MustParse(id)}, true
	}
	return p, false
}

// sharedWindows is pg.DB.Hit without a database.
type sharedWindows struct {
	mu    sync.Mutex
	clock clock.Clock
	hits  map[string]int
	began map[string]time.Time
}

func (s *sharedWindows) hit(_ context.Context, bucket string, limit int, window time.Duration) (pg.Hits, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	if began, ok := s.began[bucket]; !ok || !now.Before(began.Add(window)) {
		s.began[bucket], s.hits[bucket] = now, 0
	}
	s.hits[bucket]++
	return pg.Hits{Allowed: s.hits[bucket] <= limit, ResetAt: s.began[bucket].Add(window)}, nil
}

// world is a server with its instruments.
type world struct {
	t          testing.TB
	srv        *web.Server
	clock      *clock.Fixed
	log        *bytes.Buffer
	undeclared []string
}

// refusals are the operations' own refusals with a reason.
var refusals = map[string][]*fault.Error{
	"act": {
		fault.New(fault.Validation, "why", "words"), fault.New(fault.Forbidden, "why", "words"), fault.New(fault.NotFound, "why", "words"),
		fault.New(fault.Conflict, "why", "words"),
	},
	"addCartItem": {fault.New(fault.Conflict, "slot_taken", "These seats have just been taken.")},
	"renameRoom":  {fault.New(fault.Conflict, "locked", "It is locked.")},
	"conflict":    {fault.ErrStale},
	"slow":        {fault.New(fault.Forbidden, "done", "done")},
}

func newWorld(t testing.TB, adjust ...func(*web.Options)) *world {
	t.Helper()
	w := &world{t: t, clock: clock.NewFixed(start), log: &bytes.Buffer{}}
	shared := &sharedWindows{clock: w.clock, hits: map[string]int{}, began: map[string]time.Time{}}
	o := web.Options{
		BaseURL: "https://book.test", Build: "42", Secret: bytes.Repeat([]byte("s"), 32), Clock: w.clock,
		Log: slog.New(slog.NewJSONHandler(w.log, nil)), Gate: fakeGate(shared.hit), Known: allFeatures.Has, Hit: shared.hit,
		Refusals:     refusals,
		Tags:         []op.Tag{{Name: "catalog", Description: "What is offered."}, {Name: "storefront", Description: "For visitors."}},
		OnUndeclared: func(spec string, status int, _ error) { w.undeclared = append(w.undeclared, spec) },
	}
	for _, a := range adjust {
		a(&o)
	}
	w.srv = web.New(o)
	return w
}

// req is one request; resp its answer.
type req struct {
	method, path, token, body, contentType, remote string
	headers                                        []string // name, value, name, value
}

type resp struct {
	status int
	body   string
	header func(name string) string
}

func (w *world) do(r req) resp {
	w.t.Helper()
	rc := w.requested(r)
	w.srv.Handler()(rc)
	got := resp{
		status: rc.Response.StatusCode(), body: string(rc.Response.Body()),
		header: func(name string) string { return string(rc.Response.Header.Peek(name)) },
	}
	believe(w.t, w.srv, string(rc.Method()), string(rc.URI().PathOriginal()), got)
	return got
}

// requested is a request as it arrives.
func (w *world) requested(r req) *fasthttp.RequestCtx {
	rc := &fasthttp.RequestCtx{}
	remote := r.remote
	if remote == "" {
		remote = "192.0.2.7"
	}
	rc.Init2(fakeConn{}, nil, false)
	rc.SetRemoteAddr(&net.TCPAddr{IP: net.ParseIP(remote), Port: 4711})
	if r.method == "" {
		r.method = "GET"
	}
	rc.Request.Header.SetMethod(r.method)
	rc.Request.SetRequestURI(r.path)
	rc.Request.Header.SetHost("book.test")
	if r.token != "" {
		rc.Request.Header.Set("Authorization", "Bearer "+r.token)
	}
	if r.body != "" {
		rc.Request.SetBodyString(r.body)
		if r.contentType == "" {
			r.contentType = "application/json"
		}
	}
	if r.contentType != "" && r.contentType != "-" {
		rc.Request.Header.SetContentType(r.contentType)
	}
	for i := 0; i < len(r.headers); i += 2 {
		rc.Request.Header.Add(r.headers[i], r.headers[i+1])
	}
	return rc
}

type fakeConn struct{ net.Conn }

func (fakeConn) LocalAddr() net.Addr  { return &net.TCPAddr{} }
func (fakeConn) RemoteAddr() net.Addr { return &net.TCPAddr{} }

// fetch sends a request over a socket and reads the whole answer.
func fetch(t testing.TB, client *http.Client, method, url, body string, headers ...string) (resp, error) {
	t.Helper()
	rq, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		rq.Header.Set(headers[i], headers[i+1])
	}
	res, err := client.Do(rq)
	if err != nil {
		return resp{}, err
	}
	got := read(t, res)
	believeAt(t, rq.URL.Host, method, rq.URL.EscapedPath(), got)
	return got, nil
}

// read takes in an answer that came over a socket.
func read(t testing.TB, res *http.Response) resp {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		t.Error(err)
	}
	return resp{status: res.StatusCode, body: string(body), header: res.Header.Get}
}

// raw sends bytes on a connection and reads the answer.
func raw(t testing.TB, conn net.Conn, in *bufio.Reader, request string) resp {
	t.Helper()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = io.WriteString(conn, request) // an early refusal may leave a part unsent
	}()
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := read(t, res)
	if line := strings.Fields(request); len(line) > 1 {
		believeAt(t, conn.RemoteAddr().String(), line[0], line[1], r)
	}
	if err := conn.SetWriteDeadline(time.Now()); err != nil {
		t.Error(err)
	}
	<-sent
	if err := conn.SetWriteDeadline(time.Time{}); err != nil {
		t.Error(err)
	}
	return r
}

// dial connects for the length of the test.
func dial(t testing.TB, addr string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// envelope is an error body, decoded strictly.
type envelope struct {
	Error struct {
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
	} `json:"error"`
}

// refused checks that the answer is exactly the error envelope of that status. A66 to A73.
func (r resp) refused(t testing.TB, status int) envelope {
	t.Helper()
	codes := map[int]string{
		400: "validation", 401: "unauthorized", 403: "forbidden", 404: "not_found", 409: "conflict",
		429: "too_many_requests", 500: "internal_error",
	}
	if r.status != status {
		t.Fatalf("status %d, want %d: %s", r.status, status, r.body)
	}
	var e envelope
	dec := json.NewDecoder(strings.NewReader(r.body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		t.Fatalf("not the error envelope: %v: %s", err, r.body)
	}
	if e.Error.Code != codes[status] || e.Error.Message == "" || e.Error.Details == nil {
		t.Fatalf("envelope of %d: %s", status, r.body)
	}
	if got := r.header("Content-Type"); got != "application/json" {
		t.Fatalf("content type %q", got)
	}
	return e
}

// fields lists the wrong fields of a validation error.
func (e envelope) fields() []string {
	var out []string
	list, _ := e.Error.Details["fields"].([]any)
	for _, f := range list {
		out = append(out, f.(map[string]any)["field"].(string))
	}
	return out
}

// data checks the status and that the body is exactly {data, v}, and decodes data. A13, A14.
func (r resp) data(t testing.TB, status int, into any) {
	t.Helper()
	if r.status != status {
		t.Fatalf("status %d, want %d: %s", r.status, status, r.body)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal([]byte(r.body), &keys); err != nil || len(keys) != 2 || string(keys["v"]) != `"42"` {
		t.Fatalf("not {data, v}: %v: %s", err, r.body)
	}
	if into != nil {
		if err := json.Unmarshal(keys["data"], into); err != nil {
			t.Fatalf("data: %v: %s", err, r.body)
		}
	}
}
