package storefront

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/walkin"
	"foyer/app/web/op"
)

// StorefrontWalkins is what the public sees of the door.
type StorefrontWalkins struct {
	wire.WalkinsNow
	Listing []string         `json:"listing" doc:"The listings that were asked for and found. None: all count."`
	Rooms   []StorefrontRoom `json:"rooms" doc:"What is counted, each room once, by name."`
}

// StorefrontRoom is a room that people share.
type StorefrontRoom struct {
	SpaceID  uuid.UUID `json:"spaceId"`
	Name     string    `json:"name"`
	Capacity int       `json:"capacity"`
	Spots    int       `json:"spots"`
}

type storefrontWalkinsIn struct {
	Listing string `query:"listing" maxLength:"1000" doc:"Slugs of listings, separated by commas: only rooms that host these count. What is unknown is left out; when all of it is, the answer is 404 with details.reason unknown_listing."`
}

func (a *surface) walkins() {
	op.Declare(a.Ops, op.Spec{
		ID: "getStorefrontWalkins", Method: "GET", Path: "/storefront/locations/{id}/walkins", Tag: "storefront",
		Summary: "See whether one can walk in", Description: "Open seats right now in the rooms that take people at the door. A room that a stay would outlast its closing has none.",
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
