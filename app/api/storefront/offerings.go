package storefront

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Times is a page of the times of one offering.
type Times struct {
	Zone       string   `json:"zone" doc:"The wall clock of the days."`
	Currency   string   `json:"currency"`
	Today      string   `json:"today" format:"date" doc:"The location's date now."`
	Days       []Day    `json:"days" doc:"Whole days, those that have something, in order."`
	NextCursor *string  `json:"nextCursor" doc:"Pass it as cursor for the next page; null at the end."`
	Course     *Course  `json:"course,omitempty" doc:"What joining a course is for; of courses only."`
	Choices    *Choices `json:"choices,omitempty" doc:"What there is to choose from; of appointments and rentals only."`
}

// Course is a course in short: all of its dates that are to come are booked together.
type Course struct {
	Dates         int        `json:"dates" doc:"Still to come: what somebody gets who joins now, for the whole price."`
	Total         int        `json:"total" doc:"With those that have begun."`
	FirstStartsAt *time.Time `json:"firstStartsAt" doc:"The next date; null when there is none."`
	LastStartsAt  *time.Time `json:"lastStartsAt" doc:"The last date; null when none is to come."`
	Spots         int        `json:"spots" doc:"Seats that are left for the storefront on every date."`
}

// Choices are what a customer chooses from besides the time of an appointment or a rental.
type Choices struct {
	Minutes int             `json:"minutes" doc:"The length that the times are for."`
	Party   int             `json:"party" doc:"The number of people that they are for."`
	Lengths []wire.Duration `json:"lengths" doc:"The first is the default; of a rental that is sold by the person, the price of one."`
	Members []wire.Named    `json:"members" doc:"Who gives it, first choice first."`
	Spaces  []wire.Named    `json:"spaces" doc:"Where it can be, first choice first."`
}

// Day is one day of a location that has something.
type Day struct {
	Date  string `json:"date" format:"date"`
	Slots []Slot `json:"slots"`
}

// Slot is one time of a published offering: a date of a class that has not begun, or a time of an appointment or a rental
// that can be booked.
type Slot struct {
	OccurrenceID *uuid.UUID   `json:"occurrenceId" doc:"What a cart item of a class names; null for an appointment or a rental, whose item names the time. The item of a course names the offering."`
	OfferingID   uuid.UUID    `json:"offeringId"`
	Kind         catalog.Kind `json:"kind"`
	Slug         string       `json:"slug"`
	Name         string       `json:"name"`
	Price        int64        `json:"price" doc:"Minor units, of the length and party that were asked for. 0 is free."`
	FullPrice    int64        `json:"fullPrice" doc:"What that is by card where the studio takes cards: with tax and service fee. Minor units."`
	StartsAt     time.Time    `json:"startsAt"`
	EndsAt       time.Time    `json:"endsAt"`
	Instructor   string       `json:"instructor" doc:"Empty: nobody is named."`
	Space        string       `json:"space" doc:"Empty: none is named."`
	Spots        int          `json:"spots" doc:"Seats that are left for the storefront; of an appointment or a rental the largest party there is room for."`
	Waitlist     bool         `json:"waitlist" doc:"It is full, and there is a waitlist to join."`
	Course       bool         `json:"course" doc:"A date of a course: it is booked with all of them, at the price of the course."`
	Members      []int        `json:"members,omitempty" doc:"Who is free: positions in choices.members."`
	Spaces       []int        `json:"spaces,omitempty" doc:"What is free: positions in choices.spaces."`
}

// ListingPath names an offering of the storefront.
type ListingPath struct {
	OfferingID uuid.UUID `path:"offeringId" doc:"The offering."`
}

type timesIn struct {
	ListingPath
	From     civil.Date `query:"from" format:"date" doc:"The first day; today when left out or past."`
	Minutes  int        `query:"minutes" minimum:"5" maximum:"1440" doc:"One of the lengths of an appointment or a rental; the default one when left out."`
	MemberID uuid.UUID  `query:"memberId" doc:"Only with this person; anyone when left out."`
	SpaceID  uuid.UUID  `query:"spaceId" doc:"Only in this space; anywhere when left out."`
	Party    int        `query:"party" minimum:"1" maximum:"1000" doc:"How many people; the fewest that can book when left out."`
	Cursor   string     `query:"cursor" maxLength:"2048" doc:"nextCursor of the page before; leave it out for the first page."`
}

func (a *surface) offerings() {
	op.Declare(a.Ops, op.Spec{
		ID: "getListing", Method: "GET", Path: "/storefront/offerings/{offeringId}", Tag: "storefront",
		Summary: "See an offering", Description: "A published offering. Drafts and archived ones are not found.",
		Access: op.Public, Target: op.InOffering("offeringId"), Rate: op.RateStorefront, Errors: []int{404},
	}, a.getListing)
	op.Declare(a.Ops, op.Spec{
		ID: "getTimes", Method: "GET", Path: "/storefront/offerings/{offeringId}/times", Tag: "storefront", Compact: true,
		Summary: "See when it can be booked", Description: "The times of a published offering, page by page: a page is whole days. Those of a class have up to 24 dates; those of an appointment or a rental have the next days on which it can be booked, by this party, for this length.",
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
		OfferingID: in.OfferingID, From: in.From, Minutes: in.Minutes, Party: in.Party, MemberID: wire.AppointmentOptions(in.MemberID), SpaceID: wire.AppointmentOptions(in.SpaceID),
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
		OccurrenceID: wire.AppointmentOptions(s.ID), OfferingID: s.OfferingID, Kind: s.Kind, Slug: s.Slug, Name: s.Name, Price: s.PriceAmount,
		FullPrice: checkout.FullPriceOf(s.PriceAmount, s.Party, s.Pricing, cur),
		StartsAt:  s.StartsAt, EndsAt: s.EndsAt, Instructor: s.Instructor, Space: s.Space, Spots: s.Spots,
		Waitlist: s.Waitlist, Course: s.Course, Members: s.Members, Spaces: s.Spaces,
	}
}
