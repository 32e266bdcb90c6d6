package order

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/billing"
)

// ConfirmationJob mails the confirmation of an order.
type ConfirmationJob struct {
	Business uuid.UUID `json:"business"`
	Order    uuid.UUID `json:"order"`
}

// Kind returns the job's name in the outbox.
func (ConfirmationJob) Kind() string { return "order.confirmation" }

// Terms returns the terms of the job's kind.
func (ConfirmationJob) Terms() jobs.Terms { return jobs.Mail(3 * jobs.Day) }

// LateRefundJob mails that a payment is refunded because it came too late.
type LateRefundJob struct {
	Business uuid.UUID `json:"business"`
	Payment  uuid.UUID `json:"payment"`
}

// Kind returns the job's name in the outbox.
func (LateRefundJob) Kind() string { return "order.late_refund" }

// Terms returns the terms of the job's kind.
func (LateRefundJob) Terms() jobs.Terms { return jobs.Mail(7 * jobs.Day) }

// Confirmation is the content of the mail about a booking.
type Confirmation struct {
	To      string
	Name    string // may be empty
	Locale  string
	Receipt Receipt
	Token   string // of the receipt
}

// LateRefund is the content of the mail about a late payment's refund.
type LateRefund struct {
	To       string
	Name     string // may be empty
	Locale   string
	Amount   int64 // refunded
	Currency money.Currency
	Receipt  Receipt // of the order that it was to pay
	// Stands is the receipt of the order booked all the same: the customer chose to pay at the studio, or paid again.
	// Nil for a payment that came after the spots were gone.
	Stands *Receipt
	Token  string // of the receipt to show; empty if there is none
}

// MailConfirmation is the job order.confirmation: that it is booked, or requested. It mails nothing if the order
// is no longer fulfilled, or none of its bookings stands any more.
func (s *Service) MailConfirmation(ctx context.Context, job ConfirmationJob) error {
	v := s.db.View(job.Business)
	r, err := ReceiptOf(ctx, v, job.Order)
	if err != nil || r.State != Fulfilled || !slices.ContainsFunc(r.Lines, stands) {
		return err
	}
	to, err := RecipientOf(ctx, v, job.Order)
	if err != nil || to.Email == "" {
		return err
	}
	return s.mail.Send(ctx, s.confirmationMail(Confirmation{
		To: to.Email, Name: to.Name, Locale: to.Locale, Receipt: r, Token: s.ReceiptToken(job.Order),
	}))
}

// stands reports whether a seat is booked, or requested, or something without a seat was sold.
func stands(l ReceiptLine) bool {
	return l.State == booking.Confirmed || l.State == booking.Requested || !l.Kind.Seat() && l.Kind != Fee
}

// MailLateRefund is the job order.late_refund. It mails nothing if the payment was used after all.
func (s *Service) MailLateRefund(ctx context.Context, job LateRefundJob) error {
	v := s.db.View(job.Business)
	p, err := billing.PaymentOf(ctx, v, job.Payment)
	if err != nil || p.Outcome != billing.OutcomeRefunded {
		return err
	}
	r, err := ReceiptOf(ctx, v, p.OrderID)
	if err != nil {
		return err
	}
	to, err := RecipientOf(ctx, v, p.OrderID)
	if err != nil || to.Email == "" {
		return err
	}
	m := LateRefund{To: to.Email, Name: to.Name, Locale: to.Locale, Amount: p.Amount, Currency: p.Currency, Receipt: r}
	if r.State == Refunded {
		m.Token = s.ReceiptToken(p.OrderID)
	}
	instead, found, err := soldInstead(ctx, v, p.OrderID)
	if err != nil {
		return err
	}
	if found {
		other, err := ReceiptOf(ctx, v, instead)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(other.Lines, stands) {
			m.Stands, m.Token = &other, s.ReceiptToken(instead)
		}
	}
	return s.mail.Send(ctx, s.refundMail(m))
}
