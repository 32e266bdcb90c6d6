package till_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/till"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/tender"
	"foyer/policy"
)

// shop is a studio whose desk takes money.
type shop struct {
	*apptest.Sales
	w    *apptest.World
	Till *till.Service
}

func open(t testing.TB) shop {
	t.Helper()
	w := apptest.Open(t)
	return shop{w.Sales(t), w, till.New(w.DB)}
}

func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func refused(t testing.TB, what string, err error, want *fault.Error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want.Reason)
	}
}

// books makes a booking for 22.00 at the desk for a customer.
func (s shop) books(t testing.TB) uuid.UUID {
	t.Helper()
	price := int64(2200)
	o := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price = &price }), s.w.Clock.Now().Add(48*time.Hour))
	b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: uuid.NewString() + "@example.com"}, OccurrenceID: o.ID})
	return must(t, b, err).Booking.ID
}

// takes has a customer pay 22.00 at the desk.
func (s shop) takes(t testing.TB, method tender.Kind) tender.Tender {
	t.Helper()
	sold, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{s.books(t)}, Tenders: owed.Pays(method)})
	return must(t, sold, err).Payments[0]
}

func (s shop) back(t testing.TB, of tender.Tender, amount int64) {
	t.Helper()
	err := pg.Do(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) error {
		_, err := s.Billing.RefundTx(
			t.Context(), tx, billing.RefundInput{PaymentID: of.ID, Amount: amount, Note: "as agreed", By: s.Owner.Actor},
		)
		return err
	})
	must(t, 0, err)
}

func (s shop) holds(t testing.TB, a ledger.Account) int64 {
	t.Helper()
	n, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), a, s.Location.Currency)
	return must(t, n, err)
}

func (s shop) open(t testing.TB, float int64) till.Drawer {
	t.Helper()
	d, err := s.Till.Open(t.Context(), s.Owner, till.OpenInput{LocationID: s.Location.ID, FloatAmount: float})
	return must(t, d, err)
}

func of(d till.Drawer) till.Of { return till.Of{LocationID: d.LocationID, DrawerID: d.ID} }

func (s shop) count(t testing.TB, d till.Drawer, counted, left int64) till.Drawer {
	t.Helper()
	d, err := s.Till.Count(t.Context(), s.Owner, till.CountInput{Of: of(d), CountedAmount: counted, RemainingAmount: left})
	return must(t, d, err)
}

// A day of a drawer: the expected amount is shown at any time, short is in the books, and the next one begins with
// the kept amount.
func TestDrawerDay(t *testing.T) {
	s := open(t)
	s.takes(t, tender.Cash) // before any drawer was open
	d := s.open(t, 10000)
	if d.FoundAmount != 2200 || d.Expected() != 10000 || s.holds(t, ledger.Bank) != -7800 || s.holds(t, ledger.Cash) != 10000 {
		t.Fatalf("opened: %+v, at the bank %d, cash %d", d, s.holds(t, ledger.Bank), s.holds(t, ledger.Cash))
	}
	taking := s.takes(t, tender.Cash)
	s.takes(t, tender.Other)
	s.back(t, taking, 700)
	for _, m := range []till.TransactionInput{{Kind: till.PayIn, Amount: 5000, Note: "change"}, {Kind: till.PayOut, Amount: 1200, Note: "milk"}} {
		m.Of = of(d)
		_, err := s.Till.RecordCash(t.Context(), s.Owner, m)
		must(t, 0, err)
	}
	got, moves, err := s.Till.Get(t.Context(), s.Owner, of(d))
	if must(t, got, err); got.PaidAmount != 2200 || got.RefundedAmount != 700 || got.InAmount != 5000 || got.OutAmount != 1200 || got.Expected() != 15300 || len(moves) != 2 {
		t.Fatalf("%+v, expected %d, %d moves", got, got.Expected(), len(moves))
	}
	if cash := s.holds(t, ledger.Cash); cash != got.Expected() {
		t.Errorf("the books have %d in the till, the drawer has %d", cash, got.Expected())
	}
	closed := s.count(t, d, 15250, 10000)
	if c := closed.Count; c == nil || c.ExpectedAmount != 15300 || c.Difference() != -50 || c.Banked() != 5250 {
		t.Errorf("counted: %+v", closed.Count)
	}
	if cash, missing := s.holds(t, ledger.Cash), s.holds(t, ledger.IncomeOther); cash != 10000 || missing != 50 {
		t.Errorf("after the count the books have %d in the till, %d are missing", cash, missing)
	}
	if next := s.open(t, 10000); next.FoundAmount != 10000 || next.Expected() != 10000 {
		t.Errorf("the next one: %+v", next)
	}
	if bank := s.holds(t, ledger.Bank); bank != -7800-5000+1200+5250 {
		t.Errorf("at the bank are %d", bank)
	}
	list, err := s.Till.List(t.Context(), s.Owner, till.ListInput{LocationID: s.Location.ID, Page: paging.In[paging.Moment]{Limit: 10}})
	if must(t, list, err); len(list.Items) != 2 || list.Items[0].Count != nil || list.Items[1].ID != d.ID || list.Items[1].Expected() != 15300 {
		t.Errorf("listed: %+v", list.Items)
	}
	s.w.CheckBooks(t)
}

func TestDrawerRefuses(t *testing.T) {
	s := open(t)
	d := s.open(t, 1000)
	ctx := t.Context()
	_, err := s.Till.Open(ctx, s.Owner, till.OpenInput{LocationID: s.Location.ID})
	refused(t, "a second one", err, till.ErrOpen)
	_, err = s.Till.RecordCash(ctx, s.Owner, till.TransactionInput{Of: of(d), Kind: till.PayOut, Amount: 1001, Note: "too much"})
	refused(t, "more than is in it", err, till.ErrNotEnough)
	other := int64(999)
	_, err = s.Till.Count(ctx, s.Owner, till.CountInput{Of: of(d), CountedAmount: 1000, ExpectedAmount: &other})
	refused(t, "counted before something moved", err, till.ErrDrawerChanged)
	for what, do := range map[string]func() error{
		"no note": func() error {
			_, err := s.Till.RecordCash(ctx, s.Owner, till.TransactionInput{Of: of(d), Kind: till.PayIn, Amount: 1})
			return err
		},
		"nothing": func() error {
			_, err := s.Till.RecordCash(ctx, s.Owner, till.TransactionInput{Of: of(d), Kind: till.PayIn, Note: "x"})
			return err
		},
		"less than nothing": func() error {
			_, err := s.Till.Count(ctx, s.Owner, till.CountInput{Of: of(d), CountedAmount: -1})
			return err
		},
		"more left than counted": func() error {
			_, err := s.Till.Count(ctx, s.Owner, till.CountInput{Of: of(d), CountedAmount: 5, RemainingAmount: 6})
			return err
		},
	} {
		if err := do(); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%s: %v", what, err)
		}
	}
	stranger := s.w.Studio(t).Owner
	if _, _, err := s.Till.Get(ctx, stranger, of(d)); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("another business's: %v", err)
	}
	second := s.AddLocation(t, "Other")
	if _, _, err := s.Till.Get(ctx, s.Owner, till.Of{LocationID: second.ID, DrawerID: d.ID}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("by another location: %v", err)
	}
	elsewhere := s.Holding(second.ID, policy.PaymentTake)
	for what, sc := range map[string]tenancy.Scope{"another place's desk": elsewhere, "without the right": s.Holding(s.Location.ID, policy.PaymentView)} {
		_, _, err := s.Till.Get(ctx, sc, of(d))
		refused(t, what, err, policy.ErrMissingFeature)
		_, err = s.Till.Count(ctx, sc, till.CountInput{Of: of(d)})
		refused(t, what, err, policy.ErrMissingFeature)
	}
	s.count(t, d, 1000, 0)
	_, err = s.Till.Count(ctx, s.Owner, till.CountInput{Of: of(d)})
	refused(t, "counted twice", err, till.ErrClosed)
	_, err = s.Till.RecordCash(ctx, s.Owner, till.TransactionInput{Of: of(d), Kind: till.PayIn, Amount: 1, Note: "late"})
	refused(t, "into a closed one", err, till.ErrClosed)
	s.w.CheckBooks(t)
}

// Concurrent openings, payments and counts: each unit of cash is in one drawer, and the books have the contents of
// the drawers.
func TestDrawerRace(t *testing.T) {
	s := open(t)
	const rounds = 6
	var booked []uuid.UUID
	for range rounds {
		booked = append(booked, s.books(t))
	}
	done := make(chan error)
	go func() {
		var errs error
		for _, b := range booked {
			_, err := s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b}, Tenders: owed.Pays(tender.Cash)},
			)
			errs = errors.Join(errs, err)
		}
		done <- errs
	}()
	left := int64(0)
	for range rounds {
		d := s.open(t, left)
		for { // until nothing has changed since the reading
			now, _, err := s.Till.Get(t.Context(), s.Owner, of(d))
			must(t, 0, err)
			expected := now.Expected()
			_, err = s.Till.Count(t.Context(), s.Owner, till.CountInput{Of: of(d), CountedAmount: expected, RemainingAmount: expected, ExpectedAmount: &expected})
			if err == nil {
				left = expected
				break
			}
			refused(t, "counting", err, till.ErrDrawerChanged)
		}
	}
	must(t, 0, <-done)
	// Cash on the desk while no drawer was open was not in the float, and so went to the bank by the books; all other
	// cash is in the drawer.
	if cash, bank := s.holds(t, ledger.Cash), s.holds(t, ledger.Bank); cash+bank != rounds*2200 {
		t.Errorf("%d in the till and %d at the bank", cash, bank)
	}
	sum := apptest.Value[int64](t, s.w, "select coalesce(sum(amount), 0)::bigint from order_tenders")
	if sum != rounds*2200 {
		t.Errorf("%d was taken", sum)
	}
	s.w.CheckBooks(t)
}

// A payment by another method arrives, less a fee; no more than that can.
func TestSettled(t *testing.T) {
	s := open(t)
	s.takes(t, tender.Other)
	_, out, err := s.Till.Outstanding(t.Context(), s.Owner, s.Location.ID)
	if must(t, out, err) != 2200 {
		t.Errorf("outstanding: %d", out)
	}
	in := till.SettlementInput{LocationID: s.Location.ID, Amount: 2140, FeeAmount: 61}
	_, err = s.Till.RecordSettlement(t.Context(), s.Owner, in)
	refused(t, "more than was paid", err, till.ErrNotOutstanding)
	in.FeeAmount = 60
	_, err = s.Till.RecordSettlement(t.Context(), s.Owner, in)
	must(t, 0, err)
	if bank, fees, open := s.holds(t, ledger.Bank), s.holds(t, ledger.TrxFees), s.holds(t, ledger.ClearingOther); bank != 2140 || fees != 60 || open != 0 {
		t.Errorf("at the bank %d, fees %d, outstanding %d", bank, fees, open)
	}
	_, err = s.Till.RecordSettlement(t.Context(), s.Owner, till.SettlementInput{LocationID: s.Location.ID, Amount: 1})
	refused(t, "twice", err, till.ErrNotOutstanding)
	s.w.CheckBooks(t)
}
