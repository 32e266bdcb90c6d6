package api

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// Closure is days on which a location is closed, or has hours of its own.
type Closure struct {
	ID        uuid.UUID      `json:"id"`
	Name      string         `json:"name" doc:"Shown to the public."`
	StartsOn  string         `json:"startsOn" format:"date"`
	EndsOn    string         `json:"endsOn" format:"date" doc:"The last day."`
	Hours     []SpecialHours `json:"hours" doc:"Of each of the days. None: closed."`
	CreatedAt time.Time      `json:"createdAt"`
}

// SpecialHours is a time of a day at which a location is open although there is a closure.
type SpecialHours struct {
	Opens  string `json:"opens" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"On the location's wall clock." example:"10:00"`
	Closes string `json:"closes" pattern:"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$" doc:"24:00 is the end of the day." example:"14:00"`
}

// AddedClosure is a closure with the bookings it hits.
type AddedClosure struct {
	Closure
	Hits Hits `json:"hits"`
}

type listClosuresIn struct {
	web.Page
	From schedule.Date `query:"from" format:"date" doc:"Those that end on this day or later; the location's today when left out."`
}

type addClosureIn struct{ Body addClosureBody }

type addClosureBody struct {
	Name     string         `json:"name" minLength:"1" maxLength:"200" doc:"Shown to the public." example:"Christmas"`
	StartsOn schedule.Date  `json:"startsOn" format:"date"`
	EndsOn   schedule.Date  `json:"endsOn" format:"date" doc:"The last day: at most 366 days in all."`
	Hours    []SpecialHours `json:"hours,omitempty" maxItems:"10" doc:"Of each of the days. None: closed."`
	web.Quote
}

// ClosurePath names a closure of a location.
type ClosurePath struct {
	ClosureID uuid.UUID `path:"closureId" doc:"The closure."`
}

func (a *surface) closures() {
	web.Op(a.ops, web.Spec{
		ID: "listClosures", Method: "GET", Path: "/locations/{id}/closures", Tag: "locations",
		Summary: "List closures", Description: "Days on which the location is closed or has hours of its own, in order.",
		Access: web.Operator, Feature: "location.view", Target: web.InLocation("id"), Errors: listErrors,
	}, a.listClosures)
	web.Op(a.ops, web.Spec{
		ID: "addClosure", Method: "POST", Path: "/locations/{id}/closures", Tag: "locations",
		Summary: "Add a closure", Description: "Closes the location on some days, or gives these hours of their own. Dates and bookings it hits are told and stay as they are.",
		Access: web.Operator, Feature: "location.manage", Target: web.InLocation("id"), Success: 201, Quoted: true, Errors: changeErrors,
	}, a.addClosure)
	web.Op(a.ops, web.Spec{
		ID: "deleteClosure", Method: "DELETE", Path: "/locations/{id}/closures/{closureId}", Tag: "locations",
		Summary: "Remove a closure", Description: "Opens the location on these days as in any week.",
		Access: web.Operator, Feature: "location.manage", Target: web.InLocation("id"), Errors: []int{401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *ClosurePath) (web.NoContent, error) {
		return web.NoContent{}, a.Schedule.RemoveClosure(ctx, sc, sc.Location, in.ClosureID)
	})
}

func (a *surface) listClosures(ctx context.Context, sc tenancy.Scope, in *listClosuresIn) (web.List[Closure], error) {
	list := web.ListKey("closures", sc.Location, in.From.String())
	key, err := after[schedule.ClosureKey](a.cursors, sc, list, in.Cursor)
	if err != nil {
		return web.List[Closure]{}, err
	}
	page, err := a.Schedule.Closures(ctx, sc, schedule.ClosuresInput{LocationID: sc.Location, From: in.From, After: key, Limit: in.Limit})
	return listOf(a.cursors, sc, list, page.Items, page.Next, showClosure), err
}

func (a *surface) addClosure(ctx context.Context, sc tenancy.Scope, in *addClosureIn) (web.Quoted[AddedClosure, Hits], error) {
	b := in.Body
	added, err := a.Schedule.CloseDays(ctx, sc, schedule.ClosureInput{
		LocationID: sc.Location, Name: b.Name, StartsOn: b.StartsOn, EndsOn: b.EndsOn,
		Hours: show(b.Hours, func(h SpecialHours) schedule.SpecialHours {
			return schedule.SpecialHours{Opens: wallMinutes(h.Opens), Closes: wallMinutes(h.Closes)}
		}),
	})
	hits := showHits(added.Hits)
	return web.Quoted[AddedClosure, Hits]{Done: AddedClosure{Closure: showClosure(added.Closure), Hits: hits}, Effects: hits}, err
}

// publicClosureMax is how many closures ahead the public is told of.
const publicClosureMax = 20

// publicClosures are the next closures of a location.
func (a *surface) publicClosures(ctx context.Context, r pg.Reader, l business.Location) ([]PublicClosure, error) {
	loc, err := schedule.LoadZone(l.Zone)
	if err != nil {
		return nil, err
	}
	list, err := schedule.ClosuresOf(ctx, r, l.ID, schedule.LocalDate(r.Now(), loc), publicClosureMax)
	return show(list, func(c schedule.Closure) PublicClosure {
		return PublicClosure{Name: c.Name, StartsOn: c.StartsOn.String(), EndsOn: c.EndsOn.String(), Hours: show(c.Hours, showSpecial)}
	}), err
}

func showClosure(c schedule.Closure) Closure {
	return Closure{
		ID: c.ID, Name: c.Name, StartsOn: c.StartsOn.String(), EndsOn: c.EndsOn.String(), Hours: show(c.Hours, showSpecial),
		CreatedAt: stamp(c.CreatedAt),
	}
}

func showSpecial(h schedule.SpecialHours) SpecialHours {
	return SpecialHours{Opens: wallTime(h.Opens), Closes: wallTime(h.Closes)}
}
