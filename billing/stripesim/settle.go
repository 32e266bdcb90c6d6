package stripesim

import (
	"fmt"
	"slices"
	"time"

	"foyer/app/money"
)

// The things that happen by themselves.
const (
	taskSettle = "settle" // a charge's fees become known
	taskRefund = "refund" // a refund comes back, or a pending one goes through
)

const refundDelay = 5 * time.Second

func (s *Server) later(after time.Duration, kind, account, id string) {
	s.st.Tasks = append(s.st.Tasks, task{At: s.now().Add(after), Kind: kind, Account: account, ID: id})
}

// runDue carries out what has come due, in the order of its time. The caller holds mu.
func (s *Server) runDue() {
	now := s.now()
	slices.SortStableFunc(s.st.Tasks, func(a, b task) int { return a.At.Compare(b.At) })
	for len(s.st.Tasks) > 0 && !s.st.Tasks[0].At.After(now) {
		t := s.st.Tasks[0]
		s.st.Tasks = s.st.Tasks[1:]
		w := s.st.Worlds[t.Account]
		switch t.Kind {
		case taskSettle:
			if ch := w.Charges[t.ID]; ch.BalanceTransaction == nil {
				s.settleCharge(t.Account, ch)
				s.emit(t.Account, "charge.updated", ch)
			}
		case taskRefund:
			s.endRefund(t.Account, w, w.Refunds[t.ID])
		}
	}
}

// settleCharge books a charge on the account's balance with both fees.
func (s *Server) settleCharge(account string, ch *charge) {
	details := []feeDetail{{Amount: processorFee(ch), Currency: ch.Currency, Type: "stripe_fee"}}
	if fee := ch.ApplicationFeeAmount; fee != nil {
		details = append(details, feeDetail{Amount: *fee, Currency: ch.Currency, Type: "application_fee"})
	}
	ch.BalanceTransaction = s.book(account, "charge", ch.Amount, ch.Currency, details...)
}

// book adds a row to the account's balance and returns its id.
func (s *Server) book(account, kind string, amount int64, currency string, fees ...feeDetail) *string {
	b := &balanceTransaction{
		ID: s.newID("txn"), Object: "balance_transaction", Amount: amount, Currency: currency, FeeDetails: fees, Net: amount, Type: kind,
	}
	for _, f := range fees {
		b.Net -= f.Amount
	}
	w := s.st.Worlds[account]
	w.Balance = append(w.Balance, b)
	return &b.ID
}

// processorFee is the processor's own fee: a rate and a fixed part, in whole steps of the currency and never above what
// the application fee leaves.
func processorFee(ch *charge) int64 {
	left := ch.Amount
	if ch.ApplicationFeeAmount != nil {
		left -= *ch.ApplicationFeeAmount
	}
	step := grain(ch.Currency)
	fee := money.RoundHalfUp(ch.Amount, feePPM, money.Million) + feeFixed
	return min((fee+step-1)/step*step, left)
}

var refundParams = []string{"amount", "metadata[]", "payment_intent", "refund_application_fee"}

func createRefund(c *call) (any, *problem) {
	amount, intent, metadata := c.p.integer("amount"), c.p.need("payment_intent"), c.p.metadata()
	withFee := c.p.one("refund_application_fee", "false", "true") == "true"
	if p := c.p.wrong; p != nil {
		return nil, p
	}
	pi, p := c.intent(intent)
	if p != nil {
		return nil, p
	}
	if pi.Status != "succeeded" {
		return nil, invalid("", "payment_intent", "This PaymentIntent ("+pi.ID+") does not have a successful charge to refund.")
	}
	ch := c.world.Charges[*pi.LatestCharge]
	left := ch.Amount - ch.AmountRefunded
	switch {
	case left == 0:
		return nil, invalid("charge_already_refunded", "", "Charge "+ch.ID+" has already been refunded.")
	case amount < 1:
		return nil, invalid("parameter_invalid_integer", "amount", "Invalid positive integer")
	case amount > left: // Stripe has no code for this one
		return nil, invalid("", "amount", fmt.Sprintf("Refund amount (%d) is greater than unrefunded amount on charge (%d)", amount, left))
	case amount%grain(ch.Currency) != 0:
		return nil, invalid("", "amount", fmt.Sprintf("Amounts in %s must be divisible by %d.", ch.Currency, grain(ch.Currency)))
	case withFee && ch.ApplicationFeeAmount == nil:
		return nil, invalid("", "refund_application_fee", "Attempting to refund_application_fee on "+ch.ID+", but it has no application fee")
	}
	r := &refund{
		ID: c.newID("re"), Object: "refund", Amount: amount, Charge: ch.ID, Currency: ch.Currency, Metadata: metadata,
		PaymentIntent: pi.ID, Status: "succeeded",
	}
	c.world.Refunds[r.ID] = r
	c.giveBack(ch, r, withFee)
	return r, nil
}

func getRefund(c *call) (any, *problem) {
	r, ok := c.world.Refunds[c.id]
	if !ok {
		return nil, missing("refund", c.id)
	}
	return r, nil
}

// giveBack moves the money of a new refund and lets the card decide what becomes of it.
func (c *call) giveBack(ch *charge, r *refund, withFee bool) {
	if ch.BalanceTransaction == nil {
		c.settleCharge(c.account, ch) // the fee to return has to exist
	}
	details := []feeDetail{}
	if withFee {
		details = append(details, feeDetail{Amount: -returnFee(ch, r.Amount), Currency: r.Currency, Type: "application_fee"})
	}
	r.BalanceTransaction = c.book(c.account, "refund", -r.Amount, r.Currency, details...)
	ch.AmountRefunded += r.Amount
	ch.Refunded = ch.AmountRefunded == ch.Amount
	if outcome := cards[ch.Sim.Number].refund; outcome != "" {
		if outcome == "passes" {
			r.Status = "pending"
		}
		c.later(refundDelay, taskRefund, c.account, r.ID)
	}
	c.emit(c.account, "charge.refunded", ch)
	c.emit(c.account, "refund.created", r)
}

// returnFee gives back the application fee's share of a refund, by what has gone back in all so that roundings do not add
// up, and in whole steps of the currency.
func returnFee(ch *charge, amount int64) int64 {
	fee, step := *ch.ApplicationFeeAmount, grain(ch.Currency)
	back := func(refunded int64) int64 {
		return money.RoundHalfUp(fee/step, refunded/step, ch.Amount/step) * step
	}
	n := min(back(ch.AmountRefunded+amount)-back(ch.AmountRefunded), fee-ch.Sim.FeeBack)
	ch.Sim.FeeBack += n
	return n
}

// endRefund lets a pending refund pass, or brings the money back to the account: the customer's bank did not take it.
func (s *Server) endRefund(account string, w *world, r *refund) {
	ch := w.Charges[r.Charge]
	r.Status = "succeeded"
	if cards[ch.Sim.Number].refund == "fails" {
		reason := "lost_or_stolen_card"
		r.Status, r.FailureReason = "failed", &reason
		s.book(account, "refund_failure", r.Amount, r.Currency)
		ch.AmountRefunded -= r.Amount
		ch.Refunded = false
	}
	s.emit(account, "refund.updated", r)
	s.emit(account, "charge.refund.updated", r)
}
