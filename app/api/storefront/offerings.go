package storefront

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Times is a page of the times of one offering.
type Times struct {
	Zone       string   `json:"zone" doc:"Time zone of the days."`
	Currency   string   `json:"currency"`
	Today      string   `json:"today" format:"date" doc:"Current date at the location."`
	Days       []Day    `json:"days" doc:"Whole days with available times, in order."`
	NextCursor *string  `json:"nextCursor" doc:"Cursor of the next page; null at the end."`
	Course     *Course  `json:"course,omitempty" doc:"The dates covered by enrolling now; for a course only."`
	Choices    *Choices `json:"choices,omitempty" doc:"Choices besides the time; for appointments and rentals only."`
}

// Course is a summary of a course, booked with all of its upcoming dates.
type Course struct {
	Dates         int        `json:"dates" doc:"Number of upcoming dates, covered by enrolling now at the full price."`
	Total         int        `json:"total" doc:"Number of all dates, including past ones."`
	FirstStartsAt *time.Time `json:"firstStartsAt" doc:"Start of the next date; null if there is none."`
	LastStartsAt  *time.Time `json:"lastStartsAt" doc:"Start of the last date; null if none is upcoming."`
	Spots         int        `json:"spots" doc:"Free seats online on every date."`
}

// Choices are the customer's choices besides the time of an appointment or a rental.
type Choices struct {
	Minutes int             `json:"minutes" doc:"Length of the times, in minutes."`
	Party   int             `json:"party" doc:"Number of people of the times."`
	Lengths []wire.Duration `json:"lengths" doc:"Lengths; the first one is the default. For a rental by the person, the price of one person."`
	Members []wire.Named    `json:"members" doc:"Instructors, first choice first."`
	Spaces  []wire.Named    `json:"spaces" doc:"Spaces, first choice first."`
}

// Day is one day of a location with available times.
type Day struct {
	Date  string `json:"date" format:"date"`
	Slots []Slot `json:"slots"`
}

// Slot is an available time of a published offering: a date of a class that has not started, or a time of an
// appointment or a rental.
type Slot struct {
	OccurrenceID *uuid.UUID   `json:"occurrenceId" doc:"The date of a class, for the cart item; null for an appointment or a rental, booked by time. A course is booked by its offering."`
	OfferingID   uuid.UUID    `json:"offeringId"`
	Kind         catalog.Kind `json:"kind"`
	Slug         string       `json:"slug"`
	Name         string       `json:"name"`
	Price        int64        `json:"price" doc:"Price in minor units, of the requested length and party; 0 is free."`
	FullPrice    int64        `json:"fullPrice" doc:"Price by card in minor units, with tax and service fee, if the studio accepts cards."`
	StartsAt     time.Time    `json:"startsAt"`
	EndsAt       time.Time    `json:"endsAt"`
	Instructor   string       `json:"instructor" doc:"Name of the instructor; empty if none is assigned."`
	Space        string       `json:"space" doc:"Name of the space; empty if none is assigned."`
	Spots        int          `json:"spots" doc:"Free seats online; for an appointment or a rental the largest possible party."`
	Waitlist     bool         `json:"waitlist" doc:"Whether it is full and has a waitlist to join."`
	Course       bool         `json:"course" doc:"Whether it is a date of a course, booked with all of them at the price of the course."`
	Members      []int        `json:"members,omitempty" doc:"Free members, as positions in choices.members."`
	Spaces       []int        `json:"spaces,omitempty" doc:"Free spaces, as positions in choices.spaces."`
}

// ListingPath is the path of an offering of the storefront.
type ListingPath struct {
	OfferingID uuid.UUID `path:"offeringId" doc:"The offering."`
}

type timesIn struct {
	ListingPath
	From     civil.Date `query:"from" format:"date" doc:"First day. The default is today, also for a past day."`
	Minutes  int        `query:"minutes" minimum:"5" maximum:"1440" doc:"Length of an appointment or a rental in minutes, one of the offering's. The default is its default length."`
	MemberID uuid.UUID  `query:"memberId" doc:"Only times with this member. The default is any."`
	SpaceID  uuid.UUID  `query:"spaceId" doc:"Only times in this space. The default is any."`
	Party    int        `query:"party" minimum:"1" maximum:"1000" doc:"Number of people. The default is the smallest party for a booking."`
	Cursor   string     `query:"cursor" maxLength:"2048" doc:"nextCursor of the previous page. Leave it out for the first page."`
}

func (a *surface) offerings() {
	op.Declare(a.Ops, op.Spec{
		ID: "getListing", Method: "GET", Path: "/storefront/offerings/{offeringId}", Tag: "storefront",
		Summary: "Get a listing", Description: "Returns a published offering. Returns 404 for drafts and archived ones.",
		Access: op.Public, Target: op.InOffering("offeringId"), Rate: op.RateStorefront, Errors: []int{404},
	}, a.getListing)
	op.Declare(a.Ops, op.Spec{
		ID: "getTimes", Method: "GET", Path: "/storefront/offerings/{offeringId}/times", Tag: "storefront", Compact: true,
		Summary: "List times",
		Description: "Returns the times of a published offering in pages of whole days. For a class, a page has up to 24 " +
			"dates; for an appointment or a rental, the next available days for this party and length.",
		Access: op.Public, Target: op.InOffering("offeringId"), Rate: op.RateStorefront, Errors: []int{400, 404},
	}, a.getTimes)
}

func (a *surface) getTimes(ctx context.Context, sc tenancy.Scope, in *timesIn) (Times, error) {
	list := op.ListKey("times", in.OfferingID, in.From.String(), in.Minutes, in.MemberID, in.SpaceID, in.Party)
	key, err := wire.After[time.Time](a.Cursors, sc, list, in.Cursor)
	if err != nil {
		return Times{}, err
	}
	input := schedule.TimesInput{
		OfferingID: in.OfferingID, From: in.From, Minutes: in.Minutes, Party: in.Party, MemberID: wire.Optional(in.MemberID),
		SpaceID: wire.Optional(in.SpaceID),
	}
	if key != nil {
		input.After = *key
	}
	t, err := a.Availability.Times(ctx, sc.Tenant, input)
	if err != nil {
		return Times{}, err
	}
	out := Times{
		Zone: t.Location.Zone, Currency: string(t.Location.Currency), Today: t.Location.Today.String(), Days: wire.Show(t.Days, showDay(t.Location.Currency)),
		NextCursor: wire.OrNil(t.Next, func(key time.Time) string { return a.Cursors.Encode(list, sc.Tenant, key) }),
		Course:     wire.OrNil(t.Course, showCourse),
	}
	if len(t.Lengths) > 0 {
		out.Choices = &Choices{
			Minutes: t.Minutes, Party: t.Party, Members: wire.Show(t.Members, wire.ShowNamed), Spaces: wire.Show(t.Spaces, wire.ShowNamed),
			Lengths: wire.Show(t.Lengths, wire.ShowDuration),
		}
	}
	return out, nil
}

func showCourse(c schedule.Course) Course {
	return Course{Dates: c.Dates, Total: c.Total, FirstStartsAt: c.First, LastStartsAt: c.Last, Spots: c.Spots}
}

func showDay(cur money.Currency) func(schedule.Day) Day {
	show := func(s schedule.PublicOccurrence) Slot { return showSlot(s, cur) }
	return func(d schedule.Day) Day { return Day{Date: d.Date.String(), Slots: wire.Show(d.Occurrences, show)} }
}

func showSlot(s schedule.PublicOccurrence, cur money.Currency) Slot {
	return Slot{
		OccurrenceID: wire.Optional(s.ID), OfferingID: s.OfferingID, Kind: s.Kind, Slug: s.Slug, Name: s.Name,
		Price:     s.PriceAmount,
		FullPrice: order.FullPriceOf(s.PriceAmount, s.Party, s.Pricing, cur),
		StartsAt:  s.StartsAt, EndsAt: s.EndsAt, Instructor: s.Instructor, Space: s.Space, Spots: s.Spots,
		Waitlist: s.Waitlist, Course: s.Course, Members: s.Members, Spaces: s.Spaces,
	}
}
