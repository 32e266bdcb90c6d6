package giftcard_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/giftcard"
	"foyer/app/owed"
	cards "foyer/billing/giftcard"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// handed sells a gift card at a location of a studio, and returns its id and the code that is handed over.
func (s shop) handed(t testing.TB, location uuid.UUID) (id uuid.UUID, code string) {
	t.Helper()
	got, err := s.Gift.Issue(t.Context(), s.Owner, giftcard.IssueInput{
		NewCard: giftcard.NewCard{Amount: 3000}, LocationID: location, Method: tender.Cash,
	})
	return must(t, got, err).Card.ID, got.Code
}

// Every code that cannot pay here has the same answer: one that is wrong, of a card in another currency, of another
// studio, expired, not delivered yet or spent. The desk, which has the card, is told the same, and nothing is taken off
// any of them.
func TestUnusable(t *testing.T) {
	s := open(t)
	lisbon := s.AddLocation(t, "Lisbon", func(in *business.LocationInput) {
		in.Currency, in.Zone = "EUR", "Europe/Lisbon"
	})
	beside := s
	beside.Sales = s.Beside(t)
	codes, ids := map[string]string{"wrong": "AAAA-AAAA-AAAA-AAAA", "no code": "gift"}, map[string]uuid.UUID{}
	sell := func(what string, by shop, location uuid.UUID, change string) {
		ids[what], codes[what] = by.handed(t, location)
		if change != "" {
			s.w.SQL(t, "update gift_cards set "+change+" where id = $1", ids[what])
		}
	}
	now := s.w.Clock.Now().Format(time.RFC3339)
	sell("another currency", s, lisbon.ID, "")
	sell("another studio", beside, beside.Location.ID, "")
	sell("expired", s, s.Location.ID, "expires_at = '"+now+"'")
	sell("not delivered", s, s.Location.ID, "deliver_at = '"+now+"'::timestamptz + interval '1 second'")
	sell("spent", s, s.Location.ID, "")
	_, err := s.Cards.Adjust(t.Context(), s.Owner, cards.AdjustInput{ID: ids["spent"], Amount: -3000, Note: "mistake"})
	must(t, 0, err)

	ben := s.Customer(t, "Ben")
	token := s.Fill(t, s.class(t, 2000))
	s.hold(t, ben, token)
	n := 0
	for what, code := range codes {
		n++
		ben.Visitor = fmt.Sprint("198.51.100.", n)
		_, err := s.Gift.Use(t.Context(), ben, token, code)
		refused(t, what, err, cards.ErrUnusable)
		if got := fault.From(err); !reflect.DeepEqual(*got, *cards.ErrUnusable) {
			t.Errorf("%s: %+v", what, *got)
		}
	}
	for what, id := range ids {
		b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
			Customer: booking.CustomerRef{Email: "kim@example.com"}, OccurrenceID: s.class(t, 2000).ID,
		})
		must(t, b, err)
		_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
			BookingIDs: []uuid.UUID{b.Booking.ID}, Tenders: []owed.Tender{{Method: tender.GiftCard, Source: id}},
		})
		refused(t, what+", at the desk", err, cards.ErrUnusable)
	}
	if n := apptest.Value[int](t, s.w, "select count(*)::int from gift_card_transactions where kind = 'spent'"); n != 0 {
		t.Errorf("%d were spent", n)
	}
	s.w.SQL(t, "update gift_cards set expires_at = null, deliver_at = null")
	s.check(t)
}

// A refund of the purchase of a card that has paid is as much as is left of it, and no more; of one that paid all,
// nothing. What a payment with it was refunded can be refunded again.
func TestRefundAboveTheRest(t *testing.T) {
	s := open(t)
	id, payment := s.issued(t, 3000)
	who := s.Customer(t, "Ada")
	token := s.ready(t, who, s.class(t, 2000), id)
	_, err := s.Checkout.Confirm(t.Context(), who, token)
	must(t, 0, err)
	refused(t, "more than is left", s.tryRefund(t, payment.String(), 1001), processor.ErrRefundTooLarge)
	s.refund(t, payment.String(), 1000)
	refused(t, "of an empty card", s.tryRefund(t, payment.String(), 1), processor.ErrRefundTooLarge)
	spent := apptest.Value[string](t, s.w, "select id::text from order_tenders where source_id = $1", id)
	refused(t, "more than it paid", s.tryRefund(t, spent, 2001), processor.ErrRefundTooLarge)
	s.refund(t, spent, 500)
	refused(t, "more than came back", s.tryRefund(t, payment.String(), 501), processor.ErrRefundTooLarge)
	s.refund(t, payment.String(), 500)
	if got := s.balance(t, id); got != "0: sold 3000, spent -2000, returned -1000, refunded 500, returned -500" {
		t.Errorf("%s", got)
	}
	s.check(t)
}
