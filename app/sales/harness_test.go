package sales_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing"
)

// till is a studio that sells, with the verbs of this package.
type till struct {
	*apptest.Sales
	w     *apptest.World
	Money *sales.Service
}

func open(t testing.TB, changes ...func(*apptest.StudioPlan)) till {
	t.Helper()
	return openIn(t, apptest.Open(t), changes...)
}

func openIn(t testing.TB, w *apptest.World, changes ...func(*apptest.StudioPlan)) till {
	t.Helper()
	s := till{Sales: w.Sales(t, changes...), w: w}
	s.Money = s.on(w.DB, s.Sales)
	s.jobs(t)
	return s
}

func (s till) on(db *pg.DB, shop *apptest.Sales) *sales.Service {
	return sales.New(sales.Options{DB: db, Billing: shop.Billing, Disputes: shop.Disputes, Orders: shop.Orders})
}

func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// class is a date two days ahead at a price.
func (s till) class(t testing.TB, price int64, changes ...func(*apptest.OfferingRow)) apptest.OccurrenceRow {
	t.Helper()
	changes = append([]func(*apptest.OfferingRow){func(o *apptest.OfferingRow) {
		o.Price, o.Capacity, o.Online = &price, 50, 50
	}}, changes...)
	return s.AddOccurrence(t, s.AddOffering(t, changes...), s.w.Clock.Now().Add(48*time.Hour))
}

// begin holds a cart with a seat of each date and begins its payment.
func (s till) begin(t testing.TB, who tenancy.Scope, dates ...apptest.OccurrenceRow) (token string, p checkout.Payment) {
	t.Helper()
	token = s.Fill(t, dates...)
	if _, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{}); err != nil {
		t.Fatal(err)
	}
	cart, err := s.Checkout.Cart(t.Context(), who, token)
	p, err2 := s.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: must(t, cart, err).Totals.TotalAmount})
	return token, must(t, p, err2)
}

// sold returns the payment of a new customer for a seat of each date.
func (s till) sold(t testing.TB, dates ...apptest.OccurrenceRow) sales.Detail {
	t.Helper()
	who := s.Customer(t, "Ada")
	token, p := s.begin(t, who, dates...)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	c, err := s.Checkout.Confirm(t.Context(), who, token)
	list, err2 := s.Money.List(t.Context(), s.Owner, sales.ListInput{OrderID: must(t, c, err).OrderID})
	if items := must(t, list, err2).Items; len(items) == 1 {
		return s.get(t, items[0].ID)
	}
	t.Fatalf("%d payments", len(list.Items))
	return sales.Detail{}
}

func (s till) get(t testing.TB, id uuid.UUID) sales.Detail {
	t.Helper()
	d, err := s.Money.Get(t.Context(), s.Owner, id)
	return must(t, d, err)
}

// list is a page with all payments.
func (s till) list(t testing.TB, sc tenancy.Scope, in sales.ListInput) []sales.Payment {
	t.Helper()
	in.Page = paging.In[paging.Moment]{Limit: paging.Max}
	p, err := s.Money.List(t.Context(), sc, in)
	return must(t, p, err).Items
}

// jobs runs the jobs in the outbox, and delivers events until there are none.
func (s till) jobs(t testing.TB) {
	t.Helper()
	for {
		s.Sim.Flush(t.Context())
		if ran, err := s.RunJobs(t); len(ran) == 0 || err != nil {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
	}
}

// check ends a story: the books are right and the processor agrees.
func (s till) check(t testing.TB) {
	t.Helper()
	s.jobs(t)
	s.CheckProcessor(t)
	s.jobs(t)
	s.CheckLedger(t)
	s.w.CheckBooks(t)
}

func (s till) feeMode(t testing.TB, m billing.Mode) {
	t.Helper()
	s.w.SQL(t, "update businesses set fee_mode = $1", m)
}

func refused(t testing.TB, what string, err error, want *fault.Error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want.Reason)
	}
}

func amount(n int64) *int64 { return &n }
