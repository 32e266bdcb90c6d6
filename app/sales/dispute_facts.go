package sales

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/policy"
)

// DisputeFacts is what the product knows of a payment that a customer's bank wants back. What it does not know is empty.
type DisputeFacts struct {
	Now      time.Time
	Dispute  billing.Dispute
	Receipt  checkout.Receipt // what was sold, where, and how it was paid
	Email    string           // of the customer; may be empty
	Bookings []booking.Story  // that it paid for, by their start; of a course all its dates
	Agreed   []agreement.Proof
	Reminded []Reminded // the first one first
}

// Reminded is a reminder that was mailed. It is forgotten some days after the date.
type Reminded struct {
	BookingID uuid.UUID
	MailedAt  time.Time
}

// MaySubmitEvidence says why somebody is not told what there is to say to a bank: that is for those who may answer it (payment.refund without a limit),
// and may see bookings and customers, all in the whole business.
func MaySubmitEvidence(sc tenancy.Scope) error {
	if err := policy.RequireFull(sc, policy.PaymentRefund); err != nil {
		return err
	}
	if err := policy.Require(sc, policy.BookingView); err != nil {
		return err
	}
	return policy.Require(sc, policy.CRMView)
}

// DisputeFacts returns what is known of a disputed payment, in five trips. Of a charge that was not made here that is the dispute alone. Errors:
// policy.ErrMissingFeature (MaySubmitEvidence), not found.
func (s *Service) DisputeFacts(ctx context.Context, sc tenancy.Scope, dispute uuid.UUID) (c DisputeFacts, err error) {
	if err := MaySubmitEvidence(sc); err != nil {
		return DisputeFacts{}, err
	}
	if c.Dispute, err = s.o.Billing.Dispute(ctx, sc, dispute); err != nil || c.Dispute.OrderID == uuid.Nil {
		return c, err
	}
	v := s.o.DB.View(sc.Tenant)
	c.Now = v.Now()
	if c.Receipt, err = checkout.ReceiptOf(ctx, v, c.Dispute.OrderID); err != nil {
		return DisputeFacts{}, err
	}
	var lines []uuid.UUID
	for _, l := range c.Receipt.Lines {
		lines = append(lines, l.BookingID)
	}
	if c.Bookings, err = booking.StoriesOf(ctx, v, c.Dispute.OrderID, lines); err != nil || len(c.Bookings) == 0 {
		return c, err
	}
	c.Email = c.Bookings[0].CustomerEmail
	booked := make([]uuid.UUID, len(c.Bookings))
	for i, b := range c.Bookings {
		booked[i] = b.ID
	}
	if c.Agreed, err = agreement.ProofsOf(ctx, v, booked); err != nil {
		return DisputeFacts{}, err
	}
	c.Reminded, err = readReminded(ctx, v, booked)
	return c, err
}
