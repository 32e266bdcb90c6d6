package apptest

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/assembly"
	"foyer/app/integrity"
	"foyer/app/money"
	"foyer/billing/ledger"
)

// CheckBooks fails the test if any data check (package integrity) of any business reports a difference, or if more
// seats were sold online than allowed. A studio may lower that share below the seats sold; no test does.
func (w *World) CheckBooks(t testing.TB) {
	t.Helper()
	for _, business := range Values[uuid.UUID](t, w, "select business_id from businesses") {
		r, err := integrity.CheckBusiness(t.Context(), w.DB.View(business), assembly.Checks()...)
		if err != nil {
			t.Fatalf("apptest: %v", err)
		}
		for _, d := range r.Differences {
			t.Errorf("broken: %s: %s %s: expected %s, found %s", d.Check, d.Record, d.RecordID, d.Expected, d.Found)
		}
	}
	for _, row := range Values[string](t, w, `select id::text || ' has sold ' || taken_online || ' of ' || online_capacity || ' online'
		from occurrences where taken_online > online_capacity`) {
		t.Errorf("broken: %s", row)
	}
}

// CheckProcessor fails the test if the studio's balance at the processor differs from the database: every success
// once, every refund once, and nothing else. It lets the few seconds pass that the processor needs to book.
func (s *Sales) CheckProcessor(t testing.TB) {
	t.Helper()
	s.w.Clock.Advance(3 * time.Second)
	s.Sim.Flush(t.Context())
	charged, refunded, fees := s.totals(t)
	if want := Value[int64](t, s.w, `select coalesce(sum(amount), 0)::bigint from payments where business_id = $1 and status = 'succeeded'`, s.Business.ID); charged != want {
		t.Errorf("the processor charged %d, want %d as in the payments", charged, want)
	}
	held, err := s.Sim.Authorized(s.Account)
	if err != nil {
		t.Fatal(err)
	}
	held = s.minor(t, held)
	if want := Value[int64](t, s.w, `select coalesce(sum(amount), 0)::bigint from payments where business_id = $1 and on_approval and status = 'authorized'`, s.Business.ID); held != want {
		t.Errorf("cards have %d authorized, want %d as in the payments", held, want)
	}
	if want := Value[int64](t, s.w, `select coalesce(sum(r.amount), 0)::bigint from refunds r join payments p on p.id = r.payment_id
		where r.business_id = $1 and r.state = 'succeeded' and r.destination = 'original' and p.status = 'succeeded'`, s.Business.ID); refunded != want {
		t.Errorf("the processor refunded %d, want %d as in the refunds", refunded, want)
	}
	if want := Value[int64](t, s.w, `select coalesce(sum(p.fee_amount - (select coalesce(sum(r.fee_amount + case when r.fee_return like 'fr%' then
				r.fee_later_amount else 0 end), 0) from refunds r where r.payment_id = p.id and r.balance_transaction is not null) - (select coalesce(sum(d.fee_amount), 0) from disputes d
			where d.payment_id = p.id and d.fee_return like 'fr%')), 0)::bigint from payments p
		where p.business_id = $1 and p.status = 'succeeded'`, s.Business.ID); fees != want {
		t.Errorf("the platform has %d of fees, want %d as in the payments and their refunds", fees, want)
	}
}

// Refunded returns the amount that the processor has refunded of the studio's payments.
func (s *Sales) Refunded(t testing.TB) int64 {
	t.Helper()
	_, refunded, _ := s.totals(t)
	return refunded
}

// totals returns the amounts charged and refunded by the processor for the studio, and the platform's share.
func (s *Sales) totals(t testing.TB) (charged, refunded, fees int64) {
	t.Helper()
	charged, refunded, fees, err := s.Sim.Totals(s.Account)
	if err != nil {
		t.Fatal(err)
	}
	return s.minor(t, charged), s.minor(t, refunded), s.minor(t, fees)
}

// minor converts an amount of the processor to our minor units.
func (s *Sales) minor(t testing.TB, amount int64) int64 {
	t.Helper()
	info, _ := money.Lookup(s.Location.Currency)
	n, err := info.FromStripe(amount)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// List has the studio's account listed now, as a night does.
func (s *Sales) List(t testing.TB) {
	t.Helper()
	s.w.SQL(t, "update processor_listings set due_at = $2 where business_id = $1", s.Business.ID, s.w.Clock.Now())
	if err := s.Balance.ListingsDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// CheckLedger fails the test if the books differ from the processor's balance of the studio, or if the reconciliation
// finds a difference. The sweep fetches the fees of payments without an event, and the listing other transactions.
func (s *Sales) CheckLedger(t testing.TB) {
	t.Helper()
	if Value[bool](t, s.w, "select exists (select from payments where status = 'succeeded' and balance_transaction is null)") {
		s.w.Clock.Advance(2 * time.Minute)
		if err := s.Billing.Recheck(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s.List(t)
	if n := Value[int](t, s.w, "select count(*) from reconciliations where difference <> 0 or recorded <> books"); n != 0 {
		t.Errorf("%d differences: %s", n, Values[string](t, s.w, "select to_jsonb(reconciliations)::text from reconciliations"))
	}
	for _, m := range Values[string](t, s.w, "select concat_ws(' ', state, type, external_id, gross, source) from balance_transactions where booked_at is null") {
		t.Errorf("not in the books: %s", m)
	}
	c := s.Location.Currency
	booked, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), ledger.Clearing, c)
	if err != nil {
		t.Fatal(err)
	}
	held, err := s.Sim.Holds(s.Account, strings.ToLower(string(c)))
	if err != nil {
		t.Fatal(err)
	}
	if want := s.minor(t, held); booked != want {
		t.Errorf("the balance at the processor is %d in the books, it is %d", booked, want)
	}
}
