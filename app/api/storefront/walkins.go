package storefront

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/walkin"
	"foyer/app/web/op"
)

// StorefrontWalkins is the public view of the walk-ins.
type StorefrontWalkins struct {
	wire.WalkinsNow
	Listing []string         `json:"listing" doc:"The requested listings that exist. If empty, all count."`
	Rooms   []StorefrontRoom `json:"rooms" doc:"Rooms, each once, sorted by name."`
}

// StorefrontRoom is a shared room.
type StorefrontRoom struct {
	SpaceID  uuid.UUID `json:"spaceId"`
	Name     string    `json:"name"`
	Capacity int       `json:"capacity"`
	Spots    int       `json:"spots"`
}

type storefrontWalkinsIn struct {
	Listing string `query:"listing" maxLength:"1000" doc:"Slugs of listings, separated by commas: only rooms of these count. Unknown slugs are ignored; if all are unknown, returns 404 with details.reason unknown_listing."`
}

func (a *surface) walkins() {
	op.Declare(a.Ops, op.Spec{
		ID: "getStorefrontWalkins", Method: "GET", Path: "/storefront/locations/{id}/walkins", Tag: "storefront",
		Summary: "Get walk-in availability",
		Description: "Returns the free spots now in the rooms that accept walk-ins. A room that closes before the end of a " +
			"stay has none.",
		Access: op.Public, Target: op.InLocation("id"), Rate: op.RateStorefront, Errors: []int{400, 404},
	}, func(ctx context.Context, sc tenancy.Scope, in *storefrontWalkinsIn) (StorefrontWalkins, error) {
		w, err := a.Walkin.Live(ctx, sc.Tenant, sc.Location, walkin.Slugs(in.Listing))
		return StorefrontWalkins{
			WalkinsNow: wire.ShowWalkins(w), Listing: wire.Show(w.Slugs, func(s string) string { return s }), Rooms: wire.Show(w.Rooms, func(r walkin.Spots) StorefrontRoom {
				return StorefrontRoom{SpaceID: r.SpaceID, Name: r.Name, Capacity: r.Capacity, Spots: r.Spots}
			}),
		}, err
	})
}
