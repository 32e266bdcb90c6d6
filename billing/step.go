package billing

import (
	"maps"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/billing/tender"
)

// A card is refunded in steps of its currency: the processor sends 4.680 BHD and not 4.675. The price of a booking
// need not be such an amount, so its refund is rounded: all refunds of a payment as meant so far, half up, less the
// refunds before. The roundings cancel out, and the refunds of all parts of a payment add up to exactly the payment.
// Every refund of a card payment is in steps, also one as account credit: else the remaining amount could never be
// refunded to the card.

// ErrRefundStep refuses a refund of an amount that the processor does not send. details.below and details.above are
// the nearest possible amounts; below is left out if it is nothing.
var ErrRefundStep = fault.New(fault.Validation, "refund_step", "Exactly this amount cannot be refunded to a card.")

// CheckStep returns ErrRefundStep unless exactly this amount can be refunded to a card.
func (r Refundable) CheckStep(amount int64) error {
	if !r.ByCard() {
		return nil
	}
	return checkStep(amount, r.Payment.Currency)
}

func checkStep(amount int64, cur money.Currency) error {
	below, above := cur.Floor(amount), cur.Ceil(amount)
	if below == above {
		return nil
	}
	info, _ := money.Lookup(cur) // an unknown one has no steps
	said := "Use " + info.Decimal(above) + "."
	if below > 0 {
		said = "Use " + info.Decimal(below) + " or " + info.Decimal(above) + "."
	}
	f := ErrRefundStep.And("amount", said).With("above", above).With("currency", string(cur))
	if below > 0 {
		f = f.With("below", below)
	}
	return f
}

// PartsAsMeant returns the refundable parts as if refunds so far had not been rounded: the part of a line still to be
// refunded with it.
func (r Refundable) PartsAsMeant() []tender.Part {
	if !r.paid() {
		return nil
	}
	return within(refundableAsMeant(r.Sold, r.Refunds), r.gifts)
}

func refundableAsMeant(sold []tender.Part, refunds []RefundRequest) []tender.Part {
	meant := slices.Clone(refunds)
	for i, r := range refunds {
		meant[i].Parts = slices.Clone(r.Parts)
		for j := range r.Parts {
			meant[i].Parts[j].Amount -= r.Parts[j].Rounding
		}
	}
	return RefundableParts(sold, meant)
}

// InSteps returns the refund to request for one of the meant Amount: of an amount that the processor sends, less than
// a step away from it. It may be nothing if less than a step is meant.
func (r Refundable) InSteps(in RefundInput) RefundInput {
	cur := r.Payment.Currency
	if !r.ByCard() || cur.Step() == 1 {
		return in
	}
	most := tender.Sum(r.Parts())
	r.gifts = nil // what they have paid is no earlier refund
	left, meant := tender.Sum(r.Parts()), tender.Sum(r.PartsAsMeant())
	in.Meant = max(0, min(in.Amount, meant))
	before, after := r.Payment.Amount-left, r.Payment.Amount-meant+in.Meant
	in.Amount = max(0, min(cur.Floor(after+cur.Step()/2)-before, cur.Floor(min(left, most))))
	return in
}

// Less returns the payment after a refund, for several in a row.
func (r Refundable) Less(in RefundInput) Refundable {
	if in.Amount > 0 {
		next := RefundRequest{Amount: in.Amount, State: RequestPending, Parts: r.partsFor(in)}
		r.gifts = lessGifts(r.gifts, next.Parts)
		r.Refunds = append(r.Refunds[:len(r.Refunds):len(r.Refunds)], next)
	}
	return r
}

// lessGifts returns what is left of purchases after a refund.
func lessGifts(left map[uuid.UUID]int64, parts []tender.Part) map[uuid.UUID]int64 {
	left = maps.Clone(left)
	for _, p := range parts {
		if n, sold := left[p.Line]; sold && slices.Contains(purchaseAccounts, p.Account) {
			left[p.Line] = max(0, n-p.Amount)
		}
	}
	return left
}

// partsFor returns the parts of a refund from those that are refundable.
func (r Refundable) partsFor(in RefundInput) []tender.Part {
	left := within(RefundableParts(r.Sold, r.Refunds), r.gifts)
	if in.Meant == 0 {
		return tender.ShareOf(left, in.Amount, in.Lines)
	}
	meant := within(refundableAsMeant(r.Sold, r.Refunds), r.gifts)
	for i := range meant {
		meant[i].Amount = max(0, meant[i].Amount)
	}
	parts := tender.ShareOf(meant, min(in.Meant, tender.Sum(meant)), in.Lines)
	return rounded(parts, left, tender.Without(meant, parts), in.Amount)
}

// rounded changes meant parts so that they add up to amount, within the refundable parts left. A reduction starts
// with the last part; an increase uses the remainders of earlier roundings on finished lines first, then the others:
// over is the meant amount still refundable of each.
func rounded(parts, left, over []tender.Part, amount int64) []tender.Part {
	of := func(list []tender.Part, p tender.Part) int {
		return slices.IndexFunc(list, func(q tender.Part) bool { return q.Line == p.Line && q.Account == p.Account })
	}
	move := func(i int, n int64) { // n more of a part, or less
		parts[i].Amount, parts[i].Rounding, amount = parts[i].Amount+n, parts[i].Rounding+n, amount-n
	}
	amount -= tender.Sum(parts)
	for i, p := range parts {
		move(i, min(0, max(0, left[of(left, p)].Amount)-p.Amount))
	}
	for i := len(parts) - 1; i >= 0 && amount < 0; i-- {
		move(i, max(amount, -parts[i].Amount))
	}
	for _, first := range []bool{true, false} {
		for i, l := range left {
			if amount <= 0 || first == (over[of(over, l)].Amount > 0) {
				continue
			}
			at := of(parts, l)
			if at < 0 {
				at, parts = len(parts), append(parts, tender.Part{Line: l.Line, Account: l.Account})
			}
			move(at, max(0, min(amount, left[i].Amount-parts[at].Amount)))
		}
	}
	return slices.DeleteFunc(parts, func(p tender.Part) bool { return p.Amount == 0 && p.Rounding == 0 })
}
