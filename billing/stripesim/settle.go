package stripesim

import (
	"fmt"
	"slices"
	"time"

	"foyer/app/money"
)

// The things that happen by themselves.
const (
	taskSettle       = "settle"        // a charge's fees become known
	taskRefundFails  = "refund_fails"  // a refund that looked good comes back
	taskRefundPasses = "refund_passes" // a pending refund goes through
)

const refundDelay = 5 * time.Second

func (s *Server) later(after time.Duration, kind, account, id string) {
	s.st.Tasks = append(s.st.Tasks, task{At: s.now().Add(after), Kind: kind, Account: account, ID: id})
	s.dirty = true
}

// runDue carries out what has come due, in the order of its time. The caller holds mu.
func (s *Server) runDue() {
	now := s.now()
	var due []task
	s.st.Tasks = slices.DeleteFunc(s.st.Tasks, func(t task) bool {
		if t.At.After(now) {
			return false
		}
		due = append(due, t)
		return true
	})
	slices.SortStableFunc(due, func(a, b task) int { return a.At.Compare(b.At) })
	for _, t := range due {
		s.dirty = true
		w := s.st.Worlds[t.Account]
		switch t.Kind {
		case taskSettle:
			if ch := w.Charges[t.ID]; ch.BalanceTransaction == nil {
				s.settleCharge(t.Account, ch)
				s.emit(t.Account, "charge.updated", ch, eventRequest{})
			}
		case taskRefundFails:
			s.failRefund(t.Account, w, w.Refunds[t.ID])
		case taskRefundPasses:
			s.passRefund(t.Account, w, w.Refunds[t.ID])
		}
	}
}

// settleCharge books a charge on the account's balance with both fees.
func (s *Server) settleCharge(account string, ch *charge) {
	total := processorFee(ch)
	details := []feeDetail{{Amount: total, Currency: ch.Currency, Description: "Stripe processing fees", Type: "stripe_fee"}}
	if ch.ApplicationFeeAmount != nil {
		fee := &applicationFee{
			ID: s.st.newID("fee"), Object: "application_fee", Account: account, Amount: *ch.ApplicationFeeAmount,
			Application: applicationID, Charge: ch.ID, Created: s.now().Unix(), Currency: ch.Currency,
		}
		s.st.Fees[fee.ID] = fee
		ch.ApplicationFee = &fee.ID
		total += fee.Amount
		application := applicationID
		details = append(details, feeDetail{
			Amount: fee.Amount, Application: &application, Currency: ch.Currency, Description: "application fee", Type: "application_fee",
		})
	}
	ch.BalanceTransaction = s.book(account, &balanceTransaction{
		Amount: ch.Amount, Currency: ch.Currency, Description: ch.Description, Fee: total, FeeDetails: details,
		Net: ch.Amount - total, ReportingCategory: "charge", Source: ch.ID, Type: "charge",
	})
}

// applicationID is the platform as the account sees it.
const applicationID = "ca_sim_foyer"

// book adds a row to the account's balance and returns its id.
func (s *Server) book(account string, b *balanceTransaction) *string {
	b.ID, b.Object, b.Status = s.st.newID("txn"), "balance_transaction", "pending"
	b.Created = s.now().Unix()
	w := s.st.Worlds[account]
	w.Balance = append(w.Balance, b)
	s.dirty = true
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
