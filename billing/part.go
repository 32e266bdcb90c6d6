package billing

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/billing/ledger"
)

// Part is a part of what an order's payment is for: what a line brings in, its tax, the service fee. The parts of an order are all
// of the payment.
type Part struct {
	Line    uuid.UUID      `json:"line"` // of the order; uuid.Nil: the service fee
	Account ledger.Account `json:"account"`
	Amount  int64          `json:"amount"` // positive, in minor units
	// Rounding is what of the Amount of a refund is more than was meant, or less: see step.go. A part that was rounded away has no amount.
	Rounding int64 `json:"rounding,omitempty"`
}

// LineRefund is how much goes back for a line of an order; for uuid.Nil, of its service fee.
type LineRefund struct {
	Line   uuid.UUID
	Amount int64
}

// RefundableParts is what is left of what was sold after refunds, in the order in which they were asked for. A part of which nothing is left
// stays, with 0.
func RefundableParts(sold []Part, refunds []RefundRequest) []Part {
	left := slices.Clone(sold)
	for _, r := range refunds {
		if !r.State.Counts() {
			continue
		}
		parts := r.Parts
		if parts == nil { // from before there were books
			parts = Share(left, r.Amount)
		}
		left = Without(left, parts)
	}
	return left
}

// Without takes parts out of others, of which each part stands once.
func Without(left, parts []Part) []Part {
	left = slices.Clone(left)
	for _, p := range parts {
		i := slices.IndexFunc(left, func(l Part) bool { return l.Line == p.Line && l.Account == p.Account })
		if i >= 0 {
			left[i].Amount -= p.Amount
		}
	}
	return left
}

// Share spreads an amount over what is left, which is no less, by what each part has left.
func Share(left []Part, amount int64) []Part {
	weights := make([]int64, len(left))
	for i, p := range left {
		weights[i] = max(p.Amount, 0)
	}
	parts := slices.Clone(left)
	for i, n := range money.Alloc(amount, weights) {
		parts[i].Amount = n
	}
	return slices.DeleteFunc(parts, func(p Part) bool { return p.Amount == 0 })
}

// shareOf is Share of the lines named: each amount over the parts of its line. What a line has not left any more, because amounts
// went back before that nobody said the line of, is spread over all the others; so is all of it when no line is named.
func shareOf(left []Part, amount int64, lines []LineRefund) []Part {
	var parts []Part
	for _, l := range lines {
		of := slices.DeleteFunc(slices.Clone(left), func(p Part) bool { return p.Line != l.Line || p.Amount <= 0 })
		took := Share(of, min(l.Amount, Sum(of)))
		left, parts = Without(left, took), append(parts, took...)
	}
	for _, p := range Share(left, amount-Sum(parts)) {
		i := slices.IndexFunc(parts, func(q Part) bool { return q.Line == p.Line && q.Account == p.Account })
		if i < 0 {
			parts = append(parts, p)
			continue
		}
		parts[i].Amount += p.Amount
	}
	return parts
}

// Sum is the amount of parts.
func Sum(parts []Part) (sum int64) {
	for _, p := range parts {
		sum += p.Amount
	}
	return sum
}

// postings are parts as the books take them. A tax says what it was reckoned on: all that its line brings in, and of the service fee
// the share of those lines that have the rate, because the fee follows them.
func postings(parts []Part) []ledger.Posting {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return p.Amount == 0 })
	net, rate := map[uuid.UUID]int64{}, map[uuid.UUID]ledger.Account{}
	for _, p := range parts {
		if p.Account.Taxes() {
			rate[p.Line] = p.Account
		} else {
			net[p.Line] += p.Amount
		}
	}
	out := make([]ledger.Posting, len(parts))
	for i, p := range parts {
		out[i] = ledger.Posting{Account: p.Account, Amount: p.Amount}
		if p.Account.Taxes() && p.Line != uuid.Nil {
			out[i].Base = net[p.Line]
		}
	}
	feeBases(parts, out, net, rate)
	return out
}

// feeBases says what the taxes on the service fee were reckoned on. Where the fee goes back by itself its lines are not told, and the
// taxes share it by what they are.
func feeBases(parts []Part, out []ledger.Posting, net map[uuid.UUID]int64, rate map[uuid.UUID]ledger.Account) {
	var taxes []int
	for i, p := range parts {
		if p.Line == uuid.Nil && p.Account.Taxes() {
			taxes = append(taxes, i)
		}
	}
	if len(taxes) == 0 {
		return
	}
	weights := make([]int64, len(taxes)+1) // the last is of what is not taxed
	for line, amount := range net {
		if line == uuid.Nil {
			continue
		}
		at := slices.IndexFunc(taxes, func(i int) bool { return parts[i].Account == rate[line] })
		if at < 0 {
			at = len(taxes)
		}
		weights[at] += amount
	}
	if Sum(parts) == feeOf(parts) {
		for at, i := range taxes {
			weights[at] = parts[i].Amount
		}
	}
	for at, n := range money.Alloc(net[uuid.Nil], weights)[:len(taxes)] {
		out[taxes[at]].Base = n
	}
}

// feeOf is what of parts is the service fee, with its taxes.
func feeOf(parts []Part) (sum int64) {
	for _, p := range parts {
		if p.Line == uuid.Nil {
			sum += p.Amount
		}
	}
	return sum
}
