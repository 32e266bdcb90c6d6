package rules_test

import (
	"testing"

	"foyer/app/civil"
	"foyer/app/plan/rules"
)

func TestPriceOn(t *testing.T) {
	list := []rules.NewPrice{
		{Amount: 9000, On: civil.NewDate(2026, 7, 1)}, {Amount: 8500, On: civil.NewDate(2026, 10, 15)},
	}
	for _, c := range []struct {
		list []rules.NewPrice
		day  civil.Date
		want int64
	}{
		{nil, civil.NewDate(2026, 7, 1), 8000},
		{list, civil.NewDate(2026, 6, 30), 8000},
		{list, civil.NewDate(2026, 7, 1), 9000},
		{list, civil.NewDate(2026, 10, 14), 9000},
		{list, civil.NewDate(2026, 10, 15), 8500},
	} {
		if got := rules.PriceOn(8000, c.list, c.day); got != c.want {
			t.Errorf("on %s: %d, want %d", c.day, got, c.want)
		}
	}
}
