package ledgeronline_test

import (
	"encoding/json"
	"errors"
	"flag"
	"math"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/civil"
	"foyer/app/money"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares bytes with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSuffix(string(want), "\n"), got); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

// The same document is always the same bytes: the request id stands for them.
func TestGoldenDocuments(t *testing.T) {
	jpy, kwd := usd(), usd()
	jpy.Currency = "JPY"
	kwd.Currency, kwd.Note = "KWD", `Note with "quotes", <tags> & ümlauts`
	kwd.Lines = []ledgeronline.JournalLine{
		{Debit: true, AccountID: "1", Amount: 1}, {Debit: true, AccountID: "2", Amount: 999},
		{AccountID: "3", Amount: 1000},
	}
	for name, j := range map[string]ledgeronline.Journal{"usd": usd(), "jpy": jpy, "kwd": kwd} {
		api := &canned{body: `{"JournalEntry":{"Id":"227","DocNumber":"BK-7F3K2Q9D","PrivateNote":"n"},"time":"x"}`}
		c, _ := open(t, api)
		doc, err := c.PostJournal(t.Context(), conn(), j, "a1b2")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "journal_"+name+".json", api.bodies[0])
		want := ledgeronline.Doc{ID: "227", DocNumber: "BK-7F3K2Q9D", Note: "n",
			URL: "https://ledger.example/app/journal?txnId=227"}
		if doc != want {
			t.Errorf("%+v", doc)
		}
		r := api.sent[0]
		if r.Method != "POST" || r.URL.String() !=
			"https://api.ledger.example/v3/company/"+realm+"/journalentry?minorversion=75&requestid=a1b2" {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		if r.Header.Get("Authorization") != "Bearer access-token-canary-0123456789" ||
			r.Header.Get("Accept") != "application/json" ||
			r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%v", r.Header)
		}
	}
	jpyDeposit, kwdDeposit := payout(), payout()
	jpyDeposit.Currency, jpyDeposit.Note = "JPY", ""
	kwdDeposit.Currency, kwdDeposit.Note = "KWD", "Payout (batch BK-ABCD2345)"
	for name, d := range map[string]ledgeronline.Deposit{"usd": payout(), "jpy": jpyDeposit, "kwd": kwdDeposit} {
		api := &canned{body: `{"Deposit":{"Id":"228","PrivateNote":"n","TotalAmt":23.01}}`}
		c, _ := open(t, api)
		doc, err := c.PostDeposit(t.Context(), conn(), d, "a1b2")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "deposit_"+name+".json", api.bodies[0])
		if doc != (ledgeronline.Doc{ID: "228", Note: "n", URL: "https://ledger.example/app/deposit?txnId=228"}) ||
			api.sent[0].URL.Path != "/v3/company/"+realm+"/deposit" {
			t.Errorf("%+v", doc)
		}
	}
}

// A decimal in a body is exactly the amount, with all digits of the currency and nothing else.
func TestDecimalsAreExact(t *testing.T) {
	currencies, ctx := money.Currencies(), t.Context()
	rapid.Check(t, func(t *rapid.T) {
		info := rapid.SampledFrom(currencies).Draw(t, "currency")
		n := rapid.OneOf(rapid.Int64Range(1, math.MaxInt64), rapid.Int64Range(1, 100_000)).Draw(t, "amount")
		api := &canned{body: `{"JournalEntry":{"Id":"1"}}`}
		c, _ := open(t, api)
		j := usd()
		j.Currency = info.Code
		j.Lines = []ledgeronline.JournalLine{{Debit: true, AccountID: "1", Amount: n}, {AccountID: "2", Amount: n}}
		if _, err := c.PostJournal(ctx, conn(), j, "id"); err != nil {
			t.Fatal(err)
		}
		var body struct {
			Line []struct{ Amount json.RawMessage }
		}
		if err := json.Unmarshal([]byte(api.bodies[0]), &body); err != nil {
			t.Fatal(err)
		}
		for _, l := range body.Line {
			text := string(l.Amount)
			got, ok := new(big.Rat).SetString(text)
			want := new(big.Rat).SetFrac(big.NewInt(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(info.Digits)), nil))
			_, part, point := strings.Cut(text, ".")
			if !ok || got.Cmp(want) != 0 || len(part) != info.Digits || point != (info.Digits > 0) ||
				strings.ContainsAny(text, `eE+", `) || len(text) > 1 && text[0] == '0' && text[1] != '.' {
				t.Fatalf("%d %s is written %s", n, info.Code, text)
			}
		}
	})
}

func TestDocumentsThatCannotBeSent(t *testing.T) {
	long := strings.Repeat("x", ledgeronline.MaxNote+1)
	for name, change := range map[string]func(*ledgeronline.Journal){
		"no date":               func(j *ledgeronline.Journal) { j.Date = civil.Date{} },
		"no such date":          func(j *ledgeronline.Journal) { j.Date.Day = 31 },
		"no number":             func(j *ledgeronline.Journal) { j.DocNumber = "" },
		"long number":           func(j *ledgeronline.Journal) { j.DocNumber = "BK-12345678901234567890" },
		"number with spaces":    func(j *ledgeronline.Journal) { j.DocNumber = " BK-1" },
		"long note":             func(j *ledgeronline.Journal) { j.Note = long },
		"unknown currency":      func(j *ledgeronline.Journal) { j.Currency = "ZZZ" },
		"no lines":              func(j *ledgeronline.Journal) { j.Lines = nil },
		"one line":              func(j *ledgeronline.Journal) { j.Lines = j.Lines[:1] },
		"unbalanced":            func(j *ledgeronline.Journal) { j.Lines[0].Amount++ },
		"zero":                  func(j *ledgeronline.Journal) { j.Lines[0].Amount = 0 },
		"negative":              func(j *ledgeronline.Journal) { j.Lines[0].Amount = -1 },
		"no account":            func(j *ledgeronline.Journal) { j.Lines[0].AccountID = "" },
		"long description":      func(j *ledgeronline.Journal) { j.Lines[0].Description = long },
		"a sum above 64 bits":   func(j *ledgeronline.Journal) { j.Lines[0].Amount = math.MaxInt64 },
		"credits only, in sums": func(j *ledgeronline.Journal) { j.Lines[1].Debit = false },
	} {
		api := &canned{}
		c, _ := open(t, api)
		j := usd()
		change(&j)
		refused(t, name, api, func() error { _, err := c.PostJournal(t.Context(), conn(), j, "id"); return err })
	}
	for name, change := range map[string]func(*ledgeronline.Deposit){
		"no date":      func(d *ledgeronline.Deposit) { d.Date = civil.Date{} },
		"no lines":     func(d *ledgeronline.Deposit) { d.Lines = nil },
		"zero":         func(d *ledgeronline.Deposit) { d.Lines[0].Amount = 0 },
		"no bank":      func(d *ledgeronline.Deposit) { d.BankAccountID = "" },
		"no account":   func(d *ledgeronline.Deposit) { d.Lines[0].AccountID = "" },
		"total of 0":   func(d *ledgeronline.Deposit) { d.Lines[1].Amount = -2395 },
		"negative":     func(d *ledgeronline.Deposit) { d.Lines[1].Amount = -3000 },
		"overflow":     func(d *ledgeronline.Deposit) { d.Lines[1].Amount = math.MaxInt64 },
		"underflow":    func(d *ledgeronline.Deposit) { d.Lines[0].Amount, d.Lines[1].Amount = math.MinInt64, -1 },
		"no number":    func(d *ledgeronline.Deposit) { d.DocNumber = "" },
		"long note":    func(d *ledgeronline.Deposit) { d.Note = long[:ledgeronline.MaxNote] },
		"bad currency": func(d *ledgeronline.Deposit) { d.Currency = "" },
	} {
		api := &canned{}
		c, _ := open(t, api)
		d := payout()
		change(&d)
		refused(t, name, api, func() error { _, err := c.PostDeposit(t.Context(), conn(), d, "id"); return err })
	}
	for _, id := range []string{"", strings.Repeat("x", 51), " x"} {
		api := &canned{}
		c, _ := open(t, api)
		refused(t, "request id "+id, api, func() error {
			_, err := c.PostJournal(t.Context(), conn(), usd(),
				id)
			return err
		})
	}
	for _, company := range []string{"", "../1", "1/2", "1?x=", "1 2", strings.Repeat("1", 41)} {
		api := &canned{}
		c, _ := open(t, api)
		at := conn()
		at.Realm = company
		refused(t, "company "+company, api, func() error {
			_, err := c.PostJournal(t.Context(), at, usd(),
				"id")
			return err
		})
	}
}

// refused fails unless a call is an error of class Invalid without a request.
func refused(t *testing.T, name string, api *canned, call func() error) {
	t.Helper()
	err := call()
	if ledgeronline.ClassOf(err) != ledgeronline.Invalid || ledgeronline.Unknown(err) || api.count() != 0 {
		t.Errorf("%s: %v, %d requests", name, err, api.count())
	}
}

func TestCallsWithoutAToken(t *testing.T) {
	api := &canned{}
	c, _ := open(t, api)
	_, err := c.PostJournal(t.Context(), ledgeronline.Conn{Realm: realm}, usd(), "id")
	if ledgeronline.ClassOf(err) != ledgeronline.Token || api.count() != 0 {
		t.Errorf("%v", err)
	}
}

func TestFindJournal(t *testing.T) {
	date := civil.NewDate(2026, 11, 20)
	api := &canned{body: `{"QueryResponse":{"JournalEntry":[{"Id":"1000","DocNumber":"BK-1'2","PrivateNote":"a copy"},` +
		`{"Id":"999","DocNumber":"BK-1'2","PrivateNote":"ours"},{"Id":"5","DocNumber":"other"}],"maxResults":3}}`}
	c, _ := open(t, api)
	doc, err := c.FindDoc(t.Context(), conn(), ledgeronline.KindJournal, "BK-1'2", date)
	if err != nil || doc == nil || doc.ID != "999" || doc.Note != "ours" ||
		doc.URL != "https://ledger.example/app/journal?txnId=999" {
		t.Errorf("%+v, %v", doc, err)
	}
	q := `select * from JournalEntry where DocNumber = 'BK-1\'2' startposition 1 maxresults 25`
	if got := api.sent[0].URL.Query().Get("query"); got != q || api.sent[0].Method != "GET" {
		t.Errorf("%q", got)
	}
	c, _ = open(t, &canned{body: `{"QueryResponse":{},"time":"x"}`})
	if doc, err := c.FindDoc(t.Context(), conn(), ledgeronline.KindJournal, "BK-1", date); doc != nil || err != nil {
		t.Errorf("%+v, %v", doc, err)
	}
}

// A deposit has no number at the provider: it is found among those of its date, by the number in its note.
func TestFindDeposit(t *testing.T) {
	page := make([]string, 25)
	for i := range page {
		page[i] = `{"Id":"1","PrivateNote":"another program's"}`
	}
	api := &canned{
		body: `{"QueryResponse":{"Deposit":[` + strings.Join(page, ",") + `],"maxResults":25}}`,
		more: []string{`{"QueryResponse":{"Deposit":[{"Id":"7","PrivateNote":"Payout (BK-1)"}]}}`},
	}
	c, _ := open(t, api)
	doc, err := c.FindDoc(t.Context(), conn(), ledgeronline.KindDeposit, "BK-1", civil.NewDate(2026, 11, 22))
	if err != nil || doc == nil || doc.ID != "7" || doc.URL != "https://ledger.example/app/deposit?txnId=7" {
		t.Fatalf("%+v, %v", doc, err)
	}
	for i, want := range []string{"1", "26"} {
		q := "select * from Deposit where TxnDate = '2026-11-22' startposition " + want + " maxresults 25"
		if got := api.sent[i].URL.Query().Get("query"); got != q {
			t.Errorf("%q", got)
		}
	}
}

// A list without an end is given up.
func TestEndlessLists(t *testing.T) {
	page := strings.TrimSuffix(strings.Repeat(`{"Id":"1"},`, 25), ",")
	api := &canned{body: `{"QueryResponse":{"Deposit":[` + page + `]}}`}
	c, _ := open(t, api)
	_, err := c.FindDoc(t.Context(), conn(), ledgeronline.KindDeposit, "BK-1", civil.NewDate(2026, 11, 22))
	var e *ledgeronline.Error
	if !errors.As(err, &e) || api.count() > 50 {
		t.Errorf("%v after %d requests", err, api.count())
	}
}

func TestAuthorizeURL(t *testing.T) {
	c, _ := open(t, &canned{})
	u, err := url.Parse(c.AuthorizeURL("a state&"))
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{
		"client_id": {"client"}, "response_type": {"code"}, "scope": {"accounting"}, "state": {"a state&"},
		"redirect_uri": {"https://studio.example/accounting/callback"},
	}
	if diff := cmp.Diff(want, u.Query()); diff != "" || u.Host+u.Path != "ledger.example/connect/oauth2" {
		t.Errorf("%s %s", u, diff)
	}
}
