package booking

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/names"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CustomerRef is the customer that the studio books for: a record that is there, or a person by their address.
type CustomerRef struct {
	CustomerID uuid.UUID
	Email      string
	Name       string // of a new person
}

// Anonymous reports whether nobody knows who it is.
func (w CustomerRef) Anonymous() bool { return w.CustomerID == uuid.Nil && w.Email == "" }

// Times is a time of an appointment or a rental.
type Times struct {
	OfferingID uuid.UUID
	StartsAt   time.Time
	Minutes    int // 0: the offering's
	MemberID   *uuid.UUID
	SpaceID    *uuid.UUID
}

// The bounds of what is written on a booking, in characters.
const (
	AttendeeMax = 120
	NoteMax     = 2000
	WordsMax    = 500 // that somebody gives as a reason
	PartyMax    = 1000
)

// checkBooking trims and checks what every booking of the studio has, and fills in a party of one.
func checkBooking(c *fault.Checks, party *int, attendee, note *string) {
	*party = cmp.Or(*party, 1)
	c.That(*party >= 1 && *party <= PartyMax, "party", "Use 1 to 1000.")
	*attendee = CheckLine(c, "attendee", *attendee, AttendeeMax)
	*note = checkText(c, "note", *note, NoteMax)
}

func (w *CustomerRef) check(c *fault.Checks) {
	w.Email, w.Name = strings.TrimSpace(w.Email), names.Clean(w.Name)
	c.That((w.CustomerID == uuid.Nil) == (w.Email != ""), "customerId", "Name a customer, or the address of one.")
	c.That(utf8.RuneCountInString(w.Name) <= AttendeeMax, "name", "Use at most 120 characters.")
}

// CheckLine brings a name on one line into the form that is kept, and checks it.
func CheckLine(c *fault.Checks, field, text string, most int) string {
	text = names.Clean(text)
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

// CheckReason trims what somebody gives as a reason; needed says whether there must be one.
func CheckReason(c *fault.Checks, reason *string, needed bool) {
	*reason = checkText(c, "reason", *reason, WordsMax)
	c.That(!needed || names.Clean(*reason) != "", "reason", "Say why.")
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
	Dates       []FreeDate // of a course: all that are booked; nil otherwise
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

// RecurringMax is how many dates one call books.
const RecurringMax = 200

// OnClash says what becomes of a recurring booking when some of its dates cannot be booked.
type OnClash string

// The ways.
const (
	ClashRefuse OnClash = "refuse" // nothing is booked
	ClashSkip   OnClash = "skip"   // the free dates are
)

// All lists them.
func (OnClash) All() []OnClash { return []OnClash{ClashRefuse, ClashSkip} }

// RecurringInput books one customer into many dates of a class, those of a list or those of a rule, or at many times of an appointment
// or a rental.
type RecurringInput struct {
	Customer      CustomerRef
	OfferingID    uuid.UUID
	OccurrenceIDs []uuid.UUID     // the list; empty: the rule below
	From, Until   civil.Date      // the rule: first and last possible day, on the location's wall clock
	Weekdays      []time.Weekday  // of the rule; empty: every day on which there are dates
	SeriesID      uuid.UUID       // of the rule; Nil: of all series
	Times         *RecurringTimes // of an appointment or a rental: weekly from From on
	Party         int             // 0: one
	Attendee      string
	Note          string
	OnClash       OnClash // empty: ClashRefuse
	Override      bool
	Reason        string
}

// desk is somebody of the studio who books for a customer.
type desk struct {
	sc              tenancy.Scope
	customer, group uuid.UUID // group: Nil for a booking of its own
	course          bool      // the group is a course
	silent          bool      // whoever asks tells the customer
	party           int
	attendee, note  string
	override        bool
	words           string
}
