package billing

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// RefundableParts returns the refundable amounts of the sold parts after refunds, in the order of their requests. A
// part that is fully refunded stays, with 0.
func RefundableParts(sold []tender.Part, refunds []RefundRequest) []tender.Part {
	left := slices.Clone(sold)
	for _, r := range refunds {
		if !r.State.Counts() {
			continue
		}
		parts := r.Parts
		if parts == nil { // from before there were books
			parts = tender.Share(left, r.Amount)
		}
		left = tender.Without(left, parts)
	}
	return left
}

// postings returns parts as ledger postings. A tax names its base: the amount of its line, and for the service fee
// the share of the lines with the same rate, because the fee follows them.
func postings(parts []tender.Part) []ledger.Posting {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p tender.Part) bool { return p.Amount == 0 })
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
func feeBases(parts []tender.Part, out []ledger.Posting, net map[uuid.UUID]int64, rate map[uuid.UUID]ledger.Account) {
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
	if tender.Sum(parts) == feeOf(parts) {
		for at, i := range taxes {
			weights[at] = parts[i].Amount
		}
	}
	for at, n := range money.Alloc(net[uuid.Nil], weights)[:len(taxes)] {
		out[taxes[at]].Base = n
	}
}

// feeOf returns the service fee in parts, with its taxes.
func feeOf(parts []tender.Part) (sum int64) {
	for _, p := range parts {
		if p.Line == uuid.Nil {
			sum += p.Amount
		}
	}
	return sum
}
