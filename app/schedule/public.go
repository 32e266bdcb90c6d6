package schedule

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
)

// Location is the location of a public read.
type Location struct {
	ID       uuid.UUID
	Slug     string
	Name     string
	Zone     string // IANA name; days and times are shown on this wall clock
	Currency money.Currency
	Paused   bool       // the business takes no bookings right now (E48)
	Cards    bool       // its account takes cards for this currency
	Today    civil.Date // the location's date when it was read
	Loc      *time.Location
}

// settle works out what the database does not keep.
func (p *Location) settle(now time.Time) {
	p.Loc = civil.ZoneOrUTC(p.Zone)
	p.Today = civil.LocalDate(now, p.Loc)
}

// Offered is what the times of one offering have in common.
type Offered struct {
	OfferingID  uuid.UUID
	Kind        catalog.Kind
	Slug        string
	Name        string
	PriceAmount int64 // minor units of the place's currency; 0 is free
	Party       int   // people that it is for, of times that are computed; 0 is one
	catalog.Pricing
}

// PublicOccurrence is one date as the public sees it: scheduled, not begun, of a published offering; or one time of an appointment
// or a rental that can be booked.
type PublicOccurrence struct {
	*Offered             // one for all times of an answer that are of this offering
	ID         uuid.UUID // the occurrence's; Nil for times that are computed
	StartsAt   time.Time
	EndsAt     time.Time
	Instructor string   // empty: nobody is named
	Space      string   // empty: none is named
	Spots      int      // seats that are left for the storefront
	Obstacle   Obstacle // why one seat cannot be booked now; empty when it can. Seats that a round is due for count as free
	Waitlist   bool     // no seat is left, and there is a waitlist that takes people
	NeverWaits bool     // there is no waitlist for this date, and there will be none
	Course     bool     // a date of a course: it is booked with all its dates, by the offering
	Members    []int    // who is free, as indices into Times.Members; of times that are computed
	Spaces     []int    // what is free, as indices into Times.Spaces
}

// ListedAt is the date as the public of a place sees it, under the rules that hold for it.
func (d Detail) ListedAt(p Location, r catalog.Rules, now time.Time) PublicOccurrence {
	x := d.Listed(r, now)
	x.pay(p, r)
	return x
}

// Listed is ListedAt where it can be paid for.
func (d Detail) Listed(r catalog.Rules, now time.Time) PublicOccurrence {
	x := PublicOccurrence{
		Offered: &Offered{OfferingID: d.OfferingID, Kind: d.Kind, Slug: d.OfferingSlug, Name: d.OfferingName},
		ID:      d.ID, StartsAt: d.StartsAt, EndsAt: d.EndsAt, Instructor: d.Instructor, Space: d.Space, Spots: d.Spots(),
	}
	if d.PriceAmount != nil {
		x.PriceAmount = *d.PriceAmount
	}
	x.decide(d.Facts, r, now)
	return x
}

// decide fills in what can be done with a date.
func (s *PublicOccurrence) decide(f Facts, r catalog.Rules, now time.Time) {
	s.Course, s.NeverWaits = f.Course(), !f.HasWaitlist(r)
	s.Obstacle = f.Bookable(Ask{Seats: 1}, r, now)
	s.Waitlist = s.Full() && f.TakesEntries(r, now) == ""
}

// Payable tells whether customers can pay for what costs so much under these rules: by card, or at the studio.
func (p Location) Payable(amount int64, r catalog.Rules) bool {
	return amount == 0 || p.Cards || r.PayAtStudio
}

// pay has nobody book or wait for what they could not pay (E48). A pause says more.
func (s *PublicOccurrence) pay(p Location, r catalog.Rules) {
	if s.Obstacle != ObstaclePaused && !p.Payable(s.PriceAmount, r) {
		s.Obstacle, s.Waitlist = ObstaclePayment, false
	}
}

// OnSale tells whether the studio takes bookings of it right now, as far as that does not depend on its seats (E48).
func (s PublicOccurrence) OnSale() bool {
	return s.Obstacle != ObstaclePaused && s.Obstacle != ObstaclePayment
}

// Full tells whether no seat is left for the storefront.
func (s PublicOccurrence) Full() bool { return s.Spots <= 0 }

// Minutes is how long it takes, elapsed.
func (s PublicOccurrence) Minutes() int { return int(s.EndsAt.Sub(s.StartsAt) / time.Minute) }

// Day is one day of the location that has something.
type Day struct {
	Date        civil.Date
	Ahead       int // days from the location's today: 0 reads Today and 1 reads Tomorrow (E44)
	Occurrences []PublicOccurrence
}

// days groups occurrences, which are in the order of their start, by the location's date. The days share one array.
func (p Location) days(list []PublicOccurrence) []Day {
	var out []Day
	for date, of := range civil.ByDay(list, p.Loc, func(s PublicOccurrence) time.Time { return s.StartsAt }) {
		out = append(out, Day{Date: date, Ahead: p.Today.DaysUntil(date), Occurrences: of})
	}
	return out
}

// StartOf is the instant at which a day of the place begins.
func (p Location) StartOf(d civil.Date) time.Time { return civil.StartOfDay(d, p.Loc) }

// LastYear leaves room after a date that somebody asks for: dates end with the year 9999.
const LastYear = 9000

func checkFrom(c *fault.Checks, from civil.Date) {
	c.That(from.IsZero() || from.Valid() && from.Year <= LastYear, "from", "This date does not exist, or is too far away.")
}
