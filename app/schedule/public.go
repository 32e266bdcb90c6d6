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
	Zone     string // IANA name; days and times are on this wall clock
	Currency money.Currency
	Paused   bool       // the business takes no bookings right now (E48)
	Cards    bool       // its account takes cards for this currency
	Today    civil.Date // the location's date at the time of the read
	Loc      *time.Location
}

// settle computes the fields that are not in the database.
func (p *Location) settle(now time.Time) {
	p.Loc = civil.ZoneOrUTC(p.Zone)
	p.Today = civil.LocalDate(now, p.Loc)
}

// Offered has the common facts of the times of one offering.
type Offered struct {
	OfferingID  uuid.UUID
	Kind        catalog.Kind
	Slug        string
	Name        string
	PriceAmount int64 // minor units of the location's currency; 0 is free
	Party       int   // number of people, of computed times; 0 is one
	catalog.Pricing
}

// PublicOccurrence is one date in public: scheduled, not begun, of a published offering; or one time of an
// appointment or a rental that can be booked.
type PublicOccurrence struct {
	*Offered             // one for all times of an answer that are of this offering
	ID         uuid.UUID // the occurrence's; Nil for computed times
	StartsAt   time.Time
	EndsAt     time.Time
	Instructor string   // empty: no instructor is named
	Space      string   // empty: none is named
	Spots      int      // seats available in the storefront
	Obstacle   Obstacle // reason why one seat cannot be booked now; seats with a round due count as free
	Waitlist   bool     // no seat is available, and the waitlist takes entries
	NeverWaits bool     // there is no waitlist for this date, and there will be none
	Course     bool     // a date of a course: it is booked with all its dates, by the offering
	Members    []int    // available members, as indices into Times.Members; of computed times
	Spaces     []int    // available spaces, as indices into Times.Spaces
}

// ListedAt returns the public view of the date at a location, under its rules.
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

// decide sets the actions that a date allows.
func (s *PublicOccurrence) decide(f Facts, r catalog.Rules, now time.Time) {
	s.Course, s.NeverWaits = f.Course(), !f.HasWaitlist(r)
	s.Obstacle = f.Bookable(Query{Seats: 1}, r, now)
	s.Waitlist = s.Full() && f.TakesEntries(r, now) == ""
}

// Payable reports whether customers can pay an amount under these rules: by card, or at the studio.
func (p Location) Payable(amount int64, r catalog.Rules) bool {
	return amount == 0 || p.Cards || r.PayAtStudio
}

// pay closes booking and waitlist where there is no way to pay (E48). A pause takes precedence.
func (s *PublicOccurrence) pay(p Location, r catalog.Rules) {
	if s.Obstacle != ObstaclePaused && !p.Payable(s.PriceAmount, r) {
		s.Obstacle, s.Waitlist = ObstaclePayment, false
	}
}

// OnSale reports whether the studio accepts bookings of it right now, independent of its seats (E48).
func (s PublicOccurrence) OnSale() bool {
	return s.Obstacle != ObstaclePaused && s.Obstacle != ObstaclePayment
}

// Full reports whether no seat is available online.
func (s PublicOccurrence) Full() bool { return s.Spots <= 0 }

// Minutes returns the length, in elapsed minutes.
func (s PublicOccurrence) Minutes() int { return int(s.EndsAt.Sub(s.StartsAt) / time.Minute) }

// Day is one day of the location with occurrences.
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

// StartOf returns the instant at which a day of the location begins.
func (p Location) StartOf(d civil.Date) time.Time { return civil.StartOfDay(d, p.Loc) }

// LastYear leaves room after a date of an input: dates end with the year 9999.
const LastYear = 9000

func checkFrom(c *fault.Checks, from civil.Date) {
	c.That(from.IsZero() || from.Valid() && from.Year <= LastYear, "from", "This date does not exist, or is too far away.")
}
