//go:build nolock

package apptest

import "testing"

// Guarded is false: such builds prove that the race tests can fail: the guarded statements count and then insert, and
// the database has no check left that would catch them.
const Guarded = false

func dropBackstops(t testing.TB, d Database) {
	t.Helper()
	if err := execute(t.Context(), d.URL("postgres"), `alter table occurrences
		drop constraint occurrences_seats, drop constraint occurrences_offered;
		alter table stock_levels drop constraint stock_levels_least;
		alter table grants drop constraint grants_balance, drop constraint grants_value;
		alter table redemptions drop constraint redemptions_kind;
		alter table gift_cards drop constraint gift_cards_balance;
		alter table gift_card_transactions drop constraint gift_card_transactions_balance;
		alter table claims drop constraint claims_member_once, drop constraint claims_space_once`); err != nil {
		t.Fatal(err)
	}
}
