package ledgersim_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/accounting/ledgersim"
)

// browse opens a page, or posts a form.
func (s sim) browse(t *testing.T, address string, form url.Values, headers ...string) (*http.Response, string) {
	t.Helper()
	method := http.MethodGet
	if form != nil {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := s.Server.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func TestAuthorizePage(t *testing.T) {
	s := open(t)
	res, body := s.browse(t, s.AuthorizeURL(`"><script>`), nil)
	for _, want := range []string{
		`<html lang="en">`, `<h1>Connect your books</h1>`, `Demo USD (USD)`, `Demo EUR (EUR)`, `<fieldset>`,
		`<legend>Company</legend>`,
		`value="approve">Approve</button>`, `>Deny</button>`, `value="&#34;&gt;&lt;script&gt;"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if csp := res.Header.Get("Content-Security-Policy"); res.StatusCode != 200 ||
		!strings.Contains(csp, "form-action 'self' "+app) {
		t.Errorf("%d, %s", res.StatusCode, csp)
	}
	s = open(t, func(o *ledgersim.Options) { o.OneClick = true })
	_, body = s.browse(t, s.AuthorizeURL("x"), nil)
	button := `<button name="company" value="` + ledgersim.RealmUSD + `">Connect Demo USD</button>`
	if !strings.Contains(body, button) || strings.Contains(body, "Approve") {
		t.Errorf("no button in %s", body)
	}
	good, _ := url.Parse(s.AuthorizeURL("x"))
	for name, values := range map[string]map[string]string{
		"another client":    {"client_id": "x"},
		"another scope":     {"scope": "profile"},
		"a token":           {"response_type": "token"},
		"no state":          {"state": ""},
		"another site":      {"redirect_uri": "https://evil.example/"},
		"another scheme":    {"redirect_uri": "https://studio.example/"},
		"user names":        {"redirect_uri": "http://studio.example@evil.example/"},
		"a script":          {"redirect_uri": "javascript:alert(1)"},
		"no redirect":       {"redirect_uri": ""},
		"protocol relative": {"redirect_uri": "//evil.example/"},
	} {
		q := good.Query()
		for k, v := range values {
			q.Set(k, v)
		}
		bad := *good
		bad.RawQuery = q.Encode()
		if res, body := s.browse(t, bad.String(), nil); res.StatusCode != 400 ||
			!strings.Contains(body, "This did not work") {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
		if _, err := s.Approve(bad.String(), ledgersim.RealmUSD); err == nil && name != "a token" {
			t.Errorf("%s: approved", name)
		}
	}
	if _, err := s.Approve(good.String(), "4711"); err == nil {
		t.Error("an unknown company was approved")
	}
}

func TestDocumentPages(t *testing.T) {
	s := open(t)
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	j := journal()
	j.Note = "<b>note</b>"
	doc, err := s.PostJournal(t.Context(), conn, j, "id-1")
	if err != nil {
		t.Fatal(err)
	}
	made, err := s.PostDeposit(t.Context(), conn, deposit(), "id-2")
	if err != nil {
		t.Fatal(err)
	}
	for address, wants := range map[string][]string{
		doc.URL: {
			"<h1>Journal entry " + doc.ID + "</h1>", "BK-7F3K2Q9D", "&lt;b&gt;note", "Income:Classes", "$22.00", "$0.94",
			"$22.94",
			"Demo USD", "2026-11-20",
		},
		made.URL: {"<h1>Deposit " + made.ID + "</h1>", "Business Checking", "$23.95", "-$0.94", "$23.01", "(BK-ABCD2345)"},
		app + ledgersim.Prefix + "/": {
			`href="/__ledger/app/journal?txnId=` + doc.ID + `"`, `href="/__ledger/app/deposit?txnId=` + made.ID + `"`,
			"Demo EUR",
			"No documents yet.", "$22.94",
		},
		app + ledgersim.Prefix + "/style.css": {"--ground"},
	} {
		res, body := s.browse(t, address, nil)
		for _, want := range wants {
			if res.StatusCode != 200 || !strings.Contains(body, want) {
				t.Errorf("%s: %d, no %s in %s", address, res.StatusCode, want, body)
			}
		}
	}
	if err := s.SetChart(ledgersim.RealmUSD, []ledgersim.Account{{ID: "35", Name: "Checking", Type: "Bank"}}); err != nil {
		t.Fatal(err)
	}
	if res, body := s.browse(t, doc.URL, nil); res.StatusCode != 200 || !strings.Contains(body, "account 46") {
		t.Errorf("a document of an account that is gone: %d %s", res.StatusCode, body)
	}
	for _, address := range []string{
		strings.Replace(doc.URL, "journal", "deposit", 1), doc.URL + "0", app + ledgersim.Prefix + "/app/journal",
		app + ledgersim.Prefix + "/nonsense",
	} {
		if res, _ := s.browse(t, address, nil); res.StatusCode != 404 {
			t.Errorf("%s: %d", address, res.StatusCode)
		}
	}
}

func TestControl(t *testing.T) {
	s := open(t, func(o *ledgersim.Options) { o.Control = true })
	conn, tokens := s.connect(t, ledgersim.RealmUSD)
	do := func(want int, verb string, fields ...string) string {
		t.Helper()
		form := url.Values{"company": {ledgersim.RealmUSD}}
		for i := 0; i < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		res, body := s.browse(t, app+ledgersim.Prefix+"/control/"+verb, form)
		var answer map[string]string
		if err := json.Unmarshal([]byte(body), &answer); err != nil || res.StatusCode != want ||
			(want == 200) != (answer["error"] == "") {
			t.Fatalf("%s: %d %s", verb, res.StatusCode, body)
		}
		return answer["error"]
	}
	post := func() ledgeronline.Class {
		s.clock.Advance(time.Minute)
		_, err := s.PostJournal(t.Context(), conn, journal(), s.clock.Now().Format("150405"))
		return ledgeronline.ClassOf(err)
	}
	for _, step := range []struct {
		verb   string
		fields []string
		class  ledgeronline.Class
	}{
		{"fail", []string{"kind", "throttle"}, ledgeronline.Throttled},
		{"fail", []string{"kind", "lost", "op", "journalentry", "times", "2"}, ledgeronline.Transient},
		{"heal", nil, ""},
		{"close-books", []string{"date", "2026-12-31"}, ledgeronline.BooksClosed},
		{"close-books", []string{"date", ""}, ""},
		{"deactivate-account", []string{"account", "46"}, ledgeronline.AccountUnusable},
		{"activate-account", []string{"account", "46"}, ""},
		{"rename-account", []string{"account", "46", "name", "Group classes"}, ""},
		{"lapse", nil, ledgeronline.SubscriptionLapsed},
		{"renew", nil, ""},
		{"forbid", nil, ledgeronline.Rights},
		{"permit", nil, ""},
		{"refuse-duplicates", nil, ledgeronline.DuplicateDocument},
		{"accept-duplicates", nil, ""},
		{"forget", nil, ""},
		{"expire-access", nil, ledgeronline.Token},
		{"revoke", nil, ledgeronline.Token},
	} {
		do(200, step.verb, step.fields...)
		if class := post(); class != step.class {
			t.Fatalf("after %s %v: %s, want %s", step.verb, step.fields, class, step.class)
		}
	}
	if _, err := s.Refresh(t.Context(), tokens.Refresh); ledgeronline.ClassOf(err) != ledgeronline.InvalidGrant {
		t.Errorf("%v", err)
	}
	for verb, fields := range map[string][]string{
		"fail": {
			"kind", "fire"}, "close-books": {"date", "x"}, "lapse": {"company", "1"}, "deactivate-account": {"account", "4711"},
	} {
		do(409, verb, fields...)
	}
	do(409, "fail", "kind", "slow", "delay", "x")
	do(409, "fail", "kind", "slow", "times", "0")
	if text := do(404, "burn"); !strings.Contains(text, "close-books, deactivate-account") {
		t.Error(text)
	}
	res, _ := s.browse(t, app+ledgersim.Prefix+"/control/lapse", url.Values{}, "Origin", "https://evil.example")
	if res.StatusCode != 403 {
		t.Errorf("another site: %d", res.StatusCode)
	}
	s = open(t)
	if res, _ := s.browse(t, app+ledgersim.Prefix+"/control/heal", url.Values{}); res.StatusCode == 200 {
		t.Error("the control API is on without the option")
	}
}
