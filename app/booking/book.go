package booking

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Who is the customer that the studio books for: a record that is there, or a person by their address.
type Who struct {
	CustomerID uuid.UUID
	Email      string
	Name       string // of a new person
}

// Times is a time of an appointment or a rental.
type Times struct {
	OfferingID uuid.UUID
	StartsAt   time.Time
	Minutes    int // 0: the offering's
	MemberID   *uuid.UUID
	SpaceID    *uuid.UUID
}

// BookInput is a booking that the studio makes for a customer. Nothing is charged: the price is kept and paid later.
type BookInput struct {
	Who          Who
	OccurrenceID uuid.UUID // of a class
	OfferingID   uuid.UUID // a course: all of its dates that are to come
	Time         *Times    // of an appointment or a rental
	Party        int       // 0: one
	Attendee     string    // who is coming, when it is somebody else
	Note         string    // the studio's own
	Override     bool      // set the rules aside: full, begun, notice, window
	Reason       string    // needed for it
}

// The bounds of what is written on a booking, in characters.
const (
	AttendeeMax = 120
	NoteMax     = 2000
	WordsMax    = 500 // that somebody gives as a reason
	PartyMax    = 1000
)

// Validate trims the input and checks it. The error names every wrong field.
func (in *BookInput) Validate() error {
	var c fault.Checks
	in.Who.check(&c)
	named := 0
	for _, is := range []bool{in.OccurrenceID != uuid.Nil, in.OfferingID != uuid.Nil, in.Time != nil} {
		if is {
			named++
		}
	}
	c.That(named == 1, "occurrenceId", "Name a date of a class, a course, or a time: one of them.")
	checkBooking(&c, &in.Party, &in.Attendee, &in.Note)
	checkReason(&c, &in.Reason, in.Override)
	return c.Err()
}

// checkBooking trims and checks what every booking of the studio has, and fills in a party of one.
func checkBooking(c *fault.Checks, party *int, attendee, note *string) {
	*party = cmp.Or(*party, 1)
	c.That(*party >= 1 && *party <= PartyMax, "party", "Use 1 to 1000.")
	*attendee = CheckLine(c, "attendee", *attendee, AttendeeMax)
	*note = checkText(c, "note", *note, NoteMax)
}

func (w *Who) check(c *fault.Checks) {
	w.Email, w.Name = strings.TrimSpace(w.Email), strings.TrimSpace(w.Name)
	c.That((w.CustomerID == uuid.Nil) == (w.Email != ""), "customerId", "Name a customer, or the address of one.")
	c.That(utf8.RuneCountInString(w.Name) <= AttendeeMax, "name", "Use at most 120 characters.")
}

// CheckLine trims what is written on one line, and checks it.
func CheckLine(c *fault.Checks, field, text string, most int) string {
	text = strings.TrimSpace(text)
	c.That(utf8.RuneCountInString(text) <= most, field, "It is too long.")
	c.That(!strings.ContainsFunc(text, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }), field,
		"There is a character in it that cannot be printed.")
	return text
}

func checkText(c *fault.Checks, field, text string, most int) string {
	text = strings.TrimSpace(text)
	c.That(utf8.RuneCountInString(text) <= most, field, fmt.Sprintf("Use at most %d characters.", most))
	return text
}

// checkReason trims what somebody gives as a reason; needed says whether there must be one.
func checkReason(c *fault.Checks, reason *string, needed bool) {
	*reason = checkText(c, "reason", *reason, WordsMax)
	c.That(!needed || *reason != "", "reason", "Say why.")
}

// Booked is a booking that the studio made.
type Booked struct {
	BookingID    uuid.UUID
	OccurrenceID uuid.UUID
	Made
}

// Made is a booking as far as it is known before it is made: it is the same in a rehearsal.
type Made struct {
	OfferingID  uuid.UUID
	StartsAt    time.Time
	EndsAt      time.Time
	MemberID    *uuid.UUID // of an appointment or a rental
	SpaceID     *uuid.UUID
	Party       int
	PriceAmount int64 // to be paid later, in minor units of Currency
	Currency    money.Currency
	Overridden  []string   // what was set aside
	Mail        bool       // the customer is told
	Dates       []FreeDate // of a course: all that are booked; nil otherwise
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
	return manage(ctx, s, sc, &in, &in.Reason, func(tx *pg.Tx) (uuid.UUID, Made, error) {
		if err := in.allowed(ctx, tx, sc); err != nil {
			return uuid.Nil, Made{}, err
		}
		customer, err := in.Who.Lock(ctx, tx)
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
	})
}

// allowed asks for the features before anything else is looked at.
func (in BookInput) allowed(ctx context.Context, tx *pg.Tx, sc tenancy.Scope) error {
	var location uuid.UUID
	var own bool
	var err error
	switch {
	case in.Time != nil:
		location, own, err = offeringSite(ctx, tx, sc.Person(), in.Time.OfferingID, in.Time.MemberID)
	case in.OfferingID != uuid.Nil: // each of the dates is looked at when they are known
		location, _, err = offeringSite(ctx, tx, sc.Person(), in.OfferingID, nil)
		own = sc.Grants.Own.Has(policy.BookingManage)
	default:
		location, own, err = dateSite(ctx, tx, sc.Person(), in.OccurrenceID)
	}
	if err != nil {
		return err
	}
	return mayManage(sc, location, own, in.Override)
}

// mayManage lets somebody on who may change bookings at a location, or of their own occurrences, and set rules aside there.
func mayManage(sc tenancy.Scope, location uuid.UUID, own, override bool) error {
	if err := policy.RequireRow(sc, policy.BookingManage, location, own); err != nil {
		return err
	}
	if !override {
		return nil
	}
	return policy.RequireAt(sc, policy.BookingOverride, location)
}

// Anonymous reports whether nobody knows who it is.
func (w Who) Anonymous() bool { return w.CustomerID == uuid.Nil && w.Email == "" }
