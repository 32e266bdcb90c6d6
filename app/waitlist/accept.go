package waitlist

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/crm"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// Accepted is an accepted offer: a cart with held seats, to be paid like any other.
type Accepted struct {
	EntryID   uuid.UUID
	BookingID uuid.UUID
	CartID    uuid.UUID
	ExpiresAt time.Time  // of the hold
	OrderID   *uuid.UUID // its total is zero, so it is booked already
}

// Accept accepts the offer to the signed-in person, by the token of the entry. The offered seats become a hold of ten
// minutes under a cart of theirs; a cart with a total of zero is booked at once. In the mode in which the first to
// accept wins, it occupies a seat if there still is one. Accepting again gives the same answer as long as the hold
// lives. A74.
//
// Errors:
//   - identity.ErrSignIn, ErrKeyRefused
//   - not found for an unknown token
//   - ErrOfferTo for an offer to another person
//   - ErrOfferExpired after the deadline
//   - ErrNoOffer with details.state
//   - ErrClosed
//   - ErrFull when another entry was faster
//   - ErrHoldExpired when the hold of an accepted offer has ended
//   - ErrStarted, ErrCancelled, ErrNotBookable, ErrDuplicate
func (s *Service) Accept(ctx context.Context, sc tenancy.Scope, token string) (Accepted, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return Accepted{}, err
	}
	entry, err := s.entryHere(ctx, sc, token)
	if err != nil {
		return Accepted{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Accepted, error) {
		w, err := findEntry(ctx, tx, entry)
		if err != nil {
			return Accepted{}, err
		}
		_, mine, err := crm.AdoptTx(ctx, tx, w.CustomerID, identity.Person{ID: person, Email: sc.Email, Name: sc.Actor.Name})
		if err != nil || !mine {
			return Accepted{}, orElse(err, ErrOfferTo)
		}
		r, w, err := beginList(ctx, tx, sc, w.ID)
		if err != nil {
			return Accepted{}, err
		}
		if w.State == Promoted {
			return acceptedAlready(ctx, tx, w)
		}
		if err := r.acceptable(ctx, w); err != nil {
			return Accepted{}, err
		}
		return s.acceptTx(ctx, r, w, person)
	})
}

// acceptTx makes the cart, takes the seats under it, and books it when it costs nothing.
func (s *Service) acceptTx(ctx context.Context, r *listRound, w Entry, person uuid.UUID) (Accepted, error) {
	tx, d, price := r.tx, r.d, r.d.price(w.Party)
	cart, err := s.Ports().OpenCartTx(ctx, tx, OpenCart{
		LocationID: d.LocationID, OfferingID: d.OfferingID, OccurrenceID: d.ID, PersonID: person, Party: w.Party,
		Attendee: w.Attendee, PriceAmount: price,
	})
	if err != nil {
		return Accepted{}, err
	}
	h := booking.Hold{ID: pg.NewID(), CartID: cart, PersonID: person, ExpiresAt: tx.Now().Add(booking.HoldLife)}
	booked, ok, err := d.seat(ctx, tx, r.sc, seating{Entry: w.ID, Transition: booking.TransitionHold, Online: true, Hold: &h, Price: price, Why: "accepted"})
	if err != nil || !ok {
		return Accepted{}, orElse(err, booking.At(booking.ErrFull, d.ID))
	}
	out := Accepted{EntryID: w.ID, BookingID: booked, CartID: cart, ExpiresAt: h.ExpiresAt}
	if err := r.taken(ctx, w, true); err != nil {
		return out, err
	}
	r.ended = true
	scope := r.sc
	if err := r.goOn(ctx); err != nil {
		return out, err
	}
	if price == 0 {
		out.OrderID, err = s.Ports().FulfilPromotionTx(ctx, tx, scope, cart)
	}
	return out, err
}

// acceptable checks whether the entry has an offer to accept, and returns the reason if not.
func (r *listRound) acceptable(ctx context.Context, w Entry) error {
	if err := w.acceptable(r.d.Facts, r.d.Rules, r.tx.Now()); err != nil {
		return err
	}
	return booking.NoSeatYet(ctx, r.tx, w.CustomerID, w.Attendee, r.d.ID)
}

// acceptable checks whether the entry has an offer to accept, for any customer, and returns the reason if not.
func (w Entry) acceptable(f schedule.Facts, r catalog.Rules, now time.Time) error {
	if o := f.Sold(now); o != "" {
		return booking.Refused(o, w.OccurrenceID, w.OfferingID)
	}
	race := w.State == Waiting && r.Waitlist.Mode == catalog.WaitlistRace
	switch {
	case !race && !w.Open(now):
		return w.noOffer()
	case race && !now.Before(r.OffersUntil(f.StartsAt)):
		return ErrClosed.With("at", r.OffersUntil(f.StartsAt))
	case race && !f.Room(w.Party, true):
		return booking.At(booking.ErrFull, w.OccurrenceID)
	}
	return nil
}

// acceptedAlready returns the answer for an offer that was accepted before.
func acceptedAlready(ctx context.Context, tx *pg.Tx, w Entry) (Accepted, error) {
	p, err := placeOf(ctx, tx, *w.BookingID)
	switch {
	case err != nil:
		return Accepted{}, err
	case p.CartID == nil: // booked by the studio or the list itself
		return Accepted{}, ErrHasSeat.With("bookingId", w.BookingID.String())
	case p.State == booking.Held && !tx.Now().Before(*p.ExpiresAt), p.State == booking.Expired:
		return Accepted{}, booking.ErrHoldExpired
	}
	out := Accepted{EntryID: w.ID, BookingID: *w.BookingID, CartID: *p.CartID, ExpiresAt: p.ExpiresAt.UTC()}
	if p.State != booking.Held {
		out.OrderID = p.OrderID
	}
	return out, nil
}
