package catalog

import (
	"fmt"
	"time"

	"foyer/app/fault"
	"foyer/app/money"
)

// DepositRules say what of a price is paid when it is booked; the rest is due at the studio. Percent or Amount, or neither: then there is no
// deposit, and the others mean nothing.
type DepositRules struct {
	Percent        int   `json:"percent" doc:"percent of the price, with tax, that is paid when it is booked, 1 to 99; 0: the price is not split so"`
	Amount         int64 `json:"amount" doc:"what is paid for each person when it is booked, in minor units; 0: the price is not split so"`
	Kept           bool  `json:"kept" doc:"the deposit does not come back when the customer cancels, however early; what was paid besides it does, as for any price"`
	BalanceMinutes int   `json:"restMinutes" doc:"the rest is charged to the card that the customer had the studio keep from so many minutes before the start on, unless it was booked later; 0: it is not"`
}

// Required tells whether there is a deposit.
func (d DepositRules) Required() bool { return d.Percent > 0 || d.Amount > 0 }

// Of is the deposit for something that costs price, with tax, and is for so many people: never more than the price.
func (d DepositRules) Of(price int64, people int) int64 {
	switch {
	case d.Percent > 0:
		return money.RoundHalfUp(price, int64(d.Percent), 100)
	case d.Amount > 0:
		return min(price, d.Amount*int64(max(1, people)))
	}
	return price
}

// NonRefundable is what of a price, with tax, stays paid when its customer cancels while the price comes back.
func (d DepositRules) NonRefundable(price int64, people int) int64 {
	if !d.Required() || !d.Kept {
		return 0
	}
	return d.Of(price, people)
}

// BalanceDueFrom is when the rest of what starts then is charged to a saved card; false when it never is.
func (d DepositRules) BalanceDueFrom(start time.Time) (time.Time, bool) {
	return before(start, d.BalanceMinutes), d.Required() && d.BalanceMinutes > 0
}

// checkDeposit adds what is wrong with the rules of the deposit. Who may pay all of it at the studio would never pay a deposit.
func (r Rules) checkDeposit(checks *fault.Checks, path string) {
	d := r.Deposit
	checks.That(d.Percent >= 0 && d.Percent <= 99, path+"deposit.percent", "Use 0 to 99.")
	checks.That(d.Amount >= 0 && d.Amount <= feeMax, path+"deposit.amount", "Use 0 to 99999999.")
	checks.That(d.BalanceMinutes >= 0 && d.BalanceMinutes <= leadMax, path+"deposit.restMinutes", fmt.Sprintf("Use 0 to %d.", leadMax))
	checks.That(d.Percent == 0 || d.Amount == 0, path+"deposit.amount", "Use a percentage or an amount, not both.")
	checks.That(!d.Required() || !r.PayAtStudio, path+"payAtStudio", "Who may pay all of it at the studio pays no deposit. Choose one of the two.")
}
