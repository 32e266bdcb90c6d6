package sales_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/owed"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

func (s till) creditOf(t testing.TB, customer uuid.UUID) (sum int64) {
	t.Helper()
	list, err := credit.Of(t.Context(), s.w.DB.View(s.Business.ID), customer)
	for _, k := range must(t, list, err) {
		sum += k.Balance
	}
	return sum
}

func (s till) holds(t testing.TB, a ledger.Account) int64 {
	t.Helper()
	n, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), a, s.Location.Currency)
	return must(t, n, err)
}

// A card payment that is refunded as credit moves no money at the processor, and none of the fees; its refundable
// amount is refunded to the card with its share of the platform fee, as if nothing else had been refunded.
func TestRefundToCredit(t *testing.T) {
	s := open(t)
	p := s.two(t)
	s.check(t)
	clearing := s.holds(t, ledger.Clearing)
	got, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(1000), Destination: billing.ToCredit}))
	if must(t, got, err); got.Refund.State != billing.RequestSucceeded || got.Refund.FeeAmount != 0 || got.RefundableAmount != p.Amount-1000 {
		t.Fatalf("%+v", got)
	}
	if s.creditOf(t, p.CustomerID) != 1000 || s.holds(t, ledger.Credit) != -1000 || s.holds(t, ledger.Clearing) != clearing {
		t.Errorf("credit %d, in the books %d, clearing %d was %d", s.creditOf(t, p.CustomerID), s.holds(t, ledger.Credit), s.holds(t, ledger.Clearing), clearing)
	}
	s.check(t)
	if s.holds(t, ledger.Clearing) != clearing {
		t.Error("the processor was asked for a refund")
	}
	d := s.get(t, p.ID)
	if d.State != sales.PartlyRefunded || d.Refunded != 1000 || len(d.Refunds) != 1 || d.Refunds[0].Destination != billing.ToCredit || d.Refunds[0].Note != "she was ill" {
		t.Errorf("%+v", d)
	}
	_, err = s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(p.Amount - 999)}))
	refused(t, "more than is left", err, processor.ErrRefundTooLarge)
	rest, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(p.Amount - 1000)}))
	if want := billing.FeeRefund(p.FeeAmount, p.Amount, p.Amount-1000); must(t, rest, err).Refund.FeeAmount != want {
		t.Errorf("of the fee %d comes back, want %d", rest.Refund.FeeAmount, want)
	}
	s.check(t)
	if d := s.get(t, p.ID); d.State != sales.Refunded || d.Refundable != 0 {
		t.Errorf("%+v", d)
	}
}

// A cash payment is refunded as credit, pays for something else, is refunded to the credit, and no coin moves.
func TestCashRefundToCredit(t *testing.T) {
	s := open(t)
	p, b := s.atDesk(t, tender.Cash)
	got, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(1500), Destination: billing.ToCredit}))
	if must(t, got, err); got.Refund.Destination != billing.ToCredit || got.Method != sales.Cash || s.cash(t) != 2200 || s.creditOf(t, p.CustomerID) != 1500 {
		t.Fatalf("%+v, %d in the till, credit %d", got, s.cash(t), s.creditOf(t, p.CustomerID))
	}
	other, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{CustomerID: b.CustomerID}, OccurrenceID: s.class(t, 1200).ID})
	sold, err2 := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{must(t, other, err).Booking.ID}, Tenders: owed.Pays(tender.AccountCredit),
	})
	paid := s.get(t, must(t, sold, err2).Payments[0].ID)
	if paid.Method != sales.Credit || paid.Amount != 1200 || *paid.Net != 1200 || s.creditOf(t, p.CustomerID) != 300 {
		t.Errorf("%+v, credit %d", paid, s.creditOf(t, p.CustomerID))
	}
	got, err = s.Money.Refund(t.Context(), s.Owner, back(paid.ID, sales.RefundInput{Amount: amount(200)}))
	if must(t, got, err); got.Refund.Destination != billing.ToOriginal || s.creditOf(t, p.CustomerID) != 500 {
		t.Errorf("%+v, credit %d", got, s.creditOf(t, p.CustomerID))
	}
	if d := s.get(t, p.ID); d.Refunds[0].Destination != billing.ToCredit || s.get(t, paid.ID).Refunds[0].Destination != billing.ToOriginal {
		t.Errorf("%+v", d.Refunds)
	}
	if s.cash(t) != 2200 {
		t.Errorf("%d in the till", s.cash(t))
	}
	s.w.CheckBooks(t)
}

// A mistake gives the credit back that was spent by it. One of two payments that have paid a fee together is none
// that can be undone alone.
func TestVoidOfCredit(t *testing.T) {
	s := open(t)
	b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "ada@example.com"}, OccurrenceID: s.class(t, 2200).ID})
	made := must(t, b, err).Booking.Booking
	_, err = credit.New(s.w.DB).Adjust(t.Context(), s.Owner, credit.AdjustInput{CustomerID: made.CustomerID, LocationID: s.Location.ID, Amount: 2500, Note: "a gift"})
	must(t, 0, err)
	sold, err := s.Owed.RecordPayment(
		t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{made.ID}, Tenders: owed.Pays(tender.AccountCredit)},
	)
	void := func(id uuid.UUID) error {
		_, err := s.Money.Void(t.Context(), s.Owner, sales.VoidInput{PaymentID: id, Note: "the wrong Ada"})
		return err
	}
	if err := void(must(t, sold, err).Payments[0].ID); err != nil || s.creditOf(t, made.CustomerID) != 2500 || s.due(t, made).Due != 2200 {
		t.Errorf("%v, credit %d", err, s.creditOf(t, made.CustomerID))
	}
	fee := uuid.New()
	s.w.SQL(t, `insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount, currency, review_until, created_at, updated_at)
		select $2, business_id, location_id, id, customer_id, 'no_show', 'due', 700, 'USD', $3, $3, $3 from bookings where id = $1`, made.ID, fee, s.w.Clock.Now())
	sold, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{FeeIDs: []uuid.UUID{fee}, Tenders: []owed.Tender{
		{Method: tender.AccountCredit, Amount: 300}, {Method: tender.Cash},
	}})
	for _, taken := range must(t, sold, err).Payments {
		refused(t, "one of two", void(taken.ID), sales.ErrSharedFee)
	}
	s.w.CheckBooks(t)
}

// A customer sees their payments in all studios, by every method, and none of the studio's fees; another customer's
// are theirs.
func TestMyPayments(t *testing.T) {
	s := open(t)
	other := openIn(t, s.w)
	who := s.Customer(t, "Ada")
	pay := func(s till, method tender.Kind) uuid.UUID {
		t.Helper()
		b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: who.Email}, OccurrenceID: s.class(t, 2200).ID})
		sold, err2 := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{must(t, b, err).Booking.ID}, Tenders: owed.Pays(method)})
		return must(t, sold, err2).Payments[0].ID
	}
	var want []uuid.UUID
	token, p := s.begin(t, who, s.class(t, 2200))
	s.PayCard(t, p.ClientSecret, "4242424242424242")
	done, err := s.Checkout.Confirm(t.Context(), who, token)
	want = append(want, s.list(t, s.Owner, sales.ListInput{OrderID: must(t, done, err).OrderID})[0].ID)
	s.w.Clock.Advance(1000)
	want = append(want, pay(other, tender.Cash))
	s.w.Clock.Advance(1000)
	wrong := pay(s, tender.Cash)
	if _, err := s.Money.Void(t.Context(), s.Owner, sales.VoidInput{PaymentID: wrong, Note: "twice"}); err != nil {
		t.Fatal(err)
	}
	s.w.Clock.Advance(1000)
	want = append(want, pay(s, tender.Other))
	s.atDesk(t, tender.Cash) // another customer's
	if _, err := s.Money.Refund(t.Context(), s.Owner, back(want[2], sales.RefundInput{Amount: amount(1000), Destination: billing.ToCredit})); err != nil {
		t.Fatal(err)
	}
	var got []sales.Mine
	in := paging.In[paging.Moment]{Limit: 2}
	for {
		page, err := s.Money.Mine(t.Context(), who.Principal, in)
		got = append(got, must(t, page, err).Items...)
		if in.After = page.Next; in.After == nil {
			break
		}
	}
	if len(got) != 3 || got[0].ID != want[2] || got[1].ID != want[1] || got[2].ID != want[0] {
		t.Fatalf("%d payments: %+v", len(got), got)
	}
	for i, m := range got {
		if m.Amount != 2200 || m.Label == "" || m.BusinessName == "" || m.Receipt == "" || m.FeeAmount != 0 ||
			m.ProcessorFee != nil || m.Net != nil || m.Note != "" || m.RecordedBy != "" {
			t.Errorf("%d: %+v", i, m)
		}
	}
	if got[0].Refunded != 1000 || got[0].State != sales.PartlyRefunded || got[1].BusinessID != other.Business.ID || got[2].CardLast4 != "4242" {
		t.Errorf("%+v", got)
	}
	credits, err := s.Money.MyCredits(t.Context(), who.Principal)
	if must(t, credits, err); len(credits) != 1 || credits[0].Amount != 1000 || credits[0].BusinessID != s.Business.ID {
		t.Errorf("%+v", credits)
	}
	if _, err := s.Money.Mine(t.Context(), tenancy.Principal{}, in); !errors.Is(err, identity.ErrSignIn) {
		t.Errorf("nobody: %v", err)
	}
}
