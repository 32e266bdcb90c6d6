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
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// HoldInput says what the customer was told.
type HoldInput struct {
	// QuotedAmount is the total that the customer saw. Nil accepts what each item was added at: a price that has risen
	// since is then a refusal with both numbers, and sending the new total is the way to accept it.
	QuotedAmount *int64
}

// Hold keeps all seats of the cart for ten minutes, or none. It needs a session, and the cart is that person's from then
// on. Repeating it gives the same hold; seats of items that were added since come under it. The answer need not say whose record
// it is on (CustomerID); the cart does. While the hold lives the prices stay, whatever the studio changes. A3, A74.
//
// A cart whose hold is over gets a new one; a payment that began under the old one is given up, unless money is on its
// way: then ErrPaymentPending.
//
// Errors: identity.ErrSignIn, ErrKeyRefused; not found; ErrEmpty, ErrOther, ErrOrdered, ErrPriceChanged; and what
// booking.HoldTx refuses, with details.reason and details.occurrenceId.
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

// expire ends what keeps a refused cart out and is past its time, and tells whether there was any: holds that are over
// keep nobody out, also before the sweep has been there. That is no effect of this request, which has had none: it is done
// beside its claim, in transactions of its own, as others' holds are locked before the occurrences that this cart had.
func (s *Service) expire(ctx context.Context, tenant uuid.UUID, refusal error, wanted []uuid.UUID) (freed bool, err error) {
	if errors.Is(refusal, booking.ErrFull) {
		freed, err = s.booking.ExpireAt(ctx, tenant, wanted)
	}
	taken := errors.Is(refusal, availability.ErrFull) || errors.Is(refusal, claim.ErrStaffBusy) || errors.Is(refusal, claim.ErrSpaceBusy)
	if err != nil || freed || !taken {
		return freed, err
	}
	return s.booking.ExpireSlots(ctx, tenant)
}

// hold reads the cart without a lock first. What is fresh, as most carts are, is held as it was read, in one more trip; what is
// held already is only told. Any other cart, and one at which something happened meanwhile, goes the long way, under its lock.
func (s *Service) hold(ctx context.Context, sc tenancy.Scope, token string, person uuid.UUID, in HoldInput, wanted *[]uuid.UUID) (booking.Hold, error) {
	l, err := s.readPart(ctx, sc, token, readingToHold, s.billing.Env())
	if err == nil && (l.Order != nil || l.holding() != nil) {
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

// mine tells whether the cart is this person's, and not booked yet.
func (l *loaded) mine(person uuid.UUID) bool { return l.PersonID != nil && l.OpenTo(person) }

// held tells whether this person keeps every seat already.
func (l *loaded) held(person uuid.UUID) bool {
	return l.mine(person) && len(l.Lines) > 0 && (l.frozen() || l.Order == nil && l.heldWholly())
}

// fresh tells whether nothing is kept or being paid yet, and every seat of these classes was to be had a moment ago.
func (l *loaded) fresh(person uuid.UUID) bool {
	return len(l.Lines) > 0 && l.OpenTo(person) && l.Order == nil && l.holding() == nil &&
		!slices.ContainsFunc(l.Lines, func(line Line) bool {
			return line.Slot != nil || line.Course || line.Problem != "" || line.Full
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
		// Seats that are kept for minutes are no promise that has to outlive a crash; paying and booking wait for the disk.
		b.Lazily()
		claimIn(b, tx, l.Cart, customerOf(sc))
		return booking.HoldIn(b, tx, sc, l.wants(sc)), nil
	})
}

// customerOf is what the customer's record is made of.
func customerOf(sc tenancy.Scope) identity.Person {
	return identity.Person{ID: sc.Person(), Email: sc.Email, Name: sc.Actor.Name}
}

// wants is what the cart asks booking for.
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
		return l.take(ctx, tx, sc)
	})
}

// take has booking keep the seats of the cart.
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

// accepts compares what the customer was told with what it costs now. That is the quoted total if there is one, else the
// total at the prices at which the items were added, of which none may have risen. Both numbers of a refusal are totals.
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
		if line.BookingID == nil {
			risen = risen || line.Dearer()
			l.items[i].ListedAmount = line.AddedAmount
		}
	}
	if risen {
		return priceChanged(l.quote(l.Lines, l.items, l.terms).Totals.TotalAmount, now)
	}
	return nil
}

// dropOrder gives up an order whose hold is over or whose total changes, so that the cart can be held and paid anew. Money that is on its
// way is waited for.
func (s *Service) dropOrder(ctx context.Context, tx *pg.Tx, c Cart) error {
	if c.Order == nil || c.Order.State != OrderOpen {
		return nil
	}
	if moving(c.Order.PaymentStatus) {
		return ErrPaymentPending
	}
	if err := voidOrder(ctx, tx, c.Order.ID); err != nil {
		return err
	}
	return s.billing.CancelTx(ctx, tx, c.Order.ID)
}

// place gives the times of appointments and rentals in the cart their occurrences, so that they can be held like seats of
// a class. All of them are placed together: two services in a row, or two people who want anyone at ten, see each other.
//
// What the person keeps of the same times in another cart, or kept in this one until its hold was over, makes way first.
func (l *loaded) place(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, customer uuid.UUID) error {
	var asks []availability.SlotRequestAt
	var lines []int
	for i, line := range l.Lines {
		if line.Slot != nil && line.BookingID == nil {
			asks, lines = append(asks, line.Slot.ask()), append(lines, i)
		}
	}
	if len(asks) == 0 {
		return nil
	}
	if err := booking.YieldTx(ctx, tx, sc, l.ID, customer, spans(asks)); err != nil {
		return err
	}
	placed, err := availability.PlaceTx(ctx, tx, asks, availability.Storefront)
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
