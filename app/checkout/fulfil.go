package checkout

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/billing"
)

// FulfilCart fulfils the paid order of a cart: order.Ports. It runs in the transaction that first learns of the
// payment's success, with the payment's row locked, and confirms the bookings held for it; those that the studio
// decides about become requests, and a declined request is refunded. If their hold has expired it takes the seats
// again, all of them or none. If that is impossible, or the order was given up, it returns OutcomeRefunded: never a
// payment without a seat.
func (s *Service) FulfilCart(b *pg.Batch, tx *pg.Tx, orderID uuid.UUID) order.FulfilCart {
	var o lockedOrder
	var found bool
	var items []soldItem
	lockOrder(b, tx, orderID, &o, &found)
	lockSoldItems(b, tx, orderID, &items)
	hold := booking.HoldOfOrder(b, tx.Business(), orderID)
	return func(ctx context.Context, p billing.Payment) (billing.Outcome, bool, error) {
		if !found {
			return "", false, fault.Missing()
		}
		if o.CartID == nil {
			return "", false, nil
		}
		sold := false
		if o.State == order.Open {
			h, err := hold()
			if errors.Is(err, pg.ErrNoRow) && len(items) > 0 { // without a seat
				h, err = booking.HoldOfCart(ctx, tx, *o.CartID)
			}
			if err != nil {
				return "", true, err
			}
			if sold, err = s.sell(ctx, tx, o, h, items); err != nil {
				return "", true, err
			}
		}
		if sold {
			return billing.OutcomeFulfilled, true, nil
		}
		if o.State == order.Open {
			if err := closeOrder(ctx, tx, o, order.Refunded); err != nil {
				return "", true, err
			}
		}
		job := order.LateRefundJob{Business: tx.Business(), Payment: p.ID}
		return billing.OutcomeRefunded, true, jobs.EnqueueTx(ctx, tx, job)
	}
}

// sell fulfils a paid order, and spends what pays a part of it beside the card, and the plans that pay for seats. What
// pays beside the card is checked first, because its locks come last.
func (s *Service) sell(
	ctx context.Context, tx *pg.Tx, o lockedOrder, h booking.Hold, items []soldItem,
) (bool, error) {
	if short, err := s.short(ctx, tx, o, false); err != nil || short != nil {
		return false, err
	}
	if o.Planned {
		if still, err := plan.StillTx(ctx, tx, o.ID); err != nil || !still {
			return false, err
		}
	}
	ok, err := s.confirmBooked(ctx, tx, o, h, items)
	if ok && err == nil && o.Planned {
		err = plan.UseTx(ctx, tx, tenancy.Actor{Kind: tenancy.ActorSystem}, o.ID)
	}
	if !ok || err != nil || len(o.Prepaid) == 0 {
		return ok, err
	}
	switch short, err := s.short(ctx, tx, o, true); {
	case err != nil:
		return false, err
	case short != nil: // a concurrent call was faster: checked again, the payment is refunded
		return false, ErrPaymentPending
	}
	return true, s.billing.CapturePrepaidTx(ctx, tx, tenancy.System(tx.Business(), tenancy.SurfaceJob), o.ID)
}

// confirmBooked confirms the bookings of a paid order and has its other items handed out, or takes them again, and
// closes it.
func (s *Service) confirmBooked(
	ctx context.Context, tx *pg.Tx, o lockedOrder, h booking.Hold, items []soldItem,
) (bool, error) {
	sc := tenancy.System(tx.Business(), tenancy.SurfaceJob)
	job := order.ConfirmationJob{Business: tx.Business(), Order: o.ID}
	args, err := jobs.Enqueuing(tx, job, pg.Named{"cart": o.CartID})
	if err != nil {
		return false, err
	}
	ok, err := booking.ConfirmTx(ctx, tx, sc, h, o.ID, settled, args)
	if err != nil {
		return false, err
	}
	if ok {
		return true, s.handOutTx(ctx, tx, o, items)
	}
	// Its hold has left it, and with that its limited discounts: another order may have the last use by now.
	if ok, err = discount.StillTx(ctx, tx, o.ID); err != nil || !ok {
		return false, err
	}
	if ok, err = s.takeAgain(ctx, tx, o, items); err != nil || !ok {
		return false, err
	}
	if ok, err = booking.RetakeTx(ctx, tx, sc, h, o.ID); err != nil {
		return false, err
	}
	if !ok {
		return false, s.releaseItems(ctx, tx, itemsOf(items))
	}
	if err := closeOrder(ctx, tx, o, order.Fulfilled); err != nil {
		return false, err
	}
	return true, errors.Join(s.handOutTx(ctx, tx, o, items), jobs.EnqueueTx(ctx, tx, job))
}

// Confirmed is a booked cart.
type Confirmed struct {
	order.Receipt
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
		return Confirmed{*receipt, s.order.ReceiptToken(found.ID)}, nil
	case found.State == order.Open:
		if err := s.Await(ctx, sc.Tenant, found.ID); err != nil {
			return Confirmed{}, err
		}
	}
	c, err := s.confirmed(ctx, sc.Tenant, found.ID)
	if !errors.Is(err, ErrRefunded) {
		return c, err
	}
	// The customer may have chosen to pay at the studio during the card's check: then another order of the cart is
	// the booking.
	if l, again := s.read(ctx, sc, token); again == nil && l.Order != nil && l.Order.ID != found.ID && l.Order.State == order.Fulfilled {
		return s.confirmed(ctx, sc.Tenant, l.Order.ID)
	}
	return c, err
}

// confirmRead returns the order of a cart, as it was read, or books it if it costs nothing. It returns pg.ErrUnmet if
// the lock is needed for that, or the cart is no longer as it was read; then nothing is done. The receipt is nil
// unless the cart was booked by this very call.
func (s *Service) confirmRead(ctx context.Context, sc tenancy.Scope, l loaded, person uuid.UUID) (o Order, receipt *order.Receipt, err error) {
	if l.PersonID == nil || *l.PersonID != person || l.Order == nil && !l.atOnce() {
		return Order{}, nil, pg.ErrUnmet
	}
	var now time.Time
	var sold []booked
	o, err = pg.InOneTrip(ctx, s.db, sc.Tenant, func(tx *pg.Tx, b *pg.Batch) (Order, error) {
		if l.Order != nil {
			return *l.Order, nil
		}
		orderID := pg.NewID()
		now = tx.Now()
		receipt := s.order.ReceiptHash(orderID)
		return Order{ID: orderID, State: order.Fulfilled}, s.settleIn(b, tx, sc, l, orderID, receipt, &sold)
	})
	if err == nil && len(sold) > 0 {
		r := l.receipt(sc.Tenant, o.ID, now, sold)
		receipt = &r
	}
	return o, receipt, err
}

// atOnce reports whether the cart can be booked in one trip: it costs nothing, all of it is held, no line needs more
// than the statement that confirms a hold, and nothing of the cart has to be locked first: a limited discount, or an
// agreement that is not accepted.
func (l *loaded) atOnce() bool {
	if l.State != CartOpen || len(l.Lines) == 0 || !l.heldWholly() || l.Totals.TotalAmount > 0 {
		return false
	}
	return !slices.ContainsFunc(l.rows, cartRow.needsMore) && len(l.limited()) == 0 &&
		len(agreement.Open(l.Agreements)) == 0
}

// needsMore reports whether an item needs more than the confirmation of its hold: the dates of a course, the studio's
// approval, or a seller.
func (f cartRow) needsMore() bool { return f.course() || f.Approval || !f.Kind.Seat() }

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
func (l *loaded) receipt(business, orderID uuid.UUID, at time.Time, sold []booked) order.Receipt {
	now := at.UTC().Truncate(time.Microsecond)
	r := order.Receipt{
		OrderID: orderID, State: order.Fulfilled, CreatedAt: now, FulfilledAt: now, Ref: l.Ref, BusinessID: business, BusinessName: l.BusinessName,
		LocationID: l.LocationID, LocationName: l.LocationName, LocationSlug: l.LocationSlug, Zone: l.Zone,
		Address: sold[0].Address, Accent: sold[0].Accent, Website: sold[0].Website, CustomerName: sold[0].CustomerName,
		Totals: l.Totals, Refunds: []order.ReceiptRefund{}, Payments: []order.ReceiptPayment{}, Later: []order.ReceiptCard{}, WaivedAt: []time.Time{},
	}
	by := map[uuid.UUID]booked{}
	for _, b := range sold {
		by[b.BookingID] = b
	}
	for i, line := range l.Lines {
		b := by[*line.BookingID]
		r.Lines = append(r.Lines, order.ReceiptLine{
			BookingID: b.BookingID, OfferingID: line.OfferingID, OccurrenceID: line.OccurrenceID,
			Kind: line.Kind, OfferingKind: catalog.Kind(line.Kind), Quantity: 1,
			Label: line.Name,
			Slug:  line.Slug, Attendee: line.Attendee, Party: line.Party, StartsAt: b.StartsAt, EndsAt: b.EndsAt,
			Instructor: line.Instructor, Space: line.Space, State: b.State, ListedAmount: line.ListedAmount,
			DiscountAmount: line.DiscountAmount, TaxAmount: line.TaxAmount, NonRefundableAmount: line.NonRefundableAmount,
			Tax: l.items[i].Tax, Cover: line.Cover, Rules: b.Rules, Version: b.Version, UpdatedAt: now,
		})
	}
	r.Taxes()
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
	orderID, b := pg.NewID(), tx.Batch()
	if err := s.settleIn(b, tx, sc, l, orderID, s.order.ReceiptHash(orderID), &sold); err != nil {
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
	if err := booking.RequestTx(ctx, tx, requests); err != nil || len(l.Totals.Prepaid) == 0 {
		return Order{ID: orderID, State: order.Fulfilled}, err
	}
	return Order{ID: orderID, State: order.Fulfilled}, s.spend(ctx, tx, sc, l.toPay(orderID))
}

// Await reads the payment of an open order from the processor. Nil means that it is paid, and so that it is
// fulfilled. The payment is read here and not taken from the transaction before: that may be the stored one of a
// repeated request.
func (s *Service) Await(ctx context.Context, business, orderID uuid.UUID) error {
	p, err := s.billing.RereadOrder(ctx, business, orderID)
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
func (s *Service) confirmed(ctx context.Context, business, orderID uuid.UUID) (Confirmed, error) {
	token := s.order.ReceiptToken(orderID)
	r, err := order.ReceiptOf(ctx, s.db.View(business), orderID)
	if err != nil {
		return Confirmed{}, err
	}
	if r.State != order.Fulfilled {
		return Confirmed{}, ErrRefunded.With("receiptToken", token)
	}
	return Confirmed{r, token}, nil
}
