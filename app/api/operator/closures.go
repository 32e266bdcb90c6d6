package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/availability"
	"foyer/app/civil"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Closure is a range of days on which a location is closed or has special hours.
type Closure struct {
	ID        uuid.UUID           `json:"id"`
	Name      string              `json:"name" doc:"Name, shown to the public."`
	StartsOn  string              `json:"startsOn" format:"date"`
	EndsOn    string              `json:"endsOn" format:"date" doc:"Last day."`
	Hours     []wire.SpecialHours `json:"hours" doc:"Special hours on each of the days. None means closed."`
	CreatedAt time.Time           `json:"createdAt"`
}

// AddedClosure is a closure with the bookings in its time.
type AddedClosure struct {
	Closure
	Hits Hits `json:"hits"`
}

type listClosuresIn struct {
	op.Page
	From civil.Date `query:"from" json:",omitzero" format:"date" doc:"Only closures that end on this day or later. The default is the location's current day."`
}

type addClosureBody struct {
	Name     string              `json:"name" minLength:"1" maxLength:"200" doc:"Name, shown to the public." example:"Christmas"`
	StartsOn civil.Date          `json:"startsOn" format:"date"`
	EndsOn   civil.Date          `json:"endsOn" format:"date" doc:"Last day. A closure has at most 366 days."`
	Hours    []wire.SpecialHours `json:"hours,omitempty" maxItems:"10" doc:"Special hours on each of the days. None means closed."`
	op.Quote
}

// ClosurePath is the path of a closure.
type ClosurePath struct {
	ClosureID uuid.UUID `path:"closureId" doc:"The closure."`
}

func (a *surface) closures() {
	declare(a, op.Spec{
		ID: "listClosures", Method: "GET", Path: "/locations/{id}/closures", Tag: "locations", Feature: "location.view",
		Summary:     "List closures",
		Description: "Returns the days on which the location is closed or has special hours, in order.",
	}, wire.Filtered(a.Cursors, "closures", a.Availability.Closures, showClosure,
		func(sc tenancy.Scope, in *listClosuresIn, page paging.In[availability.ClosureKey]) availability.ClosuresInput {
			return availability.ClosuresInput{LocationID: sc.Location, From: in.From, Page: page}
		}))
	declare(a, op.Spec{
		ID: "addClosure", Method: "POST", Path: "/locations/{id}/closures", Tag: "locations", Feature: "location.manage", Success: 201, Quoted: true,
		Summary: "Create a closure",
		Description: "Closes the location on these days, or sets special hours. The response lists the dates and bookings " +
			"in this time; they do not change.",
	}, a.addClosure)
	declare(a, op.Spec{
		ID: "deleteClosure", Method: "DELETE", Path: "/locations/{id}/closures/{closureId}", Tag: "locations", Feature: "location.manage",
		Summary: "Delete a closure", Description: "Restores the weekly opening hours on these days.",
	}, func(ctx context.Context, sc tenancy.Scope, in *ClosurePath) (op.NoContent, error) {
		return op.NoContent{}, a.Availability.RemoveClosure(ctx, sc, sc.Location, in.ClosureID)
	})
}

func (a *surface) addClosure(ctx context.Context, sc tenancy.Scope, in *wire.Body[addClosureBody]) (op.Quoted[AddedClosure, Hits], error) {
	b := in.Body
	added, err := a.Availability.CloseDays(ctx, sc, availability.ClosureInput{
		LocationID: sc.Location, Name: b.Name, StartsOn: b.StartsOn, EndsOn: b.EndsOn,
		Hours: wire.Show(b.Hours, func(h wire.SpecialHours) availability.DayHours {
			return availability.DayHours{Opens: wire.WallMinutes(h.Opens), Closes: wire.WallMinutes(h.Closes)}
		}),
	})
	hits := showHits(added.Hits)
	return op.Quoted[AddedClosure, Hits]{Done: AddedClosure{Closure: showClosure(added.Closure), Hits: hits}, Effects: hits}, err
}

func showClosure(c availability.Closure) Closure {
	return Closure{
		ID: c.ID, Name: c.Name, StartsOn: c.StartsOn.String(), EndsOn: c.EndsOn.String(), Hours: wire.Show(c.Hours, wire.ShowSpecial),
		CreatedAt: c.CreatedAt,
	}
}
