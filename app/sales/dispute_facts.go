package sales

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/billing/dispute"
	"foyer/policy"
)

// DisputeFacts is the product's data about a disputed payment. Unknown fields are empty.
type DisputeFacts struct {
	Now      time.Time
	Dispute  dispute.Dispute
	Receipt  order.Receipt   // items, location and payments
	Email    string          // of the customer; may be empty
	Bookings []booking.Story // of the payment, by their start; of a course all its dates
	Agreed   []agreement.Proof
	Reminded []Reminded // the first one first
}

// Reminded is a reminder that was mailed. It is deleted some days after the date.
type Reminded struct {
	BookingID uuid.UUID
	MailedAt  time.Time
}

// MaySubmitEvidence returns an error if the caller may not read the facts for a dispute's evidence. It requires the
// right to submit evidence (payment.refund without a limit), and to see bookings and customers, all in the whole
// business.
func MaySubmitEvidence(sc tenancy.Scope) error {
	if err := policy.RequireFull(sc, policy.PaymentRefund); err != nil {
		return err
	}
	if err := policy.Require(sc, policy.BookingView); err != nil {
		return err
	}
	return policy.Require(sc, policy.CRMView)
}

// DisputeFacts returns the data about a disputed payment, in five trips. For a charge that was not made here that is
// the dispute alone. It returns policy.ErrMissingFeature (MaySubmitEvidence) and a not found error.
func (s *Service) DisputeFacts(ctx context.Context, sc tenancy.Scope, dispute uuid.UUID) (c DisputeFacts, err error) {
	if err := MaySubmitEvidence(sc); err != nil {
		return DisputeFacts{}, err
	}
	if c.Dispute, err = s.o.Disputes.Get(ctx, sc, dispute); err != nil || c.Dispute.OrderID == uuid.Nil {
		return c, err
	}
	v := s.o.DB.View(sc.Tenant)
	c.Now = v.Now()
	if c.Receipt, err = order.ReceiptOf(ctx, v, c.Dispute.OrderID); err != nil {
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
