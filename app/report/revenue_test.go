package report_test

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/report"
	"foyer/app/sales"
	"foyer/billing/ledger"
	"foyer/billing/tender"
	"foyer/policy"
)

// posted writes entries into the books.
func (s shop) posted(t *testing.T, entries ...ledger.Entry) {
	t.Helper()
	for _, e := range entries {
		err := pg.Do(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) error {
			b := tx.Batch()
			if err := ledger.PostIn(b, tx, e); err != nil {
				return err
			}
			return b.Commit(t.Context())
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// now is the place and time of an event at a location.
func (s shop) now(location uuid.UUID) ledger.Context {
	return ledger.Context{LocationID: location, Currency: "USD", At: s.w.Clock.Now()}
}

// books returns the sum of the credits of accounts from a day on.
func (s shop) books(t *testing.T, codes, condition string) int64 {
	t.Helper()
	return apptest.Value[int64](t, s.w, `select coalesce(-sum(p.amount), 0)::bigint from ledger_postings p
		join ledger_accounts a on a.business_id = p.business_id and a.id = p.account_id
		join ledger_entries e on e.business_id = p.business_id and e.id = p.entry_id
		where p.business_id = '`+s.Business.ID.String()+`' and a.code like '`+codes+`' and `+condition)
}

type change = func(*apptest.OfferingRow)

// booked is a customer's booking of a class that is not paid yet.
func (s shop) booked(t *testing.T, who booking.CustomerRef, price int64, changes ...change) booking.Booking {
	t.Helper()
	changes = append([]change{func(o *apptest.OfferingRow) { o.Price, o.Capacity, o.Online = &price, 50, 50 }}, changes...)
	o := s.AddOccurrence(t, s.AddOffering(t, changes...), s.w.Clock.Now().Add(48*time.Hour))
	b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: who, OccurrenceID: o.ID})
	return must(t, b, err).Booking.Booking
}

// desk is a payment at the desk for a class.
func (s shop) desk(
	t *testing.T, price int64, method tender.Kind, changes ...change,
) (sales.Payment, booking.Booking) {
	t.Helper()
	made := s.booked(t, booking.CustomerRef{Email: uuid.NewString() + "@example.com"}, price, changes...)
	sold, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{made.ID}, Tenders: []owed.Tender{{Method: method, Note: "slip 7"}},
	})
	d, err2 := s.Money.Get(t.Context(), s.Owner, must(t, sold, err).Payments[0].ID)
	return must(t, d, err2).Payment, made
}

func (s shop) revenue(t *testing.T, in report.Range) report.RevenueReport {
	t.Helper()
	r, err := s.Revenue(t.Context(), s.Owner, in)
	return must(t, r, err)
}

func category(r report.RevenueReport, name string) report.RevenueSums {
	i := slices.IndexFunc(r.Categories, func(c report.RevenueSums) bool { return c.Name == name })
	if i < 0 {
		return report.RevenueSums{}
	}
	return r.Categories[i]
}

// TestRevenueReport: sales, refunds, void payments and charges made outside, by revenue category and by kind, to the
// cent; the totals are the turnover of the books.
func TestRevenueReport(t *testing.T) {
	s := open(t)
	first := s.sold(t, s.AddTaxRate(t, "Sales tax", 88_750).ID)
	s.settled(t)
	s.refund(t, first, 1648) // about a half: 22.00 and 9.00 in proportion
	wrong, _ := s.desk(t, 1500, tender.Cash)
	if _, err := s.Money.Void(t.Context(), s.Owner, sales.VoidInput{PaymentID: wrong.ID, Note: "twice"}); err != nil {
		t.Fatal(err)
	}
	yoga := s.AddRevenueCategory(t, `=HYPERLINK("x")`)
	s.desk(t, 4000, tender.Cash, func(o *apptest.OfferingRow) { o.RevenueCategory = &yoga.ID })
	charge, err := s.Sim.ChargeOutside(s.Account, 5000, "usd")
	s.settled(t)
	if _, err2 := s.Sim.DashboardRefund(s.Account, must(t, charge, err), 2000); err2 != nil {
		t.Fatal(err2)
	}
	s.settled(t)
	s.List(t)
	s.w.CheckBooks(t)
	day := civil.DateOf(s.w.Clock.Now())

	south := s.AddLocation(t, "South")
	s.w.Clock.Advance(24 * time.Hour)
	s.posted(t,
		ledger.ManualPayment(s.now(south.ID), uuid.New(), ledger.Cash, []ledger.Posting{
			{Account: ledger.IncomeSession, Amount: 7000}, {Account: ledger.IncomeOf(yoga.ID), Amount: 100},
		}),
		ledger.ManualPayment(s.now(south.ID), uuid.New(), ledger.Cash, []ledger.Posting{
			{Account: ledger.IncomeSpace, Amount: 800},
		}),
		ledger.CashCounted(s.now(south.ID), uuid.New(), -300),
		ledger.Credited(s.now(south.ID), uuid.New(), 250))

	r := s.revenue(t, s.around(report.ByDay))
	of := func(code string, payments int, gross, refunds int64) report.RevenueSums {
		total := report.RevenueTotal{Currency: "USD", Gross: gross, Refunds: refunds}
		return report.RevenueSums{Category: code, RevenueTotal: total, Payments: payments}
	}
	for name, want := range map[string]report.RevenueSums{
		"Classes":       of("income.class", 1, 3100, 1550),
		yoga.Name:       of(report.ByRevenueCategory, 2, 4100, 0),
		"Appointments":  of("income.session", 1, 7000, 0),
		"Rentals":       of("income.space", 1, 800, 0),
		"Other income":  of("income.other", 0, -550, 0),
		"Uncategorized": of("income.uncategorized", 1, 5000, 2000),
	} {
		if want.Name = name; name == yoga.Name {
			want.CategoryID = yoga.ID
		}
		if got := category(r, name); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if len(r.Totals) != 1 || r.Totals[0].Net() != s.books(t, "income.%", "true") || r.Totals[0].Net() == 0 {
		t.Errorf("%+v is the total, the books have %d", r.Totals, s.books(t, "income.%", "true"))
	}
	for _, row := range r.Rows {
		code := row.Category
		if row.CategoryID != uuid.Nil {
			code = "income.rc:" + row.CategoryID.String()
		}
		at := fmt.Sprintf("p.local_date = '%s' and e.location_id = '%s'", row.Date, row.LocationID)
		if want := s.books(t, code, at); row.Net() != want {
			t.Errorf("%s of %s at %s: %d, the books have %d", code, row.Date, row.LocationName, row.Net(), want)
		}
	}
	last := r.Rows[len(r.Rows)-1]
	if first := r.Rows[0]; first.Date != day || last.Date != day.AddDays(1) || last.LocationName != "South" {
		t.Errorf("from %+v to %+v", first, last)
	}

	in := s.around(report.ByMonth)
	in.LocationID = south.ID
	if r := s.revenue(t, in); len(r.Rows) != 4 || r.Rows[0].Date.Day != 1 ||
		r.Totals[0].Net() != s.books(t, "income.%", "e.location_id = '"+south.ID.String()+"'") {
		t.Errorf("%+v", r)
	}
	in.Currency = "EUR"
	if r := s.revenue(t, in); len(r.Rows) != 0 || len(r.Totals) != 0 {
		t.Errorf("in another currency: %+v", r)
	}
	one, err := s.Revenue(t.Context(), s.Sales.Holding(s.Location.ID, policy.ReportFinance), s.around(report.ByDay))
	if must(t, one, err); len(one.Totals) != 1 ||
		one.Totals[0].Net() != s.books(t, "income.%", "e.location_id = '"+s.Location.ID.String()+"'") {
		t.Errorf("for an accountant of one location: %+v", one.Totals)
	}

	rows, err := csv.NewReader(strings.NewReader(string(r.CSV()))).ReadAll()
	must(t, rows, err)
	at := slices.IndexFunc(rows, func(row []string) bool { return row[3] == report.ByRevenueCategory })
	if len(rows) != len(r.Rows)+1 || at < 0 ||
		strings.Join(rows[at][2:], " ") != `USD income.revenue_category '=HYPERLINK("x") 1 40.00 0.00 40.00` {
		t.Errorf("%q", rows)
	}
}
