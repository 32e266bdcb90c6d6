package stripesim

import (
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
	now := s.now()
	b.ID, b.Object, b.Status = s.st.newID("txn"), "balance_transaction", "pending"
	b.Created, b.AvailableOn = now.Unix(), now.AddDate(0, 0, 2).Unix()
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
