package giftcard_test

import (
	"testing"

	"foyer/app/apptest"
)

// posting is the SQL of the postings of gift cards in the entries of a kind and an event.
func posting(kind, event string) string {
	return `amount <> 0 and account_id in (select id from ledger_accounts where code = 'stored_value.gift')
		and entry_id in (select id from ledger_entries where source_kind = '` + kind + `' and event = '` + event + `')`
}

// Each part of the data checks of gift cards finds what it is about, once all that happened is in the books.
func TestChecks(t *testing.T) {
	s := open(t)
	id, _ := s.sold(t, 5000)
	other, _ := s.issued(t, 1000)
	who := s.Customer(t, "Ada")
	token := s.ready(t, who, s.class(t, 2000), id)
	_, err := s.Checkout.Confirm(t.Context(), who, token)
	must(t, 0, err)
	s.refund(t, apptest.Value[string](t, s.w, "select id::text from order_tenders where kind = 'gift_card'"), 500)
	_, err = s.Sim.DashboardRefund(s.Account, apptest.Value[string](t, s.w, "select intent from payments"), 5000)
	must(t, 0, err)
	s.check(t)
	if got := s.balance(t, id); got != "0: sold 5000, spent -2000, refunded 500, returned -3500" {
		t.Fatalf("%s", got)
	}
	one := " where gift_card_id = '" + id.String() + "' and kind = "
	s.w.Finds(t, s.Business.ID, "gift_cards gift_card_transactions order_tenders tender_parts refunds payments "+
		"ledger_entries ledger_postings", []apptest.Tampering{
		{
			Check: "gift_cards", Record: "gift_cards",
			SQL:      "update gift_cards set balance = 1 where id = '" + id.String() + "'",
			Expected: "0 by its transactions", Found: "1",
		},
		{
			Check: "gift_cards", Record: "gift_cards",
			SQL:      "update gift_cards set balance = 0 where id = '" + other.String() + "'",
			Expected: "1000 by its transactions", Found: "0",
		},
		{
			Check: "gift_cards", Record: "gift_card_transactions",
			SQL:      "update gift_card_transactions set balance = balance + 1" + one + "'spent'",
			Expected: "3000 after it", Found: "3001",
		},
		{
			Check: "gift_cards", Record: "gift_cards",
			SQL:      "update gift_cards set amount = 5001 where id = '" + id.String() + "'",
			Expected: "sold for 5001", Found: "sold for 5000",
		},
		{
			Check: "gift_cards", Record: "gift_cards",
			SQL:      "delete from gift_card_transactions" + one + "'sold'",
			Expected: "sold for 5000", Found: "not sold",
		},
		{
			Check: "gift_cards", Record: "gift_cards",
			SQL:      "update gift_cards set state = 'draft', code_hash = null, issued_at = null where balance = 0",
			Expected: "not sold", Found: "sold for 5000",
		},
		{
			Check: "gift_cards_spent", Record: "order_tenders",
			SQL:      "update gift_card_transactions set amount = -1999" + one + "'spent'",
			Expected: "2000 of a gift card", Found: "1999",
		},
		{
			Check: "gift_cards_spent", Record: "order_tenders",
			SQL:      "delete from gift_card_transactions" + one + "'spent'",
			Expected: "2000 of a gift card", Found: "none",
		},
		{
			Check: "gift_cards_spent", Record: "order_tenders",
			SQL:      "update gift_card_transactions set gift_card_id = '" + other.String() + "'" + one + "'spent'",
			Expected: "2000 of a gift card", Found: "none",
		},
		{
			Check: "gift_cards_spent", Record: "order_tenders",
			SQL:      "update order_tenders set state = 'void', captured_at = null where kind = 'gift_card'",
			Expected: "nothing of a gift card", Found: "2000",
		},
		{
			Check: "gift_cards_spent", Record: "refunds",
			SQL:      "update gift_card_transactions set amount = 499" + one + "'refunded'",
			Expected: "500 refunded to a gift card", Found: "499",
		},
		{
			Check: "gift_cards_spent", Record: "refunds",
			SQL:      "delete from gift_card_transactions" + one + "'refunded'",
			Expected: "500 refunded to a gift card", Found: "none",
		},
		{
			Check: "gift_cards_spent", Record: "refunds",
			SQL:      "update refunds set destination = 'account_credit' where payment_id is null",
			Expected: "nothing refunded to a gift card", Found: "500",
		},
		{
			Check: "gift_cards_booked", Record: "businesses",
			SQL:      "update gift_cards set balance = 999 where balance = 1000",
			Expected: "999 USD of gift cards", Found: "1000",
		},
		{
			Check: "gift_cards_booked", Record: "businesses",
			SQL:      "update gift_cards set currency = 'EUR' where balance = 1000",
			Expected: "1000 EUR of gift cards", Found: "0",
		},
		{
			Check: "gift_cards_booked", Record: "businesses",
			SQL:      "update ledger_postings set amount = amount - 1 where " + posting("payment", "sale"),
			Expected: "1000 USD of gift cards", Found: "1001",
		},
		{
			Check: "gift_cards_booked", Record: "businesses",
			SQL:      "delete from ledger_postings where " + posting("manual_payment", "refund"),
			Expected: "1000 USD of gift cards", Found: "500",
		},
		{
			Check: "gift_cards_booked", Record: "businesses",
			SQL:      "delete from ledger_postings where " + posting("gift_card", "refund"),
			Expected: "1000 USD of gift cards", Found: "-500",
		},
	})
}

// Money that is on its way is no difference, and what is tampered with meanwhile is found: a purchase that is not in
// the books yet, and a refund of one that has not left.
func TestChecksMeanwhile(t *testing.T) {
	s := open(t)
	who, token := s.Customer(t, "Ada"), s.Fill(t)
	s.put(t, token, card(5000))
	s.hold(t, who, token)
	id := s.paid(t, who, token, 5000).Lines[0].Subject
	unbooked := "delete from ledger_postings where entry_id in (select id from ledger_entries where " +
		"source_kind = 'payment'); delete from ledger_entries where source_kind = 'payment'; "
	s.jobs(t)
	s.w.Finds(t, s.Business.ID, "gift_cards gift_card_transactions order_tenders tender_parts refunds payments "+
		"ledger_entries ledger_postings", []apptest.Tampering{
		{
			Check: "gift_cards_booked", Record: "businesses",
			SQL:      unbooked + "update gift_cards set balance = 4999",
			Expected: "-1 USD of gift cards", Found: "0",
		},
		{
			Check: "gift_cards_booked", Record: "businesses",
			SQL:      unbooked + "update tender_parts set amount = 4999 where account = 'stored_value.gift'",
			Expected: "1 USD of gift cards", Found: "0",
		},
		{
			Check: "gift_cards_booked", Record: "businesses",
			SQL:      "update payments set outcome = 'refunded'",
			Expected: "10000 USD of gift cards", Found: "5000",
		},
	})
	s.refund(t, apptest.Value[string](t, s.w, "select id::text from payments"), 3000)
	if got := s.balance(t, id); got != "2000: sold 5000, returned -3000" {
		t.Fatalf("%s", got)
	}
	s.w.Finds(t, s.Business.ID, "gift_cards gift_card_transactions order_tenders tender_parts refunds payments "+
		"ledger_entries ledger_postings", []apptest.Tampering{
		{
			Check: "gift_cards_booked", Record: "businesses",
			SQL:      "update gift_card_transactions set amount = -2999 where kind = 'returned'",
			Expected: "4999 USD of gift cards", Found: "5000",
		},
		{
			Check: "gift_cards_booked", Record: "businesses",
			SQL:      "delete from gift_card_transactions where kind = 'returned'",
			Expected: "2000 USD of gift cards", Found: "5000",
		},
	})
	s.check(t)
}
