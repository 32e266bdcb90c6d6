package rules_test

import (
	"testing"

	"pgregory.net/rapid"

	"foyer/app/plan/rules"
)

// The golden case of design/money.md 6.4: two upgrades in a period of 30 days, and a downgrade.
func TestChange(t *testing.T) {
	a, b := rules.Held{Price: 3000, ForDays: 10, Credits: 4}, rules.Held{Price: 6000, ForDays: 10, Credits: 8}
	for name, c := range map[string]struct {
		change         rules.Change
		amount, unused int64
		credits        int
	}{
		"first upgrade": {
			rules.Change{Whole: 30, Left: 20, Held: []rules.Held{a}, Paid: 3000, Price: 6000, Included: 8}, 2000, 2000,
			7,
		},
		"second upgrade": {
			rules.Change{Whole: 30, Left: 10, Held: []rules.Held{a, b}, Paid: 5000, Used: 3, Price: 9000, Included: 12},
			1000, 2000, 5,
		},
		"downgrade": {
			rules.Change{Whole: 30, Left: 10, Held: []rules.Held{a, b}, Paid: 5000, Used: 3, Price: 3000, Included: 4},
			-1000, 2000, 2,
		},
		"all used": {
			rules.Change{Whole: 30, Left: 10, Held: []rules.Held{a, b}, Paid: 5000, Used: 9, Price: 3000, Included: 4},
			-1000, 2000, 0,
		},
		"on the first day": {
			rules.Change{Whole: 30, Left: 30, Held: []rules.Held{{Price: 3000}}, Paid: 3000, Price: 6000}, 3000, 3000, 0,
		},
		"after a refund": {
			rules.Change{Whole: 30, Left: 20, Held: []rules.Held{a}, Paid: 1500, Price: 6000}, 3500, 500, 1,
		},
		"refunded in full": {rules.Change{Whole: 30, Left: 20, Held: []rules.Held{a}, Price: 6000}, 4000, 0, 1},
	} {
		if got := c.change.Amount(); got != c.amount || c.change.Unused() != c.unused {
			t.Errorf("%s: %d, unused %d, want %d, %d", name, got, c.change.Unused(), c.amount, c.unused)
		}
		if got := c.change.Credits(); got != c.credits {
			t.Errorf("%s: %d credits, want %d", name, got, c.credits)
		}
	}
}

// TestChanges: in any sequence of changes, with refunds between them, nobody gets back more than was paid, and no plan
// costs more than its days. Who only moves up has paid, within a cent a change, for the days of each plan.
func TestChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.IntRange(1, 366).Draw(t, "whole")
		price := rapid.Int64Range(0, 99_999_999).Draw(t, "price")
		c := rules.Change{Whole: whole, Held: []rules.Held{{Price: price}}, Paid: price}
		up, at, changes := true, 0, int64(0)
		var fair int64 // in parts of a cent: amounts times days
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			held := rapid.IntRange(0, whole-at).Draw(t, "held")
			c.Held[len(c.Held)-1].ForDays += held
			at += held
			c.Left = whole - at
			if rapid.IntRange(0, 9).Draw(t, "refund") == 0 {
				c.Paid -= rapid.Int64Range(0, c.Paid).Draw(t, "refunded")
				up = false
			}
			c.Price = rapid.Int64Range(0, 99_999_999).Draw(t, "new")
			last := c.Held[len(c.Held)-1]
			fair += last.Price * int64(held)
			up = up && c.Price >= last.Price
			unused, amount := c.Unused(), c.Amount()
			if unused < 0 || unused > c.Paid {
				t.Fatalf("unused %d of %d paid: %+v", unused, c.Paid, c)
			}
			if most := rules.UpTo(c.Price, c.Left, whole); amount > most || amount < -c.Paid {
				t.Fatalf("%d for a plan of %d: %+v", amount, most, c)
			}
			c.Paid += amount // less than zero: account credit
			changes++
			c.Held = append(c.Held, rules.Held{Price: c.Price})
			if value := fair + c.Price*int64(c.Left); up {
				if off := c.Paid*int64(whole) - value; off > changes*int64(whole) || off < -2*changes*int64(whole) {
					t.Fatalf("paid %d, worth %d/%d: %+v", c.Paid, value, whole, c)
				}
			}
		}
	})
}

// TestParts: the credits of a pack, and the days of a period, add up to its price, and differ by a cent at most.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount, n := rapid.Int64Range(0, 99_999_999).Draw(t, "amount"), rapid.IntRange(1, 400).Draw(t, "n")
		var sum int64
		for k := 1; k <= n; k++ {
			part := rules.PartOf(amount, k, n)
			if sum += part; part < amount/int64(n) || part > amount/int64(n)+1 || sum != rules.UpTo(amount, k, n) {
				t.Fatalf("part %d of %d: %d, so far %d", k, n, part, sum)
			}
		}
		if sum != amount {
			t.Errorf("%d of %d", sum, amount)
		}
	})
}

func TestCarry(t *testing.T) {
	for _, c := range []struct {
		rules                  rules.Rollover
		unused, included, want int
	}{
		{rules.Rollover{}, 3, 8, 0}, {rules.Rollover{Most: 2}, 3, 8, 2}, {rules.Rollover{Most: 5}, 3, 8, 3},
		{rules.Rollover{Most: 5, Balance: 10}, 3, 8, 2}, {rules.Rollover{Most: 5, Balance: 6}, 3, 8, 0},
	} {
		if got := c.rules.Carry(c.unused, c.included); got != c.want {
			t.Errorf("%+v: %d of %d are carried, want %d", c.rules, got, c.unused, c.want)
		}
	}
}
