package dev_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"foyer/app/apptest/browser"
	"foyer/app/clock"
	"foyer/app/demo"
	"foyer/app/dev"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/web"
	"foyer/app/web/assets"
	"foyer/app/web/op"
	"foyer/policy"
)

var shots = flag.String("shots", "", "write a picture of every page to this folder")

// program is a dev program with nothing but this surface.
type program struct {
	url    string
	box    *mail.Mailbox
	clock  *clock.Adjustable
	sweeps atomic.Int64 // how often the clock had the sweeps run
	broken error
}

func start(t *testing.T) *program { return startAt(t, "") }

// startAt is start with a base address; the address of the listener when it is empty.
func startAt(t *testing.T, base string) *program {
	t.Helper()
	p := &program{clock: &clock.Adjustable{}}
	var err error
	if p.box, err = mail.NewMailbox(p.clock, ""); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.url = "http://" + ln.Addr().String()
	s := web.New(web.Options{
		BaseURL: cmp.Or(base, p.url), Build: "dev", Secret: []byte("not a secret, but thirty-two bytes"), Clock: p.clock,
		Log: slog.New(slog.DiscardHandler), Known: policy.Known,
		Hit:  func(context.Context, string, int, time.Duration) (pg.Hits, error) { return pg.Hits{Allowed: true}, nil },
		Gate: op.Gate{Enter: func(context.Context, op.Knock) (op.Entry, error) { return op.Entry{}, nil }},
	})
	s.App().Get(assets.Prefix+"*", web.NewStatic(assets.Files()).Handler)
	dev.Register(s, dev.Services{
		Mailbox: p.box, Clock: p.clock,
		Sweep: func(context.Context) error { p.sweeps.Add(1); return p.broken },
		Guide: dev.Guide{BaseURL: p.url, InviteURL: p.url + "/invite/abc", Businesses: []demo.Business{{
			ID: "b1", Name: "Harbour Yoga", Slug: "harbour", APIKey: "bk_1", Locations: []demo.Location{{ID: "l1", Name: "Riverside", Slug: "harbour-riverside"}},
			People: map[string]demo.Person{"owner": {Email: "owner@harbour.example.com", Token: "t1"}, "customer": {Email: "cleo@harbour.example.com", Token: "t2"}},
		}}},
		Sim: simulator("cards"), Ledger: simulator("accounting"),
	})
	done := make(chan error, 1)
	go func() { done <- s.Serve(ln) }()
	t.Cleanup(func() {
		if err := errors.Join(s.Shutdown(context.Background()), <-done); err != nil {
			t.Error(err)
		}
	})
	return p
}

// simulator names itself and the request in its answer.
func simulator(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Page", name+" "+r.Method+" "+r.URL.Path)
		http.Redirect(w, r, "/dev", http.StatusSeeOther)
	})
}

func (p *program) send(t *testing.T, to, text, html string) {
	t.Helper()
	err := p.box.Send(t.Context(), mail.Message{To: to, Subject: "For " + to, Text: text, HTML: html})
	if err != nil {
		t.Fatal(err)
	}
}

func (p *program) do(t *testing.T, method, path, body string, headers ...string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if res.Close { // http takes the header away
		res.Header.Set("Connection", "close")
	}
	return res.StatusCode, res.Header, string(raw)
}

// The first page lists the demo's studios and sign-ins; a script reads the same.
func TestGuide(t *testing.T) {
	p := start(t)
	_, _, body := p.do(t, "GET", "/dev", "")
	for _, want := range []string{
		`href="/__ledger/"`, `href="/harbour-riverside"`, `href="/embed/guide/harbour-riverside"`, `href="/invite/abc"`,
		`href="/manage/harbour"`, "Sign in as owner@harbour.example.com", "bk_1", "owner@harbour.example.com", "Bearer t2",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not on the page", want)
		}
	}
	if strings.Index(body, "Bearer t1") > strings.Index(body, "Bearer t2") {
		t.Error("the customer stands before the owner")
	}
	_, header, raw := p.do(t, "GET", "/dev/demo.json", "")
	var got dev.Guide
	if err := json.Unmarshal([]byte(raw), &got); err != nil || header.Get("Content-Type") != "application/json" || got.Businesses[0].People["customer"].Token != "t2" {
		t.Errorf("%s (%v)", raw, err)
	}
}

func TestMailbox(t *testing.T) {
	p := start(t)
	if status, _, body := p.do(t, "GET", "/dev/mailbox", ""); status != 200 || !strings.Contains(body, "No mail yet") {
		t.Fatalf("an empty mailbox: %d %s", status, body)
	}
	p.send(t, "ana@example.com", "Your code is 123456", "")
	p.send(t, "ben@example.com", "Your code is 654321. See https://book.example/x?a=1&b=<2>.", "<p style='color:red'>654321</p><script>alert(1)</script>")
	_, _, body := p.do(t, "GET", "/dev/mailbox", "")
	if !strings.Contains(body, "Newest code, for ben@example.com: <strong class=\"num\">654321</strong>") || !strings.Contains(body, "For ana@example.com") {
		t.Errorf("the list: %s", body)
	}
	_, _, only := p.do(t, "GET", "/dev/mailbox?to=ana@example.com", "")
	if !strings.Contains(only, "123456") || strings.Contains(only, "ben@") {
		t.Errorf("Ana's mails: %s", only)
	}
	var list []struct {
		ID, To, Subject, Text, HTML, Code string
		At                                time.Time
	}
	_, header, raw := p.do(t, "GET", "/dev/mailbox.json?to="+url.QueryEscape("Ben@example.com"), "")
	if err := json.Unmarshal([]byte(raw), &list); err != nil || len(list) != 1 || list[0].Code != "654321" || list[0].At.IsZero() {
		t.Fatalf("%v, %s: %s", err, header.Get("Content-Type"), raw)
	}
	_, _, one := p.do(t, "GET", "/dev/mailbox/"+list[0].ID, "")
	if !strings.Contains(one, `<a href="https://book.example/x?a=1&amp;b=">`) || strings.Contains(one, "<2>") {
		t.Errorf("one mail: %s", one)
	}
	status, header, html := p.do(t, "GET", "/dev/mailbox/"+list[0].ID+"/html", "")
	if csp := header.Get("Content-Security-Policy"); status != 200 || html != list[0].HTML || !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "sandbox") {
		t.Errorf("as a mail program shows it: %d under %q", status, csp)
	}
	for _, path := range []string{"/dev/mailbox/unknown", "/dev/mailbox/unknown/html"} {
		if status, _, _ := p.do(t, "GET", path, ""); status != 404 {
			t.Errorf("%s answers %d", path, status)
		}
	}
	if _, _, raw := p.do(t, "GET", "/dev/mailbox.json?to=nobody@example.com", ""); strings.TrimSpace(raw) != "[]" {
		t.Errorf("nobody's mails: %s", raw)
	}
}

func TestClockMovesAndSweeps(t *testing.T) {
	p := start(t)
	for _, c := range []struct {
		by    string
		want  time.Duration
		stops int64
	}{
		{"10m", 10 * time.Minute, 1}, {"7d", 7 * 24 * time.Hour, 7}, {"1d12h", 36 * time.Hour, 2}, {"-1h30m", -90 * time.Minute, 1}, {"-2d", -48 * time.Hour, 1},
		{"600d", 600 * 24 * time.Hour, 60},
	} {
		before, sweeps := p.clock.Now(), p.sweeps.Load()
		status, header, _ := p.do(t, "POST", "/dev/clock", "by="+url.QueryEscape(c.by))
		if moved := p.clock.Now().Sub(before) - c.want; status != 303 || header.Get("Location") != "/dev/clock" || moved < 0 || moved > time.Minute || p.sweeps.Load() != sweeps+c.stops {
			t.Errorf("%s: %d, off by %s, %d sweeps", c.by, status, moved, p.sweeps.Load()-sweeps)
		}
	}
	sweeps := p.sweeps.Load()
	for _, by := range []string{"", "0s", "soon", "7", "d", "9999d", "-", "1d-1h", "99999999999999999999d", "--1h", "1d1d"} {
		status, _, body := p.do(t, "POST", "/dev/clock", "by="+url.QueryEscape(by))
		if status != 400 || !strings.Contains(body, "The clock was not moved") {
			t.Errorf("%q answers %d", by, status)
		}
	}
	for _, headers := range [][]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Origin", "null"}} {
		if status, _, _ := p.do(t, "POST", "/dev/clock", "by=1h", headers...); status != 403 {
			t.Errorf("%v answers %d", headers, status)
		}
	}
	if status, _, _ := p.do(t, "POST", "/dev/clock", "by=1h", "Origin", p.url, "Sec-Fetch-Site", "same-origin"); status != 303 || p.sweeps.Load() != sweeps+1 {
		t.Errorf("the page's own form answers %d", status)
	}
	p.broken = errors.New("a sweep failed")
	if status, _, _ := p.do(t, "POST", "/dev/clock", "by=1h"); status != 500 {
		t.Errorf("a sweep that fails answers %d", status)
	}
}

// TestOtherNames: a website that points its own name at this machine reads nothing. security.md 55.
func TestOtherNames(t *testing.T) {
	p := startAt(t, "http://foyer.test:8080")
	p.send(t, "ana@example.com", "123456", "")
	paths := []string{
		"/dev", "/dev/demo.json", "/dev/mailbox", "/dev/mailbox.json", "/dev/mailbox/x", "/dev/mailbox/x/html", "/dev/clock",
		"/__sim/pay", "/__ledger/",
	}
	for _, host := range []string{"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "192.168.1.7", "[::2]", "foyer.test.evil.example"} {
		for _, path := range paths {
			if status, header, body := p.do(t, "GET", path, "", "Host", host); status != 403 || header.Get("Connection") != "close" || strings.Contains(body, "123456") {
				t.Errorf("%s of %s: %d %s", path, host, status, header.Get("Connection"))
			}
		}
		if status, _, _ := p.do(t, "POST", "/dev/clock", "by=1h", "Host", host, "Origin", "http://"+host); status != 403 {
			t.Errorf("the clock of %s: %d", host, status)
		}
	}
	for _, host := range []string{"localhost", "LOCALHOST:9", "demo.localhost", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080", "foyer.test", "Foyer.test:8080", "foyer.test."} {
		for _, path := range []string{"/dev", "/dev/mailbox.json"} {
			if status, _, _ := p.do(t, "GET", path, "", "Host", host); status != 200 {
				t.Errorf("%s of %s: %d", path, host, status)
			}
		}
	}
}

func TestSimulatorsPages(t *testing.T) {
	p := start(t)
	for path, name := range map[string]string{
		"/__sim/pay": "cards", "/__ledger/connect/oauth2": "accounting", "/__ledger/": "accounting",
	} {
		for _, method := range []string{"GET", "POST"} {
			status, header, _ := p.do(t, method, path, "")
			if page := header.Get("X-Page"); status != 303 || page != name+" "+method+" "+path {
				t.Errorf("%s %s answers %d from %q", method, path, status, page)
			}
		}
	}
}

func TestPagesInABrowser(t *testing.T) {
	p := start(t)
	p.send(t, "ana@example.com", "Your code is 123456\n\nhttps://book.example/my", "<p>123456</p>")
	b := browser.New(t, browser.Options{})
	look := func(path, name string) {
		t.Helper()
		b.Goto(p.url + path)
		for _, width := range []int{1280, 390} {
			for _, dark := range []bool{true, false} {
				b.Resize(width, 844)
				b.Scheme(dark)
				b.Axe(t)
				if *shots != "" && dark == (width == 1280) {
					b.FullPage(filepath.Join(*shots, name+"-"+map[bool]string{true: "dark", false: "light"}[dark]+".png"))
				}
			}
		}
	}
	look("/dev", "dev")
	look("/dev/mailbox", "mailbox")
	b.Click(".items a")
	look(strings.TrimPrefix(b.URL(), p.url), "message")
	look("/dev/clock", "clock")
	b.Click("button[value='1h']")
	for end := time.Now().Add(time.Minute); p.sweeps.Load() == 0 && time.Now().Before(end); { // a busy browser may send it after the click
		time.Sleep(10 * time.Millisecond)
	}
	if p.sweeps.Load() != 1 {
		t.Error("the button moved nothing")
	}
	b.Fill("#by", "soon")
	b.Click(".jump button")
	if !b.Exists("[role=alert]") {
		t.Error("nothing says what is wrong")
	}
}
