package stripesim

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	disputeFee  = 1500               // in the processor's units
	evidenceFor = 7 * 24 * time.Hour // time for a studio to respond
)

func (w *world) dispute(id string) *dispute {
	i := slices.IndexFunc(w.Disputes, func(d *dispute) bool { return d.ID == id })
	if i < 0 {
		return nil
	}
	return w.Disputes[i]
}

// chargeOf returns the charge of an id: its own, or that of its payment.
func (w *world) chargeOf(id string) (*charge, error) {
	if pi, ok := w.Intents[id]; ok && pi.LatestCharge != nil {
		id = *pi.LatestCharge
	}
	ch, ok := w.Charges[id]
	if !ok || ch.Status != "succeeded" || w.Intents[ch.PaymentIntent].Status != "succeeded" {
		return nil, fmt.Errorf("no charge %q that succeeded", id)
	}
	return ch, nil
}

// Dispute has the customer's bank dispute a payment: it withdraws the amount that is not refunded, and the
// processor's fee with it. payment is its id, or its charge's.
func (s *Server) Dispute(account, payment, reason string) (id string, err error) {
	err = s.try(account, func(w *world) error {
		ch, err := w.chargeOf(payment)
		if err != nil {
			return err
		}
		d := s.dispute(account, w, ch, reason)
		if d == nil {
			return errors.New("there is nothing to dispute")
		}
		id = d.ID
		return nil
	})
	return id, err
}

func (s *Server) dispute(account string, w *world, ch *charge, reason string) *dispute {
	left := ch.Amount - ch.AmountRefunded
	if left == 0 || ch.Disputed {
		return nil
	}
	if ch.BalanceTransaction == nil {
		s.settleCharge(account, ch)
	}
	d := s.newDispute(w, ch, reason, "needs_response")
	s.withdraw(account, ch, d)
	s.emit(account, "charge.dispute.created", d)
	s.emit(account, "charge.dispute.funds_withdrawn", d)
	return d
}

func (s *Server) newDispute(w *world, ch *charge, reason, status string) *dispute {
	due := s.now().Add(evidenceFor).Unix()
	d := &dispute{
		ID: s.newID("dp"), Object: "dispute", Amount: ch.Amount - ch.AmountRefunded, Charge: ch.ID, Created: s.now().Unix(), Currency: ch.Currency,
		BalanceTransactions: []*balanceTransaction{}, EvidenceDetails: evidenceDetails{DueBy: &due}, IsChargeRefundable: isInquiry(status),
		PaymentIntent: ch.PaymentIntent, Reason: reason, Status: status,
	}
	w.Disputes = append(w.Disputes, d)
	return d
}

// withdraw withdraws the money of a dispute, and the processor's fee for it.
func (s *Server) withdraw(account string, ch *charge, d *dispute) {
	d.BalanceTransactions = []*balanceTransaction{s.book(account, "adjustment", "dispute", d.ID, -d.Amount, ch.Currency,
		feeDetail{Amount: disputeFee, Currency: ch.Currency, Type: "stripe_fee"})}
	d.IsChargeRefundable, ch.Disputed = false, true
}

// An inquiry is a dispute without a withdrawal: the bank inquires first.
func isInquiry(status string) bool { return status == "warning_needs_response" }

// Inquire has the customer's bank inquire about a payment that is not fully refunded. payment is its id, or its
// charge's.
func (s *Server) Inquire(account, payment, reason string) (id string, err error) {
	err = s.try(account, func(w *world) error {
		ch, err := w.chargeOf(payment)
		if err != nil {
			return err
		}
		if ch.Disputed || ch.AmountRefunded == ch.Amount {
			return errors.New("the payment is fully refunded")
		}
		d := s.newDispute(w, ch, reason, "warning_needs_response")
		s.emit(account, "charge.dispute.created", d)
		id = d.ID
		return nil
	})
	return id, err
}

// CloseInquiry ends an inquiry in the studio's favour.
func (s *Server) CloseInquiry(account, id string) error {
	return s.endInquiry(account, id, func(_ *world, d *dispute) error {
		d.Status, d.EvidenceDetails.DueBy = "warning_closed", nil
		s.emit(account, "charge.dispute.closed", d)
		return nil
	})
}

// Escalate makes a dispute of an inquiry: the bank withdraws the amount of the payment that is not refunded.
func (s *Server) Escalate(account, id string) error {
	return s.endInquiry(account, id, func(w *world, d *dispute) error {
		ch := w.Charges[d.Charge]
		left := ch.Amount - ch.AmountRefunded
		if ch.Disputed || left == 0 {
			return errors.New("the payment is fully refunded")
		}
		if ch.BalanceTransaction == nil {
			s.settleCharge(account, ch)
		}
		d.Status, d.Amount = "needs_response", left
		s.withdraw(account, ch, d)
		s.emit(account, "charge.dispute.updated", d)
		s.emit(account, "charge.dispute.funds_withdrawn", d)
		return nil
	})
}

func (s *Server) endInquiry(account, id string, end func(*world, *dispute) error) error {
	return s.try(account, func(w *world) error {
		d := w.dispute(id)
		if d == nil || !isInquiry(d.Status) && d.Status != "warning_under_review" {
			return fmt.Errorf("no inquiry %q that is open", id)
		}
		return end(w, d)
	})
}

// WinDispute reinstates the money to the studio. The fee stays with the processor.
func (s *Server) WinDispute(account, id string) error {
	return s.endDispute(account, id, func(w *world, d *dispute) {
		d.Status = "won"
		d.BalanceTransactions = append(d.BalanceTransactions, s.book(account, "adjustment", "dispute_reversal", d.ID, d.Amount, d.Currency))
		w.Charges[d.Charge].Disputed = false
		s.emit(account, "charge.dispute.funds_reinstated", d)
	})
}

// LoseDispute leaves the money with the customer.
func (s *Server) LoseDispute(account, id string) error {
	return s.endDispute(account, id, func(_ *world, d *dispute) { d.Status = "lost" })
}

func (s *Server) endDispute(account, id string, end func(*world, *dispute)) error {
	return s.try(account, func(w *world) error {
		d := w.dispute(id)
		if d == nil || d.Status != "needs_response" && d.Status != "under_review" {
			return fmt.Errorf("no dispute %q that is open", id)
		}
		end(w, d)
		d.EvidenceDetails.DueBy = nil
		s.emit(account, "charge.dispute.closed", d)
		return nil
	})
}

// The texts of evidence, each with its parameter.
var evidenceParams = []string{
	"evidence[access_activity_log]", "evidence[cancellation_policy_disclosure]", "evidence[customer_email_address]", "evidence[customer_name]",
	"evidence[customer_purchase_ip]", "evidence[product_description]", "evidence[refund_refusal_explanation]", "evidence[service_date]",
	"evidence[uncategorized_text]", "submit",
}

const evidenceMost = 150_000 // characters of all texts together

// submitEvidence stores a studio's evidence, and with submit sends it to the bank, once.
func submitEvidence(c *call) (any, *problem) {
	submit := c.p.one("submit", "false", "true") == "true"
	if p := c.p.wrong; p != nil {
		return nil, p
	}
	d := c.world.dispute(c.id)
	switch {
	case d == nil:
		return nil, missing("dispute", c.id)
	case d.Status != "needs_response" && d.Status != "warning_needs_response":
		return nil, mistaken("", "", "This dispute is already closed or under review: evidence can no longer be given.")
	case d.EvidenceDetails.DueBy != nil && c.now().Unix() >= *d.EvidenceDetails.DueBy:
		return nil, mistaken("", "", "The deadline for evidence has passed.")
	}
	said, total := map[string]string{}, 0
	for _, name := range evidenceParams[:len(evidenceParams)-1] {
		if text := c.p.values.Get(name); text != "" {
			said[strings.TrimSuffix(strings.TrimPrefix(name, "evidence["), "]")] = text
			total += utf8.RuneCountInString(text)
		}
	}
	if total > evidenceMost {
		return nil, mistaken("", "evidence", "The texts of the evidence have more than 150,000 characters together.")
	}
	d.Evidence, d.EvidenceDetails.HasEvidence = said, len(said) > 0
	if submit {
		d.Status, d.EvidenceDetails.SubmissionCount = strings.TrimSuffix(d.Status, "needs_response")+"under_review", 1
		c.emit(c.account, "charge.dispute.updated", d)
	}
	return d, nil
}
