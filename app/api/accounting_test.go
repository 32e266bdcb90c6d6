package api_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest"
)

// accountingReturn is the address that the accounting provider redirects to.
const accountingReturn = "/accounting/callback"

// membersOf returns the names of the members of an object, sorted.
func membersOf(o object) string { return strings.Join(slices.Sorted(maps.Keys(o)), " ") }

// accounts makes a call of the accounting of a studio.
func (s *studio) accounts(status int, method, path, body string, token ...string) answer {
	s.h.t.Helper()
	c := call{method: method, path: s.at("/businesses/{business}/accounting" + path), token: s.owner, body: body}
	if len(token) > 0 {
		c.token = token[0]
	}
	return s.h.expect(status, c)
}

var (
	uuidForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	dateForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
)

// The connection has exactly its members, of their types. A99 to A105, A107, A109, A110, A118, A119, A121, A219, A221.
func TestA99_Connection(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	none := s.accounts(200, "GET", "/connection", "").data()
	if membersOf(none) != "connection" || none["connection"] != nil {
		t.Errorf("none: %v", none)
	}
	s.accounts(404, "DELETE", "/connection", "")
	s.accounts(404, "PATCH", "/connection", `{"startDate":"2026-06-01"}`)
	begun := s.accounts(200, "GET", "/connect", "").data()
	if membersOf(begun) != "authorizeUrl" || !strings.HasPrefix(begun["authorizeUrl"].(string), ledgersim.BaseURL) {
		t.Errorf("connect: %v", begun)
	}
	attempt := s.accountingAttempt()
	for body, status := range map[string]int{
		`{}`: 400, `{"attemptId":"x"}`: 400, `{"attemptId":7}`: 400, ``: 400, `{"attemptId":"` + uuid.NewString() + `"}`: 404,
	} {
		s.accounts(status, "POST", "/connect/complete", body)
	}
	done := s.accounts(200, "POST", "/connect/complete", `{"attemptId":"`+attempt+`"}`).data()
	if membersOf(done) != "outcome" || done["outcome"] != "connected" {
		t.Errorf("complete: %v", done)
	}
	if again := s.accounts(200, "POST", "/connect/complete",
		`{"attemptId":"`+attempt+`"}`).text("outcome"); again != "error" {
		t.Errorf("a used attempt: %s", again)
	}
	c := dig[object](s.accounts(200, "GET", "/connection", "").data(), "connection")
	if membersOf(c) != "companyName connectedAt externalCompanyId homeCurrency id lastError lastSyncAt provider "+
		"startDate startDateFrozen status" {
		t.Errorf("%s", membersOf(c))
	}
	if !uuidForm.MatchString(c["id"].(string)) || c["provider"] != "ledger_online" || c["status"] != "connected" ||
		c["startDateFrozen"] != false || c["lastSyncAt"] != nil || c["lastError"] != nil ||
		!dateForm.MatchString(c["startDate"].(string)) || c["companyName"] != "Demo USD" ||
		c["homeCurrency"] != "USD" || c["externalCompanyId"] != ledgersim.RealmUSD {
		t.Errorf("%v", c)
	}
	if _, err := time.Parse(time.RFC3339, c["connectedAt"].(string)); err != nil {
		t.Error(err)
	}
	for _, body := range []string{
		`{}`, `{"startDate":"2026-02-30"}`, `{"startDate":"soon"}`, `{"startDate":null}`, `{"startDate":"2026-06-01","x":1}`,
	} {
		s.accounts(400, "PATCH", "/connection", body)
	}
	set := dig[object](s.accounts(200, "PATCH", "/connection", `{"startDate":"2026-06-01"}`).data(), "connection")
	if set["startDate"] != "2026-06-01" {
		t.Errorf("%v", set)
	}
	s.accounts(204, "DELETE", "/connection", "")
	s.accounts(204, "DELETE", "/connection", "")
	if c := dig[object](s.accounts(200, "GET", "/connection", "").data(), "connection"); c["status"] != "disconnected" {
		t.Errorf("%v", c)
	}
}

// A key begins an attempt, and only a session completes it. A52, A111, A220.
func TestA52_KeysDoNotComplete(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	key, _ := s.key("business.manage")
	s.accounts(200, "GET", "/connect", "", key)
	attempt := s.accountingAttempt()
	s.accounts(403, "POST", "/connect/complete", `{"attemptId":"`+attempt+`"}`, key)
	if got := s.accounts(200, "POST", "/connect/complete",
		`{"attemptId":"`+attempt+`"}`).text("outcome"); got != "connected" {
		t.Errorf("after a key was refused: %s", got)
	}
	s.accounts(401, "GET", "/connect", "", "nobody")
}

// Without a connection there is no map, and a list without postings. A229.
func TestA229_WithoutAConnection(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.accounts(404, "GET", "/map", "")
	s.accounts(404, "PUT", "/map", `{"rows":[{"category":"asset.bank","externalAccountId":"1"}]}`)
	s.accounts(404, "POST", "/map/asset.bank/create", `{}`)
	s.accounts(404, "POST", "/postings/"+uuid.NewString()+"/retry", "")
	s.accounts(404, "POST", "/sync", "")
	if got := s.accounts(200, "GET", "/postings", "").data(); membersOf(got) != "nextCursor postings" ||
		len(got["postings"].([]any)) != 0 || got["nextCursor"] != nil {
		t.Errorf("%v", got)
	}
	s.furnishAccounting()
	if err := h.accounts.Sim.Fail(ledgersim.Fault{Kind: ledgersim.ServerError, Times: 9}); err != nil {
		t.Fatal(err)
	}
	h.Clock.Advance(11 * time.Minute) // the chart of accounts is read again
	s.accounts(500, "GET", "/map", "")
}

// The map has exactly its members, and rows and accounts theirs. A126 to A130, A135 to A141.
func TestA126_Map(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	rate := h.post(s.at("/businesses/{business}/tax-rates"), s.owner, object{"name": "Sales tax", "ppm": 82500}).text("id")
	s.furnishAccounting()
	out := s.accounts(200, "GET", "/map", "").data()
	m := dig[object](out, "map")
	if membersOf(out) != "map" || membersOf(m) != "accounts complete missingCount rows" {
		t.Fatalf("%s: %s", membersOf(out), membersOf(m))
	}
	rows := s.accounts(200, "GET", "/map", "").list("map", "rows")
	if m["complete"] != false || s.accounts(200, "GET", "/map", "").number("map", "missingCount") != int64(len(rows)) {
		t.Errorf("%v", m["missingCount"])
	}
	for _, a := range s.accounts(200, "GET", "/map", "").list("map", "accounts") {
		if got := membersOf(a); got != "id name subType type" && got != "id name type" {
			t.Fatalf("account: %s", got)
		}
	}
	found := false
	for _, r := range rows {
		if membersOf(r) != "category confirmed createName description label proposed revenueCategoryId "+
			"revenueCategoryName taxRateId taxRateName taxRatePpm" {
			t.Fatalf("row: %s", membersOf(r))
		}
		if r["category"] == "liability.sales_tax" {
			found = r["taxRateId"] == rate && r["taxRateName"] == "Sales tax"
		} else if r["taxRateId"] != nil || r["taxRatePpm"] != nil {
			t.Errorf("%v", r)
		}
		if r["confirmed"] != nil {
			t.Errorf("confirmed by nobody: %v", r)
		}
	}
	if !found {
		t.Error("no row of the tax rate")
	}
	for _, body := range []string{
		`{}`, `{"rows":[]}`, `{"rows":[{"category":"income.hats","externalAccountId":"1"}]}`,
		`{"rows":[{"category":"asset.bank"}]}`, `{"rows":[{"category":"asset.bank","externalAccountId":7}]}`,
		`{"rows":[{"category":"asset.bank","externalAccountId":"no such"}]}`,
		`{"rows":[{"category":"liability.sales_tax","externalAccountId":"1","taxRateId":"` + uuid.NewString() + `"}]}`,
	} {
		s.accounts(400, "PUT", "/map", body)
	}
	bank := `{"rows":[{"category":"asset.bank","externalAccountId":"` + s.ids["account"] + `","taxRateId":null}]}`
	after := s.accounts(200, "PUT", "/map", bank)
	for _, r := range after.list("map", "rows") {
		if r["category"] == "asset.bank" {
			c := dig[object](r, "confirmed")
			if membersOf(c) != "confirmedAt id name subType type" || c["id"] != s.ids["account"] {
				t.Errorf("%v", c)
			}
		}
	}
	if after.number("map", "missingCount") != int64(len(rows)-1) {
		t.Errorf("%d are missing", after.number("map", "missingCount"))
	}
	s.accounts(400, "POST", "/map/income.hats/create", `{}`)
	s.accounts(400, "POST", "/map/liability.sales_tax/create", `{}`)
	s.accounts(404, "POST", "/map/income.pack/create", `{}`)
	taken := s.accounts(400, "POST", "/map/liability.sales_tax/create",
		`{"taxRateId":"`+rate+`","revenueCategoryId":null}`)
	if dig[string](decode(taken.body), "error", "details", "accountId") == "" { // A141
		t.Errorf("%s", taken)
	}
	s.accounts(200, "POST", "/map/liability.sales_tax/create", `{"taxRateId":"`+rate+`","name":"State sales tax"}`)
}

// A posting has exactly its members. A143 to A149, A153, A154, A156, A96, A97.
func TestA144_Postings(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.furnishAccounting()
	list := func() object {
		t.Helper()
		all := s.accounts(200, "GET", "/postings", "").list("postings")
		if len(all) != 1 {
			t.Fatalf("%v", all)
		}
		return all[0]
	}
	p := list()
	if membersOf(p) != "amount batchId currency externalUrl kind lastError localDate postedAt skipReason status" {
		t.Errorf("%s", membersOf(p))
	}
	if p["status"] != "skipped" || p["skipReason"] != "map_incomplete" || p["kind"] != "journal_entry" ||
		p["externalUrl"] != nil || p["postedAt"] != nil || p["lastError"] != nil || p["currency"] != "USD" ||
		!uuidForm.MatchString(p["batchId"].(string)) || !dateForm.MatchString(p["localDate"].(string)) {
		t.Errorf("%v", p)
	}
	for _, r := range s.accounts(200, "GET", "/map", "").list("map", "rows") {
		s.accounts(200, "PUT", "/map", js(object{"rows": []object{{
			"category": r["category"], "externalAccountId": s.ids["account"],
			"taxRateId": r["taxRateId"], "revenueCategoryId": r["revenueCategoryId"],
		}}}))
	}
	if due := s.accounts(200, "POST", "/sync", "").number("dueCount"); due != 1 {
		t.Errorf("%d are due", due)
	}
	if err := h.domains.Accounting.PostDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	p = list()
	if p["status"] != "posted" || p["skipReason"] != nil || p["externalUrl"] == nil || p["postedAt"] == nil {
		t.Errorf("%v", p)
	}
	queued := s.accounts(200, "POST", "/postings/"+p["batchId"].(string)+"/retry", "").data()
	if membersOf(queued) != "queued" || queued["queued"] != true || list()["status"] != "posted" {
		t.Errorf("%v", queued)
	}
	s.accounts(404, "POST", "/postings/"+uuid.NewString()+"/retry", "")
	s.accounts(400, "PATCH", "/connection", `{"startDate":"2026-01-01"}`)
	for _, cursor := range []string{"forged", strings.Repeat("A", 500)} {
		s.accounts(404, "GET", "/postings?cursor="+cursor, "")
	}
	other := h.open("Uptown")
	other.furnishAccounting()
	if n := len(other.accounts(200, "GET", "/postings", "").list("postings")); n != 1 {
		t.Errorf("%d postings", n)
	}
	other.accounts(404, "POST", "/postings/"+p["batchId"].(string)+"/retry", "")
}

// The provider's tokens are in no response. A106.
func TestA106_TokensAreInNoResponse(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.furnishAccounting()
	for _, path := range []string{"/connection", "/map", "/postings"} {
		body := string(s.accounts(http.StatusOK, "GET", path, "").body)
		for _, word := range []string{"simaccess", "simrefresh", "simcode", "access_token", "refresh"} {
			if strings.Contains(strings.ToLower(body), word) {
				t.Errorf("%s has %s", path, word)
			}
		}
	}
	if n := apptest.Value[int](t, h.World, "select count(*) from accounting_tokens "+
		"where position('sim' in encode(access, 'escape')) > 0"); n != 0 {
		t.Error("a token is readable in the database")
	}
}
