package billing

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/billing/ledger"
)

// Part is a part of an order's payment: the amount of a line, its tax, the service fee. The parts of an order add up
// to the payment.
type Part struct {
	Line    uuid.UUID      `json:"line"` // of the order; uuid.Nil: the service fee
	Account ledger.Account `json:"account"`
	Amount  int64          `json:"amount"` // positive, in minor units
	// Rounding is the rounding of the Amount of a refund, up or down: see step.go. A part that was rounded away has
	// no amount.
	Rounding int64 `json:"rounding,omitempty"`
}

// LineRefund is the amount to refund for a line of an order; for uuid.Nil, of its service fee.
type LineRefund struct {
	Line   uuid.UUID
	Amount int64
}

// RefundableParts returns the refundable amounts of the sold parts after refunds, in the order of their requests. A
// part that is fully refunded stays, with 0.
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

// Without subtracts parts from others, in which each part stands once.
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

// Share spreads an amount over parts, in proportion to their amounts. These add up to at least the amount.
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

// shareOf is Share of the named lines: each amount over the parts of its line. An amount above the refundable parts
// of its line, after earlier refunds without lines, is spread over all the others; so is all of it if no line is
// named.
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

// Sum returns the sum of the parts' amounts.
func Sum(parts []Part) (sum int64) {
	for _, p := range parts {
		sum += p.Amount
	}
	return sum
}

// postings returns parts as ledger postings. A tax names its base: the amount of its line, and for the service fee
// the share of the lines with the same rate, because the fee follows them.
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

// feeBases sets the bases of the taxes on the service fee. If the fee is refunded by itself its lines are unknown,
// and the taxes share it by their amounts.
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
	weights := make([]int64, len(taxes)+1) // the last is untaxed
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

// feeOf returns the service fee in parts, with its taxes.
func feeOf(parts []Part) (sum int64) {
	for _, p := range parts {
		if p.Line == uuid.Nil {
			sum += p.Amount
		}
	}
	return sum
}
