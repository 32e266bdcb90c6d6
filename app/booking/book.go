package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// BookInput is a booking that the studio makes for a customer. Nothing is charged: the price is kept and paid later.
type BookInput struct {
	Customer     CustomerRef
	OccurrenceID uuid.UUID // of a class
	OfferingID   uuid.UUID // a course: all of its dates that are to come
	Time         *Times    // of an appointment or a rental
	Party        int       // 0: one
	Attendee     string    // who is coming, when it is somebody else
	Note         string    // the studio's own
	Override     bool      // set the rules aside: full, begun, notice, window
	Reason       string    // needed for it
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *BookInput) Validate() error {
	var c fault.Checks
	in.Customer.check(&c)
	named := 0
	for _, is := range []bool{in.OccurrenceID != uuid.Nil, in.OfferingID != uuid.Nil, in.Time != nil} {
		if is {
			named++
		}
	}
	c.That(named == 1, "occurrenceId", "Name a date of a class, a course, or a time: one of them.")
	checkBooking(&c, &in.Party, &in.Attendee, &in.Note)
	CheckReason(&c, &in.Reason, in.Override)
	return c.Err()
}

// Book books for a customer. It takes a seat of all there are, not only of those that are sold online; people and spaces
// are looked at as for anybody.
//
// It needs booking.manage at the location, or for the caller's own occurrences; setting rules aside needs booking.override
// and a reason, and a full date then gets the seat that is missing. Errors: Validation; not found; ErrDuplicate;
// ErrCancelled, ErrNotBookable, ErrStarted, ErrTooLate, ErrTooEarly, ErrFull; what availability.PlaceTx refuses.
//
// A course is booked with all dates that are to come, or not at all: ErrFull then has details.dates. A single date of one is
// ErrCourse, unless the rules are set aside: then it is booked like a date of a class, and costs nothing.
func (s *Service) Book(ctx context.Context, sc tenancy.Scope, in BookInput) (Did[Made], error) {
	return manage(ctx, s, sc, in.Validate, &in.Reason, func(tx *pg.Tx) (uuid.UUID, Made, error) { return in.book(ctx, tx, sc) })
}

// BookTx is Book in the caller's transaction: for a booking that is paid for at once.
func BookTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in BookInput) (Did[Made], error) {
	err := policy.RequireAny(sc, policy.BookingManage)
	if err == nil {
		err = in.Validate()
	}
	if err == nil {
		err = tx.Because(ctx, in.Reason)
	}
	if err != nil {
		return Did[Made]{}, err
	}
	id, made, err := in.book(ctx, tx, sc)
	if err != nil {
		return Did[Made]{}, err
	}
	b, err := find(ctx, tx, sc.Person(), id)
	return Did[Made]{b.StudioBooking, made}, err
}

// book books what the input names, and returns the booking's id.
func (in BookInput) book(ctx context.Context, tx *pg.Tx, sc tenancy.Scope) (uuid.UUID, Made, error) {
	if err := in.allowed(ctx, tx, sc); err != nil {
		return uuid.Nil, Made{}, err
	}
	if err := business.OpenTx(ctx, tx); err != nil {
		return uuid.Nil, Made{}, err
	}
	customer, err := in.Customer.Lock(ctx, tx)
	if err != nil {
		return uuid.Nil, Made{}, err
	}
	d := desk{sc: sc, customer: customer, party: in.Party, attendee: in.Attendee, note: in.Note, override: in.Override, words: in.Reason}
	var made Booked
	switch {
	case in.Time != nil:
		made, err = d.bookTime(ctx, tx, *in.Time)
	case in.OfferingID != uuid.Nil:
		made, err = d.bookCourse(ctx, tx, in.OfferingID)
	default:
		made, err = d.bookDate(ctx, tx, in.OccurrenceID)
	}
	return made.BookingID, made.Made, err
}

// allowed asks for the features before anything else is looked at.
func (in BookInput) allowed(ctx context.Context, tx *pg.Tx, sc tenancy.Scope) error {
	var at site
	var err error
	switch {
	case in.Time != nil:
		at, err = offeringSite(ctx, tx, sc.Person(), in.Time.OfferingID, in.Time.MemberID)
	case in.OfferingID != uuid.Nil: // each of the dates is looked at when they are known
		at, err = offeringSite(ctx, tx, sc.Person(), in.OfferingID, nil)
		at.Own = sc.Grants.Own.Has(policy.BookingManage)
	default:
		at, err = dateSite(ctx, tx, sc.Person(), in.OccurrenceID)
	}
	if err != nil {
		return err
	}
	return mayManage(sc, at.LocationID, at.Own, in.Override)
}
