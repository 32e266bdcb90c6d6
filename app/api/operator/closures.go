package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/availability"
	"foyer/app/civil"
	"foyer/app/tenancy"
	"foyer/app/web"
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
	web.Page
	From civil.Date `query:"from" format:"date" doc:"Those that end on this day or later; the location's today when left out."`
}

type addClosureIn struct{ Body addClosureBody }

type addClosureBody struct {
	Name     string              `json:"name" minLength:"1" maxLength:"200" doc:"Shown to the public." example:"Christmas"`
	StartsOn civil.Date          `json:"startsOn" format:"date"`
	EndsOn   civil.Date          `json:"endsOn" format:"date" doc:"The last day: at most 366 days in all."`
	Hours    []wire.SpecialHours `json:"hours,omitempty" maxItems:"10" doc:"Of each of the days. None: closed."`
	web.Quote
}

// ClosurePath names a closure of a location.
type ClosurePath struct {
	ClosureID uuid.UUID `path:"closureId" doc:"The closure."`
}

func (a *surface) closures() {
	web.Op(a.Ops, web.Spec{
		ID: "listClosures", Method: "GET", Path: "/locations/{id}/closures", Tag: "locations",
		Summary: "List closures", Description: "Days on which the location is closed or has hours of its own, in order.",
		Access: web.Operator, Feature: "location.view", Target: web.InLocation("id"), Errors: wire.ListErrors,
	}, a.listClosures)
	web.Op(a.Ops, web.Spec{
		ID: "addClosure", Method: "POST", Path: "/locations/{id}/closures", Tag: "locations",
		Summary: "Add a closure", Description: "Closes the location on some days, or gives these hours of their own. Dates and bookings it hits are told and stay as they are.",
		Access: web.Operator, Feature: "location.manage", Target: web.InLocation("id"), Success: 201, Quoted: true, Errors: wire.ChangeErrors,
	}, a.addClosure)
	web.Op(a.Ops, web.Spec{
		ID: "deleteClosure", Method: "DELETE", Path: "/locations/{id}/closures/{closureId}", Tag: "locations",
		Summary: "Remove a closure", Description: "Opens the location on these days as in any week.",
		Access: web.Operator, Feature: "location.manage", Target: web.InLocation("id"), Errors: []int{401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *ClosurePath) (web.NoContent, error) {
		return web.NoContent{}, a.Availability.RemoveClosure(ctx, sc, sc.Location, in.ClosureID)
	})
}

func (a *surface) listClosures(ctx context.Context, sc tenancy.Scope, in *listClosuresIn) (web.List[Closure], error) {
	list := web.ListKey("closures", sc.Location, in.From.String())
	part, err := wire.In[availability.ClosureKey](a.Cursors, sc, list, in.Page)
	if err != nil {
		return web.List[Closure]{}, err
	}
	page, err := a.Availability.Closures(ctx, sc, availability.ClosuresInput{LocationID: sc.Location, From: in.From, Page: part})
	return wire.List(a.Cursors, sc, list, page, showClosure), err
}

func (a *surface) addClosure(ctx context.Context, sc tenancy.Scope, in *addClosureIn) (web.Quoted[AddedClosure, Hits], error) {
	b := in.Body
	added, err := a.Availability.CloseDays(ctx, sc, availability.ClosureInput{
		LocationID: sc.Location, Name: b.Name, StartsOn: b.StartsOn, EndsOn: b.EndsOn,
		Hours: wire.Show(b.Hours, func(h wire.SpecialHours) availability.DayHours {
			return availability.DayHours{Opens: wire.WallMinutes(h.Opens), Closes: wire.WallMinutes(h.Closes)}
		}),
	})
	hits := showHits(added.Hits)
	return web.Quoted[AddedClosure, Hits]{Done: AddedClosure{Closure: showClosure(added.Closure), Hits: hits}, Effects: hits}, err
}

func showClosure(c availability.Closure) Closure {
	return Closure{
		ID: c.ID, Name: c.Name, StartsOn: c.StartsOn.String(), EndsOn: c.EndsOn.String(), Hours: wire.Show(c.Hours, wire.ShowSpecial),
		CreatedAt: wire.Stamp(c.CreatedAt),
	}
}
