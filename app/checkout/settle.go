package checkout

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
)

// SettleTx gives what a payment paid for: billing.Options.OnSettled. It runs in the transaction that first learns of the
// payment's success, with the payment's row locked, and confirms the bookings that were kept for it; those that the studio
// has the last word on become requests, which declining gives the money back for. When their hold is
// over it takes the seats again, all of them or none. When that cannot be, or the order was given up, the answer is
// OutcomeRefunded: never money without a seat.
func (s *Service) SettleTx(ctx context.Context, tx *pg.Tx, p billing.Payment) (billing.Outcome, error) {
	o, err := lockOrder(ctx, tx, p.OrderID)
	if err != nil {
		return "", err
	}
	booked := false
	if o.State == OrderOpen {
		if booked, err = give(ctx, tx, p); err != nil {
			return "", err
		}
	}
	if booked {
		if err := closeOrder(ctx, tx, o, OrderSettled); err != nil {
			return "", err
		}
		return billing.OutcomeSettled, jobs.EnqueueTx(ctx, tx, ConfirmationJob{Business: tx.Business(), Order: o.ID})
	}
	if o.State == OrderOpen {
		if err := closeOrder(ctx, tx, o, OrderRefunded); err != nil {
			return "", err
		}
	}
	return billing.OutcomeRefunded, jobs.EnqueueTx(ctx, tx, LateRefundJob{Business: tx.Business(), Payment: p.ID})
}

// give confirms the bookings of an order, or takes them again.
func give(ctx context.Context, tx *pg.Tx, p billing.Payment) (bool, error) {
	sc := tenancy.System(tx.Business(), tenancy.SurfaceJob)
	h, err := booking.HoldOfOrder(ctx, tx, p.OrderID)
	if err != nil {
		return false, err
	}
	if ok, err := booking.ConfirmTx(ctx, tx, sc, h, p.OrderID); ok || err != nil {
		return ok, err
	}
	return booking.RetakeTx(ctx, tx, sc, h, p.OrderID)
}

// Confirmed is a booked cart.
type Confirmed struct {
	Receipt
	Token string // of the receipt
}

// Confirm books what the cart holds. A cart that costs nothing is booked at once, without any processor; a paid one when
// the processor, asked again here, says that the payment succeeded: the settling is the one that its event would do, and
// whichever comes first does it. Repeating it on a booked cart gives the receipt. A3.
//
// It needs the session of who holds the cart. Errors: identity.ErrSignIn; not found; ErrOther, ErrEmpty;
// booking.ErrHoldOver, ErrNotHeld; ErrPaymentRequired, ErrPaymentPending; ErrRefunded when the payment came too late;
// billing.ErrProcessorDown.
func (s *Service) Confirm(ctx context.Context, sc tenancy.Scope, token string) (Confirmed, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return Confirmed{}, err
	}
	found, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Order, error) {
		l, err := s.lock(ctx, tx, token, person, lockToLook)
		if err != nil {
			return Order{}, err
		}
		if l.Order != nil {
			return *l.Order, nil
		}
		return s.bookFree(ctx, tx, sc, l)
	})
	if err != nil {
		return Confirmed{}, err
	}
	if found.State == OrderOpen {
		if err := s.await(ctx, sc.Tenant, found.ID); err != nil {
			return Confirmed{}, err
		}
	}
	return s.confirmed(ctx, sc.Tenant, found.ID)
}

// bookFree books a cart that costs nothing.
func (s *Service) bookFree(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, l loaded) (Order, error) {
	if err := s.bookable(l.Cart, sc.Person()); err != nil {
		return Order{}, err
	}
	if l.Totals.TotalAmount > 0 {
		return Order{}, ErrPaymentRequired
	}
	order := pg.NewID()
	if err := insertOrder(ctx, tx, l, order, s.receiptHash(order), OrderSettled); err != nil {
		return Order{}, err
	}
	ok, err := booking.ConfirmTx(ctx, tx, sc, *l.Hold, order)
	if err == nil && !ok {
		err = booking.ErrHoldOver
	}
	if err != nil {
		return Order{}, err
	}
	return Order{ID: order, State: OrderSettled}, jobs.EnqueueTx(ctx, tx, ConfirmationJob{Business: tx.Business(), Order: order})
}

// await asks the processor for the payment of an open order. nil means that it succeeded, and so that it is settled. The
// payment is looked up here and not taken from the transaction before: that may be the kept one of a repeated request.
func (s *Service) await(ctx context.Context, business, order uuid.UUID) error {
	p, err := s.billing.RereadOrder(ctx, business, order)
	switch {
	case err != nil:
		return err
	case p.Status == billing.StatusSucceeded:
		return nil
	case p.Moving():
		return ErrPaymentPending
	}
	refusal := ErrPaymentRequired.With("status", string(p.Status))
	if p.FailureMessage != "" {
		refusal = refusal.With("message", p.FailureMessage)
	}
	return refusal
}

// confirmed is the receipt of an order that is done.
func (s *Service) confirmed(ctx context.Context, business, order uuid.UUID) (Confirmed, error) {
	token := s.ReceiptToken(order)
	r, err := readReceipt(ctx, s.db.View(business), order)
	if err != nil {
		return Confirmed{}, err
	}
	if r.State != OrderSettled {
		return Confirmed{}, ErrRefunded.With("receiptToken", token)
	}
	return Confirmed{r, token}, nil
}

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
