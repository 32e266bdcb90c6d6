package giftcard_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/checkout"
)

// refundFails is a card of the processor whose refunds fail after a while.
const refundFails = "4000000000005126"

// A refund of the purchase of a gift card fails at the bank: what it took off the card is on it again, and what the
// studio has lost by one on the processor's website is no loss.
func TestRestored(t *testing.T) {
	for what, outside := range map[string]bool{"by the studio": false, "on the processor's website": true} {
		t.Run(what, func(t *testing.T) {
			s := open(t)
			ada, token := s.Customer(t, "Ada"), s.Fill(t)
			s.put(t, token, card(5000))
			s.hold(t, ada, token)
			p, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 5000})
			must(t, 0, err)
			s.PayCard(t, p.ClientSecret, refundFails)
			c, err := s.Checkout.Confirm(t.Context(), ada, token)
			id := must(t, c, err).Lines[0].Subject
			s.jobs(t)
			who := s.Customer(t, "Ben")
			token = s.ready(t, who, s.class(t, 2000), id)
			_, err = s.Checkout.Confirm(t.Context(), who, token)
			must(t, 0, err)
			if outside {
				intent := apptest.Value[string](t, s.w, "select intent from payments")
				_, err = s.Sim.DashboardRefund(s.Account, intent, 5000)
				must(t, 0, err)
			} else {
				s.refund(t, apptest.Value[string](t, s.w, "select id::text from payments"), 3000)
			}
			s.jobs(t)
			for range 3 {
				s.w.Clock.Advance(time.Hour)
				must(t, 0, s.Billing.RefundsDue(t.Context()))
				s.jobs(t)
			}
			if got := s.balance(t, id); got != "3000: sold 5000, spent -2000, returned -3000, restored 3000" {
				t.Errorf("%s", got)
			}
			lost := apptest.Value[int64](t, s.w, `select coalesce(sum(p.amount), 0)::bigint from ledger_postings p
				join ledger_accounts a on a.id = p.account_id join ledger_entries e on e.id = p.entry_id
				where e.source_kind = 'gift_card' and a.code <> 'stored_value.gift'`)
			if lost != 0 {
				t.Errorf("%d lost", lost)
			}
			s.check(t)
		})
	}
}
