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

// Closure is days on which a location is closed, or has hours of its own.
type Closure struct {
	ID        uuid.UUID           `json:"id"`
	Name      string              `json:"name" doc:"Shown to the public."`
	StartsOn  string              `json:"startsOn" format:"date"`
	EndsOn    string              `json:"endsOn" format:"date" doc:"The last day."`
	Hours     []wire.SpecialHours `json:"hours" doc:"Of each of the days. None: closed."`
	CreatedAt time.Time           `json:"createdAt"`
}

// AddedClosure is a closure with the bookings it hits.
type AddedClosure struct {
	Closure
	Hits Hits `json:"hits"`
}

type listClosuresIn struct {
	op.Page
	From civil.Date `query:"from" json:",omitzero" format:"date" doc:"Those that end on this day or later; the location's today when left out."`
}

type addClosureBody struct {
	Name     string              `json:"name" minLength:"1" maxLength:"200" doc:"Shown to the public." example:"Christmas"`
	StartsOn civil.Date          `json:"startsOn" format:"date"`
	EndsOn   civil.Date          `json:"endsOn" format:"date" doc:"The last day: at most 366 days in all."`
	Hours    []wire.SpecialHours `json:"hours,omitempty" maxItems:"10" doc:"Of each of the days. None: closed."`
	op.Quote
}

// ClosurePath names a closure of a location.
type ClosurePath struct {
	ClosureID uuid.UUID `path:"closureId" doc:"The closure."`
}

func (a *surface) closures() {
	declare(a, op.Spec{
		ID: "listClosures", Method: "GET", Path: "/locations/{id}/closures", Tag: "locations", Feature: "location.view",
		Summary: "List closures", Description: "Days on which the location is closed or has hours of its own, in order.",
	}, wire.Filtered(a.Cursors, "closures", a.Availability.Closures, showClosure,
		func(sc tenancy.Scope, in *listClosuresIn, page paging.In[availability.ClosureKey]) availability.ClosuresInput {
			return availability.ClosuresInput{LocationID: sc.Location, From: in.From, Page: page}
		}))
	declare(a, op.Spec{
		ID: "addClosure", Method: "POST", Path: "/locations/{id}/closures", Tag: "locations", Feature: "location.manage", Success: 201, Quoted: true,
		Summary: "Add a closure", Description: "Closes the location on some days, or gives these hours of their own. Dates and bookings it hits are told and stay as they are.",
	}, a.addClosure)
	declare(a, op.Spec{
		ID: "deleteClosure", Method: "DELETE", Path: "/locations/{id}/closures/{closureId}", Tag: "locations", Feature: "location.manage",
		Summary: "Remove a closure", Description: "Opens the location on these days as in any week.",
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
