package stripesim

import (
	"fmt"
	"slices"
)

// The acts of a studio on the processor's own website, and of the processor by itself.

// outside reports whether a balance transaction belongs to a charge that the product did not make.
func (w *world) outside(b *balanceTransaction) bool {
	if b.Source == nil {
		return false
	}
	id := *b.Source
	if r, ok := w.Refunds[id]; ok {
		id = r.Charge
	}
	ch, ok := w.Charges[id]
	return ok && ch.Sim.Outside
}

// ChargeOutside makes a card payment without the product, and returns its id.
func (s *Server) ChargeOutside(account string, amount int64, currency string) (payment string, err error) {
	err = s.with(account, func(w *world) {
		pi := &paymentIntent{
			ID: s.newID("pi"), Object: "payment_intent", Amount: amount, Currency: currency, Metadata: map[string]string{},
		}
		w.Intents[pi.ID] = pi
		pi.PaymentMethod = &s.newMethod(w, typed{"4242424242424242", s.now().AddDate(2, 0, 0)}).ID
		s.take(account, w, pi)
		w.Charges[*pi.LatestCharge].Sim.Outside = true
		payment = pi.ID
	})
	return payment, err
}

// DashboardRefund refunds a payment as the studio does in its own dashboard: the platform's fee stays with the
// platform. payment is its id, or its charge's.
func (s *Server) DashboardRefund(account, payment string, amount int64) (id string, err error) {
	return s.refundByHand(account, payment, amount, false)
}

// DashboardRefundWithFee is DashboardRefund with the same share of the platform's fee.
func (s *Server) DashboardRefundWithFee(account, payment string, amount int64) (id string, err error) {
	return s.refundByHand(account, payment, amount, true)
}

// DashboardFeeRefund refunds some of the fee of a payment to the studio as the platform does in its own dashboard.
func (s *Server) DashboardFeeRefund(account, payment string, amount int64) (id string, err error) {
	err = s.try(account, func(w *world) error {
		ch, err := w.chargeOf(payment)
		if err != nil {
			return err
		}
		id = s.refundFee(ch, amount, map[string]string{}).ID
		s.book(account, "application_fee_refund", "platform_earning_refund", id, amount, ch.Currency)
		return nil
	})
	return id, err
}

func (s *Server) refundByHand(account, payment string, amount int64, withFee bool) (id string, err error) {
	err = s.try(account, func(w *world) error {
		ch, err := w.chargeOf(payment)
		if err != nil {
			return err
		}
		if left := ch.Amount - ch.AmountRefunded; amount < 1 || amount > left || ch.Disputed || amount%grain(ch.Currency) != 0 {
			return fmt.Errorf("cannot refund %d: %d are refundable", amount, left)
		}
		id = s.refundCharge(account, ch, amount, map[string]string{}, withFee).ID
		return nil
	})
	return id, err
}

// Refundable returns the refundable amount of a payment: nothing of one that is disputed.
func (s *Server) Refundable(account, payment string) (left int64, err error) {
	err = s.try(account, func(w *world) error {
		ch, err := w.chargeOf(payment)
		if err == nil && !ch.Disputed {
			left = ch.Amount - ch.AmountRefunded
		}
		return err
	})
	return left, err
}

// Statement returns the words of a charged payment on the customer's card statement; empty for the account's own.
func (s *Server) Statement(account, payment string) (words string, err error) {
	err = s.try(account, func(w *world) error {
		ch, err := w.chargeOf(payment)
		if err == nil && ch.StatementDescriptorSuffix != nil {
			words = *ch.StatementDescriptorSuffix
		}
		return err
	})
	return words, err
}

// Adjust books a balance transaction without an object: a fee of the processor ("stripe_fee", "fee"), money that it
// holds ("reserved_funds", "risk_reserved_funds"), or anything else by its type and its reporting category.
func (s *Server) Adjust(account, kind, category string, amount int64, currency string) (id string, err error) {
	err = s.with(account, func(*world) { id = s.book(account, kind, category, "", amount, currency).ID })
	return id, err
}

// OpenDisputes returns the undecided disputes of an account, without inquiries.
func (s *Server) OpenDisputes(account string) (ids []string, err error) {
	return s.disputesIn(account, "needs_response", "under_review")
}

// OpenInquiries returns the open inquiries of an account.
func (s *Server) OpenInquiries(account string) (ids []string, err error) {
	return s.disputesIn(account, "warning_needs_response")
}

func (s *Server) disputesIn(account string, statuses ...string) (ids []string, err error) {
	err = s.with(account, func(w *world) {
		for _, d := range w.Disputes {
			if slices.Contains(statuses, d.Status) {
				ids = append(ids, d.ID)
			}
		}
	})
	return ids, err
}
