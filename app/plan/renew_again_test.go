package plan_test

import (
	"slices"
	"testing"
	"time"

	"foyer/app/apptest"
)

// A payment that nobody could make, of a link that was mailed, is canceled after some minutes: also between the first
// try with a card that was saved meanwhile, and its charge.
func TestChargedWhileCanceled(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000)), apptest.CardGood)
	cards, err := s.Billing.Cards(t.Context(), s.Owner, m.CustomerID)
	must(t, 0, err)
	must(t, 0, s.Billing.RemoveCard(t.Context(), s.Owner, m.CustomerID, cards[0].ID))
	s.goes(t, 30)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 due 6000")
	s.w.Clock.Advance(time.Minute)
	s.joined(t, ada, s.published(t, monthly(1, 1000)), apptest.CardGood) // which saves a card
	s.w.Clock.Advance(10 * time.Minute)
	must(t, 0, s.Owed.RenewDue(t.Context()))
	must(t, 0, s.Billing.Recheck(t.Context()))
	s.jobs(t)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 coming 6000, 1 paid 1000, 2 coming 1000")
	s.check(t)
}

// The payment of a declined charge is canceled after a day. If that happens between a later try and its charge, the try
// is made with another payment: it is not one that never was.
func TestTriedWhileCanceled(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(2, 6000)), cardDeclinesSaved)
	s.goes(t, 30)
	for i := range 2 {
		s.w.Clock.Advance([]time.Duration{27, 47}[i] * time.Hour)
		must(t, 0, s.Owed.RenewDue(t.Context())) // the charge waits in the outbox
		must(t, 0, s.Billing.Recheck(t.Context()))
		s.jobs(t)
		expect(t, "tries", s.mine(t, ada)[0].Next.Tries, 2+i)
		declined := slices.DeleteFunc(s.mails(ada), func(subject string) bool { return subject != "fee not charged" })
		expect(t, "mails of declines", len(declined), 2+i)
		expect(t, "failed", s.mine(t, ada)[0].Next.Failed, "generic_decline")
	}
	s.check(t)
}

// A customer whose card was declined, and is not charged any more, is mailed the way to pay: not that their card was
// declined again.
func TestAskedAfterDecline(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000)), cardDeclinesSaved)
	s.goes(t, 30)
	expect(t, "the mail", s.mails(ada)[1], "fee not charged")
	cards, err := s.Billing.Cards(t.Context(), s.Owner, m.CustomerID)
	must(t, 0, err)
	must(t, 0, s.Billing.RemoveCard(t.Context(), s.Owner, m.CustomerID, cards[0].ID))
	s.goes(t, 4)
	expect(t, "the next mail", s.mails(ada)[2], "rest asked for")
	expect(t, "mails", len(s.mails(ada)), 3)
	s.check(t)
}
