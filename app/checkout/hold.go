package checkout

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/claim"
	"foyer/app/crm"
	"foyer/app/identity"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// HoldInput is the price that the customer saw.
type HoldInput struct {
	// QuotedAmount is the total that the customer saw. Nil accepts the price of each item when it was added: a price
	// that has risen since is then a refusal with both numbers, and a call with the new total accepts it.
	QuotedAmount *int64
}

// Hold holds all seats of the cart for ten minutes, or none. It needs a session, and the cart is that person's from
// then on. A second call returns the same hold; seats of items that were added since are included. The result may
// lack the customer (CustomerID); the cart has it. During the hold the prices stay, even if the studio changes them.
// A3, A74.
//
// A cart with an expired hold gets a new one; a payment that began under the old one is canceled, unless it is in
// progress: then ErrPaymentPending. It returns:
//
//   - identity.ErrSignIn, ErrKeyRefused
//   - a not found error
//   - ErrEmpty, ErrOther, ErrOrdered, ErrPriceChanged
//   - the errors of booking.HoldTx, with details.reason and details.occurrenceId
func (s *Service) Hold(ctx context.Context, sc tenancy.Scope, token string, in HoldInput) (booking.Hold, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return booking.Hold{}, err
	}
	var wanted []uuid.UUID
	h, err := s.hold(ctx, sc, token, person, in, &wanted)
	freed, expireErr := s.expire(pg.WithoutClaim(ctx), sc.Tenant, err, wanted)
	switch {
	case expireErr != nil:
		return booking.Hold{}, expireErr
	case freed:
		return s.hold(ctx, sc, token, person, in, &wanted)
	}
	return h, err
}

// expire ends expired holds on the seats of a refused cart, and reports whether there were any: expired holds do not
// block others, even before the sweep. That is no effect of this request, which has had none: it is done beside its
// claim, in transactions of its own, as others' holds are locked before the occurrences that this cart had.
func (s *Service) expire(ctx context.Context, tenant uuid.UUID, refusal error, wanted []uuid.UUID) (freed bool, err error) {
	if errors.Is(refusal, booking.ErrFull) {
		freed, err = s.booking.ExpireAt(ctx, tenant, wanted)
	}
	if errors.Is(refusal, order.ErrSoldOut) {
		freed, err = s.releaseEndedOf(ctx, tenant)
	}
	taken := errors.Is(refusal, availability.ErrFull) || errors.Is(refusal, claim.ErrStaffBusy) || errors.Is(refusal, claim.ErrSpaceBusy)
	if err != nil || freed || !taken {
		return freed, err
	}
	return s.booking.ExpireSlots(ctx, tenant)
}

// hold reads the cart without a lock first. A fresh cart, as most are, is held as it was read, in one more trip; a
// cart that is held already is only returned. Any other cart, and one with a change meanwhile, goes the long way,
// under its lock.
func (s *Service) hold(ctx context.Context, sc tenancy.Scope, token string, person uuid.UUID, in HoldInput, wanted *[]uuid.UUID) (booking.Hold, error) {
	l, err := s.readPart(ctx, sc, token, readingToHold, s.billing.Env())
	if err == nil && (l.Order != nil || l.holding() != nil || l.hasNonSeats()) {
		l, err = s.read(ctx, sc, token)
	}
	if err != nil {
		return booking.Hold{}, err
	}
	if l.held(person) || l.fresh(person) {
		h, err := s.holdRead(ctx, sc, l, in)
		if !errors.Is(err, pg.ErrUnmet) {
			return h, err
		}
	}
	return s.holdLocked(ctx, sc, token, person, in, wanted)
}

// mine reports whether the cart is this person's, and not booked yet.
func (l *loaded) mine(person uuid.UUID) bool { return l.PersonID != nil && l.OpenTo(person) }

// held reports whether this person holds every seat already.
func (l *loaded) held(person uuid.UUID) bool {
	return l.mine(person) && len(l.Lines) > 0 && (l.frozen() || l.Order == nil && l.heldWholly())
}

// fresh reports whether nothing is held or being paid yet, and every seat of these classes was available a moment
// ago.
func (l *loaded) fresh(person uuid.UUID) bool {
	return len(l.Lines) > 0 && l.OpenTo(person) && l.Order == nil && l.holding() == nil &&
		!slices.ContainsFunc(l.Lines, func(line Line) bool {
			return line.Slot != nil || line.Course || line.Problem != "" || line.Full || !line.Kind.Seat()
		})
}

// holdRead holds the seats of a cart that is as it was read: else pg.ErrUnmet, and nothing is done.
func (s *Service) holdRead(ctx context.Context, sc tenancy.Scope, l loaded, in HoldInput) (booking.Hold, error) {
	return pg.InOneTrip(ctx, s.db, sc.Tenant, func(tx *pg.Tx, b *pg.Batch) (booking.Hold, error) {
		if l.frozen() {
			return *l.Hold, nil
		}
		if err := l.accepts(in.QuotedAmount); err != nil {
			return booking.Hold{}, err
		}
		if l.Hold != nil {
			return *l.Hold, nil
		}
		// Seats held for minutes need not outlive a crash; paying and booking wait for the disk.
		b.Lazily()
		claimIn(b, tx, l.Cart, customerOf(sc))
		return booking.HoldIn(b, tx, sc, l.wants(sc)), nil
	})
}

// customerOf returns the person of the customer's record.
func customerOf(sc tenancy.Scope) identity.Person {
	return identity.Person{ID: sc.Person(), Email: sc.Email, Name: sc.Actor.Name}
}

// wants returns the cart's request to booking.
func (l *loaded) wants(sc tenancy.Scope) booking.HoldInput {
	return booking.HoldInput{
		CartID: l.ID, LocationID: l.LocationID, PersonID: sc.Person(), Currency: l.currency(), Seats: l.seats(), Current: l.holding(),
	}
}

// holdLocked holds the cart under its lock.
func (s *Service) holdLocked(ctx context.Context, sc tenancy.Scope, token string, person uuid.UUID, in HoldInput, wanted *[]uuid.UUID) (booking.Hold, error) {
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (booking.Hold, error) {
		l, err := s.lock(ctx, tx, token, person, lockToHold)
		if err != nil {
			return booking.Hold{}, err
		}
		*wanted = l.occurrences()
		if err := s.ordered(l.Cart, person); err != nil {
			return booking.Hold{}, err
		}
		if l.frozen() {
			return *l.Hold, nil
		}
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return booking.Hold{}, err
		}
		if len(l.Lines) == 0 {
			return booking.Hold{}, ErrEmpty
		}
		if err := l.accepts(in.QuotedAmount); err != nil {
			return booking.Hold{}, err
		}
		h, err := l.take(ctx, tx, sc)
		if err != nil {
			return booking.Hold{}, err
		}
		return h, s.reserve(ctx, tx, &l, h)
	})
}

// take has booking hold the seats of the cart.
func (l *loaded) take(ctx context.Context, tx *pg.Tx, sc tenancy.Scope) (booking.Hold, error) {
	if l.Hold != nil && l.heldWholly() {
		return *l.Hold, nil
	}
	customer, err := crm.EnsureTx(ctx, tx, customerOf(sc))
	if err != nil {
		return booking.Hold{}, err
	}
	if err := l.renumber(ctx, tx, customer.ID); err != nil {
		return booking.Hold{}, err
	}
	if err := l.place(ctx, tx, sc, customer.ID); err != nil {
		return booking.Hold{}, err
	}
	if err := l.anchor(ctx, tx); err != nil {
		return booking.Hold{}, err
	}
	in := l.wants(sc)
	in.CustomerID = customer.ID
	return booking.HoldTx(ctx, tx, sc, in)
}

// accepts compares the quoted price with the price now. That is the quoted total if there is one, else the total at
// the prices when the items were added, of which none may have risen. Both numbers of a refusal are totals.
func (l *loaded) accepts(quoted *int64) error {
	now := l.Totals.TotalAmount
	if quoted != nil {
		if *quoted != now {
			return priceChanged(*quoted, now)
		}
		return nil
	}
	risen := false
	for i, line := range l.Lines {
		if !line.Held() {
			risen = risen || line.Dearer()
			l.items[i].ListedAmount = line.AddedAmount
		}
	}
	if risen {
		return priceChanged(l.quote(l.Lines, l.items, l.terms).Totals.TotalAmount, now)
	}
	return nil
}

// dropOrder gives up an order with an expired hold or a changed total, so that the cart can be held and paid anew. A
// payment in progress is waited for.
func (s *Service) dropOrder(ctx context.Context, tx *pg.Tx, c Cart) error {
	if c.Order == nil || c.Order.State != order.Open {
		return nil
	}
	if inTransit(c.Order.PaymentStatus) {
		return ErrPaymentPending
	}
	if _, err := order.End(ctx, tx, c.Order.ID, order.Void); err != nil {
		return err
	}
	return s.billing.CancelTx(ctx, tx, c.Order.ID)
}

// place gives the times of appointments and rentals in the cart their occurrences, so that they can be held like
// seats of a class. All of them are placed together: two services in a row, or two people who want anyone at ten, see
// each other.
//
// The person's holds of the same times in another cart, or in this one until its hold expired, are released first.
func (l *loaded) place(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, customer uuid.UUID) error {
	var asks []availability.SlotRequestAt
	var lines []int
	for i, line := range l.Lines {
		if line.Slot != nil && line.BookingID == nil {
			asks, lines = append(asks, line.Slot.request()), append(lines, i)
		}
	}
	if len(asks) == 0 {
		return nil
	}
	if err := booking.YieldTx(ctx, tx, sc, l.ID, customer, spans(asks)); err != nil {
		return err
	}
	placed, err := availability.AssignTx(ctx, tx, asks, availability.Storefront)
	if err != nil {
		return err
	}
	occurrences, err := availability.OpenTx(ctx, tx, placed)
	if err != nil {
		return err
	}
	items := make([]uuid.UUID, len(lines))
	for i, at := range lines {
		items[i] = l.Lines[at].ItemID
		l.Lines[at].OccurrenceID = occurrences[i]
	}
	return setOccurrences(ctx, tx, l.ID, items, occurrences)
}

func spans(asks []availability.SlotRequestAt) []booking.Span {
	out := make([]booking.Span, len(asks))
	for i, a := range asks {
		out[i] = booking.Span{OfferingID: a.OfferingID, StartsAt: a.StartsAt, Minutes: a.Minutes}
	}
	return out
}
