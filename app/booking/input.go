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

// CustomerRef is the customer of a booking by the studio: an existing record, or a person by their address.
type CustomerRef struct {
	CustomerID uuid.UUID
	Email      string
	Name       string // of a new person
}

// Anonymous reports whether the customer is unidentified.
func (w CustomerRef) Anonymous() bool { return w.CustomerID == uuid.Nil && w.Email == "" }

// Times is a time of an appointment or a rental.
type Times struct {
	OfferingID uuid.UUID
	StartsAt   time.Time
	Minutes    int // 0: the offering's
	MemberID   *uuid.UUID
	SpaceID    *uuid.UUID
}

// The limits of the texts of a booking, in characters.
const (
	AttendeeMax = 120
	NoteMax     = 2000
	WordsMax    = 500 // reason of a change
	PartyMax    = 1000
)

// checkBooking trims and checks the fields common to all bookings by the studio. An empty party becomes one.
func checkBooking(c *fault.Checks, party *int, attendee, note *string) {
	*party = cmp.Or(*party, 1)
	c.That(*party >= 1 && *party <= PartyMax, "party", "Use 1 to 1000.")
	*attendee = CheckLine(c, "attendee", *attendee, AttendeeMax)
	*note = checkText(c, "note", *note, NoteMax)
}

func (w *CustomerRef) check(c *fault.Checks) {
	w.Email, w.Name = strings.TrimSpace(w.Email), names.Clean(w.Name)
	c.That((w.CustomerID == uuid.Nil) == (w.Email != ""), "customerId", "Name a customer or an e-mail address.")
	c.That(utf8.RuneCountInString(w.Name) <= AttendeeMax, "name", "Use at most 120 characters.")
}

// CheckLine normalizes a name on one line, and checks it.
func CheckLine(c *fault.Checks, field, text string, most int) string {
	text = names.Clean(text)
	c.That(utf8.RuneCountInString(text) <= most, field, "It is too long.")
	c.That(!strings.ContainsFunc(text, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }), field,
		"This contains a character that cannot be printed. Remove it.")
	return text
}

func checkText(c *fault.Checks, field, text string, most int) string {
	text = strings.TrimSpace(text)
	c.That(utf8.RuneCountInString(text) <= most, field, fmt.Sprintf("Use at most %d characters.", most))
	return text
}

// CheckReason trims and checks a reason; needed reports whether it is required.
func CheckReason(c *fault.Checks, reason *string, needed bool) {
	*reason = checkText(c, "reason", *reason, WordsMax)
	c.That(!needed || names.Clean(*reason) != "", "reason", "Enter a reason.")
}

// Booked is a booking made by the studio.
type Booked struct {
	BookingID    uuid.UUID
	OccurrenceID uuid.UUID
	Made
}

// Made is a booking with the facts that are known before it is written: the same in a dry run.
type Made struct {
	OfferingID  uuid.UUID
	StartsAt    time.Time
	EndsAt      time.Time
	MemberID    *uuid.UUID // of an appointment or a rental
	SpaceID     *uuid.UUID
	Party       int
	PriceAmount int64 // to be paid later, in minor units of Currency
	Currency    money.Currency
	Overridden  []string   // rules that were overridden
	Dates       []FreeDate // of a course: all booked dates; nil otherwise
}

// mayManage reports whether the caller may change bookings at a location, or of their own occurrences, and override
// rules there.
func mayManage(sc tenancy.Scope, location uuid.UUID, own, override bool) error {
	if err := policy.RequireRow(sc, policy.BookingManage, location, own); err != nil {
		return err
	}
	if !override {
		return nil
	}
	return policy.RequireAt(sc, policy.BookingOverride, location)
}

// RecurringMax is the maximum number of dates in one call.
const RecurringMax = 200

// OnClash is the handling of a recurring booking with dates that cannot be booked.
type OnClash string

// The values of OnClash.
const (
	ClashRefuse OnClash = "refuse" // nothing is booked
	ClashSkip   OnClash = "skip"   // the free dates are
)

// All lists them.
func (OnClash) All() []OnClash { return []OnClash{ClashRefuse, ClashSkip} }

// RecurringInput books one customer into many dates of a class, given by a list or by a rule, or at many times of an
// appointment or a rental.
type RecurringInput struct {
	Customer      CustomerRef
	OfferingID    uuid.UUID
	OccurrenceIDs []uuid.UUID     // the list; empty: the rule below
	From, Until   civil.Date      // the rule: first and last possible day, on the location's wall clock
	Weekdays      []time.Weekday  // of the rule; empty: every day with dates
	SeriesID      uuid.UUID       // of the rule; Nil: of all series
	Times         *RecurringTimes // of an appointment or a rental: weekly from From on
	Party         int             // 0: one
	Attendee      string
	Note          string
	OnClash       OnClash // empty: ClashRefuse
	Override      bool
	Reason        string
}

// desk is a staff member booking for a customer.
type desk struct {
	sc              tenancy.Scope
	customer, group uuid.UUID // group: Nil for a booking of its own
	course          bool      // the group is a course
	silent          bool      // the caller notifies the customer
	party           int
	attendee, note  string
	override        bool
	words           string
}
