package money_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/app/money"
)

func TestRoundHalfUp(t *testing.T) {
	for _, c := range []struct{ a, b, d, want int64 }{
		{2200, 20_000, money.Million, 44},
		{2225, 20_000, money.Million, 45}, // 44.5 goes up
		{2224, 20_000, money.Million, 44},
		{0, 20_000, money.Million, 0},
		{1, 1, 3, 0},
		{2, 1, 3, 1},
		{1, 1, 2, 1},
		{7, 1, 1, 7},
		{math.MaxInt64, money.Million, money.Million, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64},
	} {
		if got := money.RoundHalfUp(c.a, c.b, c.d); got != c.want {
			t.Errorf("RoundHalfUp(%d, %d, %d) = %d, want %d", c.a, c.b, c.d, got, c.want)
		}
	}
}

func TestFloorDiv(t *testing.T) {
	for _, c := range []struct{ a, b, d, want int64 }{
		{45, 500_000, money.Million, 22}, // the odd unit of a split stays with the studio (A27)
		{44, 500_000, money.Million, 22},
		{math.MaxInt64, 2, 2, math.MaxInt64},
	} {
		if got := money.FloorDiv(c.a, c.b, c.d); got != c.want {
			t.Errorf("FloorDiv(%d, %d, %d) = %d, want %d", c.a, c.b, c.d, got, c.want)
		}
	}
}

// Both divisions against arbitrary precision, over the whole range.
func TestDivisionIsExact(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		d := rapid.Int64Range(1, math.MaxInt64).Draw(t, "d")
		a := rapid.Int64Range(0, math.MaxInt64).Draw(t, "a")
		b := rapid.Int64Range(0, d).Draw(t, "b") // b <= d keeps the result in range
		product := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		half := new(big.Int).Add(product, big.NewInt(d/2))
		if got, want := money.FloorDiv(a, b, d), new(big.Int).Div(product, big.NewInt(d)).Int64(); got != want {
			t.Fatalf("FloorDiv = %d, want %d", got, want)
		}
		if got, want := money.RoundHalfUp(a, b, d), new(big.Int).Div(half, big.NewInt(d)).Int64(); got != want {
			t.Fatalf("RoundHalfUp = %d, want %d", got, want)
		}
	})
}

func TestArithmeticPanicsRatherThanLie(t *testing.T) {
	for name, f := range map[string]func(){
		"negative amount":    func() { money.RoundHalfUp(-1, 1, 1) },
		"negative rate":      func() { money.FloorDiv(1, -1, 1) },
		"zero divisor":       func() { money.FloorDiv(1, 1, 0) },
		"overflow":           func() { money.RoundHalfUp(math.MaxInt64, 2, 1) },
		"overflow far":       func() { money.FloorDiv(math.MaxInt64, math.MaxInt64, 1) },
		"rounds to overflow": func() { money.RoundHalfUp(math.MaxInt64, 3, 2) },
		"negative total":     func() { money.Alloc(-1, []int64{1}) },
		"negative weight":    func() { money.Alloc(1, []int64{1, -1}) },
		"weights overflow":   func() { money.Alloc(1, []int64{math.MaxInt64, 1}) },
		"nobody to give to":  func() { money.Alloc(1, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func TestAlloc(t *testing.T) {
	for _, c := range []struct {
		total   int64
		weights []int64
		want    []int64
	}{
		{102, []int64{2200, 900, 1500}, []int64{49, 20, 33}},
		{408, []int64{2200, 900, 1500}, []int64{195, 80, 133}},
		{100, []int64{1, 1, 1}, []int64{34, 33, 33}},
		{2, []int64{1, 1, 1}, []int64{1, 1, 0}},
		{5, []int64{0, 0}, []int64{5, 0}},
		{5, []int64{0, 3}, []int64{0, 5}},
		{0, []int64{1, 2}, []int64{0, 0}},
		{0, nil, []int64{}},
		{math.MaxInt64, []int64{math.MaxInt64 - 1, 1}, []int64{math.MaxInt64 - 1, 1}},
	} {
		if got := money.Alloc(c.total, c.weights); !slices.Equal(got, c.want) {
			t.Errorf("Alloc(%d, %v) = %v, want %v", c.total, c.weights, got, c.want)
		}
	}
}

// Nothing is lost, each part is its exact share rounded down or up, and a weight of 0 gets 0.
func TestAllocProperties(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		total := rapid.Int64Range(0, math.MaxInt64).Draw(t, "total")
		weights := rapid.SliceOfN(rapid.Int64Range(0, math.MaxInt64/64), 1, 40).Draw(t, "weights")
		var sum int64
		for _, w := range weights {
			sum += w
		}
		parts := money.Alloc(total, weights)
		var got int64
		for i, p := range parts {
			got += p
			if sum == 0 {
				continue
			}
			q := money.FloorDiv(total, weights[i], sum)
			if p != q && p != q+1 {
				t.Fatalf("part %d is %d, exact share rounded down is %d", i, p, q)
			}
			if weights[i] == 0 && p != 0 {
				t.Fatalf("part %d has no weight but got %d", i, p)
			}
		}
		if got != total {
			t.Fatalf("the parts add up to %d, want %d", got, total)
		}
	})
}
