package waitlist

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// JoinInput adds a customer to the waitlist of a date.
type JoinInput struct {
	OfferingID     uuid.UUID // the offering of the date
	OccurrenceID   uuid.UUID
	Party          int    // seats, 1 when zero
	Attendee       string // the attendee, if not the customer; may be empty
	PaymentChoice  PaymentChoice
	Consent        bool // to a saved card being charged
	DropIfPromoted bool // a seat of another date at the same time ends this entry, and the other way round
}

// Validate fills in the defaults and checks the input. The error names every wrong field.
func (in *JoinInput) Validate() error {
	in.Attendee = names.Clean(in.Attendee)
	in.Party, in.PaymentChoice = cmp.Or(in.Party, 1), cmp.Or(in.PaymentChoice, payLater)
	var c fault.Checks
	c.That(in.Party >= 1 && in.Party <= PartyMax, "party", "Use 1 to 100.")
	c.That(utf8.RuneCountInString(in.Attendee) <= booking.AttendeeMax, "attendee", "Use at most 120 characters.")
	c.That(!strings.ContainsFunc(in.Attendee, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }),
		"attendee", "This contains a character that cannot be printed. Remove it.")
	c.That(slices.Contains(in.PaymentChoice.All(), in.PaymentChoice), "paymentChoice", "Use choose_later, plan, best_plan or card.")
	c.That(in.PaymentChoice != payByCard || in.Consent, "consent", "A saved card is charged only with the customer's consent.")
	return c.Err()
}

// Join adds the signed-in person to the waitlist of a date that is full for their party. An existing entry for the
// same attendee is returned as it is; after an expired offer the entry is added anew, at the end. A74.
//
// Errors:
//   - identity.ErrSignIn, ErrKeyRefused
//   - Validation on its fields
//   - not found for a date that the offering does not have
//   - ErrStarted, ErrCancelled, ErrNotBookable, ErrDuplicate with details.occurrenceId
//   - ErrOff
//   - ErrClosed with details.at
//   - ErrSeatsFree with details.spots
func (s *Service) Join(ctx context.Context, sc tenancy.Scope, in JoinInput) (CustomerEntry, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return CustomerEntry{}, err
	}
	if err := in.Validate(); err != nil {
		return CustomerEntry{}, err
	}
	id, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (uuid.UUID, error) {
		customer, err := crm.EnsureTx(ctx, tx, identity.Person{ID: person, Email: sc.Email, Name: sc.Actor.Name})
		if err != nil {
			return uuid.Nil, err
		}
		d, err := lockDate(ctx, tx, in.OccurrenceID)
		if err != nil {
			return uuid.Nil, err
		}
		return s.joinTx(ctx, tx, sc, d, customer, in, "joined")
	})
	if err != nil {
		return CustomerEntry{}, err
	}
	return s.customerEntry(ctx, sc.Tenant, id)
}

// joinTx puts a customer on the list of a date. The caller has the locks of the customer and of the date.
func (s *Service) joinTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, d date, customer crm.Customer, in JoinInput, why string) (uuid.UUID, error) {
	if d.OfferingID != in.OfferingID {
		return uuid.Nil, fault.Missing()
	}
	w, there, err := ownEntry(ctx, tx, d.ID, customer.ID, in.Attendee)
	if err != nil || there && (w.State == Waiting || w.State == Offered) {
		return w.ID, err
	}
	if err := d.joinable(ctx, tx, customer, in); err != nil {
		return uuid.Nil, err
	}
	if there {
		if _, err := transit(ctx, tx, sc, TransitionRejoin, "joined again", w.ID); err != nil {
			return uuid.Nil, err
		}
		err = toTheEnd(ctx, tx, w)
	} else {
		w = in.entry(d, customer)
		if in.Consent {
			now := tx.Now()
			w.ConsentAt = &now
		}
		if in.PaymentChoice != payLater {
			why += "; payment by " + string(in.PaymentChoice) + " is not possible yet: the customer will be asked"
		}
		err = insertEntry(ctx, tx, sc, w, s.hashOf(w.ID), why)
		if errors.Is(err, pg.ErrNoRow) { // the deciding facts have changed since the date was read
			if d, err = readDate(ctx, tx, d.ID); err == nil {
				err = orElse(d.takesEntries(tx.Now()), booking.At(booking.ErrNotBookable, d.ID))
			}
		}
	}
	if err == nil {
		err = booking.CloseAtTx(ctx, tx, d.ID, d.asksUntil())
	}
	if err == nil {
		err = enqueueLetter(ctx, tx, w.ID, LetterJoined)
	}
	return w.ID, err
}

func (in JoinInput) entry(d date, customer crm.Customer) Entry {
	return Entry{
		ID: pg.NewID(), LocationID: d.LocationID, OfferingID: d.OfferingID, OccurrenceID: d.ID, CustomerID: customer.ID,
		PersonID: customer.PersonID, Party: in.Party, Attendee: in.Attendee, PaymentChoice: in.PaymentChoice,
		DropIfPromoted: in.DropIfPromoted,
	}
}

// joinable checks whether a customer can wait for a date, and returns the reason if not.
func (d date) joinable(ctx context.Context, tx *pg.Tx, customer crm.Customer, in JoinInput) error {
	if err := d.takesEntries(tx.Now()); err != nil {
		return err
	}
	if in.Party > d.OnlineCapacity {
		return fault.Invalid("party", "There are not that many spots.")
	}
	if err := booking.NoSeatYet(ctx, tx, customer.ID, in.Attendee, d.ID); err != nil {
		return err
	}
	if !d.Room(in.Party, true) {
		return nil
	}
	due, err := booking.RoundDue(ctx, tx, d.ID) // then the available seats belong to the entries before
	if err != nil || due {
		return err
	}
	return booking.At(ErrSeatsFree.With("spots", d.Spots()), d.ID)
}

// takesEntries checks whether entries can be added to the list of the date now, and returns the reason if not.
func (d date) takesEntries(now time.Time) error {
	switch o := d.TakesEntries(d.Rules, now); o {
	case schedule.ObstacleNoWaitlist:
		return ErrOff
	case schedule.ObstacleWaitlistClosed:
		return ErrClosed.With("at", d.asksUntil())
	default:
		return booking.Refused(o, d.ID, d.OfferingID)
	}
}
