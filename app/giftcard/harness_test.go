package giftcard_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/giftcard"
	"foyer/app/tenancy"
	cards "foyer/billing/giftcard"
)

// shop is a studio that sells gift cards of 5 to 500 online.
type shop struct {
	*apptest.Sales
	Gift  *giftcard.Service
	Cards *cards.Service
	w     *apptest.World
}

func open(t testing.TB, changes ...func(*apptest.StudioPlan)) shop {
	t.Helper()
	w := apptest.Open(t)
	s := w.Sales(t, changes...)
	out := shop{s, s.Services.GiftSales, s.Services.GiftCards, w}
	out.jobs(t) // the processor's events about the new account
	out.terms(t, cards.SetTermsInput{SoldOnline: true, LeastAmount: 500, MostAmount: 50000, Amounts: []int64{2500, 5000}})
	return out
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

// terms replaces the terms of the studio's location.
func (s shop) terms(t testing.TB, in cards.SetTermsInput) {
	t.Helper()
	in.LocationID = s.Location.ID
	was, err := s.Cards.TermsOf(t.Context(), s.Owner, in.LocationID)
	must(t, 0, err)
	in.Version = was.Version
	_, err = s.Cards.SetTerms(t.Context(), s.Owner, in)
	must(t, 0, err)
}

// class is a date two days ahead at a price.
func (s shop) class(t testing.TB, price int64) apptest.OccurrenceRow {
	t.Helper()
	return s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) {
		o.Price, o.Capacity, o.Online = &price, 20, 20
	}), s.w.Clock.Now().Add(48*time.Hour))
}

// card is a gift card for ben@example.com.
func card(amount int64) giftcard.NewCard {
	return giftcard.NewCard{Amount: amount, RecipientEmail: "ben@example.com", RecipientName: "Ben", SenderName: "Ada"}
}

// put adds a gift card to a cart.
func (s shop) put(t testing.TB, token string, in giftcard.NewCard) {
	t.Helper()
	_, err := s.Gift.Add(t.Context(), s.Visitor(), token, in)
	must(t, 0, err)
}

func (s shop) hold(t testing.TB, who tenancy.Scope, token string) {
	t.Helper()
	_, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{})
	must(t, 0, err)
}

// paid pays a held cart with a card, and confirms it.
func (s shop) paid(t testing.TB, who tenancy.Scope, token string, amount int64) checkout.Confirmed {
	t.Helper()
	p, err := s.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: amount})
	must(t, 0, err)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	c, err := s.Checkout.Confirm(t.Context(), who, token)
	return must(t, c, err)
}

// sold sells a gift card to a customer and returns its code, as it is mailed.
func (s shop) sold(t testing.TB, amount int64) (id uuid.UUID, code string) {
	t.Helper()
	ada := s.Customer(t, "Ada")
	token := s.Fill(t)
	s.put(t, token, card(amount))
	s.hold(t, ada, token)
	got := s.paid(t, ada, token, amount)
	return got.Lines[0].Subject, s.mailed(t)
}

// mailed sends the mails that are due, and returns the code in the last one.
func (s shop) mailed(t testing.TB) string {
	t.Helper()
	must(t, 0, s.Gift.SendDue(t.Context()))
	s.jobs(t)
	list := s.Mail.List("ben@example.com")
	if len(list) == 0 {
		return ""
	}
	return list[0].Text[strings.LastIndex(list[0].Text, " ")+1:]
}

// jobs runs the jobs in the outbox, and delivers events until there are none.
func (s shop) jobs(t testing.TB) {
	t.Helper()
	for ran := []string{""}; len(ran) > 0; {
		var err error
		s.Sim.Flush(t.Context())
		ran, err = s.RunJobs(t)
		must(t, 0, err)
	}
}

// check ends a story: the books are right and the processor agrees.
func (s shop) check(t testing.TB) {
	t.Helper()
	s.jobs(t)
	s.CheckProcessor(t)
	s.jobs(t)
	s.CheckLedger(t)
	s.w.CheckBooks(t)
}

// balance is that of a card, with its transactions, the first one first.
func (s shop) balance(t testing.TB, id uuid.UUID) string {
	t.Helper()
	return apptest.Value[string](t, s.w,
		`select g.balance || ':' || coalesce((select string_agg(' ' || t.kind || ' ' || t.amount, ','
		order by t.created_at, t.id) from gift_card_transactions t where t.gift_card_id = g.id), '')
		from gift_cards g where g.id = $1`, id)
}

func (s shop) tenders(t testing.TB, id uuid.UUID) string {
	t.Helper()
	return apptest.Value[string](t, s.w, `select
			coalesce(string_agg(kind || ' ' || amount || ' ' || state, ', ' order by position), '')
		from order_tenders where order_id = $1`, id)
}
