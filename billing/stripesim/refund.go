package stripesim

import (
	"fmt"

	"foyer/app/money"
)

var refundParams = []string{"amount", "charge", "metadata.*", "payment_intent", "reason", "refund_application_fee"}

func createRefund(c *call) (any, *problem) {
	amount, withFee, reason := c.p.integer("amount"), c.p.flag("refund_application_fee"), c.p.text("reason")
	c.p.one("reason", "requested_by_customer", "duplicate", "fraudulent")
	metadata := c.p.metadata()
	if p := c.p.problem(); p != nil {
		return nil, p
	}
	ch, p := c.refundable()
	if p != nil {
		return nil, p
	}
	left := ch.Amount - ch.AmountRefunded
	if amount == nil {
		amount = &left
	}
	switch {
	case left == 0:
		return nil, invalid("charge_already_refunded", "", "Charge "+ch.ID+" has already been refunded.")
	case *amount < 1:
		return nil, invalid("parameter_invalid_integer", "amount", "Invalid positive integer")
	case *amount > left: // Stripe has no code for this one
		return nil, invalid("", "amount", fmt.Sprintf("Refund amount (%d) is greater than unrefunded amount on charge (%d)", *amount, left))
	case *amount%grain(ch.Currency) != 0:
		return nil, invalid("", "amount", fmt.Sprintf("Amounts in %s must be divisible by %d.", ch.Currency, grain(ch.Currency)))
	case withFee && ch.ApplicationFeeAmount == nil:
		return nil, invalid("", "refund_application_fee", "Attempting to refund_application_fee on "+ch.ID+", but it has no application fee")
	}
	r := &refund{
		ID: c.newID("re"), Object: "refund", Amount: *amount, Charge: ch.ID, Created: c.at.Unix(), Currency: ch.Currency,
		Metadata: metadata, PaymentIntent: ch.PaymentIntent, Reason: reason, Status: "succeeded",
	}
	c.world.Refunds[r.ID] = r
	c.giveBack(ch, r, withFee)
	return r, nil
}

// refundable finds the charge of a refund.
func (c *call) refundable() (*charge, *problem) {
	id, intent := c.p.text("charge"), c.p.text("payment_intent")
	switch {
	case (id == nil) == (intent == nil):
		return nil, mistaken("parameter_missing", "payment_intent", "Send exactly one of charge and payment_intent.")
	case intent != nil:
		pi, ok := c.world.Intents[*intent]
		if !ok {
			return nil, missing("payment_intent", *intent)
		}
		if pi.Status != "succeeded" {
			return nil, invalid("", "payment_intent", "This PaymentIntent ("+pi.ID+") does not have a successful charge to refund.")
		}
		id = pi.LatestCharge
	}
	ch, ok := c.world.Charges[*id]
	if !ok {
		return nil, missing("charge", *id)
	}
	if ch.Status != "succeeded" {
		return nil, invalid("", "charge", "Charge "+ch.ID+" did not succeed and cannot be refunded.")
	}
	return ch, nil
}

// giveBack moves the money of a new refund and lets the card decide what becomes of it.
func (c *call) giveBack(ch *charge, r *refund, withFee bool) {
	if ch.BalanceTransaction == nil {
		c.settleCharge(c.account, ch) // the fee to return has to exist
	}
	var details []feeDetail
	if withFee {
		r.Sim.FeeBack = c.returnFee(ch, r.Amount)
		details = append(details, feeDetail{
			Amount: -r.Sim.FeeBack, Currency: r.Currency, Description: "application fee refund", Type: "application_fee",
		})
	}
	r.BalanceTransaction = c.book(c.account, &balanceTransaction{
		Amount: -r.Amount, Currency: r.Currency, Fee: -r.Sim.FeeBack, FeeDetails: append([]feeDetail{}, details...),
		Net: r.Sim.FeeBack - r.Amount, ReportingCategory: "refund", Source: r.ID, Type: "refund",
	})
	ch.AmountRefunded += r.Amount
	ch.Refunded = ch.AmountRefunded == ch.Amount
	switch cards[ch.Sim.Number].refund {
	case "fail":
		c.later(refundDelay, taskRefundFails, c.account, r.ID)
	case "late":
		r.Status = "pending"
		c.later(refundDelay, taskRefundPasses, c.account, r.ID)
	}
	c.emit(c.account, "charge.refunded", ch, c.request)
	c.emit(c.account, "refund.created", r, c.request)
}

// returnFee gives back the application fee's share of a refund, by what has gone back in all so that roundings do not add
// up, and in whole steps of the currency.
func (c *call) returnFee(ch *charge, amount int64) int64 {
	fee := c.st.Fees[*ch.ApplicationFee]
	step := grain(ch.Currency)
	back := func(refunded int64) int64 {
		return money.RoundHalfUp(fee.Amount/step, refunded/step, ch.Amount/step) * step
	}
	n := min(back(ch.AmountRefunded+amount)-back(ch.AmountRefunded), fee.Amount-fee.AmountRefunded)
	fee.AmountRefunded += n
	fee.Refunded = fee.AmountRefunded == fee.Amount
	return n
}

// failRefund brings the money of a refund back to the account: the customer's bank did not take it.
func (s *Server) failRefund(account string, w *world, r *refund) {
	reason := "lost_or_stolen_card"
	r.Status, r.FailureReason = "failed", &reason
	r.FailureBalance = s.book(account, &balanceTransaction{
		Amount: r.Amount, Currency: r.Currency, FeeDetails: []feeDetail{}, Net: r.Amount,
		ReportingCategory: "refund_failure", Source: r.ID, Type: "refund_failure",
	})
	ch := w.Charges[r.Charge]
	ch.AmountRefunded -= r.Amount
	ch.Refunded = false
	s.emit(account, "refund.updated", r, eventRequest{})
	s.emit(account, "charge.refund.updated", r, eventRequest{})
}

func (s *Server) passRefund(account string, w *world, r *refund) {
	r.Status = "succeeded"
	s.emit(account, "refund.updated", r, eventRequest{})
	s.emit(account, "charge.refund.updated", r, eventRequest{})
}
