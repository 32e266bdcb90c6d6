package ledger_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/billing/ledger"
)

// A repeated post, also by a concurrent transaction, is written once.
func TestPostingIsIdempotent(t *testing.T) {
	b := open(t)
	sale, fees := b.sale(2200), ledger.Fees(b.now(), "txn_1", 94, 44)
	b.w.Warm(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := b.try(t, sale, fees); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for a, want := range map[ledger.Account]int64{ledger.Clearing: 2062, ledger.IncomeClass: -2200, ledger.ProcessorFees: 94, ledger.BookingFees: 44} {
		if got := b.balance(t, a); got != want {
			t.Errorf("%s is %d, want %d", a, got, want)
		}
	}
	if n := b.balance(t, ledger.IncomeSpace); n != 0 {
		t.Errorf("an account that nobody posted to is %d", n)
	}
	if n := apptest.Value[int](t, b.w, "select count(*) from ledger_entries"); n != 2 {
		t.Errorf("%d entries", n)
	}
}

// An entry goes with the other queries of its transaction: no trip is for the books alone.
func TestPostingIsOneTrip(t *testing.T) {
	b := open(t)
	b.post(t, b.sale(1))
	trips, _ := b.w.Sent(func() { b.post(t, b.sale(2200), ledger.Fees(b.now(), "txn_1", 94, 44)) })
	if trips != 1 {
		t.Errorf("%d trips", trips)
	}
}

// The account of a revenue category is opened with the id of the category. It is income among the others.
func TestIncomeOfARevenueCategory(t *testing.T) {
	b := open(t)
	category := b.AddRevenueCategory(t, "Workshops").ID
	income := ledger.IncomeOf(category)
	for range 2 {
		b.post(t, ledger.CardSale(b.now(), uuid.New(), []ledger.Posting{
			{Account: income, Amount: 2200}, {Account: ledger.IncomeBookingFee, Amount: 45},
		}))
	}
	if got := b.balance(t, income); got != -4400 {
		t.Errorf("%s is %d", income, got)
	}
	got := apptest.Values[string](t, b.w, `select code || ' ' || coalesce(revenue_category_id::text, 'none')
		from ledger_accounts where code like 'income.%' order by code`)
	want := []string{"income.booking_fee none", "income.rc:" + category.String() + " " + category.String()}
	if !slices.Equal(got, want) {
		t.Errorf("accounts %q, want %q", got, want)
	}
	today := civil.LocalDate(b.w.Clock.Now(), time.UTC)
	span := ledger.Span{From: today.AddDays(-1), To: today, Everyone: true}
	sums, err := ledger.Turnovers(t.Context(), b.w.DB.View(b.Business.ID), span, []string{ledger.AllIncome}, 10)
	if err != nil || len(sums) != 2 || sums[1].Account != income || sums[1].Amount != -4400 || sums[1].Rate() != uuid.Nil {
		t.Errorf("%+v (%v)", sums, err)
	}
}

// A mistake in the program is found before anything is sent.
func TestUnbalancedEntries(t *testing.T) {
	b := open(t)
	odd := b.sale(2200)
	odd.Postings[0].Amount++
	one := b.sale(2200)
	one.Postings = one.Postings[:1]
	zero := b.sale(2200)
	zero.Postings = append(zero.Postings, ledger.Posting{Account: ledger.BookingFees})
	for name, e := range map[string]ledger.Entry{"odd": odd, "one leg": one, "nothing to an account": zero} {
		if err := b.try(t, e); err == nil {
			t.Errorf("%s: posted", name)
		}
	}
}

// The database refuses invalid entries from any caller and in any form.
func TestTheDatabaseKeepsTheBooks(t *testing.T) {
	b := open(t)
	e := b.sale(2200)
	b.post(t, e)
	other := books{b.w.Studio(t), b.w}
	other.post(t, other.sale(100))
	entry := apptest.Value[uuid.UUID](t, b.w, "select id from ledger_entries where business_id = $1", b.Business.ID)
	theirs := apptest.Value[uuid.UUID](t, b.w, "select id from ledger_accounts where business_id = $1 limit 1", other.Business.ID)
	euro := apptest.Value[uuid.UUID](t, b.w, `insert into ledger_accounts (id, business_id, code, currency, created_at)
		values (gen_random_uuid(), $1, 'income.class', 'EUR', now()) returning id`, b.Business.ID)
	made := `with e as (insert into ledger_entries (id, business_id, location_id, source_kind, source_id, event, currency, occurred_at,
			local_date, size, created_at)
		values (gen_random_uuid(), $1, '` + b.Location.ID.String() + `', 'payment', 'x', 'sale', 'USD', now(), '2026-06-11', 2, now()) returning id)
		insert into ledger_postings (business_id, entry_id, seq, account_id, currency, local_date, amount)
		select $1, e.id, x.seq, a.id, 'USD', '2026-06-11', x.amount
		from e, ledger_accounts a, (values %) x (seq, amount) where a.business_id = $1 and a.code = 'income.class' and a.currency = 'USD'`
	later := `insert into ledger_postings (business_id, entry_id, seq, account_id, currency, local_date, amount)
		select $1, e.id, x.seq, coalesce(@, p.account_id), e.currency, e.local_date, x.amount
		from ledger_entries e join ledger_postings p on p.business_id = $1 and p.entry_id = e.id and p.seq = 0, (values %) x (seq, amount)
		where e.id = '` + entry.String() + `'`
	category, foreign := b.AddRevenueCategory(t, "Workshops").ID, other.AddRevenueCategory(t, "Workshops").ID
	opened := `insert into ledger_accounts (id, business_id, code, currency, revenue_category_id, created_at)
		values (gen_random_uuid(), $1, '%', 'USD', @, now())`
	set := func(sql, values, account string) string {
		return strings.NewReplacer("%", values, "@", account).Replace(sql)
	}
	for name, c := range map[string]struct{ sql, want string }{
		"it does not add up":         {set(made, "(0, 5), (1, -4)", ""), "ledger_"},
		"one leg":                    {set(made, "(0, 5)", ""), "ledger_"},
		"three legs of two":          {set(made, "(0, 5), (1, -4), (2, -1)", ""), "ledger_"},
		"nothing":                    {set(made, "(0, 0), (1, 0)", ""), "ledger_postings_amount"},
		"a posting later":            {set(later, "(2, 5)", "null"), "ledger_postings_balanced"},
		"a pair later":               {set(later, "(2, 5), (3, -5)", "null"), "ledger_postings_balanced"},
		"another studio's account":   {set(later, "(2, 5), (3, -5)", "'"+theirs.String()+"'"), "ledger_postings_"},
		"another currency's account": {set(later, "(2, 5), (3, -5)", "'"+euro.String()+"'"), "ledger_postings_"},
		"income of no category":      {set(opened, "income.rc:"+category.String(), "null"), "ledger_accounts_revenue"},
		"another category's account": {set(opened, "income.rc:"+uuid.NewString(), "'"+category.String()+"'"),
			"ledger_accounts_revenue"},
		"a kind with a category": {set(opened, "income.space", "'"+category.String()+"'"), "ledger_accounts_revenue"},
		"a category of another studio": {set(opened, "income.rc:"+foreign.String(), "'"+foreign.String()+"'"),
			"ledger_accounts_revenue_category_fkey"},
	} {
		err := pg.Do(t.Context(), b.w.DB, b.Business.ID, func(tx *pg.Tx) error {
			_, err := tx.Exec(t.Context(), c.sql, b.Business.ID)
			return err
		})
		if !strings.HasPrefix(pg.Constraint(err), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	for _, sql := range []string{
		"update ledger_entries set occurred_at = now()", "delete from ledger_entries", "truncate ledger_entries, ledger_postings",
		"update ledger_postings set amount = 1", "delete from ledger_postings", "update ledger_accounts set code = 'x'",
		"delete from ledger_snapshots",
	} {
		err := pg.Do(t.Context(), b.w.DB, b.Business.ID, func(tx *pg.Tx) error {
			_, err := tx.Exec(t.Context(), sql)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s as foyer_app: %v", sql, err)
		}
	}
	root, err := pgx.Connect(t.Context(), b.w.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close(t.Context())
	for what, sql := range map[string]string{
		"update": "update ledger_entries set occurred_at = now()", "delete": "delete from ledger_postings",
		"truncate": "truncate ledger_entries, ledger_postings, accounting_batch_entries",
	} {
		if _, err := root.Exec(t.Context(), sql); pg.Constraint(err) != "in_the_books" {
			t.Errorf("%s as a superuser: %v", what, err)
		}
	}
	if n := b.balance(t, ledger.Clearing); n != 2200 {
		t.Errorf("%d are left of 2200", n)
	}
}
