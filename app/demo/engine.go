package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/patch"
	"foyer/app/schedule"
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
	category    string               // its revenue category; empty: none
}

// policyRules are the studio's rules for cancellations and no-shows.
func policyRules() catalog.Rules {
	rules := catalog.StandardRules()
	rules.Cancel.FreeUntilMinutes, rules.Cancel.LateFromMinutes, rules.Cancel.LateFeeAmount = 12*60, 12*60, 500
	rules.NoShow.FeeAmount, rules.Grace.LateCancels = 1000, 1
	return rules
}

// rules creates a policy of the studio with fees, as the default of its first location.
func (s *seeding) rules(ctx context.Context) error {
	p, err := s.Catalog.CreatePolicy(ctx, s.owner, catalog.CreatePolicyInput{Name: "Twelve hours", Rules: policyRules()})
	if err != nil {
		return err
	}
	_, err = s.Catalog.PutLocationPolicy(ctx, s.owner, catalog.PutLocationPolicyInput{LocationID: s.locations[0].ID, PolicyID: &p.ID})
	return err
}

// hours sets the hours of the instructors, and the absences of instructors and of the first space.
func (s *seeding) hours(ctx context.Context) error {
	week := make([]business.Interval, 0, len(workdays))
	for _, day := range workdays {
		week = append(week, business.Interval{Weekday: day, Opens: 9 * 60, Closes: 17 * 60})
	}
	here := s.locations[0].ID
	for _, member := range s.instructors {
		hours := availability.MemberHours{MemberID: member, Locations: []availability.LocationHours{{LocationID: here, Intervals: week}}}
		if _, err := s.Availability.PutMemberHours(ctx, s.owner, hours); err != nil {
			return err
		}
	}
	last := s.spaces[len(s.spaces)-1]
	open := availability.SpaceHours{LocationID: here, SpaceID: last, Intervals: week}
	if _, err := s.Availability.PutSpaceHours(ctx, s.owner, open); err != nil {
		return err
	}
	const ahead = days + 1 // today, when the demo is made
	today := s.today()
	moment := func(days, hour int) time.Time { return civil.Instant(today.AddDays(days), at(hour, 0), s.zone) }
	away := availability.TimeOffInput{MemberID: s.instructors[1], StartsAt: moment(ahead+12, 13), EndsAt: moment(ahead+12, 17), Note: "Dentist"}
	if _, err := s.Availability.RecordTimeOff(ctx, s.owner, away); err != nil {
		return err
	}
	block := availability.BlockInput{LocationID: here, SpaceID: last, StartsAt: moment(ahead+13, 13), EndsAt: moment(ahead+13, 15), Note: "Deep clean"}
	if _, err := s.Availability.BlockSpace(ctx, s.owner, block); err != nil {
		return err
	}
	closed := availability.ClosureInput{LocationID: here, Name: "Staff day", StartsOn: today.AddDays(ahead + 26), EndsOn: today.AddDays(ahead + 26)}
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
		if v.deposit.Required() {
			rules := policyRules()
			rules.Deposit = v.deposit
			p, err := s.Catalog.CreatePolicy(ctx, s.owner, catalog.CreatePolicyInput{Name: v.name + ": a deposit", Rules: rules})
			if err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
			set.PolicyID = &p.ID
		}
		category, err := s.category(ctx, v.category)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		o, err := s.Catalog.Create(ctx, s.owner, catalog.CreateInput{
			LocationID: s.locations[0].ID, Kind: v.kind, Name: v.name, Description: v.about, Capacity: v.capacity,
			PriceAmount: &v.lengths[0].PriceAmount, TaxRateID: patch.Some(s.taxRate), Position: i,
			RevenueCategoryID: category, Settings: set,
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

// moved starts the last class but one fifteen minutes later from some weeks on.
func (s *seeding) moved(ctx context.Context) error {
	n := len(s.offerings) - 2
	page, err := s.Schedule.SeriesOf(ctx, s.owner, schedule.SeriesOfInput{OfferingID: s.offerings[n]})
	if err != nil {
		return err
	}
	series := page.Items[0]
	from := s.today().AddDays(30)
	later := s.plan.classes[n].at + 15
	_, err = s.Schedule.EditSeries(ctx, s.owner, schedule.EditSeriesInput{
		OfferingID: series.OfferingID, SeriesID: series.ID, Version: series.Version, Scope: schedule.ScopeFollowing, From: &from,
		Change: schedule.SeriesChange{At: &later},
	})
	return err
}

func (s *seeding) today() civil.Date { return civil.LocalDate(s.Clock.Now(), s.zone) }
