package accounting

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/money"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// rated is a row of a golden file with the name and rate of what it is for.
type rated struct {
	row  Row
	name string
	ppm  int64
}

// testID returns the same id in every run.
func testID(n byte) uuid.UUID { return uuid.UUID{6: 0x70, 8: 0x80, 15: n} }

func taxRow(n byte, name string, ppm int64) rated {
	return rated{Row{Category: LiabilitySalesTax, TaxRateID: testID(n)}, name, ppm}
}

func revenueRow(n byte, name string) rated {
	return rated{Row{Category: IncomeRevenueCategory, RevenueCategoryID: testID(n)}, name, 0}
}

// rowsWith returns a row of each category; extra has those of the categories with several.
func rowsWith(extra ...rated) []rated {
	var out []rated
	for _, c := range Categories {
		if c != LiabilitySalesTax && c != IncomeRevenueCategory {
			out = append(out, rated{row: Row{Category: c}})
			continue
		}
		for _, r := range extra {
			if r.row.Category == c {
				out = append(out, r)
			}
		}
	}
	return out
}

var goldenCharts = []struct {
	file      string
	home      money.Currency
	rows      []rated
	confirmed map[string]string
}{
	{file: "us", home: "USD", rows: rowsWith(
		revenueRow(1, "Workshops"), taxRow(2, "California", 82500), taxRow(3, "NYC sales tax", 88750),
	)},
	{file: "uk", home: "GBP", rows: rowsWith(
		revenueRow(1, "Workshops"), revenueRow(2, "Kids"),
		taxRow(3, "VAT", 200000), taxRow(4, "Reduced rate", 50000), taxRow(5, "Zero", 0),
	)},
	{file: "empty", home: "USD", rows: rowsWith(revenueRow(1, "Workshops"), taxRow(2, "Sales tax", 82500))},
	{file: "doubles", home: "USD", rows: rowsWith(
		revenueRow(1, "Retreats"), revenueRow(2, "Class"), revenueRow(3, "Kids classes"),
		taxRow(4, "NY", 88750), taxRow(5, "New Jersey", 66250), taxRow(6, "CT", 63500),
	), confirmed: map[string]string{
		"income.membership": "8", "income.space": "7", "liability.sales_tax:" + testID(6).String(): "20",
		"expense.dispute_fees": "33", "clearing.processor": "41",
		"income.revenue_category:" + testID(7).String(): "5",
	}},
	{file: "foreign", home: "EUR", rows: rowsWith(
		revenueRow(1, "Talleres"), taxRow(2, "IVA 21", 210000), taxRow(3, "IVA reducido", 100000), taxRow(4, "USt", 190000),
	)},
}

// readChart reads a chart of testdata/rank: one account a line.
func readChart(t testing.TB, file string) []ledgeronline.Account {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "rank", file+".chart"))
	if err != nil {
		t.Fatal(err)
	}
	var out []ledgeronline.Account
	for n, line := range strings.Split(strings.TrimSpace(string(body)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		if len(cells) != 8 {
			t.Fatalf("%s.chart:%d has %d columns", file, n+1, len(cells))
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		out = append(out, ledgeronline.Account{
			ID: cells[0], Name: cells[1], Type: cells[2], SubType: cells[3], Number: cells[4],
			Currency: money.Currency(cells[5]), Active: cells[6] != "inactive", Description: cells[7],
		})
	}
	return out
}

// A131: the proposals on five charts. Each line has the row, the account that would be created, the proposal, and the
// accounts with the most points.
func TestA131_RankingGolden(t *testing.T) {
	for _, g := range goldenCharts {
		t.Run(g.file, func(t *testing.T) {
			chart := NewChart(readChart(t, g.file), g.home)
			var out strings.Builder
			for _, r := range g.rows {
				writeProposal(&out, chart, r, g.confirmed)
			}
			path := filepath.Join("testdata", "rank", g.file+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != string(want) {
				t.Errorf("%s differs; -update rewrites it:\n%s", path, out.String())
			}
		})
	}
}

func writeProposal(out *strings.Builder, chart *Chart, r rated, confirmed map[string]string) {
	proposed := "–"
	if a := chart.Propose(r.row, r.name, r.ppm, confirmed); a != nil {
		proposed = a.Name
	}
	fmt.Fprintf(out, "%s (%s): %s\n", r.row.Category, CreateName(r.row.Category, r.name), proposed)
	type scored struct {
		points int
		name   string
	}
	var accounts []scored
	target := chart.target(r.row, r.name, r.ppm, confirmed)
	for i := range chart.candidates {
		if a := &chart.candidates[i]; r.row.Category.Allows(a.account.Type) {
			accounts = append(accounts, scored{target.score(a), a.account.Name})
		}
	}
	slices.SortFunc(accounts, func(a, b scored) int { return cmp.Or(b.points-a.points, cmp.Compare(a.name, b.name)) })
	if r := chart.rank(target); r.exact != nil {
		fmt.Fprintf(out, "\texact name\n")
	}
	for _, a := range accounts[:min(2, len(accounts))] {
		fmt.Fprintf(out, "\t%d %s\n", a.points, a.name)
	}
}

// drawAccounts draws a chart. Half of the accounts have a type and a subtype of the row, so that many charts have a
// proposal for it and many are ambiguous.
func drawAccounts(t *rapid.T, r rated) []ledgeronline.Account {
	pool := []string{
		"Class", "classes", "Group", "Pack", "Stripe", "Card", "payments", "clearing", "fees", "Bank", "income", "VAT",
		"20%", "payable", "Cash", "Überschuss", "dispute", "Booking", "service", "4010", "Retreat", "Sales", "tax",
	}
	name := rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 3).Draw(t, "default") == 0 {
			return CreateName(rapid.SampledFrom(Categories).Draw(t, "category"), "Retreat")
		}
		words := rapid.SliceOfN(rapid.SampledFrom(pool), 1, 4).Draw(t, "words")
		return strings.Join(words, rapid.SampledFrom([]string{" ", ":", "-"}).Draw(t, "between"))
	})
	all := append(slices.Clone(Categories), "")
	var out []ledgeronline.Account
	for i, name := range rapid.SliceOfNDistinct(name, 4, 14, plainOf).Draw(t, "names") {
		spec := r.row.Category.Spec()
		if rapid.Bool().Draw(t, "other") {
			spec = rapid.SampledFrom(all).Draw(t, "type of").Spec()
		}
		out = append(out, ledgeronline.Account{
			ID: fmt.Sprint(i), Name: name,
			Type:        rapid.SampledFrom(append([]string{"Equity"}, slices.Repeat(spec.Types, 4)...)).Draw(t, "type"),
			SubType:     rapid.SampledFrom(append(slices.Repeat(spec.SubTypes, 3), "", subGlobalTaxPayable)).Draw(t, "subtype"),
			Number:      rapid.SampledFrom([]string{"", "4010", "CLASS"}).Draw(t, "number"),
			Description: rapid.SampledFrom(append(pool, "")).Draw(t, "description"),
			Currency:    rapid.SampledFrom([]money.Currency{"", "USD", "USD", "EUR"}).Draw(t, "currency"),
			Active:      rapid.IntRange(0, 5).Draw(t, "active") > 0,
		})
	}
	return out
}

func drawRow(t *rapid.T) rated {
	return rapid.SampledFrom(rowsWith(
		revenueRow(1, "Retreat"), revenueRow(2, "Class"), taxRow(3, "VAT", 200000), taxRow(4, "Sales tax", 82500),
	)).Draw(t, "row")
}

// drawConfirmed confirms accounts for some rows, whether they fit or not.
func drawConfirmed(t *rapid.T, accounts []ledgeronline.Account) map[string]string {
	out := map[string]string{}
	for _, a := range accounts {
		if rapid.IntRange(0, 4).Draw(t, "confirmed") == 0 {
			out[drawRow(t).row.Key()] = a.ID
		}
	}
	return out
}

func idOf(a *ledgeronline.Account) string {
	if a == nil {
		return "–"
	}
	return a.ID + " " + a.Name
}

// A131: the order of the chart, and accounts that cannot be proposed, change nothing; what is proposed is allowed.
func TestA131_ProposalProperties(t *testing.T) {
	var proposed, ambiguous int
	rapid.Check(t, func(t *rapid.T) {
		r := drawRow(t)
		accounts := drawAccounts(t, r)
		confirmed := drawConfirmed(t, accounts)
		chart := NewChart(accounts, "USD")
		got := chart.Propose(r.row, r.name, r.ppm, confirmed)
		if got == nil && chart.rank(chart.target(r.row, r.name, r.ppm, confirmed)).score >= leastScore {
			ambiguous++
		}
		if got != nil {
			proposed++
			if !got.Active || got.Currency == "EUR" || !r.row.Category.Allows(got.Type) || keptByProvider(*got) {
				t.Errorf("%+v is proposed for %s", *got, r.row.Key())
			}
		}

		shuffled := slices.Clone(accounts)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again := NewChart(shuffled, "USD").Propose(r.row, r.name, r.ppm, confirmed)
		if idOf(again) != idOf(got) {
			t.Errorf("%s: %s, in another order %s", r.row.Key(), idOf(got), idOf(again))
		}

		spec := r.row.Category.Spec()
		best := ledgeronline.Account{
			ID: "new", Name: CreateName(r.row.Category, r.name), Type: spec.Type, SubType: spec.SubType,
			Currency: "USD", Active: true,
		}
		for _, change := range []func(*ledgeronline.Account){
			func(a *ledgeronline.Account) { a.Active = false },
			func(a *ledgeronline.Account) { a.Currency = "EUR" },
			func(a *ledgeronline.Account) { a.Type, a.SubType = "Accounts Receivable", "AccountsReceivable" },
			func(a *ledgeronline.Account) { a.Type, a.SubType = "Accounts Payable", "AccountsPayable" },
			func(a *ledgeronline.Account) { a.SubType = subGlobalTaxPayable },
		} {
			a := best
			change(&a)
			with := NewChart(append(slices.Clone(accounts), a), "USD").Propose(r.row, r.name, r.ppm, confirmed)
			if idOf(with) != idOf(got) {
				t.Errorf("%s: %s, with %+v %s", r.row.Key(), idOf(got), a, idOf(with))
			}
		}
	})
	if proposed == 0 {
		t.Error("no chart had a proposal")
	}
	t.Logf("%d charts had a proposal, %d an ambiguous one", proposed, ambiguous)
}

// A131: an account with the name of CreateName is proposed, whatever else the chart has: it is the one that Create
// makes, and its name cannot be used again.
func TestA131_ExactNameIsProposed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRow(t)
		name := CreateName(r.row.Category, r.name)
		accounts := slices.DeleteFunc(drawAccounts(t, r), func(a ledgeronline.Account) bool {
			return plainOf(a.Name) == plainOf(name)
		})
		confirmed := drawConfirmed(t, accounts)
		own := ledgeronline.Account{
			ID: "own", Currency: "USD", Active: true,
			Name:    rapid.SampledFrom([]string{name, strings.ToUpper(name)}).Draw(t, "name"),
			Type:    rapid.SampledFrom(r.row.Category.Spec().Types).Draw(t, "type"),
			SubType: rapid.SampledFrom([]string{"", r.row.Category.Spec().SubType}).Draw(t, "subtype"),
		}
		if rapid.Bool().Draw(t, "confirmed itself") {
			confirmed[r.row.Key()] = own.ID
		}
		at := rapid.IntRange(0, len(accounts)).Draw(t, "at")
		chart := NewChart(slices.Insert(accounts, at, own), "USD")
		if got := chart.Propose(r.row, r.name, r.ppm, confirmed); got == nil || got.ID != own.ID {
			t.Errorf("%s: %s is proposed in place of %s", r.row.Key(), idOf(got), own.Name)
		}
	})
}

// The account that Create makes is the proposal of its own row in an otherwise empty chart, and of no other row.
func TestCreatedAccountIsProposed(t *testing.T) {
	rows := rowsWith(revenueRow(1, "Workshops"), taxRow(2, "VAT 20%", 200000))
	var accounts []ledgeronline.Account
	for i, r := range rows {
		s := r.row.Category.Spec()
		accounts = append(accounts, ledgeronline.Account{
			ID: fmt.Sprint(i), Name: CreateName(r.row.Category, r.name), Type: s.Type, SubType: s.SubType, Active: true,
		})
	}
	chart := NewChart(accounts, "USD")
	for i, r := range rows {
		if got := chart.Propose(r.row, r.name, r.ppm, nil); got == nil || got.ID != fmt.Sprint(i) {
			t.Errorf("%s: %s", r.row.Key(), idOf(got))
		}
	}
}

func TestConfirmedForAnotherRow(t *testing.T) {
	chart := NewChart([]ledgeronline.Account{
		{ID: "1", Name: "Class income", Type: "Income", SubType: "ServiceFeeIncome", Active: true},
		{ID: "2", Name: "Group sessions", Type: "Income", SubType: "SalesOfProductIncome", Active: true},
		{ID: "3", Name: "Bank charges", Type: "Expense", SubType: "BankCharges", Active: true},
	}, "USD")
	for _, c := range []struct {
		row       Row
		confirmed map[string]string
		want      int
	}{
		{Row{Category: IncomeClass}, nil, 120},
		{Row{Category: IncomeClass}, map[string]string{"income.class": "1"}, 120},
		{Row{Category: IncomeClass}, map[string]string{"income.session": "1"}, 105},
		{Row{Category: IncomeClass}, map[string]string{"income.session": "2"}, 120},
		{Row{Category: ExpenseDisputeFees}, map[string]string{"expense.processor_fees": "3"}, 60},
	} {
		if r := chart.rank(chart.target(c.row, "", 0, c.confirmed)); r.score != c.want {
			t.Errorf("%s with %v: %d points, want %d", c.row.Key(), c.confirmed, r.score, c.want)
		}
	}
	// The account that another row has is proposed by its points alone, and can lose.
	taken := map[string]string{"income.session": "1"}
	better := NewChart([]ledgeronline.Account{
		{ID: "1", Name: "Class income", Type: "Other Income", Active: true},
		{ID: "2", Name: "Group classes", Type: "Income", SubType: "ServiceFeeIncome", Active: true},
	}, "USD")
	if got := better.Propose(Row{Category: IncomeClass}, "", 0, nil); idOf(got) != "1 Class income" {
		t.Errorf("free: %s", idOf(got))
	}
	if got := better.Propose(Row{Category: IncomeClass}, "", 0, taken); idOf(got) != "2 Group classes" {
		t.Errorf("confirmed for appointments: %s", idOf(got))
	}
}

// Two accounts whose names differ only in accents are compared by their points.
func TestExactNameTwice(t *testing.T) {
	accounts := []ledgeronline.Account{
		{ID: "1", Name: "Class income", Type: "Income", Active: true},
		{ID: "2", Name: "Cláss  income", Type: "Income", Active: true},
	}
	row := Row{Category: IncomeClass}
	if got := NewChart(accounts, "USD").Propose(row, "", 0, nil); got != nil {
		t.Errorf("%s is proposed", idOf(got))
	}
	accounts[1].SubType = "ServiceFeeIncome"
	if got := NewChart(accounts, "USD").Propose(row, "", 0, nil); idOf(got) != "2 Cláss  income" {
		t.Errorf("%s is proposed", idOf(got))
	}
	// The last part of a subaccount is not its name.
	accounts[0].Name, accounts[1].Name = "Studio:Class income", "Group classes"
	if got := NewChart(accounts, "USD").Propose(row, "", 0, nil); idOf(got) != "2 Group classes" {
		t.Errorf("%s is proposed", idOf(got))
	}
	accounts[0].Name = "Class:Income" // it has other signs
	if got := NewChart(accounts, "USD").Propose(row, "", 0, nil); idOf(got) != "2 Group classes" {
		t.Errorf("%s is proposed", idOf(got))
	}
}

// An account of a tax rate has its percentage in its name, or its name and no other percentage.
func TestNamesRate(t *testing.T) {
	for _, c := range []struct {
		account, rate string
		ppm           int64
		want          bool
	}{
		{"VAT 20% on bookings", "VAT", 200000, true},
		{"VAT 5% on bookings", "VAT", 200000, false},
		{"VAT on bookings", "VAT", 200000, true},
		{"Taxes of New  York, NY", "new york", 88750, true},
		{"Taxes of York", "New York", 88750, false},
		{"Elevated", "VAT", 200000, false},
		{"Tax 0%", "Exempt", 0, true},
		{"Tax", "", 0, false},
	} {
		chart := NewChart([]ledgeronline.Account{{Name: c.account, Type: "Other Current Liability", Active: true}}, "USD")
		r := taxRow(1, c.rate, c.ppm)
		if got := chart.target(r.row, r.name, r.ppm, nil).namesRate(&chart.candidates[0]); got != c.want {
			t.Errorf("%q for %q with %d: %t", c.account, c.rate, c.ppm, got)
		}
	}
}

// A name of signs alone has no words. It is not the name of every account without words.
func TestNamesOfSigns(t *testing.T) {
	chart := NewChart([]ledgeronline.Account{
		{ID: "1", Name: "Income", Type: "Income", Active: true},
		{ID: "2", Name: "★ income", Type: "Income", Active: true},
	}, "USD")
	for name, want := range map[string]string{"★": "2 ★ income", "☆": "–", "!": "–"} {
		r := revenueRow(1, name)
		if got := chart.Propose(r.row, r.name, 0, nil); idOf(got) != want {
			t.Errorf("%s: %s, want %s", name, idOf(got), want)
		}
	}
}

// Names are what people write: any text has points within the limits of the constants, and no proposal is ambiguous.
func TestRankAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-c%:"/ 0-9.,\xff-]{0,12}`))
		name, ppm := text.Draw(t, "name"), rapid.Int64().Draw(t, "ppm")
		account := ledgeronline.Account{
			ID: "1", Name: text.Draw(t, "account"), Type: "Income", Number: text.Draw(t, "number"), Active: true,
		}
		other := account
		other.ID, other.Type, other.Description = "2", "Other Current Liability", text.Draw(t, "description")
		chart := NewChart([]ledgeronline.Account{account, other}, "USD")
		for _, r := range rowsWith(revenueRow(1, name), taxRow(2, name, ppm)) {
			if r := chart.rank(chart.target(r.row, name, ppm, nil)); r.best != nil && (r.score > 140 || r.score < -45) {
				t.Errorf("%d points", r.score)
			}
		}
		double := NewChart([]ledgeronline.Account{account, {
			ID: "2", Name: account.Name, Type: account.Type, Number: account.Number, Active: true,
		}}, "USD")
		if got := double.Propose(Row{Category: IncomeClass}, "", 0, nil); got != nil {
			t.Errorf("%q is proposed, and there are two", got.Name)
		}
	})
}

// The limits of a proposal: 60 points, and 10 more than the second account.
func TestA131_ProposalLimits(t *testing.T) {
	service := func(name string) ledgeronline.Account {
		return ledgeronline.Account{ID: name, Name: name, Type: "Income", SubType: "ServiceFeeIncome", Active: true}
	}
	liability := func(name string) ledgeronline.Account {
		return ledgeronline.Account{ID: name, Name: name, Type: "Other Current Liability", Active: true}
	}
	five := revenueRow(1, "Red green blue black white")
	four := revenueRow(1, "Red green blue black")
	for _, c := range []struct {
		r             rated
		accounts      []ledgeronline.Account
		score, second int
		want          string
	}{
		{
			taxRow(1, "Red green blue black", 50000), []ledgeronline.Account{liability("Blue red green 5%")},
			59, math.MinInt, "–",
		},
		{revenueRow(1, "Red"), []ledgeronline.Account{service("Services")}, 60, math.MinInt, "Services"},
		{five, []ledgeronline.Account{service("Green red"), service("Red sky")}, 76, 67, "–"},
		{four, []ledgeronline.Account{service("Red"), service("Sky")}, 70, 60, "Red"},
	} {
		chart := NewChart(c.accounts, "USD")
		r := chart.rank(chart.target(c.r.row, c.r.name, c.r.ppm, nil))
		if r.score != c.score || r.second != c.second {
			t.Errorf("%s: %d and %d points, want %d and %d", c.r.name, r.score, r.second, c.score, c.second)
		}
		got := "–"
		if a := chart.Propose(c.r.row, c.r.name, c.r.ppm, nil); a != nil {
			got = a.Name
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.r.name, got, c.want)
		}
	}
}

// BenchmarkPropose ranks 2,000 accounts, all of types that are allowed, for 40 rows.
func BenchmarkPropose(b *testing.B) {
	source := rand.New(rand.NewPCG(1, 2))
	pool := strings.Fields("Studio Class Group Pack Membership Stripe Card payments clearing fees Bank income VAT " +
		"payable Cash Downtown Uptown Retreat Sales tax Workshop Kids Yoga Pilates")
	var accounts []ledgeronline.Account
	for i := range 2000 {
		var words []string
		for range 2 + source.IntN(3) {
			words = append(words, pool[source.IntN(len(pool))])
		}
		accounts = append(accounts, ledgeronline.Account{
			ID: fmt.Sprint(i), Name: words[0] + ":" + strings.Join(words, " "), Type: "Income", SubType: "ServiceFeeIncome",
			Number: fmt.Sprint(4000 + i), Description: strings.Join(words, " "), Active: true,
		})
	}
	var rows []rated
	for i := range 40 {
		rows = append(rows, revenueRow(byte(i+1), pool[i%len(pool)]+" evenings"))
	}
	confirmed := map[string]string{}
	for i, r := range rows {
		confirmed[r.row.Key()] = fmt.Sprint(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		chart := NewChart(accounts, "USD")
		for _, r := range rows {
			chart.Propose(r.row, r.name, r.ppm, confirmed)
		}
	}
}
