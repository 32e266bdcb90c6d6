package ledgersim_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/accounting/ledgersim"
	"foyer/app/civil"
	"foyer/app/sealed"
)

func TestConnect(t *testing.T) {
	s := open(t)
	_, tokens := s.connect(t, ledgersim.RealmUSD)
	if !tokens.AccessExpires.Equal(start.Add(time.Hour)) || !tokens.RefreshExpires.Equal(start.Add(100*24*time.Hour)) {
		t.Errorf("%v, %v", tokens.AccessExpires, tokens.RefreshExpires)
	}
	for realm, want := range map[string]ledgeronline.Company{
		ledgersim.RealmUSD: {Name: "Demo USD", Country: "US", HomeCurrency: "USD"},
		ledgersim.RealmEUR: {Name: "Demo EUR", Country: "IE", HomeCurrency: "EUR"},
		ledgersim.RealmGBP: {Name: "Demo GBP", Country: "GB", HomeCurrency: "GBP"},
	} {
		conn, _ := s.connect(t, realm)
		got, err := s.CompanyInfo(t.Context(), conn)
		if err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
	callback, err := s.Deny(s.AuthorizeURL("state-1"))
	if err != nil || callback != app+"/accounting/callback?error=access_denied&state=state-1" {
		t.Errorf("%s, %v", callback, err)
	}
}

// A code works once, for five minutes, and for the address that it was sent to.
func TestCodes(t *testing.T) {
	s := open(t)
	code := s.code(t, ledgersim.RealmUSD)
	if _, err := s.Exchange(t.Context(), code, ledgersim.RealmUSD); err != nil {
		t.Fatal(err)
	}
	_, err := s.Exchange(t.Context(), code, ledgersim.RealmUSD)
	failed(t, err, ledgeronline.InvalidGrant, false)
	code = s.code(t, ledgersim.RealmUSD)
	s.clock.Advance(5 * time.Minute)
	_, err = s.Exchange(t.Context(), code, ledgersim.RealmUSD)
	failed(t, err, ledgeronline.InvalidGrant, false)
	_, err = s.Exchange(t.Context(), "another", ledgersim.RealmUSD)
	failed(t, err, ledgeronline.InvalidGrant, false)
}

// A refresh token works once. The token that replaces it works on, for as long as it is used, and for five years at
// most.
func TestRotation(t *testing.T) {
	s := open(t)
	conn, first := s.connect(t, ledgersim.RealmUSD)
	second, err := s.Refresh(t.Context(), first.Refresh)
	if err != nil || second.Refresh.Equal(first.Refresh) || second.Access.Equal(first.Access) {
		t.Fatalf("the same tokens, %v", err)
	}
	_, err = s.Refresh(t.Context(), first.Refresh)
	failed(t, err, ledgeronline.InvalidGrant, false)
	for _, access := range []sealed.Secret{first.Access, second.Access} {
		conn.AccessToken = access
		if _, err := s.CompanyInfo(t.Context(), conn); err != nil {
			t.Error(err)
		}
	}
	s.clock.Advance(time.Hour)
	_, err = s.CompanyInfo(t.Context(), conn)
	failed(t, err, ledgeronline.Token, false)
	s.clock.Advance(99 * 24 * time.Hour)
	third, err := s.Refresh(t.Context(), second.Refresh)
	if err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(100 * 24 * time.Hour)
	_, err = s.Refresh(t.Context(), third.Refresh)
	failed(t, err, ledgeronline.InvalidGrant, false)

	_, tokens := s.connect(t, ledgersim.RealmUSD)
	end := s.clock.Now().Add(5 * 365 * 24 * time.Hour)
	for tokens.RefreshExpires.Before(end) {
		s.clock.Advance(50 * 24 * time.Hour)
		if tokens, err = s.Refresh(t.Context(), tokens.Refresh); err != nil {
			t.Fatal(err)
		}
	}
	if !tokens.RefreshExpires.Equal(end) {
		t.Errorf("ends at %v, want %v", tokens.RefreshExpires, end)
	}
	s.clock.Set(end)
	_, err = s.Refresh(t.Context(), tokens.Refresh)
	failed(t, err, ledgeronline.InvalidGrant, false)
}

// With Grace, a refresh token stays the same for a day, and the previous one works for a day more.
func TestGrace(t *testing.T) {
	s := open(t, func(o *ledgersim.Options) { o.Grace = true })
	_, first := s.connect(t, ledgersim.RealmUSD)
	refresh := func(token sealed.Secret) sealed.Secret {
		t.Helper()
		got, err := s.Refresh(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		return got.Refresh
	}
	if !refresh(first.Refresh).Equal(first.Refresh) {
		t.Error("replaced within a day")
	}
	s.clock.Advance(24 * time.Hour)
	second := refresh(first.Refresh)
	if second.Equal(first.Refresh) || !refresh(first.Refresh).Equal(second) || !refresh(second).Equal(second) {
		t.Error("the previous token does not lead to the current one")
	}
	s.clock.Advance(24 * time.Hour)
	_, err := s.Refresh(t.Context(), first.Refresh)
	failed(t, err, ledgeronline.InvalidGrant, false)
}

// Only one of many refreshes with one token succeeds: the others have lost it.
func TestRefreshAtOnce(t *testing.T) {
	s := open(t)
	_, tokens := s.connect(t, ledgersim.RealmUSD)
	var all sync.WaitGroup
	results := make([]error, 20)
	for i := range results {
		all.Go(func() { _, results[i] = s.Refresh(t.Context(), tokens.Refresh) })
	}
	all.Wait()
	good := 0
	for _, err := range results {
		if err == nil {
			good++
			continue
		}
		failed(t, err, ledgeronline.InvalidGrant, false)
	}
	if good != 1 {
		t.Errorf("%d succeeded", good)
	}
}

func TestRevoke(t *testing.T) {
	s := open(t)
	conn, tokens := s.connect(t, ledgersim.RealmUSD)
	for range 2 { // the second time it is revoked already
		if err := s.Client.Revoke(t.Context(), tokens.Refresh); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.CompanyInfo(t.Context(), conn)
	failed(t, err, ledgeronline.Token, false)
	_, err = s.Refresh(t.Context(), tokens.Refresh)
	failed(t, err, ledgeronline.InvalidGrant, false)

	conn, tokens = s.connect(t, ledgersim.RealmUSD)
	if err := s.Server.Revoke(ledgersim.RealmUSD); err != nil { // on the provider's website
		t.Fatal(err)
	}
	_, err = s.ListAccounts(t.Context(), conn)
	failed(t, err, ledgeronline.Token, false)
	_, err = s.Refresh(t.Context(), tokens.Refresh)
	failed(t, err, ledgeronline.InvalidGrant, false)
}

func TestAccess(t *testing.T) {
	s := open(t)
	conn, tokens := s.connect(t, ledgersim.RealmUSD)
	other := conn
	other.Realm = ledgersim.RealmEUR
	_, err := s.CompanyInfo(t.Context(), other)
	failed(t, err, ledgeronline.Rights, false)
	if err := s.ExpireAccess(ledgersim.RealmUSD); err != nil {
		t.Fatal(err)
	}
	_, err = s.PostJournal(t.Context(), conn, journal(), "id")
	failed(t, err, ledgeronline.Token, false)
	tokens, err = s.Refresh(t.Context(), tokens.Refresh)
	if err != nil {
		t.Fatal(err)
	}
	conn.AccessToken = tokens.Access
	if _, err = s.PostJournal(t.Context(), conn, journal(), "id"); err != nil {
		t.Fatal(err)
	}
	if err := s.Forbid(ledgersim.RealmUSD, true); err != nil {
		t.Fatal(err)
	}
	_, err = s.PostJournal(t.Context(), conn, journal(), "id-2")
	failed(t, err, ledgeronline.Rights, false)
}

func TestAccounts(t *testing.T) {
	s := open(t)
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	list, err := s.ListAccounts(t.Context(), conn)
	if err != nil || len(list) != len(s.Accounts(ledgersim.RealmUSD)) {
		t.Fatalf("%d accounts, %v", len(list), err)
	}
	classes := slices.IndexFunc(list, func(a ledgeronline.Account) bool { return a.ID == "46" })
	want := ledgeronline.Account{
		ID: "46", Name: "Income:Classes", Type: "Income", SubType: "ServiceFeeIncome", Currency: "USD", Active: true,
	}
	if diff := cmp.Diff(want, list[classes]); diff != "" {
		t.Error(diff)
	}
	in := ledgeronline.NewAccount{
		Name: "Kids' classes", Type: "Income", SubType: "ServiceFeeIncome", Description: "Income of bookings",
	}
	made, err := s.CreateAccount(t.Context(), conn, in, "id-1")
	if err != nil || made.Name != in.Name || made.Description != in.Description || made.Currency != "USD" ||
		!made.Active {
		t.Fatalf("%+v, %v", made, err)
	}
	again, err := s.CreateAccount(t.Context(), conn, in, "id-1")
	if err != nil || again != made {
		t.Errorf("%+v, %v", again, err)
	}
	_, err = s.CreateAccount(t.Context(), conn, ledgeronline.NewAccount{Name: "KIDS' CLASSES", Type: "Expense"}, "id-2")
	failed(t, err, ledgeronline.DuplicateName, false)
	var e *ledgeronline.Error
	if errors.As(err, &e); e.ExistingID != made.ID {
		t.Errorf("existing %q", e.ExistingID)
	}
	for name, a := range map[string]ledgeronline.NewAccount{
		"type":    {Name: "a", Type: "Revenue"},
		"subtype": {Name: "a", Type: "Income", SubType: "Checking"},
	} {
		if _, err := s.CreateAccount(t.Context(), conn, a, name); ledgeronline.ClassOf(err) != ledgeronline.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Deactivate(ledgersim.RealmUSD, "46"); err != nil {
		t.Fatal(err)
	}
	list, err = s.FreshAccounts(t.Context(), conn)
	if err != nil || slices.ContainsFunc(list, func(a ledgeronline.Account) bool { return a.ID == "46" }) ||
		!slices.Contains(list, made) {
		t.Errorf("%v, %v", list, err)
	}
}

// A chart of more than a page is read whole.
func TestLargeChart(t *testing.T) {
	s := open(t)
	var chart []ledgersim.Account
	for i := range 2345 {
		chart = append(chart, ledgersim.Account{ID: civil.NewDate(1, 1, 1).AddDays(i).String(), Name: "a", Type: "Income"})
	}
	if err := s.SetChart(ledgersim.RealmUSD, chart); err != nil {
		t.Fatal(err)
	}
	conn, _ := s.connect(t, ledgersim.RealmUSD)
	list, err := s.ListAccounts(t.Context(), conn)
	if err != nil || len(list) != len(chart) || s.Calls(ledgersim.RealmUSD)["query"] != 3 {
		t.Errorf("%d accounts, %v, %v", len(list), s.Calls(ledgersim.RealmUSD), err)
	}
}
