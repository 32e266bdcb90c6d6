package accounting

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/accounting/ledgeronline"
)

// A132: the categories of the contract, in its order.
func TestA132_Categories(t *testing.T) {
	want := []Category{
		"income.class", "income.session", "income.space", "income.membership", "income.pack", "income.product",
		"income.other", "income.revenue_category", "income.booking_fee", "income.uncategorized", "liability.sales_tax",
		"expense.processor_fees", "expense.booking_fees", "expense.disputes", "expense.dispute_fees",
		"expense.processor_other", "clearing.processor", "clearing.trx", "expense.trx_fees", "asset.cash_on_hand",
		"asset.bank",
	}
	if !slices.Equal(Categories, want) {
		t.Errorf("%q, want %q", Categories, want)
	}
	if len(specs) != len(want) {
		t.Errorf("%d categories have a Spec", len(specs))
	}
	for _, c := range []Category{"", "income", "income.class ", "Income.class", "stored_value.credit"} {
		if c.Valid() {
			t.Errorf("%q is valid", c)
		}
	}
}

func TestSpecs(t *testing.T) {
	labels := map[string]Category{}
	for _, c := range Categories {
		s := c.Spec()
		if !c.Valid() || c.Label() == "" || c.Description() == "" {
			t.Errorf("%s lacks a text", c)
		}
		if other, twice := labels[c.Label()]; twice {
			t.Errorf("%s and %s are both %q", c, other, c.Label())
		}
		labels[c.Label()] = c
		if !strings.HasSuffix(c.Description(), ".") || strings.HasSuffix(c.Label(), ".") {
			t.Errorf("%s: %q, %q", c, c.Label(), c.Description())
		}
		if !c.Allows(s.Type) || len(s.SubTypes) == 0 {
			t.Errorf("%s: %+v", c, s)
		}
		for _, refused := range []string{"Accounts Receivable", "Accounts Payable", "Equity", ""} {
			if c.Allows(refused) {
				t.Errorf("%s allows %q", c, refused)
			}
		}
		templated := c == LiabilitySalesTax || c == IncomeRevenueCategory
		if templated != strings.Contains(s.Name, placeholder) {
			t.Errorf("%s is created as %q", c, s.Name)
		}
	}
}

func TestCreateName(t *testing.T) {
	long := strings.Repeat("é", 200)
	for _, c := range []struct {
		category   Category
		name, want string
	}{
		{IncomeClass, "ignored", "Class income"},
		{AssetBank, "", "Business checking"},
		{IncomeRevenueCategory, "Workshops", "Workshops income"},
		{IncomeRevenueCategory, " Kids:  \"Teens\"\t& tots ", "Kids Teens & tots income"},
		{IncomeRevenueCategory, "Retreat Income", "Retreat income"},
		{IncomeRevenueCategory, "Income", "Income income"},
		{IncomeRevenueCategory, "", "Revenue category income"},
		{IncomeRevenueCategory, `:"`, "Revenue category income"},
		{IncomeRevenueCategory, long, long[:2*93] + " income"},
		{LiabilitySalesTax, "VAT 20%", "VAT 20% payable"},
		{LiabilitySalesTax, "Sales tax payable", "Sales tax payable"},
		{LiabilitySalesTax, "", "Sales tax payable"},
		{LiabilitySalesTax, strings.Repeat("tax ", 30), strings.Repeat("tax ", 23) + "payable"},
		{"unknown", "name", ""},
	} {
		if got := CreateName(c.category, c.name); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.category, c.name, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		for _, c := range Categories {
			got := CreateName(c, name)
			if got == "" || utf8.RuneCountInString(got) > ledgeronline.MaxAccountName || strings.ContainsAny(got, ":\"\n\t") {
				t.Errorf("%s, %q: %q", c, name, got)
			}
			if got != strings.TrimSpace(got) || !utf8.ValidString(got) {
				t.Errorf("%s, %q: %q", c, name, got)
			}
		}
	})
}

func TestRowKeys(t *testing.T) {
	const text = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
	id := uuid.MustParse(text)
	for key, want := range map[string]Row{
		"income.class":                    {Category: IncomeClass},
		"liability.sales_tax:" + text:     {Category: LiabilitySalesTax, TaxRateID: id},
		"income.revenue_category:" + text: {Category: IncomeRevenueCategory, RevenueCategoryID: id},
	} {
		if got, ok := ParseRowKey(key); !ok || got != want || want.Key() != key {
			t.Errorf("%q: %+v, %t; the key of %+v is %q", key, got, ok, want, want.Key())
		}
	}
	for _, key := range []string{
		"", ":", "income", "income.class:", "income.class:" + id.String(), "liability.sales_tax", "liability.sales_tax:",
		"income.revenue_category", "liability.sales_tax:x", "liability.sales_tax:" + uuid.Nil.String(),
		"liability.sales_tax:" + strings.ToUpper(id.String()), "liability.sales_tax:{" + id.String() + "}",
		"liability.sales_tax:urn:uuid:" + id.String(), "liability.sales_tax:" + strings.ReplaceAll(id.String(), "-", ""),
		"liability.sales_tax:" + id.String() + ":", " income.class", "stored_value.credit",
	} {
		if got, ok := ParseRowKey(key); ok || got != (Row{}) {
			t.Errorf("%q is a key: %+v", key, got)
		}
	}
	for _, r := range []Row{
		{}, {Category: "x"}, {Category: IncomeClass, TaxRateID: id}, {Category: IncomeClass, RevenueCategoryID: id},
		{Category: LiabilitySalesTax}, {Category: LiabilitySalesTax, RevenueCategoryID: id},
		{Category: LiabilitySalesTax, TaxRateID: id, RevenueCategoryID: id}, {Category: IncomeRevenueCategory},
	} {
		if r.Valid() {
			t.Errorf("%+v is valid", r)
		}
	}
}
