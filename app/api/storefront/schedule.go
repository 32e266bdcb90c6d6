package storefront

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/order"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Schedule lists the dates at a location on some days. Values shared by many dates are listed once.
type Schedule struct {
	Zone        string              `json:"zone" doc:"Time zone of the days."`
	Currency    string              `json:"currency"`
	Today       string              `json:"today" format:"date" doc:"Current date at the location."`
	From        string              `json:"from" format:"date"`
	To          string              `json:"to" format:"date" doc:"Last day covered."`
	Offerings   []ScheduledOffering `json:"offerings" doc:"Offerings, referenced by position from the slots."`
	Instructors []string            `json:"instructors" doc:"Names of instructors, referenced by position from the slots."`
	Spaces      []string            `json:"spaces" doc:"Names of spaces, referenced by position from the slots."`
	Days        []ScheduledDay      `json:"days" doc:"Days with dates, in order."`
	Next        *string             `json:"next" format:"date" doc:"Next day with dates after those returned, to be sent as from; null if there is none."`
}

// ScheduledOffering is a published offering with dates in a schedule.
type ScheduledOffering struct {
	ID        uuid.UUID    `json:"id"`
	Kind      catalog.Kind `json:"kind"`
	Slug      string       `json:"slug"`
	Name      string       `json:"name"`
	Price     int64        `json:"price" doc:"Price in minor units; 0 is free."`
	FullPrice int64        `json:"fullPrice" doc:"Price by card in minor units, with tax and service fee, if the studio accepts cards."`
}

// ScheduledDay is one day of a location with dates.
type ScheduledDay struct {
	Date  string          `json:"date" format:"date"`
	Slots []ScheduledSlot `json:"slots"`
}

// ScheduledSlot is a date of a class that has not started.
type ScheduledSlot struct {
	OccurrenceID uuid.UUID `json:"occurrenceId" doc:"The date, for the cart item. A course is booked by its offering."`
	Offering     int       `json:"offering" doc:"Position in offerings."`
	StartsAt     time.Time `json:"startsAt"`
	EndsAt       time.Time `json:"endsAt"`
	Instructor   *int      `json:"instructor" doc:"Position in instructors; null if none is assigned."`
	Space        *int      `json:"space" doc:"Position in spaces; null if none is assigned."`
	Spots        int       `json:"spots" doc:"Free seats online."`
	Waitlist     bool      `json:"waitlist" doc:"Whether it is full and has a waitlist to join."`
	Course       bool      `json:"course,omitempty" doc:"Whether it is a date of a course, booked with all of them at the price of the course. Absent for any other."`
}

type scheduleIn struct {
	From civil.Date `query:"from" format:"date" doc:"First day. The default is today, also for a past day."`
	Days int        `query:"days" minimum:"1" maximum:"62" default:"14" doc:"Number of days."`
}

func (a *surface) schedule() {
	op.Declare(a.Ops, op.Spec{
		ID: "getSchedule", Method: "GET", Path: "/storefront/locations/{id}/schedule", Tag: "storefront",
		Summary:     "Get the schedule",
		Description: "Returns the dates of published offerings that have not started, by day of the location's wall clock.",
		Access:      op.Public, Target: op.InLocation("id"), Rate: op.RateStorefront, Errors: []int{400, 404},
	}, a.getSchedule)
}

func (a *surface) getSchedule(ctx context.Context, sc tenancy.Scope, in *scheduleIn) (Schedule, error) {
	t, err := a.Schedule.Schedule(ctx, sc.Tenant, sc.Location, in.From, in.Days)
	if err != nil {
		return Schedule{}, err
	}
	return showSchedule(t), nil
}

func showSchedule(t schedule.Timetable) Schedule {
	out := Schedule{
		Zone: t.Location.Zone, Currency: string(t.Location.Currency), Today: t.Location.Today.String(), From: t.From.String(),
		To: t.To.String(), Next: wire.DateOrNull(t.Next),
	}
	offered := map[*schedule.Offered]int{}
	instructors, spaces := positions{at: map[string]*int{}}, positions{at: map[string]*int{}}
	out.Days = make([]ScheduledDay, len(t.Days))
	for i, d := range t.Days {
		slots := make([]ScheduledSlot, len(d.Occurrences))
		for k := range d.Occurrences {
			x := &d.Occurrences[k]
			at, is := offered[x.Offered]
			if !is {
				at = len(out.Offerings)
				offered[x.Offered] = at
				out.Offerings = append(out.Offerings, ScheduledOffering{x.OfferingID, x.Kind, x.Slug, x.Name, x.PriceAmount,
					order.FullPriceOf(x.PriceAmount, x.Party, x.Pricing, t.Location.Currency)})
			}
			slots[k] = ScheduledSlot{
				OccurrenceID: x.ID, Offering: at, StartsAt: x.StartsAt, EndsAt: x.EndsAt, Instructor: instructors.of(x.Instructor),
				Space: spaces.of(x.Space), Spots: x.Spots, Waitlist: x.Waitlist, Course: x.Course,
			}
		}
		out.Days[i] = ScheduledDay{d.Date.String(), slots}
	}
	out.Instructors, out.Spaces = instructors.names, spaces.names
	return out
}

// positions are distinct names in order of appearance.
type positions struct {
	names []string
	at    map[string]*int
}

// of returns the position of a name, or nil for the empty one.
func (p *positions) of(name string) *int {
	if name == "" {
		return nil
	}
	at := p.at[name]
	if at == nil {
		at = new(len(p.names))
		p.at[name] = at
		p.names = append(p.names, name)
	}
	return at
}

// WriteJSON implements web.Writer.
func (s Schedule) WriteJSON(j *op.JSON) {
	j.Object(func() {
		j.Name("zone").Text(s.Zone)
		j.Name("currency").Text(s.Currency)
		j.Name("today").Text(s.Today)
		j.Name("from").Text(s.From)
		j.Name("to").Text(s.To)
		j.Name("offerings").Array(func() {
			for i := range s.Offerings {
				s.Offerings[i].write(j)
			}
		})
		j.Name("instructors").Texts(s.Instructors)
		j.Name("spaces").Texts(s.Spaces)
		j.Name("days").Array(func() {
			for i := range s.Days {
				s.Days[i].write(j)
			}
		})
		j.Name("next").TextOrNull(s.Next)
	})
}

func (o *ScheduledOffering) write(j *op.JSON) {
	j.Object(func() {
		j.Name("id").ID(o.ID)
		j.Name("kind").Text(string(o.Kind))
		j.Name("slug").Text(o.Slug)
		j.Name("name").Text(o.Name)
		j.Name("price").Int(o.Price)
		j.Name("fullPrice").Int(o.FullPrice)
	})
}

func (d *ScheduledDay) write(j *op.JSON) {
	j.Object(func() {
		j.Name("date").Text(d.Date)
		j.Name("slots").Array(func() {
			for i := range d.Slots {
				d.Slots[i].write(j)
			}
		})
	})
}

func (s *ScheduledSlot) write(j *op.JSON) {
	j.Object(func() {
		j.Name("occurrenceId").ID(s.OccurrenceID)
		j.Name("offering").Int(int64(s.Offering))
		j.Name("startsAt").Time(s.StartsAt)
		j.Name("endsAt").Time(s.EndsAt)
		j.Name("instructor").IntOrNull(s.Instructor)
		j.Name("space").IntOrNull(s.Space)
		j.Name("spots").Int(int64(s.Spots))
		j.Name("waitlist").Bool(s.Waitlist)
		if s.Course {
			j.Name("course").Bool(true)
		}
	})
}
