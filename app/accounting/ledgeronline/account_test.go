package ledgeronline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/civil"
)

// chartOf is an answer with n accounts, whose ids begin at first.
func chartOf(first, n int) string {
	list := []any{}
	for i := range n {
		list = append(list, map[string]any{
			"Id": fmt.Sprint(first + i), "Name": fmt.Sprint("Account ", first+i), "AccountType": "Income", "Active": true,
		})
	}
	raw, _ := json.Marshal(map[string]any{"QueryResponse": map[string]any{"Account": list, "startPosition": 1,
		"maxResults": n}})
	return string(raw)
}

func TestListAccounts(t *testing.T) {
	api := &canned{body: `{"QueryResponse":{"Account":[
		{"Name":"Classes","SubAccount":true,"ParentRef":{"value":"45"},"FullyQualifiedName":"Income:Classes","Active":true,
		 "Classification":"Revenue","AccountType":"Income","AccountSubType":"ServiceFeeIncome","AcctNum":"4010",
		 "Description":"All classes","CurrentBalance":12.5,"CurrencyRef":{"value":"USD","name":"United States Dollar"},
		 "domain":"QBO","sparse":false,"Id":"46","SyncToken":"0","MetaData":{"CreateTime":"2026-01-01T00:00:00-08:00"}},
		{"Id":35,"Name":"Checking","AccountType":"Bank","Active":false}],"startPosition":1,"maxResults":2},"time":"x"}`}
	c, _ := open(t, api)
	list, err := c.ListAccounts(t.Context(), conn())
	if err != nil {
		t.Fatal(err)
	}
	want := []ledgeronline.Account{
		{ID: "46", Name: "Income:Classes", Type: "Income", SubType: "ServiceFeeIncome", Number: "4010", Currency: "USD",
			Active: true, Description: "All classes"},
		{ID: "35", Name: "Checking", Type: "Bank"},
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
	q := api.sent[0].URL.Query()
	if q.Get("query") != "select * from Account where Active = true startposition 1 maxresults 1000" ||
		q.Get("minorversion") != "75" {
		t.Errorf("%v", q)
	}
}

func TestListAccountsReadsAllPages(t *testing.T) {
	api := &canned{body: chartOf(1, 1000), more: []string{chartOf(1000, 1000), chartOf(2000, 3)}} // one twice
	c, _ := open(t, api)
	list, err := c.ListAccounts(t.Context(), conn())
	if err != nil || len(list) != 2002 || api.count() != 3 {
		t.Fatalf("%d accounts in %d requests, %v", len(list), api.count(), err)
	}
	if q := api.sent[2].URL.Query().Get("query"); !strings.HasSuffix(q, "startposition 2001 maxresults 1000") {
		t.Error(q)
	}
	api = &canned{body: chartOf(1, 1000), more: []string{`{"QueryResponse":{},"time":"x"}`}}
	c, _ = open(t, api)
	if list, err := c.ListAccounts(t.Context(), conn()); err != nil || len(list) != 1000 || api.count() != 2 {
		t.Errorf("%d accounts, %v", len(list), err)
	}
}

// The provider meters reads: the chart is read once in ten minutes, however many need it at once.
func TestChartIsKept(t *testing.T) {
	api := &canned{body: chartOf(1, 2)}
	c, now := open(t, api)
	list := func(want int) {
		t.Helper()
		got, err := c.ListAccounts(t.Context(), conn())
		if err != nil || len(got) != 2 || api.count() != want {
			t.Fatalf("%d accounts after %d requests, want %d, %v", len(got), api.count(), want, err)
		}
		got[0].Name = "changed by the caller"
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { _, _ = c.ListAccounts(t.Context(), conn()) })
	}
	all.Wait()
	list(1)
	now.Advance(10*time.Minute - time.Second)
	list(1)
	now.Advance(time.Second)
	list(2)
	now.Advance(-time.Hour) // a clock that is set back
	list(3)
	if _, err := c.FreshAccounts(t.Context(), conn()); err != nil || api.count() != 4 {
		t.Errorf("%d requests, %v", api.count(), err)
	}
	list(4)
	if got, _ := c.ListAccounts(t.Context(), conn()); got[0].Name != "Account 1" {
		t.Error("a caller changed the kept chart")
	}
	other := conn()
	other.Realm = "2"
	if _, err := c.ListAccounts(t.Context(), other); err != nil || api.count() != 5 {
		t.Errorf("another company has the chart of the first: %d requests, %v", api.count(), err)
	}
}

func TestFailuresAreNotKept(t *testing.T) {
	api := &canned{body: `{"QueryResponse":`, more: []string{chartOf(1, 1)}}
	c, _ := open(t, api)
	if _, err := c.ListAccounts(t.Context(), conn()); ledgeronline.ClassOf(err) != ledgeronline.Transient {
		t.Errorf("%v", err)
	}
	if list, err := c.ListAccounts(t.Context(), conn()); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestAPageOfAccountsIsLimited(t *testing.T) {
	big := chartOf(1, 1)[:2] + `"pad":"` + strings.Repeat("x", 8<<20) + `",` + chartOf(1, 1)[2:]
	c, _ := open(t, &canned{body: big})
	if _, err := c.ListAccounts(t.Context(), conn()); ledgeronline.ClassOf(err) != ledgeronline.Transient {
		t.Errorf("%v", err)
	}
	c, _ = open(t, &canned{
		body: strings.ReplaceAll(chartOf(1, 1000), `"Name":"Account `, `"Name":"`+strings.Repeat("y", 5000)),
		more: []string{chartOf(1, 0)},
	})
	if list, err := c.ListAccounts(t.Context(), conn()); err != nil || len(list) != 1000 { // five megabytes
		t.Errorf("%d accounts, %v", len(list), err)
	}
}

func TestCreateAccount(t *testing.T) {
	api := &canned{body: chartOf(1, 1), more: []string{
		`{"Account":{"Id":"93","Name":"Class income","FullyQualifiedName":"Class income","AccountType":"Income",` +
			`"AccountSubType":"ServiceFeeIncome","Active":true},"time":"x"}`, chartOf(1, 2),
	}}
	c, _ := open(t, api)
	if _, err := c.ListAccounts(t.Context(), conn()); err != nil {
		t.Fatal(err)
	}
	got, err := c.CreateAccount(t.Context(), conn(), ledgeronline.NewAccount{
		Name: "Class income", Type: "Income", SubType: "ServiceFeeIncome", Description: "From bookings",
	}, "id-1")
	want := ledgeronline.Account{ID: "93", Name: "Class income", Type: "Income", SubType: "ServiceFeeIncome", Active: true}
	if err != nil || got != want {
		t.Fatalf("%+v, %v", got, err)
	}
	golden(t, "account.json", api.bodies[1])
	if u := api.sent[1].URL; u.Path != "/v3/company/"+realm+"/account" || u.Query().Get("requestid") != "id-1" {
		t.Errorf("%s", u)
	}
	if list, err := c.ListAccounts(t.Context(), conn()); err != nil || len(list) != 2 {
		t.Errorf("the chart is from before: %v, %v", list, err)
	}
}

func TestCreateAccountOfAKnownName(t *testing.T) {
	in := ledgeronline.NewAccount{Name: `Kids' class\`, Type: "Income"}
	for _, c := range []struct {
		detail string
		more   string
		id     string
	}{
		{"The name supplied already exists. : Id=46", "", "46"},
		{"Ce nom existe déjà. : Id=425", "", "425"},
		{"Another account uses this name.", chartOf(7, 1), "7"},
		{"Another account uses this name.", `{"QueryResponse":{}}`, ""},
		{"Another account uses this name.", `<html>`, ""},
	} {
		api := &canned{body: fault("ValidationFault", "6240", "Duplicate Name Exists Error", c.detail),
			more: []string{c.more}}
		client, _ := open(t, api)
		_, err := client.CreateAccount(t.Context(), conn(), in, "id")
		var e *ledgeronline.Error
		if !errors.As(err, &e) || e.Class != ledgeronline.DuplicateName || e.ExistingID != c.id {
			t.Errorf("%s: %v", c.detail, err)
		}
		if c.more != "" {
			want := `select * from Account where Name = 'Kids\' class\\' startposition 1 maxresults 1`
			if got := api.sent[1].URL.Query().Get("query"); got != want {
				t.Errorf("%q", got)
			}
		}
	}
}

func TestAccountsThatCannotBeCreated(t *testing.T) {
	for name, a := range map[string]ledgeronline.NewAccount{
		"no name":          {Name: " ", Type: "Income"},
		"long name":        {Name: strings.Repeat("ü", 101), Type: "Income"},
		"colon":            {Name: "a:b", Type: "Income"},
		"quotation mark":   {Name: `a"b`, Type: "Income"},
		"no type":          {Name: "a"},
		"long description": {Name: "a", Type: "Income", Description: strings.Repeat("x", 101)},
	} {
		api := &canned{}
		c, _ := open(t, api)
		refused(t, name, api, func() error { _, err := c.CreateAccount(t.Context(), conn(), a, "id"); return err })
	}
}

func TestCompanyInfo(t *testing.T) {
	const info = `{"CompanyInfo":{"CompanyName":"Demo","LegalName":"Demo Inc","Country":"us","Id":"1"},"time":"x"}`
	prefs := func(closed, currency string) string {
		return `{"Preferences":{"AccountingInfoPrefs":{"BookCloseDate":` + closed + `},` +
			`"CurrencyPrefs":{"HomeCurrency":{"value":"` + currency + `"}}}}`
	}
	for name, c := range map[string]struct {
		info, prefs string
		want        ledgeronline.Company
		class       ledgeronline.Class
	}{
		"closed": {info, prefs(`"2025-12-31"`, "USD"),
			ledgeronline.Company{Name: "Demo", Country: "US", HomeCurrency: "USD", BooksClosedThrough: civil.NewDate(2025, 12,
				31)}, ""},
		"closed with a time": {`{"CompanyInfo":{"LegalName":"Demo Inc"}}`,
			prefs(`"2025-12-31T00:00:00-08:00"`, "EUR"),
			ledgeronline.Company{Name: "Demo Inc", HomeCurrency: "EUR", BooksClosedThrough: civil.NewDate(2025, 12, 31)}, ""},
		"open": {info, `{"Preferences":{"CurrencyPrefs":{"HomeCurrency":{"value":"USD"}}}}`,
			ledgeronline.Company{Name: "Demo", Country: "US", HomeCurrency: "USD"}, ""},
		"no currency": {info, `{"Preferences":{}}`, ledgeronline.Company{}, ledgeronline.Transient},
		"no company":  {`{}`, ``, ledgeronline.Company{}, ledgeronline.Transient},
		"no rights":   {gateway("AUTHORIZATION", "3100", "x", ""), ``, ledgeronline.Company{}, ledgeronline.Rights},
	} {
		api := &canned{body: c.info, more: []string{c.prefs}}
		client, _ := open(t, api)
		got, err := client.CompanyInfo(t.Context(), conn())
		if got != c.want || ledgeronline.ClassOf(err) != c.class {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if path := api.sent[0].URL.Path; path != "/v3/company/"+realm+"/companyinfo/"+realm {
			t.Error(path)
		}
	}
}

// If one reader of the chart gives up, the others still get it.
func TestAReaderOfTheChartGivesUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	api := &canned{body: chartOf(1, 1)}
	c, _ := open(t, api)
	_, err := c.ListAccounts(ctx, conn())
	if ledgeronline.ClassOf(err) != ledgeronline.Transient || !errors.Is(err, context.Canceled) || api.count() != 0 {
		t.Errorf("%v", err)
	}
	if list, err := c.ListAccounts(t.Context(), conn()); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
