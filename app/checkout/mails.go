package checkout

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/money"
	"foyer/billing"
)

// ConfirmationJob mails that an order is booked.
type ConfirmationJob struct {
	Business uuid.UUID `json:"business"`
	Order    uuid.UUID `json:"order"`
}

// Kind names the job in the outbox.
func (ConfirmationJob) Kind() string { return "checkout.confirmation" }

// LateRefundJob mails that the money of a payment goes back because it came too late.
type LateRefundJob struct {
	Business uuid.UUID `json:"business"`
	Payment  uuid.UUID `json:"payment"`
}

// Kind names the job in the outbox.
func (LateRefundJob) Kind() string { return "checkout.late_refund" }

// Confirmation is what the mail about a booking says.
type Confirmation struct {
	To      string
	Name    string // may be empty
	Locale  string
	Receipt Receipt
	Token   string // of the receipt
}

// LateRefund is what the mail about money that goes back says.
type LateRefund struct {
	To       string
	Name     string // may be empty
	Locale   string
	Amount   int64 // what goes back
	Currency money.Currency
	Receipt  Receipt // of what could not be booked
	Token    string  // of the receipt; empty when there is none to show
}

// MailConfirmation is the job checkout.confirmation: that it is booked, or that the studio has been asked. It mails nothing
// when the order is no longer settled, or none of its bookings stands any more.
func (s *Service) MailConfirmation(ctx context.Context, job ConfirmationJob) error {
	v := s.db.View(job.Business)
	r, err := readReceipt(ctx, v, job.Order)
	if err != nil || r.State != OrderSettled || !slices.ContainsFunc(r.Lines, stands) {
		return err
	}
	to, err := recipientOf(ctx, v, job.Order)
	if err != nil || to.Email == "" {
		return err
	}
	return s.mail.Send(ctx, s.confirmationMail(Confirmation{
		To: to.Email, Name: to.Name, Locale: to.Locale, Receipt: r, Token: s.ReceiptToken(job.Order),
	}))
}

// stands tells whether a seat is booked, or asked for.
func stands(l ReceiptLine) bool { return l.State == booking.Confirmed || l.State == booking.Requested }

// MailLateRefund is the job checkout.late_refund. It mails nothing when the payment was settled after all.
func (s *Service) MailLateRefund(ctx context.Context, job LateRefundJob) error {
	v := s.db.View(job.Business)
	p, err := billing.PaymentOf(ctx, v, job.Payment)
	if err != nil || p.Outcome != billing.OutcomeRefunded {
		return err
	}
	r, err := readReceipt(ctx, v, p.OrderID)
	if err != nil {
		return err
	}
	to, err := recipientOf(ctx, v, p.OrderID)
	if err != nil || to.Email == "" {
		return err
	}
	m := LateRefund{To: to.Email, Name: to.Name, Locale: to.Locale, Amount: p.Amount, Currency: p.Currency, Receipt: r}
	if r.State == OrderRefunded {
		m.Token = s.ReceiptToken(p.OrderID)
	}
	return s.mail.Send(ctx, s.refundMail(m))
}
