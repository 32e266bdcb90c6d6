package accounting_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgeronline"
	"foyer/app/accounting/ledgersim"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/billing/ledger"
)

func (b *books) mapNow(t *testing.T) accounting.Map {
	t.Helper()
	m, err := b.Map(t.Context(), b.Owner)
	return must(t, m, err)
}

// row is the row of the map with a key.
func row(t *testing.T, m accounting.Map, key string) accounting.MapRow {
	t.Helper()
	i := slices.IndexFunc(m.Rows, func(r accounting.MapRow) bool { return r.Key() == key })
	if i < 0 {
		t.Fatalf("no row %s", key)
	}
	return m.Rows[i]
}

// The map has a row for what can be posted and for what was: tax rates and revenue categories by their ids. A new one
// makes it incomplete. A127, A130, A133, A134, A142.
func TestA133_RequiredRows(t *testing.T) {
	b := open(t)
	if _, err := b.Map(t.Context(), b.Owner); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("without a connection: %v", err)
	}
	b.connect(t, ledgersim.RealmUSD)
	b.sell(t, 2200)
	b.confirmAll(t)
	if m := b.mapNow(t); m.Missing() != 0 {
		t.Fatalf("%d are missing", m.Missing())
	}
	rate := b.AddTaxRate(t, "Sales tax", 82_500)
	category, err := b.w.Businesses(t).CreateRevenueCategory(t.Context(), b.Owner,
		business.RevenueCategoryInput{Name: "Workshops"})
	must(t, category, err)
	m := b.mapNow(t)
	if m.Missing() != 2 {
		t.Errorf("%d are missing", m.Missing())
	}
	tax := row(t, m, "liability.sales_tax:"+rate.ID.String())
	if tax.TaxRateName != "Sales tax" || tax.TaxRatePPM != 82_500 || tax.Label() != "Sales tax 8.25 %" ||
		tax.CreateName != "Sales tax payable" {
		t.Errorf("%+v", tax)
	}
	workshops := row(t, m, "income.revenue_category:"+category.ID.String())
	if workshops.RevenueCategoryName != "Workshops" || workshops.CreateName != "Workshops income" ||
		workshops.TaxRateID != uuid.Nil {
		t.Errorf("%+v", workshops)
	}
	for _, r := range m.Rows {
		if !r.Valid() {
			t.Errorf("%+v", r.Row)
		}
	}
	b.post(t, ledger.ManualPayment(b.now(), uuid.New(), ledger.ClearingOther,
		[]ledger.Posting{{Account: ledger.IncomeSession, Amount: 100}}))
	m = b.mapNow(t)
	row(t, m, "clearing.trx")
	row(t, m, "income.session")
}

// A confirmation changes its rows only, all or none, and proposals confirm nothing. A131, A136 to A139.
func TestA139_Confirm(t *testing.T) {
	b := open(t)
	b.connect(t, ledgersim.RealmUSD)
	b.sell(t, 2200)
	m := b.mapNow(t)
	if m.Missing() != len(m.Rows) {
		t.Fatalf("%d of %d are missing", m.Missing(), len(m.Rows))
	}
	income, cash := accounting.Row{Category: accounting.IncomeClass}, accounting.Row{Category: accounting.AssetCashOnHand}
	account := func(kind string) string {
		t.Helper()
		i := slices.IndexFunc(m.Accounts, func(a ledgeronline.Account) bool { return a.Type == kind })
		if i < 0 {
			t.Fatalf("no account of type %s", kind)
		}
		return m.Accounts[i].ID
	}
	good := accounting.Choice{Row: income, AccountID: account("Income")}
	for name, c := range map[string]struct {
		field string
		rows  []accounting.Choice
	}{
		"an unknown account": {"rows.1.externalAccountId", []accounting.Choice{good, {Row: cash, AccountID: "nope"}}},
		"a row twice":        {"rows.1.category", []accounting.Choice{good, good}},
		"an unknown category": {"rows.1.category", []accounting.Choice{
			good, {Row: accounting.Row{Category: "income.hats"}, AccountID: good.AccountID},
		}},
		"a row that is not": {"rows.1.category", []accounting.Choice{
			good, {Row: accounting.Row{Category: accounting.IncomePack}, AccountID: good.AccountID},
		}},
		"an unknown tax rate": {"rows.1.category", []accounting.Choice{
			good,
			{Row: accounting.Row{Category: accounting.LiabilitySalesTax, TaxRateID: uuid.New()}, AccountID: good.AccountID},
		}},
		"a tax without a rate": {"rows.1.taxRateId", []accounting.Choice{
			good, {Row: accounting.Row{Category: accounting.LiabilitySalesTax}, AccountID: good.AccountID},
		}},
		"a rate of a class": {"rows.1.taxRateId", []accounting.Choice{
			good,
			{Row: accounting.Row{Category: accounting.IncomeClass, TaxRateID: uuid.New()}, AccountID: good.AccountID},
		}},
		"accounts receivable": {"rows.1.externalAccountId", []accounting.Choice{
			good, {Row: cash, AccountID: account("Accounts Receivable")},
		}},
		"accounts payable": {"rows.1.externalAccountId", []accounting.Choice{
			good, {Row: cash, AccountID: account("Accounts Payable")},
		}},
		"no rows":              {"rows", nil},
		"more rows than a map": {"rows", make([]accounting.Choice, 501)},
	} {
		_, err := b.Confirm(t.Context(), b.Owner, c.rows)
		f := fault.From(err)
		if f == nil || f.Kind != fault.Validation || f.Fields[0].Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := b.rows(t, "accounting_map_rows"); n != 0 {
		t.Fatalf("%d rows after refusals", n)
	}
	after, err := b.Confirm(t.Context(), b.Owner, []accounting.Choice{good})
	if must(t, after, err).Missing() != len(m.Rows)-1 {
		t.Errorf("%d are missing", after.Missing())
	}
	first := row(t, after, "income.class").Confirmed
	b.w.Clock.Advance(60_000_000_000)
	again, err := b.Confirm(t.Context(), b.Owner, []accounting.Choice{good})
	if got := row(t, must(t, again, err), "income.class").Confirmed; !got.ConfirmedAt.Equal(first.ConfirmedAt) {
		t.Errorf("%v, then %v", first.ConfirmedAt, got.ConfirmedAt)
	}
}

// A repeated create uses the account of the first, also when the provider has forgotten the request; an account of
// another hand is named. A140, A141.
func TestA141_Create(t *testing.T) {
	b := open(t)
	b.connect(t, ledgersim.RealmUSD)
	b.sell(t, 2200)
	in := accounting.CreateInput{Row: accounting.Row{Category: accounting.IncomeClass}}
	accounts := func() int { return len(b.Sim.Accounts(ledgersim.RealmUSD)) }
	before := accounts()
	for i := range 3 {
		m, err := b.Create(t.Context(), b.Owner, in)
		if got := row(t, must(t, m, err), "income.class").Confirmed; got == nil || got.Name != "Class income" ||
			accounts() != before+1 {
			t.Fatalf("time %d: %+v, %d accounts", i, got, accounts()-before)
		}
		if err := b.Sim.Forget(ledgersim.RealmUSD); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Sim.Fail(ledgersim.Fault{Kind: ledgersim.Lost, Op: "account"}); err != nil {
		t.Fatal(err)
	}
	lost := accounting.CreateInput{Row: accounting.Row{Category: accounting.AssetCashOnHand}, Name: "Till"}
	if _, err := b.Create(t.Context(), b.Owner, lost); err == nil {
		t.Error("a lost answer is a success")
	}
	if m, err := b.Create(t.Context(), b.Owner, lost); err != nil ||
		row(t, m, "asset.cash_on_hand").Confirmed.Name != "Till" || accounts() != before+2 {
		t.Errorf("%v, %d accounts", err, accounts()-before)
	}
	taken := accounting.CreateInput{Row: accounting.Row{Category: accounting.AssetBank}, Name: "Till"}
	_, err := b.Create(t.Context(), b.Owner, taken)
	if f := fault.From(err); f == nil || f.Kind != fault.Validation || f.Details["accountId"] == "" {
		t.Errorf("another account of that name: %v", err)
	}
	for name, c := range map[string]struct {
		in   accounting.CreateInput
		want fault.Kind
	}{
		"none of the 21": {accounting.CreateInput{Row: accounting.Row{Category: "income.hats"}}, fault.Validation},
		"no such row": {
			accounting.CreateInput{Row: accounting.Row{Category: accounting.IncomePack}}, fault.NotFound,
		},
		"a tax without its rate": {
			accounting.CreateInput{Row: accounting.Row{Category: accounting.LiabilitySalesTax}}, fault.Validation,
		},
		"a name with a colon": {accounting.CreateInput{Row: taken.Row, Name: "a:b"}, fault.Validation},
		"a long name":         {accounting.CreateInput{Row: taken.Row, Name: strings.Repeat("x", 101)}, fault.Validation},
	} {
		if _, err := b.Create(t.Context(), b.Owner, c.in); !fault.IsKind(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := accounts(); n != before+2 {
		t.Errorf("%d accounts", n-before)
	}
}
