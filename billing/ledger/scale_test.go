package ledger_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/billing/ledger"
)

const manyPostings = 10_000

// crowded are books with ten thousand postings to an account, whose days are closed, and one of today.
func crowded(t *testing.T) (b books, account ledger.Account, sum int64) {
	b = open(t)
	for posted := 0; posted < manyPostings; {
		var some []ledger.Entry
		for range 250 {
			sum -= int64(posted%100 + 1)
			some = append(some, ledger.Credited(b.now(), uuid.New(), int64(posted%100+1)))
			posted++
		}
		b.post(t, some...)
	}
	b.w.Clock.Advance(5 * 24 * time.Hour) // two days are left open behind the last that is closed
	b.closeDays(t)
	b.post(t, ledger.Credited(b.now(), uuid.New(), 700))
	return b, ledger.Credit, sum - 700
}

// The balance of an account with ten thousand postings is read from the balance of its closed days and the postings
// since: that takes as long as for an account with one posting, and not as long as adding up ten thousand.
// docs/performance.md has the times that this test logs.
func TestBalanceOfTenThousand(t *testing.T) {
	b, account, want := crowded(t)
	b.post(t, ledger.CashTransfer(b.now(), uuid.New(), 900))
	read := func(a ledger.Account, want int64) time.Duration {
		begun := time.Now()
		if got := b.balance(t, a); got != want {
			t.Fatalf("%s comes to %d, want %d", a, got, want)
		}
		return time.Since(begun)
	}
	many, one := time.Hour, time.Hour
	for range 200 {
		many, one = min(many, read(account, want)), min(one, read(ledger.Cash, 900))
	}
	t.Logf("ten thousand postings in %s, one in %s, each the best of 200", many.Round(time.Microsecond), one.Round(time.Microsecond))
	if many > 2*one {
		t.Errorf("ten thousand postings take %s, one takes %s", many, one)
	}
}
