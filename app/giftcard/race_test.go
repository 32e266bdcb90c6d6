package giftcard_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/giftcard"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/credit"
	cards "foyer/billing/giftcard"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// issued sells a gift card for cash at the desk, and returns its id and the id of that payment.
func (s shop) issued(t testing.TB, amount int64) (card, payment uuid.UUID) {
	t.Helper()
	got, err := s.Gift.Issue(t.Context(), s.Owner, giftcard.IssueInput{
		NewCard: giftcard.NewCard{Amount: amount}, LocationID: s.Location.ID, Method: tender.Cash,
	})
	must(t, got, err)
	return got.Card.ID, got.Sale.Payments[0].ID
}

// ready is a held cart with a seat of a date that a gift card pays first.
func (s shop) ready(t testing.TB, who tenancy.Scope, o apptest.OccurrenceRow, card uuid.UUID) (token string) {
	t.Helper()
	token = s.Fill(t, o)
	s.hold(t, who, token)
	_, err := s.Checkout.UsePrepaid(t.Context(), who, token, tender.GiftCard, card, true)
	must(t, 0, err)
	return token
}

// late has an act begin a few milliseconds late, at random: so that no racer is always the first.
func late(r *rand.Rand, act func() error) func() error {
	by := time.Duration(r.Int64N(int64(15 * time.Millisecond)))
	return func() error {
		time.Sleep(by)
		return act()
	}
}

// noMoney are the refusals of a gift card that has less than it had.
var noMoney = []*fault.Error{
	cards.ErrShort, cards.ErrUnusable, checkout.ErrPaymentRequired, checkout.ErrPriceChanged,
}

// A74. Fifty carts want the last cents of a card, of which only some can have them: as many are booked as it can pay,
// and it is never below zero. Built with the tag nolock more have to be booked, or the race proves nothing: two of them
// have always read the balance before either takes its part.
func TestA74_LastCents(t *testing.T) {
	const racers, price = 50, 700
	rounds := walks.Steps(3, 50)
	if !apptest.Guarded {
		rounds = 1 // of a card for one of them
	}
	s := open(t)
	people := make([]tenancy.Scope, 10)
	for i := range people {
		people[i] = s.Customer(t, "racer")
	}
	for round := range rounds {
		can, rest := []int{1, 3, 7}[round%3], []int64{0, price - 1, 1}[round%3]
		id, _ := s.issued(t, int64(can)*price+rest)
		acts, tokens := make([]func() error, racers), make([]string, racers)
		for i := range acts {
			who := people[i%len(people)]
			if i%len(people) == 0 { // a person has one seat of a date
				s.w.Clock.Advance(time.Second)
			}
			tokens[i] = s.ready(t, who, s.class(t, price), id)
			acts[i] = func() error {
				_, err := s.Checkout.Confirm(t.Context(), who, tokens[i])
				return err
			}
		}
		got := 0
		s.w.Jam(t, 2, func() { got = apptest.AtOnce(t, noMoney, acts...) }, "gift_cards", "id = $1", id)
		left := apptest.Value[int64](t, s.w, "select balance from gift_cards where id = $1", id)
		booked := apptest.Value[int](t, s.w, `select count(*)::int from order_tenders t join orders o on o.id = t.order_id
			join order_lines l on l.order_id = o.id join bookings b on b.id = l.booking_id and b.state = 'confirmed'
			where t.source_id = $1 and t.captured_at is not null and t.amount = $2`, id, price)
		if apptest.Guarded && (got != can || left != rest || booked != can) {
			t.Errorf("a card for %d: %d confirmed, %d booked, %d left, want %d", can, got, booked, left, rest)
		}
		if !apptest.Guarded && got <= can {
			t.Errorf("without the guard a card for %d paid for %d: this race proves nothing", can, got)
		}
		for i, token := range tokens {
			err := s.Checkout.Release(t.Context(), people[i%len(people)], token)
			if err != nil && !errors.Is(err, checkout.ErrOrdered) {
				t.Fatal(err)
			}
		}
	}
	if !apptest.Guarded {
		return
	}
	s.check(t)
	if n := apptest.Deadlocks(t, s.w); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
}

// A cart, the desk and an adjustment want the last cent of a card: one of them gets it.
func TestRaceOfTheDesk(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_LastCents covers this case
	}
	s := open(t)
	won, r := map[string]int{}, rand.New(rand.NewPCG(walks.Seed(t), 0))
	for range walks.Steps(10, 50) {
		id, _ := s.issued(t, 1)
		who := s.Customer(t, "Ada")
		token := s.ready(t, who, s.class(t, 1), id)
		b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
			Customer: booking.CustomerRef{Email: "ben@example.com"}, OccurrenceID: s.class(t, 1).ID,
		})
		must(t, b, err)
		got := apptest.AtOnce(t, noMoney, late(r, func() error {
			_, err := s.Checkout.Confirm(t.Context(), who, token)
			return err
		}), late(r, func() error {
			_, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
				BookingIDs: []uuid.UUID{b.Booking.ID}, Tenders: []owed.Tender{{Method: tender.GiftCard, Source: id}},
			})
			return err
		}), late(r, func() error {
			_, err := s.Cards.Adjust(t.Context(), s.Owner, cards.AdjustInput{ID: id, Amount: -1, Note: "mistake"})
			return err
		}))
		has := s.balance(t, id)
		if got != 1 || has != "0: sold 1, spent -1" && has != "0: sold 1, adjusted -1" {
			t.Errorf("%d of three got the last cent: %s", got, has)
		}
		won[has]++
	}
	t.Logf("%v", won)
	s.check(t)
}

// The purchase of a card is refunded while the card pays: it does one of the two.
func TestRaceOfARefund(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_LastCents covers this case
	}
	s := open(t)
	won, r := map[string]int{}, rand.New(rand.NewPCG(walks.Seed(t), 0))
	for range walks.Steps(10, 50) {
		id, payment := s.issued(t, 2000)
		who := s.Customer(t, "Ada")
		token := s.ready(t, who, s.class(t, 2000), id)
		got := apptest.AtOnce(t, append(noMoney, processor.ErrRefundTooLarge), late(r, func() error {
			_, err := s.Checkout.Confirm(t.Context(), who, token)
			return err
		}), late(r, func() error { return s.tryRefund(t, payment.String(), 2000) }))
		has := s.balance(t, id)
		if got != 1 || has != "0: sold 2000, spent -2000" && has != "0: sold 2000, returned -2000" {
			t.Errorf("%d of two: %s", got, has)
		}
		won[has]++
	}
	t.Logf("%v", won)
	s.check(t)
}

// The purchase of a card is refunded as account credit of a customer whose cart is paid with credit and that card: each
// of them waits for the other one to end, and not for ever.
func TestRaceOfCreditAndCard(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_LastCents covers this case
	}
	s := open(t)
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	for range walks.Steps(20, 200) {
		ada, token := s.Customer(t, "Ada"), s.Fill(t, s.class(t, 0))
		s.hold(t, ada, token)
		_, err := s.Checkout.Confirm(t.Context(), ada, token)
		must(t, 0, err)
		customer := apptest.Value[uuid.UUID](t, s.w, "select id from customers where person_id = $1", ada.Person())
		_, err = s.Services.Credit.Adjust(t.Context(), s.Owner, credit.AdjustInput{
			CustomerID: customer, LocationID: s.Location.ID, Amount: 900, Note: "a gift",
		})
		must(t, 0, err)
		made, err := s.Gift.Issue(t.Context(), s.Owner, giftcard.IssueInput{
			NewCard: giftcard.NewCard{Amount: 2000}, LocationID: s.Location.ID, CustomerID: customer, Method: tender.Cash,
		})
		must(t, made, err)
		token = s.ready(t, ada, s.class(t, 2500), made.Card.ID)
		_, err = s.Checkout.UseCredit(t.Context(), ada, token, true)
		must(t, 0, err)
		apptest.AtOnce(t, append(noMoney, processor.ErrRefundTooLarge, credit.ErrShort), late(r, func() error {
			_, err := s.Checkout.Confirm(t.Context(), ada, token)
			return err
		}), late(r, func() error {
			return pg.Do(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) error {
				_, err := s.Billing.RefundTx(t.Context(), tx, billing.RefundInput{
					PaymentID: made.Sale.Payments[0].ID, Amount: 100, Reason: billing.ReasonGoodwill, CreditTo: &customer,
				})
				return err
			})
		}))
	}
	s.check(t)
	if n := apptest.Deadlocks(t, s.w); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
}
