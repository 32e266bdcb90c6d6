package catalog

import (
	"fmt"
	"time"

	"foyer/app/fault"
	"foyer/app/money"
)

// DepositRules are the rules of the deposit, the part of a price that is paid when booking. The balance due is
// payable at the studio. Percent or Amount, or neither: then there is no deposit, and the others mean nothing.
type DepositRules struct {
	Percent        int   `json:"percent" doc:"Deposit in percent of the price, with tax, 1 to 99. 0: no percentage."`
	Amount         int64 `json:"amount" doc:"Deposit per person, in minor units. 0: no fixed amount."`
	NonRefundable  bool  `json:"nonRefundable" doc:"The deposit is non-refundable, however early the customer cancels. The remainder of the payment is refunded by the usual rules."`
	BalanceMinutes int   `json:"balanceMinutes" doc:"Minutes before the start at which the balance due is charged to the saved card, unless the booking is made later. 0: it is not charged automatically."`
}

// Required reports whether there is a deposit.
func (d DepositRules) Required() bool { return d.Percent > 0 || d.Amount > 0 }

// Of returns the deposit for a price, with tax, and a number of people: never more than the price.
func (d DepositRules) Of(price int64, people int) int64 {
	switch {
	case d.Percent > 0:
		return money.RoundHalfUp(price, int64(d.Percent), 100)
	case d.Amount > 0:
		return min(price, d.Amount*int64(max(1, people)))
	}
	return price
}

// NonRefundableAmount returns the part of a price, with tax, that is not refunded when its customer cancels in time.
func (d DepositRules) NonRefundableAmount(price int64, people int) int64 {
	if !d.Required() || !d.NonRefundable {
		return 0
	}
	return d.Of(price, people)
}

// BalanceDueFrom returns the time at which the balance due of a booking with that start is charged to a saved card;
// false when it never is.
func (d DepositRules) BalanceDueFrom(start time.Time) (time.Time, bool) {
	return before(start, d.BalanceMinutes), d.Required() && d.BalanceMinutes > 0
}

// checkDeposit adds the problems of the deposit's rules. A customer who may pay everything at the studio would never
// pay a deposit.
func (r Rules) checkDeposit(checks *fault.Checks, path string) {
	d := r.Deposit
	checks.That(d.Percent >= 0 && d.Percent <= 99, path+"deposit.percent", "Use 0 to 99.")
	checks.That(d.Amount >= 0 && d.Amount <= feeMax, path+"deposit.amount", "Use 0 to 99999999.")
	checks.That(d.BalanceMinutes >= 0 && d.BalanceMinutes <= leadMax, path+"deposit.balanceMinutes", fmt.Sprintf("Use 0 to %d.", leadMax))
	checks.That(d.Percent == 0 || d.Amount == 0, path+"deposit.amount", "Use a percentage or an amount, not both.")
	checks.That(!d.Required() || !r.PayAtStudio, path+"payAtStudio", "Customers who may pay everything at the studio pay no deposit. Choose one of the two.")
}
