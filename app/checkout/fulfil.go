package checkout

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/credit"
)

// Fulfil fulfils a paid order: billing.Orders. It runs in the transaction that first learns of the payment's success,
// with the payment's row locked, and confirms the bookings held for it; those that the studio decides about become
// requests, and a declined request is refunded. If their hold has expired it takes the seats again, all of them or
// none. If that is impossible, or the order was given up, it returns OutcomeRefunded: never a payment without a seat.
func (s *Service) Fulfil(b *pg.Batch, tx *pg.Tx, order uuid.UUID) billing.Fulfil {
	var o lockedOrder
	var found bool
	lockOrder(b, tx, order, &o, &found)
	hold := booking.HoldOfOrder(b, tx.Business(), order)
	return func(ctx context.Context, p billing.Payment) (billing.Outcome, error) {
		if !found {
			return "", fault.Missing()
		}
		sold := false
		if o.CartID == nil {
			return fulfilDueOrder(ctx, tx, o.ID, p)
		}
		if o.State == OrderOpen {
			h, err := hold()
			if err != nil {
				return "", err
			}
			if sold, err = s.sell(ctx, tx, o, h); err != nil {
				return "", err
			}
		}
		if sold {
			return billing.OutcomeFulfilled, nil
		}
		if o.State == OrderOpen {
			if err := closeOrder(ctx, tx, o, OrderRefunded); err != nil {
				return "", err
			}
		}
		return billing.OutcomeRefunded, jobs.EnqueueTx(ctx, tx, LateRefundJob{Business: tx.Business(), Payment: p.ID})
	}
}

// sell fulfils a paid order, and spends the account credit that pays a part of it. The credit is checked first,
// because its lock comes last.
func (s *Service) sell(ctx context.Context, tx *pg.Tx, o lockedOrder, h booking.Hold) (bool, error) {
	if o.CreditAmount > 0 {
		free, err := credit.FreeFor(ctx, tx, o.CustomerID, o.Currency, o.ID)
		if err != nil || free < o.CreditAmount {
			return false, err
		}
	}
	ok, err := confirmBooked(ctx, tx, o, h)
	if !ok || err != nil || o.CreditAmount == 0 {
		return ok, err
	}
	err = s.spend(ctx, tx, tenancy.System(tx.Business(), tenancy.SurfaceJob), o)
	if errors.Is(err, credit.ErrShort) { // a concurrent call was faster: checked again, the payment is refunded
		err = ErrPaymentPending
	}
	return err == nil, err
}

// confirmBooked confirms the bookings of a paid order, or takes them again, and closes it.
func confirmBooked(ctx context.Context, tx *pg.Tx, o lockedOrder, h booking.Hold) (bool, error) {
	sc := tenancy.System(tx.Business(), tenancy.SurfaceJob)
	job := ConfirmationJob{Business: tx.Business(), Order: o.ID}
	args, err := jobs.Enqueuing(tx, job, pg.Named{"cart": o.CartID})
	if err != nil {
		return false, err
	}
	ok, err := booking.ConfirmTx(ctx, tx, sc, h, o.ID, settled, args)
	if ok || err != nil {
		return ok, err
	}
	// Its hold has left it, and with that its limited discounts: another order may have the last use by now.
	if ok, err = discount.StillTx(ctx, tx, o.ID); err != nil || !ok {
		return false, err
	}
	if ok, err = booking.RetakeTx(ctx, tx, sc, h, o.ID); err != nil || !ok {
		return false, err
	}
	if err := closeOrder(ctx, tx, o, OrderFulfilled); err != nil {
		return false, err
	}
	return true, jobs.EnqueueTx(ctx, tx, job)
}

// Confirmed is a booked cart.
type Confirmed struct {
	Receipt
	Token string // of the receipt
}

// Confirm books a held cart. A cart with nothing to pay, or no more than the account credit that its customer chose
// to use, is booked at once, without any processor; a paid one if the processor, read again here, reports success:
// the fulfilment is the same as that of its event, and the first of the two does it. A second call on a booked cart
// returns the receipt. A3.
//
// It needs the session of the cart's holder. It returns:
//
//   - identity.ErrSignIn
//   - a not found error
//   - ErrOther, ErrEmpty
//   - booking.ErrHoldExpired, ErrNotHeld
//   - agreement.ErrOutstanding (A160)
//   - ErrPaymentRequired, ErrPaymentPending
//   - credit.ErrShort
//   - ErrRefunded if the payment came too late
//   - processor.ErrDown
func (s *Service) Confirm(ctx context.Context, sc tenancy.Scope, token string) (Confirmed, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return Confirmed{}, err
	}
	l, err := s.readPart(ctx, sc, token, readingToSell, s.billing.Env())
	if err != nil {
		return Confirmed{}, err
	}
	found, receipt, err := s.confirmRead(ctx, sc, l, person)
	if errors.Is(err, pg.ErrUnmet) {
		found, err = s.confirmLocked(ctx, sc, token, person)
	}
	switch {
	case err != nil:
		return Confirmed{}, err
	case receipt != nil:
		return Confirmed{*receipt, s.ReceiptToken(found.ID)}, nil
	case found.State == OrderOpen:
		if err := s.await(ctx, sc.Tenant, found.ID); err != nil {
			return Confirmed{}, err
		}
	}
	c, err := s.confirmed(ctx, sc.Tenant, found.ID)
	if !errors.Is(err, ErrRefunded) {
		return c, err
	}
	// The customer may have chosen to pay at the studio during the card's check: then another order of the cart is
	// the booking.
	if l, again := s.read(ctx, sc, token); again == nil && l.Order != nil && l.Order.ID != found.ID && l.Order.State == OrderFulfilled {
		return s.confirmed(ctx, sc.Tenant, l.Order.ID)
	}
	return c, err
}

// confirmRead returns the order of a cart, as it was read, or books it if it costs nothing. It returns pg.ErrUnmet if
// the lock is needed for that, or the cart is no longer as it was read; then nothing is done. The receipt is nil
// unless the cart was booked by this very call.
func (s *Service) confirmRead(ctx context.Context, sc tenancy.Scope, l loaded, person uuid.UUID) (o Order, receipt *Receipt, err error) {
	if l.PersonID == nil || *l.PersonID != person || l.Order == nil && !l.free() {
		return Order{}, nil, pg.ErrUnmet
	}
	var now time.Time
	var sold []booked
	o, err = pg.InOneTrip(ctx, s.db, sc.Tenant, func(tx *pg.Tx, b *pg.Batch) (Order, error) {
		if l.Order != nil {
			return *l.Order, nil
		}
		order := pg.NewID()
		now = tx.Now()
		return Order{ID: order, State: OrderFulfilled}, settleIn(b, tx, sc, l, order, s.receiptHash(order), &sold)
	})
	if err == nil && len(sold) > 0 {
		r := l.receipt(sc.Tenant, o.ID, now, sold)
		receipt = &r
	}
	return o, receipt, err
}

// free reports whether the cart can be booked for nothing in one trip: every seat is held, none of them on a date of
// a course, no approval is needed, no limited discount is in it, and the required agreements are accepted.
func (l *loaded) free() bool {
	return len(l.limited()) == 0 && len(agreement.Open(l.Agreements)) == 0 && l.State == CartOpen && len(l.Lines) > 0 &&
		l.heldWholly() && l.Totals.TotalAmount == 0 && !l.approval &&
		!slices.ContainsFunc(l.Lines, func(line Line) bool { return line.Course })
}

// confirmLocked returns the order of a cart, or books it if it costs nothing, under the cart's lock.
func (s *Service) confirmLocked(ctx context.Context, sc tenancy.Scope, token string, person uuid.UUID) (Order, error) {
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Order, error) {
		l, err := s.lockToOrder(ctx, tx, token, person, lockToLook)
		if err != nil {
			return Order{}, err
		}
		if l.Order != nil {
			return *l.Order, nil
		}
		return s.bookFree(ctx, tx, sc, l)
	})
}

// receipt returns the result of ReceiptOf, made of the data of a cart that has just been sold.
func (l *loaded) receipt(business, order uuid.UUID, at time.Time, sold []booked) Receipt {
	now := at.UTC().Truncate(time.Microsecond)
	r := Receipt{
		OrderID: order, State: OrderFulfilled, CreatedAt: now, FulfilledAt: now, Ref: l.Ref, BusinessID: business, BusinessName: l.BusinessName,
		LocationID: l.LocationID, LocationName: l.LocationName, LocationSlug: l.LocationSlug, Zone: l.Zone,
		Address: sold[0].Address, Accent: sold[0].Accent, Website: sold[0].Website, CustomerName: sold[0].CustomerName,
		Totals: l.Totals, Refunds: []ReceiptRefund{}, Payments: []ReceiptPayment{}, Later: []ReceiptCard{}, WaivedAt: []time.Time{},
	}
	by := map[uuid.UUID]booked{}
	for _, b := range sold {
		by[b.BookingID] = b
	}
	for i, line := range l.Lines {
		b := by[*line.BookingID]
		r.Lines = append(r.Lines, ReceiptLine{
			BookingID: b.BookingID, OfferingID: line.OfferingID, OccurrenceID: line.OccurrenceID, Kind: line.Kind, Label: line.Name,
			Slug: line.Slug, Attendee: line.Attendee, Party: line.Party, StartsAt: b.StartsAt, EndsAt: b.EndsAt,
			Instructor: line.Instructor, Space: line.Space, State: b.State, ListedAmount: line.ListedAmount,
			DiscountAmount: line.DiscountAmount, TaxAmount: line.TaxAmount, NonRefundableAmount: line.NonRefundableAmount,
			Tax: l.items[i].Tax, Rules: b.Rules, Version: b.Version, UpdatedAt: now,
		})
	}
	r.taxes()
	return r
}

// bookFree books a locked cart with nothing to pay after account credit.
func (s *Service) bookFree(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, l loaded) (Order, error) {
	if err := s.bookable(l.Cart, sc.Person()); err != nil {
		return Order{}, err
	}
	if l.Totals.DueNow() > 0 {
		return Order{}, ErrPaymentRequired
	}
	return s.bookNow(ctx, tx, sc, l)
}

// bookNow books a locked cart with held seats, without a payment by card.
func (s *Service) bookNow(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, l loaded) (Order, error) {
	var sold []booked
	order, b := pg.NewID(), tx.Batch()
	if err := settleIn(b, tx, sc, l, order, s.receiptHash(order), &sold); err != nil {
		return Order{}, err
	}
	if err := b.Send(ctx); err != nil {
		if errors.Is(err, pg.ErrUnmet) {
			err = booking.ErrHoldExpired
		}
		return Order{}, err
	}
	var requests []uuid.UUID
	for _, b := range sold {
		if b.State == booking.Requested {
			requests = append(requests, b.BookingID)
		}
	}
	if err := booking.RequestTx(ctx, tx, requests); err != nil || l.Totals.CreditAmount == 0 {
		return Order{ID: order, State: OrderFulfilled}, err
	}
	return Order{ID: order, State: OrderFulfilled}, s.spend(ctx, tx, sc, l.toPay(order))
}

// await reads the payment of an open order from the processor. Nil means that it is paid, and so that it is
// fulfilled. The payment is read here and not taken from the transaction before: that may be the stored one of a
// repeated request.
func (s *Service) await(ctx context.Context, business, order uuid.UUID) error {
	p, err := s.billing.RereadOrder(ctx, business, order)
	switch {
	case err != nil:
		return err
	case p.Paid():
		return nil
	case p.InTransit():
		return ErrPaymentPending
	}
	refusal := ErrPaymentRequired.With("status", string(p.Status))
	if p.FailureMessage != "" {
		refusal = refusal.With("message", p.FailureMessage).With("code", p.FailureCode)
	}
	return refusal
}

// confirmed returns the receipt of an order that is done.
func (s *Service) confirmed(ctx context.Context, business, order uuid.UUID) (Confirmed, error) {
	token := s.ReceiptToken(order)
	r, err := ReceiptOf(ctx, s.db.View(business), order)
	if err != nil {
		return Confirmed{}, err
	}
	if r.State != OrderFulfilled {
		return Confirmed{}, ErrRefunded.With("receiptToken", token)
	}
	return Confirmed{r, token}, nil
}

// ConfirmationJob mails the confirmation of an order.
type ConfirmationJob struct {
	Business uuid.UUID `json:"business"`
	Order    uuid.UUID `json:"order"`
}

// Kind returns the job's name in the outbox.
func (ConfirmationJob) Kind() string { return "checkout.confirmation" }

// Terms returns the terms of the job's kind.
func (ConfirmationJob) Terms() jobs.Terms { return jobs.Mail(3 * jobs.Day) }

// LateRefundJob mails that a payment is refunded because it came too late.
type LateRefundJob struct {
	Business uuid.UUID `json:"business"`
	Payment  uuid.UUID `json:"payment"`
}

// Kind returns the job's name in the outbox.
func (LateRefundJob) Kind() string { return "checkout.late_refund" }

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

// MailConfirmation is the job checkout.confirmation: that it is booked, or requested. It mails nothing if the order
// is no longer fulfilled, or none of its bookings stands any more.
func (s *Service) MailConfirmation(ctx context.Context, job ConfirmationJob) error {
	v := s.db.View(job.Business)
	r, err := ReceiptOf(ctx, v, job.Order)
	if err != nil || r.State != OrderFulfilled || !slices.ContainsFunc(r.Lines, stands) {
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

// stands reports whether a seat is booked, or requested.
func stands(l ReceiptLine) bool { return l.State == booking.Confirmed || l.State == booking.Requested }

// MailLateRefund is the job checkout.late_refund. It mails nothing if the payment was used after all.
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
	to, err := recipientOf(ctx, v, p.OrderID)
	if err != nil || to.Email == "" {
		return err
	}
	m := LateRefund{To: to.Email, Name: to.Name, Locale: to.Locale, Amount: p.Amount, Currency: p.Currency, Receipt: r}
	if r.State == OrderRefunded {
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
