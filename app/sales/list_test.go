package sales_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing/tender"
	"foyer/policy"
)

// crowd writes payments of every kind over some days at two locations with clocks far apart: cards in every status,
// with and without a decline and refunds, and payments at the desk, refunded and void.
func (s till) crowd(t *testing.T, r *rand.Rand, places []uuid.UUID, customers []uuid.UUID) {
	t.Helper()
	date := s.class(t, 500)
	booked := pg.NewID()
	s.w.SQL(t, `insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online,
			starts_at, ends_at, price_amount, currency, created_at, updated_at)
		select $1, o.business_id, o.location_id, o.offering_id, o.id, $3, 'confirmed', false, o.starts_at, o.ends_at, 500, 'USD', $4, $4
		from occurrences o where o.id = $2`, booked, date.ID, customers[0], s.w.Clock.Now())
	statuses := []string{"new", "awaiting_method", "awaiting_customer", "processing", "authorized", "succeeded", "succeeded", "succeeded", "failed", "canceled"}
	for range 160 {
		if r.IntN(3) > 0 {
			s.w.Clock.Advance(time.Duration(r.IntN(7200)) * time.Second)
		}
		order, line, place, now := pg.NewID(), pg.NewID(), places[r.IntN(2)], s.w.Clock.Now()
		s.w.SQL(t, `insert into orders (id, business_id, location_id, customer_id, receipt_hash, state, currency, tax_mode, subtotal_amount, tax_amount,
				total_amount, created_at) values ($1::uuid, $2, $3, $4, $1::uuid::text::bytea, 'open', 'USD', 'exclusive', 500, 0, 500, $5)`,
			order, s.Business.ID, place, customers[r.IntN(3)], now)
		s.w.SQL(t, `insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount,
			tax_amount,
				income_account)
			values ($1, $2, $3, $4, 1, 'class', 'Yoga', 500, 0, 'income.class')`, line, s.Business.ID, order, booked)
		id, back := pg.NewID(), []int64{0, 0, 200, 500}[r.IntN(4)]
		if r.IntN(3) == 0 {
			s.w.SQL(t, `insert into order_tenders (id, business_id, location_id, order_id, kind, state, amount, currency,
				actor_kind,
					captured_at, created_at)
				values ($1, $2, $3, $4, $5, 'captured', 500, 'USD', 'person', $6, $6)`, id, s.Business.ID, place, order,
				tender.Kind("").All()[r.IntN(2)], now)
			if kind := []string{"refund", "void"}[r.IntN(2)]; back > 0 {
				if kind == "void" {
					back = 500
					s.w.SQL(t, "update order_tenders set state = 'void' where id = $1", id)
				}
				s.w.SQL(t, `insert into refunds (id, business_id, tender_id, kind, amount, fee_amount, state, reason, actor_kind,
						created_at, updated_at)
					select $1, business_id, id, $3, $4, 0, 'succeeded', 'requested', 'person', created_at, created_at
					from order_tenders where id = $2`, pg.NewID(), id, kind, back)
			}
			continue
		}
		s.w.SQL(t, `with t as (
				insert into order_tenders (id, business_id, location_id, order_id, position, kind, state, amount, currency,
					created_at)
					values ($1, $2, $3, $4, 1, 'card', 'open', 500, 'USD', $5) returning business_id, id)
			insert into tender_parts (business_id, tender_id, seq, line_id, account, amount)
				select business_id, id, 1, $6, 'income.class', 500 from t`, pg.NewID(), s.Business.ID, place, order, now, line)
		status := statuses[r.IntN(len(statuses))]
		var paid *time.Time
		if outcome := now.Add(time.Duration(r.IntN(30)) * time.Hour); status == "succeeded" {
			paid = &outcome
		}
		s.w.SQL(t, `insert into payments (id, business_id, location_id, order_id, env, account, attempt, amount, currency, fee_amount, fee_ppm, status,
				failure_code, outcome, succeeded_at, created_at, updated_at)
			values ($1, $2, $3, $4, 'simulated', 'acct_sim_x', 1, 500, 'USD', 10, 20000, $5::varchar, $6, case when $5 = 'succeeded' then 'fulfilled' else '' end, $7, $8, $8)`,
			id, s.Business.ID, place, order, status, []string{"", "card_declined"}[r.IntN(2)], paid, now)
		if status == "succeeded" && back > 0 {
			s.w.SQL(t, `insert into refunds (id, business_id, payment_id, amount, fee_amount, state, reason, created_at, updated_at)
				values ($1, $2, $3, $4, 0, $5, 'requested', $6, $6)`, pg.NewID(), s.Business.ID, id, back, []string{"pending", "succeeded", "failed"}[r.IntN(3)], now)
		}
	}
}

// TestListAgrees: every combination of filters, for every caller with some payments, finds the payments that pass
// each filter by itself, in one trip.
func TestListAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	s := open(t)
	east := s.AddLocation(t, "East", func(in *business.LocationInput) { in.Zone = "Pacific/Auckland" }).ID
	customers := pg.NewIDs(3)
	for _, id := range customers {
		s.w.SQL(t, "insert into customers (id, business_id, name, created_at, updated_at) values ($1, $2, 'Ada', $3, $3)", id, s.Business.ID, s.w.Clock.Now())
	}
	places := []uuid.UUID{s.Location.ID, east}
	s.crowd(t, r, places, customers)
	now := s.w.Clock.Now()
	zones := map[uuid.UUID]*time.Location{s.Location.ID: civil.ZoneOrUTC(s.Location.Zone), east: civil.ZoneOrUTC("Pacific/Auckland")}
	var all []sales.Payment
	for _, state := range sales.State("").All() {
		all = append(all, s.list(t, s.Owner, sales.ListInput{State: state})...)
	}
	slices.SortFunc(all, func(a, b sales.Payment) int {
		if n := b.CreatedAt.Compare(a.CreatedAt); n != 0 {
			return n
		}
		return slices.Compare(b.ID[:], a.ID[:])
	})
	if len(all) != 160 {
		t.Fatalf("%d of 160 payments have a state", len(all))
	}
	day := func(p sales.Payment) civil.Date {
		at := p.CreatedAt
		if p.PaidAt != nil {
			at = *p.PaidAt
		}
		return civil.LocalDate(at, zones[p.LocationID])
	}
	today := func(p sales.Payment) bool { return !day(p).Before(civil.LocalDate(now, zones[p.LocationID])) }
	who := map[string]struct {
		sc   tenancy.Scope
		sees func(sales.Payment) bool
	}{
		"owner":   {s.Owner, func(sales.Payment) bool { return true }},
		"desk":    {s.Join(t, "a@example.com", apptest.Everywhere(policy.FrontDesk)), today},
		"east":    {s.Join(t, "b@example.com", apptest.At(policy.FrontDesk, east)), func(p sales.Payment) bool { return p.LocationID == east && today(p) }},
		"manager": {s.Join(t, "c@example.com", apptest.At(policy.Manager, east)), func(p sales.Payment) bool { return p.LocationID == east }},
		"both": {s.Join(t, "d@example.com", apptest.At(policy.FrontDesk, s.Location.ID), apptest.At(policy.Manager, east)),
			func(p sales.Payment) bool { return p.LocationID == east || today(p) }},
	}
	seen := map[string]int{}
	for range walks.Steps(1, 40) {
		for filters := range 1 << 7 {
			in, from := sales.ListInput{Page: paging.In[paging.Moment]{Limit: r.IntN(20)}}, 0
			for i, set := range []func(){
				func() { in.State = sales.State("").All()[r.IntN(8)] },
				func() { in.Method = sales.Method("").All()[r.IntN(4)] },
				func() { in.CustomerID = customers[r.IntN(3)] },
				func() { in.LocationID = places[r.IntN(2)] },
				func() { in.From = day(all[r.IntN(len(all))]) },
				func() { in.To = day(all[r.IntN(len(all))]) },
				func() {
					from = 1 + r.IntN(len(all))
					in.Page.After = &paging.Moment{At: all[from-1].CreatedAt, ID: all[from-1].ID}
				},
			} {
				if filters>>i&1 == 1 {
					set()
				}
			}
			if !in.From.IsZero() && !in.To.IsZero() && in.To.Before(in.From) {
				in.From, in.To = in.To, in.From
			}
			for name, as := range who {
				var want []uuid.UUID
				for _, p := range all[from:] {
					if (in.State == "" && p.State != sales.Canceled || p.State == in.State) && (in.Method == "" || p.Method == in.Method) &&
						(in.CustomerID == uuid.Nil || p.CustomerID == in.CustomerID) && (in.LocationID == uuid.Nil || p.LocationID == in.LocationID) &&
						(in.From.IsZero() || !day(p).Before(in.From)) && (in.To.IsZero() || !day(p).After(in.To)) && as.sees(p) {
						want = append(want, p.ID)
					}
				}
				more := len(want) > in.Page.Size()
				want = want[:min(len(want), in.Page.Size())]
				var page paging.Page[sales.Payment, paging.Moment]
				var err error
				trips := s.w.Statements(func() { page, err = s.Money.List(t.Context(), as.sc, in) })
				var got []uuid.UUID
				for _, p := range page.Items {
					got = append(got, p.ID)
				}
				if err != nil || trips != 1 || !slices.Equal(got, want) || more != (page.Next != nil) {
					t.Fatalf("%s: %+v: %d payments, more %v, in %d trips (%v), want %d, more %v", name, in, len(got), page.Next != nil, trips, err, len(want), more)
				}
				seen[name] += len(got)
			}
		}
	}
	for name := range who {
		if seen[name] == 0 {
			t.Errorf("%s saw nothing at all", name)
		}
	}
	for _, p := range all { // listed payments, and no others, can be opened
		for name, as := range who {
			d, err := s.Money.Get(t.Context(), as.sc, p.ID)
			switch {
			case as.sees(p) && (err != nil || d.ID != p.ID || d.State != p.State || d.Refundable != p.Refundable):
				t.Errorf("%s: %v", name, err)
			case !as.sees(p) && !fault.IsKind(err, fault.NotFound) && !errors.Is(err, policy.ErrMissingFeature):
				t.Errorf("%s opens what the list does not show: %v", name, err)
			}
		}
		if t.Failed() {
			break
		}
	}
}

// A payment at the desk has no card, and a list accepts only valid filters.
func TestListAndDesk(t *testing.T) {
	s := open(t)
	p := s.sold(t, s.class(t, 2200))
	desk := s.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	id := pg.NewID()
	s.w.SQL(t, `insert into order_tenders (id, business_id, location_id, order_id, kind, state, amount, currency, note,
			actor_kind, actor_name, captured_at, created_at)
		values ($1, $2, $3, $4, 'cash', 'captured', 700, 'USD', 'for the mat', 'person', 'Mia', $5, $5)`, id,
		s.Business.ID, s.Location.ID, p.OrderID, s.w.Clock.Now())
	s.w.SQL(t, `insert into tender_parts (business_id, tender_id, seq, line_id, account, amount) values ($1, $2, 1, $3,
		'income.class', 700)`,
		s.Business.ID, id, *p.Lines[0].ID)
	if got := s.list(t, desk, sales.ListInput{}); len(got) != 2 {
		t.Errorf("the desk sees %d of today", len(got))
	}
	cash := s.get(t, id)
	if cash.Method != sales.Cash || cash.State != sales.Paid || cash.Note != "for the mat" ||
		cash.RecordedBy != "Mia" || *cash.Net != 700 || cash.FeeAmount != 0 ||
		len(cash.Lines) != 1 || cash.Lines[0].Total != 700 || cash.Test {
		t.Errorf("%+v", cash)
	}
	s.w.Clock.Advance(24 * time.Hour)
	if got := s.list(t, desk, sales.ListInput{}); len(got) != 0 {
		t.Errorf("the desk sees %d of yesterday", len(got))
	}
	for _, one := range []uuid.UUID{p.ID, id} {
		_, unknown := s.Money.Get(t.Context(), desk, uuid.New())
		if _, err := s.Money.Get(t.Context(), desk, one); err == nil || err.Error() != unknown.Error() {
			t.Errorf("yesterday's is not like an unknown one: %v, %v", err, unknown)
		}
		_, unknown = s.Money.Refund(t.Context(), desk, back(uuid.New(), sales.RefundInput{Amount: amount(1)}))
		if _, err := s.Money.Refund(t.Context(), desk, back(one, sales.RefundInput{Amount: amount(1)})); err == nil || err.Error() != unknown.Error() {
			t.Errorf("yesterday's is not like an unknown one: %v, %v", err, unknown)
		}
	}
	if got := s.list(t, s.Owner, sales.ListInput{}); len(got) != 2 {
		t.Errorf("the owner sees %d", len(got))
	}
	_, err := s.Money.List(t.Context(), s.Join(t, "m@example.com", apptest.Everywhere(policy.Marketer)), sales.ListInput{})
	refused(t, "marketer", err, policy.ErrMissingFeature)
	_, err = s.Money.List(t.Context(), s.Owner, sales.ListInput{Method: "barter", State: "gone", From: civil.Date{Year: 2026, Month: 2, Day: 30}})
	if f := fault.From(err); f == nil || len(f.Fields) != 3 {
		t.Errorf("%v", err)
	}
}

// A declined card has failed until another one pays; an unpaid attempt is on no list but its own.
func TestFailures(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	token, p := s.begin(t, ada, s.class(t, 2200))
	if got := s.list(t, s.Owner, sales.ListInput{}); len(got) != 1 || got[0].State != sales.Open || got[0].Refundable != 0 || got[0].Net != nil || got[0].Receipt != "" {
		t.Fatalf("%+v", got)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardDeclined)
	s.jobs(t)
	got := s.list(t, s.Owner, sales.ListInput{})
	if len(got) != 1 || got[0].State != sales.Failed || got[0].Failure == "" || got[0].FailureCode == "" {
		t.Fatalf("%+v", got)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	if _, err := s.Checkout.Confirm(t.Context(), ada, token); err != nil {
		t.Fatal(err)
	}
	if got = s.list(t, s.Owner, sales.ListInput{}); len(got) != 1 || got[0].State != sales.Paid || got[0].Failure != "" {
		t.Errorf("%+v", got)
	}
	s.check(t)
}
