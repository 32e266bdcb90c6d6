package stripesim

import (
	"fmt"
	"slices"
	"time"

	"foyer/app/money"
)

// The things that happen by themselves.
const (
	taskSettle  = "settle"  // a charge's fees become known
	taskRefund  = "refund"  // a refund fails, or a pending one succeeds
	taskDispute = "dispute" // a customer's bank disputes a payment
	taskPayout  = "payout"  // a payout arrives
	taskRelease = "let_go"  // a bank releases an authorization
)

const (
	refundDelay  = 5 * time.Second
	disputeDelay = 5 * time.Second
)

func (s *Server) later(after time.Duration, kind, account, id string) {
	s.st.Tasks = append(s.st.Tasks, task{At: s.now().Add(after), Kind: kind, Account: account, ID: id})
}

// runDue carries out due tasks, in the order of their time. The caller holds mu.
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
		case taskDispute:
			s.dispute(t.Account, w, w.Charges[t.ID], "fraudulent")
		case taskRelease:
			if pi := w.Intents[t.ID]; pi.Status == "requires_capture" {
				s.release(t.Account, w, pi)
			}
		case taskPayout:
			s.arrive(t.Account, w.payout(t.ID))
		}
	}
}

// settleCharge books a charge on the account's balance with both fees.
func (s *Server) settleCharge(account string, ch *charge) {
	details := []feeDetail{{Amount: processorFee(ch), Currency: ch.Currency, Type: "stripe_fee"}}
	if fee := ch.ApplicationFeeAmount; fee != nil {
		details = append(details, feeDetail{Amount: *fee, Currency: ch.Currency, Type: "application_fee"})
		id := "fee_" + ch.ID
		ch.ApplicationFee = &id
	}
	b := s.book(account, "charge", "charge", ch.ID, ch.Amount, ch.Currency, details...)
	b.AvailableOn = s.now().Add(availableAfter).Unix()
	ch.BalanceTransaction = &b.ID
}

// availableAfter is the time that a card payment is pending.
const availableAfter = 48 * time.Hour

// book adds a row to the account's balance: its type, its reporting category, and its source.
func (s *Server) book(account, kind, category, source string, amount int64, currency string, fees ...feeDetail) *balanceTransaction {
	now := s.now().Unix()
	b := &balanceTransaction{
		ID: s.newID("txn"), Object: "balance_transaction", Amount: amount, Currency: currency, FeeDetails: append([]feeDetail{}, fees...),
		AvailableOn: now, Created: now, ReportingCategory: category, Type: kind,
	}
	for _, f := range fees {
		b.Fee += f.Amount
	}
	b.Net = amount - b.Fee
	if source != "" {
		b.Source = &source
	}
	w := s.st.Worlds[account]
	w.Balance = append(w.Balance, b)
	return b
}

// processorFee returns the processor's own fee: a rate and a fixed part, in whole steps of the currency and never
// above the amount after the application fee.
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
	case ch.Disputed:
		return nil, invalid("charge_disputed", "", "Charge "+ch.ID+" has been charged back; cannot issue a refund.")
	case withFee && ch.ApplicationFeeAmount == nil:
		return nil, invalid("", "refund_application_fee", "Attempting to refund_application_fee on "+ch.ID+", but it has no application fee")
	}
	return c.refundCharge(c.account, ch, amount, metadata, withFee), nil
}

func getRefund(c *call) (any, *problem) {
	r, ok := c.world.Refunds[c.id]
	if !ok {
		return nil, missing("refund", c.id)
	}
	return r, nil
}

// refundCharge makes a refund, books it and lets the card decide its fate.
func (s *Server) refundCharge(
	account string, ch *charge, amount int64, metadata map[string]string, withFee bool,
) *refund {
	r := &refund{
		ID: s.newID("re"), Object: "refund", Amount: amount, Charge: ch.ID, Created: s.now().Unix(), Currency: ch.Currency, Metadata: metadata,
		PaymentIntent: ch.PaymentIntent, Status: "succeeded",
	}
	s.st.Worlds[account].Refunds[r.ID] = r
	if ch.BalanceTransaction == nil {
		s.settleCharge(account, ch) // the fee to refund has to exist
	}
	details := []feeDetail{}
	if withFee {
		details = append(details, feeDetail{Amount: -s.returnFee(ch, r.Amount), Currency: r.Currency, Type: "application_fee"})
	}
	r.BalanceTransaction = &s.book(account, "refund", "refund", r.ID, -r.Amount, r.Currency, details...).ID
	ch.AmountRefunded += r.Amount
	ch.Refunded = ch.AmountRefunded == ch.Amount
	if outcome := cards[ch.Sim.Number].refund; outcome != "" {
		if outcome == "passes" {
			r.Status = "pending"
		}
		s.later(refundDelay, taskRefund, account, r.ID)
	}
	s.emit(account, "charge.refunded", ch)
	s.emit(account, "refund.created", r)
	return r
}

// returnFee refunds the application fee's share of a refund, by the total of refunds so that roundings do not add up,
// and in whole steps of the currency.
func (s *Server) returnFee(ch *charge, amount int64) int64 {
	fee, step := *ch.ApplicationFeeAmount, grain(ch.Currency)
	back := func(refunded int64) int64 {
		return money.RoundHalfUp(fee/step, refunded/step, ch.Amount/step) * step
	}
	n := min(back(ch.AmountRefunded+amount)-back(ch.AmountRefunded), fee-ch.Sim.FeeRefunded)
	if n > 0 {
		s.refundFee(ch, n, map[string]string{})
	}
	return n
}

// endRefund completes a pending refund, or returns its money to the account: the customer's bank did not accept it.
func (s *Server) endRefund(account string, w *world, r *refund) {
	ch := w.Charges[r.Charge]
	r.Status = "succeeded"
	if cards[ch.Sim.Number].refund == "fails" {
		reason := "lost_or_stolen_card"
		r.Status, r.FailureReason = "failed", &reason
		s.book(account, "refund_failure", "refund_failure", r.ID, r.Amount, r.Currency)
		ch.AmountRefunded -= r.Amount
		ch.Refunded = false
	}
	s.emit(account, "refund.updated", r)
	s.emit(account, "charge.refund.updated", r)
}
