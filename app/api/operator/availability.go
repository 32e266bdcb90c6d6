package operator

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/availability"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Availability lists possible start times with the reasons against each.
type Availability struct {
	TimeZone   string         `json:"timeZone" doc:"Time zone of the days."`
	Members    []wire.Named   `json:"members" doc:"Members, referenced by position from the slots."`
	Spaces     []wire.Named   `json:"spaces" doc:"Spaces, referenced by position from the slots."`
	Days       []AvailableDay `json:"days" doc:"Days with slots, in order."`
	NextCursor *string        `json:"nextCursor" doc:"Cursor of the next page, to be sent with the same request; null at the end of the range."`
}

// AvailableDay is one day of the zone.
type AvailableDay struct {
	Date  string          `json:"date" format:"date"`
	Slots []AvailableSlot `json:"slots" doc:"Slots in order of time; for an offering with compact, starts adjacent to another booking come first."`
}

// AvailableSlot is one start time. Its members and spaces are those of the first service.
type AvailableSlot struct {
	StartsAt     time.Time           `json:"startsAt"`
	EndsAt       time.Time           `json:"endsAt" doc:"End of the last service."`
	OccurrenceID *uuid.UUID          `json:"occurrenceId" doc:"The date of a class; null for appointments and rentals."`
	Available    bool                `json:"available" doc:"Whether members and spaces are free."`
	Bookable     bool                `json:"bookable" doc:"Whether it is available and the policy allows it."`
	Reasons      []availability.Code `json:"reasons" doc:"Reasons against the time."`
	Seats        int                 `json:"seats" doc:"Largest possible party."`
	Members      []int               `json:"members" doc:"Free members, first choice first."`
	Spaces       []int               `json:"spaces" doc:"Free spaces, first choice first."`
	Then         []AvailableService  `json:"then,omitempty" doc:"The services after the first one."`
}

// AvailableService is a service after the first one.
type AvailableService struct {
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt"`
	Members  []int     `json:"members"`
	Spaces   []int     `json:"spaces"`
}

type searchBody struct {
	From             time.Time                `json:"from" doc:"First possible start."`
	To               time.Time                `json:"to" doc:"Starts are before this time. A page covers up to 62 days."`
	Segments         []segmentBody            `json:"segments,omitempty" minItems:"1" maxItems:"8" doc:"Services in sequence: each starts at the end of the previous one. Send this or offeringId."`
	OfferingID       *uuid.UUID               `json:"offeringId,omitempty" doc:"The only service."`
	Minutes          int                      `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"Length in minutes. The default is the offering's length."`
	MemberIDs        []uuid.UUID              `json:"memberIds,omitempty" maxItems:"100" doc:"Requested members. The default is any."`
	MemberMatch      availability.MemberMatch `json:"memberMatch,omitempty" doc:"Match of the members: one of them is free, all of them are, or another member is. The default is one of them."`
	SpaceID          *uuid.UUID               `json:"spaceId,omitempty" doc:"Requested space. The default is any."`
	Party            int                      `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"Number of people. The default is the smallest party for a booking."`
	TimeZone         string                   `json:"timeZone,omitempty" maxLength:"64" doc:"Time zone of the days. The default is the location's." example:"Europe/Lisbon"`
	ExcludeBookingID *uuid.UUID               `json:"excludeBookingId,omitempty" doc:"A booking to be rescheduled. Its time counts as free."`
	Cursor           string                   `json:"cursor,omitempty" maxLength:"2048" doc:"nextCursor of the previous page."`
}

type segmentBody struct {
	OfferingID uuid.UUID                `json:"offeringId"`
	Minutes    int                      `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"Length in minutes. The default is the offering's length."`
	MemberIDs  []uuid.UUID              `json:"memberIds,omitempty" maxItems:"100" doc:"Requested members. The default is any."`
	Match      availability.MemberMatch `json:"memberMatch,omitempty" doc:"Match of the members: one of them is free, all of them are, or another member is. The default is one of them."`
	SpaceID    *uuid.UUID               `json:"spaceId,omitempty" doc:"Requested space. The default is any."`
}

func (b segmentBody) segment() availability.Segment { return availability.Segment(b) }

// segments returns the services of the request. alone reports whether the body has the short form with one service.
func (b searchBody) segments() (list []availability.Segment, alone bool, err error) {
	if b.OfferingID == nil {
		return wire.Show(b.Segments, segmentBody.segment), false, nil
	}
	if len(b.Segments) > 0 {
		return nil, false, fault.Invalid("offeringId", "Send either offeringId or segments, not both.")
	}
	one := segmentBody{*b.OfferingID, b.Minutes, b.MemberIDs, b.MemberMatch, b.SpaceID}
	return []availability.Segment{one.segment()}, true, nil
}

// inShort renames the member in a refusal to its name in the short form of the body.
func inShort(err error) error {
	f := fault.From(err)
	if f == nil || f.Kind == fault.Internal {
		return err
	}
	return f.At(func(field string) string { return strings.TrimPrefix(field, "segments[0].") })
}

// Explanation lists every rule for one time, and the result.
type Explanation struct {
	StartsAt  time.Time           `json:"startsAt"`
	EndsAt    time.Time           `json:"endsAt"`
	Available bool                `json:"available" doc:"Whether members and spaces are free."`
	Bookable  bool                `json:"bookable" doc:"Whether it is available and the policy allows it."`
	Reasons   []availability.Code `json:"reasons" doc:"Reasons against the time."`
	Rules     []RuleResult        `json:"rules" doc:"Rules in order of evaluation."`
}

// RuleResult is the result of one rule.
type RuleResult struct {
	Rule     string            `json:"rule" enum:"published,not_paused,party,notice,window,closure,opening_hours,served,last_start,location_daily_cap,grid,member_hours,member_time_off,member_booked,member_daily_cap,member_weekly_cap,space_hours,space_block,space_booked,space_seats,date,seats,waitlist"`
	Holds    bool              `json:"holds"`
	Code     availability.Code `json:"reason" blank:"true" doc:"Reason if the rule is not satisfied; empty if it is satisfied or informational."`
	MemberID *uuid.UUID        `json:"memberId" doc:"The member concerned; null if none in particular."`
	SpaceID  *uuid.UUID        `json:"spaceId" doc:"The space concerned; null if none in particular."`
	Text     string            `json:"text" doc:"Explanation for people. Times are on the location's wall clock."`
}

type explainBody struct {
	OfferingID       uuid.UUID   `json:"offeringId"`
	StartsAt         time.Time   `json:"startsAt" doc:"Start time, a whole minute."`
	Minutes          int         `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"Length in minutes. The default is the offering's length."`
	MemberIDs        []uuid.UUID `json:"memberIds,omitempty" maxItems:"100" doc:"Requested members; any of them is suitable. The default is any member."`
	SpaceID          *uuid.UUID  `json:"spaceId,omitempty" doc:"Requested space. The default is any."`
	Party            int         `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"Number of people. The default is the smallest party for a booking."`
	ExcludeBookingID *uuid.UUID  `json:"excludeBookingId,omitempty" doc:"A booking to be rescheduled. Its time counts as free."`
}

func (a *surface) availability() {
	declare(a, op.Spec{
		ID: "searchAvailability", Method: "POST", Path: "/locations/{id}/availability/search", Tag: "catalog", Compact: true,
		Summary: "Search availability",
		Description: "Returns every start of the range within opening hours and grid for one service or several in " +
			"sequence, with the free members and spaces and the reasons against each. Changes nothing.",
		Feature: "location.view", NoReplay: true, Reads: true,
	}, a.searchAvailability)
	declare(a, op.Spec{
		ID: "explainAvailability", Method: "POST", Path: "/locations/{id}/availability/explain", Tag: "catalog",
		Summary: "Explain the availability of a time",
		Description: "Returns every rule that decides whether an offering can be booked at a time, with its result. " +
			"Changes nothing.",
		Feature: "location.view", NoReplay: true, Reads: true,
	}, a.explainAvailability)
}

func (a *surface) searchAvailability(ctx context.Context, sc tenancy.Scope, in *wire.Body[searchBody]) (Availability, error) {
	segments, alone, err := in.Body.segments()
	if err != nil {
		return Availability{}, err
	}
	question := in.Body
	question.Cursor = ""
	list := op.ListKey("availability", sc.Location, question)
	key, err := wire.After[time.Time](a.Cursors, sc, list, in.Body.Cursor)
	if err != nil {
		return Availability{}, fault.Invalid("cursor", "The cursor does not belong to this request.")
	}
	page, err := a.Availability.Search(ctx, sc, availability.SearchInput{
		LocationID: sc.Location, From: in.Body.From, To: in.Body.To, Segments: segments, Party: in.Body.Party, TimeZone: in.Body.TimeZone,
		ExcludeBookingID: in.Body.ExcludeBookingID, After: key,
	})
	if err != nil {
		if alone {
			err = inShort(err)
		}
		return Availability{}, err
	}
	out := Availability{
		TimeZone: page.Zone, Members: wire.Show(page.People, wire.ShowNamed), Spaces: wire.Show(page.Spaces, wire.ShowNamed), Days: wire.Show(page.Days, showAvailableDay),
	}
	if page.Next != nil {
		cursor := a.Cursors.Encode(list, sc.Tenant, *page.Next)
		out.NextCursor = &cursor
	}
	return out, nil
}

func showAvailableDay(d availability.StartDay) AvailableDay {
	return AvailableDay{Date: d.Date.String(), Slots: wire.Show(d.Starts, showAvailableSlot)}
}

func showAvailableSlot(s availability.Start) AvailableSlot {
	out := AvailableSlot{
		StartsAt: s.StartsAt, EndsAt: s.EndsAt, OccurrenceID: wire.Optional(s.OccurrenceID), Available: s.Available(),
		Bookable: s.Bookable(),
		Reasons:  s.Codes.List(), Seats: s.Seats, Members: s.Parts[0].People, Spaces: s.Parts[0].Spaces,
	}
	for _, p := range s.Parts[1:] {
		out.Then = append(out.Then, AvailableService{p.StartsAt, p.EndsAt, p.People, p.Spaces})
	}
	return out
}

func (a *surface) explainAvailability(ctx context.Context, sc tenancy.Scope, in *wire.Body[explainBody]) (Explanation, error) {
	e, err := a.Availability.Explain(ctx, sc, availability.ExplainInput{
		LocationID: sc.Location, StartsAt: in.Body.StartsAt, Party: in.Body.Party, ExcludeBookingID: in.Body.ExcludeBookingID,
		Segment: availability.Segment{OfferingID: in.Body.OfferingID, Minutes: in.Body.Minutes, MemberIDs: in.Body.MemberIDs, SpaceID: in.Body.SpaceID},
	})
	if err != nil {
		return Explanation{}, err
	}
	return Explanation{
		StartsAt: e.StartsAt, EndsAt: e.EndsAt, Available: e.Available, Bookable: e.Bookable, Reasons: e.Codes,
		Rules: wire.Show(e.Rules, showVerdict),
	}, nil
}

func showVerdict(r availability.RuleResult) RuleResult { return RuleResult(r) }

// WriteJSON implements web.Writer.
func (a Availability) WriteJSON(j *op.JSON) {
	j.Object(func() {
		j.Name("timeZone").Text(a.TimeZone)
		j.Name("members")
		writeNamed(j, a.Members)
		j.Name("spaces")
		writeNamed(j, a.Spaces)
		j.Name("days").Array(func() {
			for i := range a.Days {
				a.Days[i].write(j)
			}
		})
		j.Name("nextCursor").TextOrNull(a.NextCursor)
	})
}

func writeNamed(j *op.JSON, list []wire.Named) {
	j.Array(func() {
		for _, n := range list {
			j.Object(func() {
				j.Name("id").ID(n.ID)
				j.Name("name").Text(n.Name)
			})
		}
	})
}

func (d *AvailableDay) write(j *op.JSON) {
	j.Object(func() {
		j.Name("date").Text(d.Date)
		j.Name("slots").Array(func() {
			for i := range d.Slots {
				d.Slots[i].write(j)
			}
		})
	})
}

func (s *AvailableSlot) write(j *op.JSON) {
	j.Object(func() {
		j.Name("startsAt").Time(s.StartsAt)
		j.Name("endsAt").Time(s.EndsAt)
		j.Name("occurrenceId")
		if s.OccurrenceID == nil {
			j.Null()
		} else {
			j.ID(*s.OccurrenceID)
		}
		j.Name("available").Bool(s.Available)
		j.Name("bookable").Bool(s.Bookable)
		j.Name("reasons").Array(func() {
			for _, c := range s.Reasons {
				j.Text(string(c))
			}
		})
		j.Name("seats").Int(int64(s.Seats))
		j.Name("members").Ints(s.Members)
		j.Name("spaces").Ints(s.Spaces)
		if len(s.Then) > 0 {
			j.Name("then").Array(func() {
				for i := range s.Then {
					s.Then[i].write(j)
				}
			})
		}
	})
}

func (s *AvailableService) write(j *op.JSON) {
	j.Object(func() {
		j.Name("startsAt").Time(s.StartsAt)
		j.Name("endsAt").Time(s.EndsAt)
		j.Name("members").Ints(s.Members)
		j.Name("spaces").Ints(s.Spaces)
	})
}
