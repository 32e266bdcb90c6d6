package booking

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

// bookDate books a date of a class.
func (d desk) bookDate(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID) (Booked, error) {
	places, err := lockPlaces(ctx, tx, d.sc.Person(), occurrence)
	if err != nil {
		return Booked{}, err
	}
	p := places[occurrence]
	if p.Kind != catalog.Class {
		return Booked{}, fault.Invalid("occurrenceId", "This is not a date of a class. Name the offering and a time.")
	}
	if p.Course() && !d.override {
		return Booked{}, about(NotCourse(p.OfferingID), p.ID)
	}
	taken, err := hasSeat(ctx, tx, d.customer, d.attendee, p.ID)
	if err != nil {
		return Booked{}, err
	}
	over, err := d.judge(p, len(taken) > 0, tx.Now())
	if err != nil {
		return Booked{}, err
	}
	if p.Course() {
		over, p.PriceAmount = append(over, OverCourse), nil
	}
	out, err := d.seat(ctx, tx, []place{p}, [][]string{over})
	if err != nil {
		return Booked{}, err
	}
	return out[0], nil
}

// judge checks whether the desk may book a place, and returns the rules to override for it.
func (d desk) judge(p place, again bool, now time.Time) (over []string, err error) {
	if err := p.takesPlace(); err != nil {
		return nil, err
	}
	if again {
		return nil, At(ErrDuplicate, p.ID)
	}
	if over, err = d.early(p, now); err != nil {
		return nil, err
	}
	if !p.room(d.party, false) {
		if !d.override {
			return nil, At(ErrFull, p.ID)
		}
		over = append(over, OverCapacity)
	}
	return over, nil
}

// early checks whether the place can be booked at this time, and returns the rules to override for it.
func (d desk) early(p place, now time.Time) (over []string, err error) {
	over = []string{}
	if err := p.ahead(now, p.Rules); err != nil {
		if !d.override {
			return nil, err
		}
		over = append(over, overridden(err))
	}
	return over, nil
}

// bookTime books an appointment or a rental: instructors and spaces are found and claimed as in the storefront.
func (d desk) bookTime(ctx context.Context, tx *pg.Tx, t Times) (Booked, error) {
	placed, err := availability.AssignTx(ctx, tx, []availability.SlotRequestAt{{
		OfferingID: t.OfferingID, StartsAt: t.StartsAt, Minutes: t.Minutes, MemberID: t.MemberID, SpaceID: t.SpaceID, Party: d.party,
	}}, availability.Audience{Staff: true, Override: d.override})
	if err != nil {
		return Booked{}, err
	}
	opened, err := availability.OpenTx(ctx, tx, placed)
	if err != nil {
		return Booked{}, err
	}
	places, err := lockPlaces(ctx, tx, d.sc.Person(), opened...)
	if err != nil {
		return Booked{}, err
	}
	p := places[opened[0]]
	p.PriceAmount = &placed[0].PriceAmount
	over := []string{}
	if d.override {
		over = append(over, OverRules)
	}
	out, err := d.seat(ctx, tx, []place{p}, [][]string{over})
	if err != nil {
		return Booked{}, err
	}
	out[0].MemberID, out[0].SpaceID = placed[0].MemberID, placed[0].SpaceID
	return out[0], nil
}

// seat occupies the seats and writes the bookings, one for each place. over has the overridden rules of each.
func (d desk) seat(ctx context.Context, tx *pg.Tx, places []place, over [][]string) ([]Booked, error) {
	seats := make([]taking, len(places))
	booked := make([]leaving, len(places))
	out := make([]Booked, len(places))
	for i, p := range places {
		seats[i] = taking{ID: p.ID, Seats: d.party}
		out[i] = Booked{BookingID: pg.NewID(), OccurrenceID: p.ID, Made: Made{
			OfferingID: p.OfferingID, StartsAt: p.StartsAt, EndsAt: p.EndsAt, Party: d.party, PriceAmount: priceOf(p.Kind, p.PriceAmount, d.party),
			Currency: p.Currency, Overridden: over[i],
		}}
		booked[i] = leaving{ID: out[i].BookingID}
	}
	if err := takePlaces(ctx, tx, seats, d.override); err != nil {
		return nil, err
	}
	if err := insertBookings(ctx, tx, d, places, out); err != nil {
		return nil, err
	}
	if err := record(ctx, tx, d.sc, TransitionBook, d.words, booked); err != nil {
		return nil, err
	}
	if d.silent {
		return out, nil
	}
	return out, d.tell(ctx, tx, out)
}

// tell notifies the customer of each booking, and of a course once.
func (d desk) tell(ctx context.Context, tx *pg.Tx, made []Booked) error {
	for _, b := range made {
		told := Booking{ID: b.BookingID}
		if d.course {
			told.CourseFrom = &b.StartsAt
		}
		if err := tell(ctx, tx, told, ToldBooked); err != nil || d.course {
			return err
		}
	}
	return nil
}

// priceOf returns the price for a party: of a class the price times the seats, of appointments and rentals the price
// of the time; zero without a price.
func priceOf(kind catalog.Kind, price *int64, party int) int64 {
	switch {
	case price == nil:
		return 0
	case kind == catalog.Class:
		return *price * int64(party)
	}
	return *price
}

// bookCourse books all upcoming dates of a course, or none. The first of them has the price.
func (d desk) bookCourse(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (Booked, error) {
	places, err := d.lockCourse(ctx, tx, offering)
	if err != nil {
		return Booked{}, err
	}
	over, err := d.judgeCourse(ctx, tx, places)
	if err != nil {
		return Booked{}, err
	}
	each := make([][]string, len(places))
	for i := range places {
		if each[i] = []string{}; i > 0 {
			places[i].PriceAmount = nil
		}
	}
	d.course, d.group = true, pg.NewID()
	made, err := d.seat(ctx, tx, places, each)
	if err != nil {
		return Booked{}, err
	}
	out := made[0]
	out.Overridden, out.Dates = over, freeDates(places)
	return out, nil
}

// lockCourse locks the upcoming dates of a course, and returns them in the order of their start.
func (d desk) lockCourse(ctx context.Context, tx *pg.Tx, offering uuid.UUID) ([]place, error) {
	dates, err := schedule.CourseOf(ctx, tx, offering)
	if err != nil {
		return nil, err
	}
	if len(dates) == 0 || len(dates) > schedule.CourseMax {
		return nil, ErrNotBookable.WithMessage("This course has no upcoming dates that can be booked together.").With("offeringId", offering.String())
	}
	ids := each(dates, func(s schedule.Detail) uuid.UUID { return s.ID })
	byID, err := lockPlaces(ctx, tx, d.sc.Person(), ids...)
	if err != nil {
		return nil, err
	}
	out := make([]place, len(ids))
	for i, id := range ids {
		p := byID[id]
		if !p.Course() {
			return nil, fault.Invalid("offeringId", "This is not a course. Name one of its dates.")
		}
		if err := policy.RequireRow(d.sc, policy.BookingManage, p.LocationID, p.Own); err != nil {
			return nil, err
		}
		out[i] = p
	}
	slices.SortFunc(out, func(a, b place) int { return a.StartsAt.Compare(b.StartsAt) })
	return out, nil
}

// judgeCourse checks whether the desk may book all of these dates, and returns the rules to override for it. Lead
// time and booking window apply to the first.
func (d desk) judgeCourse(ctx context.Context, tx *pg.Tx, places []place) (over []string, err error) {
	ids := each(places, func(p place) uuid.UUID { return p.ID })
	if err := NoSeatYet(ctx, tx, d.customer, d.attendee, ids...); err != nil {
		return nil, err
	}
	over = []string{}
	var full []FreeDate
	for i, p := range places {
		if err := p.takesPlace(); err != nil {
			return nil, err
		}
		if i == 0 {
			if over, err = d.early(p, tx.Now()); err != nil {
				return nil, err
			}
		}
		if !p.room(d.party, false) {
			full = append(full, FreeDate{p.ID, p.StartsAt})
		}
	}
	switch {
	case len(full) > 0 && !d.override:
		return nil, fullDates(full)
	case len(full) > 0:
		over = append(over, OverCapacity)
	}
	return over, nil
}
