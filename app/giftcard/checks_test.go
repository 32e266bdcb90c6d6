package giftcard_test

import (
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/integrity"
)

// tampered is a change behind the product's back, and the difference that a check has to find after it.
type tampered struct{ check, sql, record, expected, found string }

// finds fails the test unless each change is found, and then undoes it with a copy of the tables.
func (s shop) finds(t *testing.T, list []tampered) {
	t.Helper()
	const tables = "gift_cards gift_card_transactions order_tenders tender_parts refunds payments " +
		"ledger_entries ledger_postings"
	var kept, back strings.Builder
	for _, name := range strings.Fields(tables) {
		kept.WriteString("drop table if exists kept." + name + "; create table kept." + name + " as table " + name + ";")
		columns := apptest.Value[string](t, s.w, `select string_agg(column_name, ', ') from information_schema.columns
			where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'`, name)
		back.WriteString("delete from " + name + "; insert into " + name + " (" + columns + ") select " + columns +
			" from kept." + name + ";")
	}
	const unguarded = "set session_replication_role = replica; "
	s.w.SQL(t, "create schema if not exists kept; "+kept.String())
	look := func() []integrity.Difference {
		r, err := integrity.CheckBusiness(t.Context(), s.w.DB.View(s.Business.ID), assembly.Checks()...)
		return must(t, r, err).Differences
	}
	if d := look(); len(d) != 0 {
		t.Fatalf("healthy: %+v", d)
	}
	for _, c := range list {
		s.w.SQL(t, unguarded+c.sql)
		found := look()
		if !slices.ContainsFunc(found, func(d integrity.Difference) bool {
			return d.Check == c.check && d.Record == c.record && strings.HasPrefix(d.Expected, c.expected) &&
				strings.HasPrefix(d.Found, c.found) && d.Expected != d.Found
		}) {
			t.Errorf("%s is silent about: %s (%+v)", c.check, c.sql, found)
		}
		s.w.SQL(t, unguarded+back.String())
	}
	if d := look(); len(d) != 0 {
		t.Fatalf("undone: %+v", d)
	}
}

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
	s.finds(t, []tampered{
		{
			"gift_cards", "update gift_cards set balance = 1 where id = '" + id.String() + "'", "gift_cards",
			"0 by its transactions", "1",
		},
		{
			"gift_cards", "update gift_cards set balance = 0 where id = '" + other.String() + "'", "gift_cards",
			"1000 by its transactions", "0",
		},
		{
			"gift_cards", "update gift_card_transactions set balance = balance + 1" + one + "'spent'",
			"gift_card_transactions", "3000 after it", "3001",
		},
		{
			"gift_cards", "update gift_cards set amount = 5001 where id = '" + id.String() + "'", "gift_cards",
			"sold for 5001", "sold for 5000",
		},
		{
			"gift_cards", "delete from gift_card_transactions" + one + "'sold'", "gift_cards", "sold for 5000", "not sold",
		},
		{
			"gift_cards", "update gift_cards set state = 'draft', code_hash = null, issued_at = null where balance = 0",
			"gift_cards", "not sold", "sold for 5000",
		},
		{
			"gift_cards_spent", "update gift_card_transactions set amount = -1999" + one + "'spent'", "order_tenders",
			"2000 of a gift card", "1999",
		},
		{
			"gift_cards_spent", "delete from gift_card_transactions" + one + "'spent'", "order_tenders",
			"2000 of a gift card", "none",
		},
		{
			"gift_cards_spent", "update gift_card_transactions set gift_card_id = '" + other.String() + "'" + one + "'spent'",
			"order_tenders", "2000 of a gift card", "none",
		},
		{
			"gift_cards_spent", "update order_tenders set state = 'void', captured_at = null where kind = 'gift_card'",
			"order_tenders", "nothing of a gift card", "2000",
		},
		{
			"gift_cards_spent", "update gift_card_transactions set amount = 499" + one + "'refunded'", "refunds",
			"500 refunded to a gift card", "499",
		},
		{
			"gift_cards_spent", "delete from gift_card_transactions" + one + "'refunded'", "refunds",
			"500 refunded to a gift card", "none",
		},
		{
			"gift_cards_spent", "update refunds set destination = 'account_credit' where payment_id is null", "refunds",
			"nothing refunded to a gift card", "500",
		},
		{
			"gift_cards_booked", "update gift_cards set balance = 999 where balance = 1000", "businesses",
			"999 USD of gift cards", "1000",
		},
		{
			"gift_cards_booked", "update gift_cards set currency = 'EUR' where balance = 1000", "businesses",
			"1000 EUR of gift cards", "0",
		},
		{
			"gift_cards_booked", "update ledger_postings set amount = amount - 1 where " + posting("payment", "sale"),
			"businesses", "1000 USD of gift cards", "1001",
		},
		{
			"gift_cards_booked", "delete from ledger_postings where " + posting("manual_payment", "refund"), "businesses",
			"1000 USD of gift cards", "500",
		},
		{
			"gift_cards_booked", "delete from ledger_postings where " + posting("gift_card", "refund"), "businesses",
			"1000 USD of gift cards", "-500",
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
	s.finds(t, []tampered{
		{
			"gift_cards_booked", unbooked + "update gift_cards set balance = 4999", "businesses",
			"-1 USD of gift cards", "0",
		},
		{
			"gift_cards_booked", unbooked + "update tender_parts set amount = 4999 where account = 'stored_value.gift'",
			"businesses", "1 USD of gift cards", "0",
		},
		{
			"gift_cards_booked", "update payments set outcome = 'refunded'", "businesses", "10000 USD of gift cards", "5000",
		},
	})
	s.refund(t, apptest.Value[string](t, s.w, "select id::text from payments"), 3000)
	if got := s.balance(t, id); got != "2000: sold 5000, returned -3000" {
		t.Fatalf("%s", got)
	}
	s.finds(t, []tampered{
		{
			"gift_cards_booked", "update gift_card_transactions set amount = -2999 where kind = 'returned'", "businesses",
			"4999 USD of gift cards", "5000",
		},
		{
			"gift_cards_booked", "delete from gift_card_transactions where kind = 'returned'", "businesses",
			"2000 USD of gift cards", "5000",
		},
	})
	s.check(t)
}
