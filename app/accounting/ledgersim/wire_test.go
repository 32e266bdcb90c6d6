package ledgersim_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"foyer/app/accounting/ledgersim"
)

// raw sends a request of any content and returns the status and the fault's code and text.
func (s sim) raw(t *testing.T, token, method, path, body string) (status int, code, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, ledgersim.BaseURL+ledgersim.Prefix+path,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := s.Server.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if res.Header.Get("intuit_tid") == "" && strings.Contains(path, "/v3/") {
		t.Errorf("%s: no trace", path)
	}
	var f struct {
		Fault struct{ Error []struct{ Code string } }
	}
	_ = json.Unmarshal(text, &f)
	if len(f.Fault.Error) > 0 {
		code = f.Fault.Error[0].Code
	}
	return res.StatusCode, code, string(text)
}

const company = "/v3/company/" + ledgersim.RealmUSD

func TestBodiesThatAreRefused(t *testing.T) {
	s := open(t)
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	token := conn.AccessToken.Reveal()
	const ok = `{"TxnDate":"2026-11-20","DocNumber":"BK-1","PrivateNote":"n","CurrencyRef":{"value":"USD"},"Line":[` +
		`{"DetailType":"JournalEntryLineDetail","Amount":22.94,` +
		`"JournalEntryLineDetail":{"PostingType":"Debit","AccountRef":{"value":"26"}}},` +
		`{"DetailType":"JournalEntryLineDetail","Amount":22.94,` +
		`"JournalEntryLineDetail":{"PostingType":"Credit","AccountRef":{"value":"46"}}}]}`
	one := func(old, with string) string {
		if !strings.Contains(ok, old) {
			t.Fatalf("no %s", old)
		}
		return strings.Replace(ok, old, with, 1)
	}
	for name, c := range map[string]struct{ body, code string }{
		"unbalanced":        {one("22.94", "22.95"), "6000"},
		"one line":          {ok[:strings.Index(ok, `,{"DetailType"`)] + "]}", "6000"},
		"no lines":          {`{"TxnDate":"2026-11-20"}`, "2020"},
		"zero":              {strings.ReplaceAll(ok, "22.94", "0"), "2180"},
		"negative":          {strings.ReplaceAll(ok, "22.94", "-1"), "2180"},
		"three decimals":    {strings.ReplaceAll(ok, "22.94", "22.941"), "2180"},
		"an exponent":       {strings.ReplaceAll(ok, "22.94", "2e3"), "2180"},
		"huge":              {strings.ReplaceAll(ok, "22.94", "99999999999999999999"), "2180"},
		"no amount":         {one(`"Amount":22.94,`, ``), "2020"},
		"long number":       {one("BK-1", "BK-12345678901234567890"), "2050"},
		"long note":         {one(`"n"`, `"`+strings.Repeat("x", 4001)+`"`), "2050"},
		"no such date":      {one("2026-11-20", "2026-11-31"), "2080"},
		"another case":      {one("TxnDate", "txnDate"), "2010"},
		"an unknown member": {one(`"TxnDate"`, `"Nonsense":1,"TxnDate"`), "2010"},
		"wrong type":        {one(`"BK-1"`, `{"value":"x"}`), "2010"},
		"no JSON":           {ok[:50], "2000"},
		"a posting type":    {one("Debit", "debit"), "2170"},
		"no detail":         {one("JournalEntryLineDetail", "DepositLineDetail"), "2020"},
		"no account":        {one(`{"value":"26"}`, `{}`), "2020"},
		"currency":          {one("USD", "JPY"), "6000"},
	} {
		status, code, answer := s.raw(t, token, "POST", company+"/journalentry", c.body)
		if status != http.StatusBadRequest || code != c.code {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	if status, _, answer := s.raw(t, token, "POST", company+"/journalentry?requestid="+strings.Repeat("x", 51),
		ok); status != 400 {
		t.Errorf("a long request id: %d %s", status, answer)
	}
	status, _, answer := s.raw(t, token, "POST", company+"/journalentry?requestid=1&minorversion=75&format=json", ok)
	if status != http.StatusOK || !strings.Contains(answer, `"Amount":22.94`) ||
		!strings.Contains(answer, `"name":"Income:Classes"`) {
		t.Errorf("%d %s", status, answer)
	}
	for name, c := range map[string]struct{ path, body, code string }{
		"account without a name":  {"/account", `{"AccountType":"Income"}`, "2020"},
		"account with a colon":    {"/account", `{"Name":"a:b","AccountType":"Income"}`, "2090"},
		"account without a type":  {"/account", `{"Name":"a"}`, "2020"},
		"account with a long one": {"/account", `{"Name":"` + strings.Repeat("a", 101) + `","AccountType":"Income"}`, "2050"},
		"account, no JSON":        {"/account", `{`, "2000"},
		"deposit without lines":   {"/deposit", `{"DepositToAccountRef":{"value":"35"}}`, "2020"},
		"deposit without a bank":  {"/deposit", `{"Line":[{"DetailType":"DepositLineDetail","Amount":1}]}`, "2020"},
		"deposit without details": {
			"/deposit", `{"DepositToAccountRef":{"value":"35"},"Line":[{"DetailType":"DepositLineDetail","Amount":1}]}`, "2020",
		},
		"deposit of nothing": {
			"/deposit", `{"DepositToAccountRef":{"value":"35"},"Line":[{"DetailType":"DepositLineDetail","Amount":-1,` +
				`"DepositLineDetail":{"AccountRef":{"value":"26"}}}]}`, "6000",
		},
	} {
		status, code, answer := s.raw(t, token, "POST", company+c.path, c.body)
		if status != http.StatusBadRequest || code != c.code {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	if status, _, answer := s.raw(t, token, "POST", company+"/invoice", `{}`); status != 400 {
		t.Errorf("invoice: %d %s", status, answer)
	}
	id := s.Documents(ledgersim.RealmUSD)[0].ID
	if status, _, answer := s.raw(t, token, "GET", company+"/journalentry/"+id, ""); status != 200 ||
		!strings.Contains(answer, `"BK-1"`) {
		t.Errorf("%d %s", status, answer)
	}
	for path, want := range map[string]int{
		"/deposit/" + id: 400, "/account/46": 200, "/account/4711": 400, "/companyinfo/1": 200,
	} {
		if status, _, answer := s.raw(t, token, "GET", company+path, ""); status != want {
			t.Errorf("%s: %d %s", path, status, answer)
		}
	}
}

// The simulator answers the queries of the client and of the maker's own clients, and no others.
func TestQueries(t *testing.T) {
	s := open(t)
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	if _, err := s.PostJournal(t.Context(), conn, journal(), "id-1"); err != nil {
		t.Fatal(err)
	}
	for q, found := range map[string]string{
		"select * from Account where Active = true startposition 1 maxresults 1000":        `"maxResults":36`,
		"SELECT * FROM account STARTPOSITION 1 MAXRESULTS 2":                               `"maxResults":2`,
		"select * from Account where Active in (true, false)":                              `"maxResults":36`,
		`select * from Account where Name = 'Savings'`:                                     `"Id":"36"`,
		`select * from Account where Name = 'it\'s \\'`:                                    `"QueryResponse":{}`,
		"select * from Account startposition 100":                                          `"QueryResponse":{}`,
		"select * from JournalEntry where DocNumber = 'BK-7F3K2Q9D'":                       `"maxResults":1`,
		"select * from JournalEntry where DocNumber = 'x'":                                 `"QueryResponse":{}`,
		"select * from Deposit where TxnDate = '2026-11-20' startposition 1 maxresults 25": `"QueryResponse":{}`,
		"select * from Invoice":                                                            "4001",
		"select * from Account where Name like 'x'":                                        "4001",
		"select * from Account where name = 'x'":                                           "4001",
		"select * from Account where Active = false":                                       "4001",
		"select * from Account where Name = 'a' or Name = 'b'":                             "4001",
		"select * from Account where Name = 'it's'":                                        "4001",
		"select * from Deposit where DocNumber = 'BK-1'":                                   "4001",
		"select * from Deposit":                                                            "4001",
		"select * from JournalEntry":                                                       "4001",
		"select * from JournalEntry where TxnDate = '2026-11-20'":                          "4001",
		"select Id from Account":                                                           "4000",
		"select count(*) from Account":                                                     "4000",
		"delete from Account":                                                              "4000",
		"select * from Account maxresults 1001":                                            "4000",
		"select * from Account startposition 0":                                            "4000",
		"select * from Account maxresults 0":                                               "4000",
		"select * from Account orderby Id":                                                 "4000",
		"":                                                                                 "4000",
	} {
		status, code, answer := s.raw(t, conn.AccessToken.Reveal(), "GET", company+"/query?query="+url.QueryEscape(q), "")
		if refused := len(found) == 4; refused && (status != 400 || code != found) || !refused &&
			!strings.Contains(answer, found) {
			t.Errorf("%s: %d %s", q, status, answer)
		}
	}
}

func TestAuthorizationServer(t *testing.T) {
	s := open(t)
	post := func(path, id, secret, media, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "POST", ledgersim.BaseURL+ledgersim.Prefix+path,
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", media)
		if id != "" {
			r.SetBasicAuth(id, secret)
		}
		res, err := s.Server.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		answer, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(answer)
	}
	const form, id, secret = "application/x-www-form-urlencoded", ledgersim.DefaultClientID, ledgersim.DefaultClientSecret
	exchange := func(code, redirect string) string {
		return url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {redirect}}.Encode()
	}
	for name, c := range map[string]struct {
		id, secret, media, body string
		status                  int
		want                    string
	}{
		"no client":     {"", "", form, exchange("x", "y"), 401, "invalid_client"},
		"wrong secret":  {id, "x", form, exchange("x", "y"), 401, "invalid_client"},
		"JSON":          {id, secret, "application/json", "{}", 400, "invalid_request"},
		"no grant type": {id, secret, form, "", 400, "unsupported_grant_type"},
		"password":      {id, secret, form, "grant_type=password", 400, "unsupported_grant_type"},
		"no code":       {id, secret, form, "grant_type=authorization_code", 400, "invalid_grant"},
		"no token":      {id, secret, form, "grant_type=refresh_token", 400, "invalid_grant"},
		"redirect": {
			id, secret, form, exchange(s.code(t, ledgersim.RealmUSD), app+"/elsewhere"), 400, "invalid_grant",
		},
		"the right thing": {
			id, secret, form, exchange(s.code(t, ledgersim.RealmUSD), app+"/accounting/callback"), 200, "access_token",
		},
	} {
		if status, answer := post("/oauth2/v1/tokens/bearer", c.id, c.secret, c.media, c.body); status != c.status ||
			!strings.Contains(answer, c.want) || strings.Contains(answer, "hard_expires") {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	_, tokens := s.connect(t, ledgersim.RealmUSD)
	if status, answer := post("/oauth2/v1/tokens/revoke", id, secret, form,
		url.Values{"token": {tokens.Refresh.Reveal()}}.Encode()); status != 200 || answer != "" {
		t.Errorf("a form: %d %s", status, answer)
	}
	_, tokens = s.connect(t, ledgersim.RealmUSD)
	if status, _ := post("/oauth2/v1/tokens/revoke", id, secret, "application/json",
		`{"token":"`+tokens.Access.Reveal()+`"}`); status != 200 {
		t.Errorf("an access token: %d", status)
	}
	if _, err := s.Refresh(t.Context(), tokens.Refresh); err == nil {
		t.Error("the refresh token of a revoked access token works")
	}
}

// A state that is kept in a file survives a restart: tokens, documents, request ids and links.
func TestRestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ledgersim.json")
	keep := func(o *ledgersim.Options) { o.File = file }
	s := open(t, keep)
	conn, tokens := s.connect(t, ledgersim.RealmUSD)
	doc, err := s.PostJournal(t.Context(), conn, journal(), "id-1")
	if err != nil {
		t.Fatal(err)
	}
	s = open(t, keep, func(o *ledgersim.Options) { o.Seed = "another" })
	again, err := s.PostJournal(t.Context(), conn, journal(), "id-1")
	if err != nil || again != doc || len(s.Documents(ledgersim.RealmUSD)) != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := s.Refresh(t.Context(), tokens.Refresh); err != nil {
		t.Error(err)
	}
	if len(s.Accounts(ledgersim.RealmUSD)) != 36 {
		t.Errorf("%d accounts", len(s.Accounts(ledgersim.RealmUSD)))
	}
}

func TestIs(t *testing.T) {
	at := ledgersim.At("https://studio.example", ledgersim.BaseURL)
	for _, s := range []string{
		at.Authorize, at.Token, at.Revoke, at.API, at.App, "http://LEDGER.localhost:80/x", ledgersim.DefaultClientID,
		"https://other.example/base/__ledger/v3/company",
	} {
		if !ledgersim.Is("https://ledger.example/", s) {
			t.Errorf("%s is not recognized", s)
		}
	}
	if ledgersim.Is() || ledgersim.Is("", "https://ledger.example/v3/company", "ABsimXYZ",
		"https://ledger.localhost.example/", "https://x/__ledgers/") {
		t.Error("an address of another host is taken for the simulator's")
	}
}

func TestOptions(t *testing.T) {
	s := open(t)
	for name, o := range map[string]ledgersim.Options{
		"no clock":   {AppURL: app},
		"no app":     {Clock: s.clock},
		"a bad file": {Clock: s.clock, AppURL: app, File: t.TempDir()},
	} {
		if _, err := ledgersim.New(o); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
