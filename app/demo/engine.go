package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
)

// servicePlan is an appointment or a rental. Instructors and spaces count into the studio's lists.
type servicePlan struct {
	name, about string
	kind        catalog.Kind
	capacity    int
	lengths     []catalog.Duration // the first one is the default
	instructors []int
	spaces      []int
	settings    catalog.Settings
	deposit     catalog.DepositRules // enough when it is booked; under a policy of its own
}

// policyRules is what the studio's policies say of cancelling and not coming.
func policyRules() catalog.Rules {
	rules := catalog.StandardRules()
	rules.Cancel.FreeUntilMinutes, rules.Cancel.LateFromMinutes, rules.Cancel.LateFeeAmount = 12*60, 12*60, 500
	rules.NoShow.FeeAmount, rules.Forgive.LateCancels = 1000, 1
	return rules
}

// rules gives the studio a policy of its own with fees, as the default of its first location.
func (s *seeding) rules(ctx context.Context) error {
	p, err := s.Catalog.CreatePolicy(ctx, s.owner, catalog.CreatePolicyInput{Name: "Twelve hours", Rules: policyRules()})
	if err != nil {
		return err
	}
	_, err = s.Catalog.PutLocationPolicy(ctx, s.owner, catalog.PutLocationPolicyInput{LocationID: s.locations[0].ID, PolicyID: &p.ID})
	return err
}

// hours says when the instructors can be booked, and when they and the first space cannot.
func (s *seeding) hours(ctx context.Context) error {
	week := make([]business.Interval, 0, len(workdays))
	for _, day := range workdays {
		week = append(week, business.Interval{Weekday: day, Opens: 9 * 60, Closes: 17 * 60})
	}
	here := s.locations[0].ID
	for _, member := range s.instructors {
		hours := availability.MemberHours{MemberID: member, Locations: []availability.PlaceHours{{LocationID: here, Intervals: week}}}
		if _, err := s.Availability.PutMemberHours(ctx, s.owner, hours); err != nil {
			return err
		}
	}
	last := s.spaces[len(s.spaces)-1]
	open := availability.SpaceHours{LocationID: here, SpaceID: last, Intervals: week}
	if _, err := s.Availability.PutSpaceHours(ctx, s.owner, open); err != nil {
		return err
	}
	today := s.today()
	moment := func(days, hour int) time.Time { return civil.Instant(today.AddDays(days), at(hour, 0), s.zone) }
	away := availability.TimeOffInput{MemberID: s.instructors[1], StartsAt: moment(33, 13), EndsAt: moment(33, 17), Note: "Dentist"}
	if _, err := s.Availability.TakeTimeOff(ctx, s.owner, away); err != nil {
		return err
	}
	block := availability.BlockInput{LocationID: here, SpaceID: last, StartsAt: moment(34, 13), EndsAt: moment(34, 15), Note: "Deep clean"}
	if _, err := s.Availability.BlockSpace(ctx, s.owner, block); err != nil {
		return err
	}
	closed := availability.ClosureInput{LocationID: here, Name: "Staff day", StartsOn: today.AddDays(47), EndsOn: today.AddDays(47)}
	_, err := s.Availability.CloseDays(ctx, s.owner, closed)
	return err
}

// services publishes the appointments and rentals.
func (s *seeding) services(ctx context.Context) error {
	pick := func(from []uuid.UUID, which []int) []uuid.UUID {
		var out []uuid.UUID
		for _, i := range which {
			out = append(out, from[i])
		}
		return out
	}
	for i, v := range s.plan.services {
		set := v.settings
		set.Durations = v.lengths
		if v.deposit.Asked() {
			rules := policyRules()
			rules.Deposit = v.deposit
			p, err := s.Catalog.CreatePolicy(ctx, s.owner, catalog.CreatePolicyInput{Name: v.name + ": a deposit", Rules: rules})
			if err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
			set.PolicyID = &p.ID
		}
		o, err := s.Catalog.Create(ctx, s.owner, catalog.CreateInput{
			LocationID: s.locations[0].ID, Kind: v.kind, Name: v.name, Description: v.about, Capacity: v.capacity,
			PriceAmount: &v.lengths[0].PriceAmount, TaxRateID: patch.Some(s.taxRate), Position: i, Settings: set,
		})
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		if len(v.instructors) > 0 {
			_, err = s.Catalog.PutStaff(ctx, s.owner, catalog.PutLinksInput{ID: o.ID, Links: pick(s.instructors, v.instructors)})
		}
		if err == nil && len(v.spaces) > 0 {
			_, err = s.Catalog.PutSpaces(ctx, s.owner, catalog.PutLinksInput{ID: o.ID, Links: pick(s.spaces, v.spaces)})
		}
		if err == nil {
			_, err = s.Catalog.Publish(ctx, s.owner, o.ID)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		s.computed = append(s.computed, o.ID)
	}
	if len(s.computed) == 0 {
		return nil
	}
	last := s.plan.services[len(s.plan.services)-1]
	_, err := s.Agreement.Create(ctx, s.owner, agreement.CreateInput{
		LocationID: s.locations[0].ID, Name: "Waiver for " + last.name, OfferingIDs: s.computed[len(s.computed)-1:],
		Content: agreement.Content{
			Body: new("I take part at my own risk, and I have told the studio of anything that could be a danger to me."),
			Translations: &[]agreement.Translation{
				{Language: "es", Body: "Participo bajo mi propia responsabilidad, y he dicho al estudio todo lo que podría ser un peligro para mí."},
			},
		},
	})
	return err
}

// appointments books the first free times of each appointment and rental for some of the customers. What the studio decides about is asked
// for when the demo is made: a bank holds the money for a request for a week.
func (s *seeding) appointments(ctx context.Context) error {
	from := s.soon()
	for n, offering := range s.computed {
		wait := time.Duration(0)
		if s.plan.services[n].settings.Approval {
			wait = past
		}
		s.Clock.Advance(wait)
		err := s.appointment(ctx, n, offering, from)
		s.Clock.Advance(-wait)
		if err != nil {
			return err
		}
	}
	return nil
}

// appointment books the first free time of one from a day on.
func (s *seeding) appointment(ctx context.Context, n int, offering uuid.UUID, from civil.Date) error {
	who, err := s.customer(ctx, n%len(customerNames))
	if err != nil {
		return err
	}
	t, err := s.Availability.Times(ctx, s.owner.Tenant, schedule.TimesInput{OfferingID: offering, From: from})
	if err != nil {
		return err
	}
	if len(t.Days) == 0 {
		return fmt.Errorf("%s has no times", t.Head.OfferingName)
	}
	first := t.Days[0].Occurrences[0]
	item := checkout.AddItemInput{Slot: &checkout.Slot{OfferingID: offering, StartsAt: first.StartsAt, Party: 1}}
	if err := s.buy(ctx, who, item); err != nil {
		return fmt.Errorf("%s: %w", t.Head.OfferingName, err)
	}
	return nil
}

// course publishes the course, after everything that goes through the dates of a week, and enrols two people: the first
// customer pays, the other one asked at the desk.
func (s *seeding) course(ctx context.Context) error {
	if s.plan.course == nil {
		return nil
	}
	id, err := s.class(ctx, len(s.plan.classes), *s.plan.course, s.soon().AddDays(5))
	if err != nil {
		return fmt.Errorf("%s: %w", s.plan.course.name, err)
	}
	who, err := s.customer(ctx, 0)
	if err != nil {
		return err
	}
	if err := s.buy(ctx, who, checkout.AddItemInput{CourseID: id}); err != nil {
		return fmt.Errorf("%s: %w", s.plan.course.name, err)
	}
	_, err = s.Booking.Book(ctx, s.owner, booking.BookInput{
		Who: booking.Who{Email: "guest1@customers." + s.plan.domain, Name: "Guest 1"}, OfferingID: id,
	})
	return err
}

// crowd fills the next date of the smallest class, and lets one more person wait; and somebody cancels too late.
func (s *seeding) crowd(ctx context.Context) error {
	dates, err := s.dates(ctx, s.soon(), 7)
	if err != nil {
		return err
	}
	date := slices.MinFunc(dates, func(a, b schedule.PublicOccurrence) int { return a.Spots - b.Spots })
	for free := date.Spots; free > 0; free-- {
		_, err := s.Booking.Book(ctx, s.owner, booking.BookInput{
			Who:          booking.Who{Email: fmt.Sprintf("guest%d@customers.%s", free, s.plan.domain), Name: fmt.Sprintf("Guest %d", free)},
			OccurrenceID: date.ID,
		})
		if err != nil {
			return err
		}
	}
	who, err := s.customer(ctx, len(customerNames)-1)
	if err != nil {
		return err
	}
	_, err = s.Waitlist.Join(ctx, who, waitlist.JoinInput{OfferingID: date.OfferingID, OccurrenceID: date.ID})
	if f := fault.From(err); f != nil && f.Reason == booking.ErrDuplicate.Reason {
		return nil // booked there already
	}
	return err
}

// regret is somebody who cancels two hours before, twice, and owes the fee.
func (s *seeding) regret(ctx context.Context) error {
	for range 2 { // the first time is forgiven
		dates, err := s.dates(ctx, s.today(), 2)
		if err != nil {
			return err
		}
		date := dates[slices.IndexFunc(dates, func(d schedule.PublicOccurrence) bool { return !d.Full() })]
		b, err := s.Booking.Book(ctx, s.owner, booking.BookInput{
			Who: booking.Who{Email: "late@customers." + s.plan.domain, Name: "Lou Vane"}, OccurrenceID: date.ID,
		})
		if err != nil {
			return err
		}
		wait := date.StartsAt.Add(-2 * time.Hour).Sub(s.Clock.Now())
		s.Clock.Advance(wait)
		_, err = s.Booking.Cancel(ctx, s.owner, booking.CancelInput{BookingID: b.Booking.ID, By: booking.ByCustomer})
		s.Clock.Advance(-wait)
		if err != nil {
			return err
		}
	}
	return nil
}

// moved starts the last class but one fifteen minutes later from some weeks on.
func (s *seeding) moved(ctx context.Context) error {
	n := len(s.offerings) - 2
	page, err := s.Schedule.SeriesOf(ctx, s.owner, schedule.SeriesOfInput{OfferingID: s.offerings[n]})
	if err != nil {
		return err
	}
	series := page.Items[0]
	from := s.soon().AddDays(28)
	later := s.plan.classes[n].at + 15
	_, err = s.Schedule.EditSeries(ctx, s.owner, schedule.EditSeriesInput{
		OfferingID: series.OfferingID, SeriesID: series.ID, Version: series.Version, Scope: schedule.ScopeFollowing, From: &from,
		Change: schedule.SeriesChange{At: &later},
	})
	return err
}

// dates are those of so many days at the first location; there always are some.
func (s *seeding) dates(ctx context.Context, from civil.Date, days int) ([]schedule.PublicOccurrence, error) {
	var out []schedule.PublicOccurrence
	t, err := s.Schedule.Schedule(ctx, s.owner.Tenant, s.locations[0].ID, from, days)
	for _, day := range t.Days {
		out = append(out, day.Occurrences...)
	}
	return out, err
}

func (s *seeding) today() civil.Date { return civil.LocalDate(s.Clock.Now(), s.zone) }

// soon is a few days after today as it is once the demo is made.
func (s *seeding) soon() civil.Date {
	return civil.LocalDate(s.Clock.Now().Add(past), s.zone).AddDays(2)
}

// customer is one of the demo's customers, at this studio.
func (s *seeding) customer(ctx context.Context, n int) (tenancy.Scope, error) {
	who, err := s.Actor(ctx, s.customerEmail(n), uuid.Nil)
	who.Tenant = s.owner.Tenant
	return who, err
}
