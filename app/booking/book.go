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

// BookInput is a booking by the studio for a customer. It charges nothing: the price is recorded and paid later.
type BookInput struct {
	Customer     CustomerRef
	OccurrenceID uuid.UUID // of a class
	OfferingID   uuid.UUID // a course: all of its upcoming dates
	Time         *Times    // of an appointment or a rental
	Party        int       // 0: one
	Attendee     string    // the attendee, if not the customer
	Note         string    // the studio's own
	Override     bool      // override the rules: full, begun, lead time, window
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
	c.That(named == 1, "occurrenceId", "Name exactly one of: a date of a class, a course, a time.")
	checkBooking(&c, &in.Party, &in.Attendee, &in.Note)
	CheckReason(&c, &in.Reason, in.Override)
	return c.Err()
}

// Book books for a customer. It uses the whole capacity, not only the seats that are sold online. Instructors and
// spaces are checked as in the storefront.
//
// It needs booking.manage at the location, or for the caller's own occurrences. Overriding rules needs
// booking.override and a reason; the capacity of a full date then grows by the missing seats.
//
// A course is booked with all of its upcoming dates, or not at all: ErrFull then has details.dates. A single date of
// a course is ErrCourse, unless rules are overridden: then it is booked like a date of a class, free of charge.
//
// Errors:
//   - Validation, not found
//   - ErrDuplicate
//   - ErrCancelled, ErrNotBookable
//   - ErrStarted, ErrTooLate, ErrTooEarly
//   - ErrFull, ErrCourse
//   - the errors of availability.AssignTx
func (s *Service) Book(ctx context.Context, sc tenancy.Scope, in BookInput) (Did[Made], error) {
	return manage(ctx, s, sc, in.Validate, &in.Reason, func(tx *pg.Tx) (uuid.UUID, Made, error) { return in.book(ctx, tx, sc) })
}

// BookTx is Book in the caller's transaction: for a booking with an immediate payment.
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

// book makes the booking of the input and returns its id.
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

// allowed checks the features before anything else is read.
func (in BookInput) allowed(ctx context.Context, tx *pg.Tx, sc tenancy.Scope) error {
	var at site
	var err error
	switch {
	case in.Time != nil:
		at, err = offeringSite(ctx, tx, sc.Person(), in.Time.OfferingID, in.Time.MemberID)
	case in.OfferingID != uuid.Nil: // each date is checked once the dates are known
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
