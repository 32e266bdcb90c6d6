package tender

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

// ShareOf is Share of the named lines: each amount over the parts of its line. An amount above the refundable parts
// of its line, after earlier refunds without lines, is spread over all the others; so is all of it if no line is
// named.
func ShareOf(left []Part, amount int64, lines []LineRefund) []Part {
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
