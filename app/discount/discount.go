package discount

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/names"
)

// AppliesTo is what a discount is for.
type AppliesTo string

// What discounts are for. Fees are never discounted.
const (
	Bookings AppliesTo = "bookings"
	Goods    AppliesTo = "goods" // products
	All      AppliesTo = "all"   // both
)

// All lists them.
func (AppliesTo) All() []AppliesTo { return []AppliesTo{Bookings, Goods, All} }

// covers reports whether a line is of what the discount is for.
func (a AppliesTo) covers(l Line) bool { return l.Seat && a != Goods || l.Goods && a != Bookings }

// Discount is a percentage or an amount off a business's prices, with conditions.
type Discount struct {
	ID     uuid.UUID `json:"id"`
	Name   string    `json:"name"`                // as customers read it
	Code   string    `json:"code" db:"code,null"` // upper case; empty: it is automatic
	PPM    int64     `json:"ppm" db:"ppm"`        // of the total of the eligible lines: 200000 is 20 %; 0: Amount
	Amount int64     `json:"amount"`              // minor units of Currency, off all eligible lines together; 0: PPM
	// Currency is that of Amount and LeastAmount: at a location with another one the discount does not apply.
	Currency        money.Currency `json:"currency"`
	LeastAmount     int64          `json:"least_amount"` // minimum of the eligible lines; 0: none
	AppliesTo       AppliesTo      `json:"applies_to" db:"applies_to"`
	LocationIDs     []uuid.UUID    `json:"location_ids" db:"location_ids"` // empty: everywhere
	OfferingIDs     []uuid.UUID    `json:"offering_ids" db:"offering_ids"` // of bookings; empty: all
	PlanIDs         []uuid.UUID    `json:"plan_ids" db:"plan_ids"`         // only for members of one; empty: for all
	Weekdays        []time.Weekday `json:"weekdays"`                       // of the date of bookings; empty: every
	FirstDay        *civil.Date    `json:"first_day"`                      // at the location; nil: any
	LastDay         *civil.Date    `json:"last_day"`                       // nil: none
	UsesMax         int            `json:"uses_max"`                       // orders; 0: any number
	CustomerUsesMax int            `json:"customer_uses_max"`              // orders of one customer; 0: any number
	FirstTime       bool           `json:"first_time"`                     // only for a first booking
	Position        int            `json:"position"`                       // lower ones are taken off first
	Combines        bool           `json:"combines"`                       // with others that combine; else alone
	ArchivedAt      *time.Time     `json:"archived_at"`
	Version         int64          `json:"version"`
	CreatedAt       time.Time      `json:"created_at"`
	UpdatedAt       time.Time      `json:"updated_at"`
	Uses            int            `json:"uses"` // active uses
}

// Automatic reports whether it applies without a code.
func (d Discount) Automatic() bool { return d.Code == "" }

// limited reports whether it depends on existing orders.
func (d Discount) limited() bool { return d.UsesMax > 0 || d.CustomerUsesMax > 0 || d.FirstTime }

// The limits of a discount.
const (
	NameMax   = 80 // characters
	CodeMin   = 2
	CodeMax   = 40
	ListedMax = 200 // locations, offerings or plans that one discount names
	UsesBound = 1_000_000
	amountMax = 99_999_999
	placeMax  = 1000 // of Position
)

var codeForm = regexp.MustCompile(`^[A-Z0-9][A-Z0-9-]*$`)

// NormalizeCode returns a code as it is stored and compared: in upper case, and as plain as its letters allow. A
// hyphen that a phone makes longer, full-width letters and invisible characters, copied from a message, do not make
// another code.
func NormalizeCode(code string) string { return strings.ToUpper(names.Key(code)) }

// check trims the texts, sorts the lists and records every error.
func (d *Discount) check(c *fault.Checks) {
	d.Name, d.Code = names.Clean(d.Name), NormalizeCode(d.Code)
	n := utf8.RuneCountInString(d.Name)
	c.That(n > 0, "name", "Give it a name.")
	c.That(n <= NameMax, "name", "Use at most 80 characters.")
	c.That(!strings.ContainsFunc(d.Name, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }),
		"name", "This contains a character that cannot be printed. Remove it.")
	if d.Code != "" {
		c.That(len(d.Code) >= CodeMin && len(d.Code) <= CodeMax && codeForm.MatchString(d.Code), "code",
			"Use 2 to 40 letters, digits and hyphens, and begin with a letter or a digit.")
	}
	c.That((d.PPM == 0) != (d.Amount == 0), "ppm", "Enter either a percentage or an amount.")
	c.That(d.PPM >= 0 && d.PPM <= money.Million, "ppm", "Use 1 to 1000000 parts per million.")
	c.That(d.Amount >= 0 && d.Amount <= amountMax, "amount", "Use 1 to 99999999.")
	c.That(d.LeastAmount >= 0 && d.LeastAmount <= amountMax, "leastAmount", "Use 0 to 99999999.")
	_, known := money.Lookup(d.Currency)
	c.That(known, "currency", "This is not a currency that can be used here.")
	c.That(d.FirstDay == nil || d.FirstDay.Valid(), "firstDay", "This is not a valid date.")
	c.That(d.LastDay == nil || d.LastDay.Valid(), "lastDay", "This is not a valid date.")
	c.That(d.FirstDay == nil || d.LastDay == nil || !d.LastDay.Before(*d.FirstDay), "lastDay", "The last day must not be before the first one.")
	c.That(d.UsesMax >= 0 && d.UsesMax <= UsesBound, "usesMax", "Use 0 to 1000000.")
	c.That(d.CustomerUsesMax >= 0 && d.CustomerUsesMax <= UsesBound, "customerUsesMax", "Use 0 to 1000000.")
	c.That(d.Position >= 0 && d.Position <= placeMax, "position", "Use 0 to 1000.")
	c.That(slices.Contains(d.AppliesTo.All(), d.AppliesTo), "appliesTo", "Use bookings, goods or all.")
	d.LocationIDs, d.OfferingIDs, d.PlanIDs = each(d.LocationIDs), each(d.OfferingIDs), each(d.PlanIDs)
	c.That(len(d.LocationIDs) <= ListedMax, "locationIds", "Select at most 200, or none for all.")
	c.That(len(d.OfferingIDs) <= ListedMax, "offeringIds", "Select at most 200, or none for all.")
	c.That(len(d.PlanIDs) <= ListedMax, "planIds", "Select at most 200, or none for all.")
	days := slices.Clone(d.Weekdays)
	slices.Sort(days)
	if days = slices.Compact(days); days == nil {
		days = []time.Weekday{}
	}
	d.Weekdays = days
	for _, day := range days {
		c.That(day >= time.Sunday && day <= time.Saturday, "weekdays", "Use 0 for Sunday to 6 for Saturday.")
	}
}

// each returns every id once, in order; never nil.
func each(ids []uuid.UUID) []uuid.UUID {
	out := slices.Clone(ids)
	slices.SortFunc(out, func(a, b uuid.UUID) int { return cmp.Compare(a.String(), b.String()) })
	if out = slices.Compact(out); out == nil {
		out = []uuid.UUID{}
	}
	return out
}
