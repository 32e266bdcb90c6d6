package order_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/money"
	"foyer/app/pg"
)

// TestTaxInSQL: Postgres computes the same tax of an amount by a rate as Go, to the last unit: at halves, just under
// and just over them, and at the ends of both.
func TestTaxInSQL(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	amounts := []int64{0, 1, 2, 4, 5, 6, 7, 10, 49, 50, 51, 99, 100, 101, 199, 1_234, 1_795, 2_200, 99_999, 999_999, 99_999_999, 9_223_372_036_853}
	rates := []int64{0, 1, 500, 4_999, 5_000, 25_000, 50_000, 82_500, 88_750, 100_000, 125_000, 200_000, 250_000, 333_333, 499_999, 500_000, 500_001, 999_999, 1_000_000}
	got, err := pg.All[struct{ Amount, Ppm, Of int64 }](t.Context(), w.DB.View(uuid.Nil), `select amount, ppm, `+money.RateSQL("amount", "ppm")+` as of
		from unnest($1::bigint[]) as a (amount), unnest($2::bigint[]) as r (ppm)`, amounts, rates)
	if err != nil || len(got) != len(amounts)*len(rates) {
		t.Fatal(len(got), err)
	}
	for _, row := range got {
		if want := money.RoundHalfUp(row.Amount, row.Ppm, money.Million); row.Of != want {
			t.Errorf("%d at %d: %d in SQL, %d in Go", row.Amount, row.Ppm, row.Of, want)
		}
	}
}
