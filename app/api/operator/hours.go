package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/availability"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// MemberHours are the weekly hours of a member by location.
type MemberHours struct {
	Locations []LocationHours `json:"locations" doc:"Locations with hours. A member without hours at a location offers no appointments there."`
}

// LocationHours are the weekly hours of a member at one location.
type LocationHours struct {
	LocationID uuid.UUID           `json:"locationId"`
	Hours      []wire.OpenInterval `json:"hours" maxItems:"70"`
}

type replaceMemberHoursIn struct {
	MemberPath
	Body replaceMemberHoursBody
}

type replaceMemberHoursBody struct {
	Locations []LocationHours `json:"locations" maxItems:"100" doc:"Replaces the hours at all locations. A location that is not on the list has no hours from then on."`
}

type replaceSpaceHoursIn struct {
	SpacePath
	Body replaceSpaceHoursBody
}

type replaceSpaceHoursBody struct {
	Intervals []wire.OpenInterval `json:"intervals" maxItems:"70" doc:"The whole week. If empty, the space is open with its location."`
}

// hours declares the hours of members and spaces. A member's own hours require location.view only; the verb also
// admits callers with team.manage.
func (a *surface) hours() {
	declare(a, op.Spec{
		ID: "getMemberHours", Method: "GET", Path: "/businesses/{businessId}/team/{memberId}/hours", Tag: "team", Feature: "location.view",
		Summary:     "Get a member's hours",
		Description: "Returns the member's hours at the locations visible to the caller, on each location's wall clock.",
	}, wire.ByName(a.Availability.MemberHours, (*MemberPath).id, showMemberHours))
	declare(a, op.Spec{
		ID: "replaceMemberHours", Method: "PUT", Path: "/businesses/{businessId}/team/{memberId}/hours", Tag: "team", Feature: "location.view",
		Summary: "Replace a member's hours",
		Description: "Replaces the caller's own hours or, with team.manage, any member's, at all locations. The last write " +
			"wins.",
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceMemberHoursIn) (MemberHours, error) {
		h, err := a.Availability.PutMemberHours(ctx, sc, availability.MemberHours{
			MemberID: in.MemberID, Locations: wire.Show(in.Body.Locations, LocationHours.week),
		})
		return showMemberHours(h), err
	})
	declare(a, op.Spec{
		ID: "getSpaceHours", Method: "GET", Path: "/locations/{id}/spaces/{spaceId}/hours", Tag: "locations", Feature: "location.view",
		Summary: "Get a space's hours", Description: "Without intervals the space is open with its location.",
	}, func(ctx context.Context, sc tenancy.Scope, in *SpacePath) (wire.Hours, error) {
		h, err := a.Availability.SpaceHours(ctx, sc, sc.Location, in.SpaceID)
		return wire.Hours{Intervals: wire.Show(h.Intervals, wire.ShowInterval)}, err
	})
	declare(a, op.Spec{
		ID: "replaceSpaceHours", Method: "PUT", Path: "/locations/{id}/spaces/{spaceId}/hours", Tag: "locations", Feature: "location.manage",
		Summary: "Replace a space's hours", Description: "Replaces the whole week. The last write wins.",
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceSpaceHoursIn) (wire.Hours, error) {
		h, err := a.Availability.PutSpaceHours(ctx, sc, availability.SpaceHours{
			LocationID: sc.Location, SpaceID: in.SpaceID, Intervals: wire.Show(in.Body.Intervals, wire.OpenInterval.Interval),
		})
		return wire.Hours{Intervals: wire.Show(h.Intervals, wire.ShowInterval)}, err
	})
}

func (p LocationHours) week() availability.LocationHours {
	return availability.LocationHours{LocationID: p.LocationID, Intervals: wire.Show(p.Hours, wire.OpenInterval.Interval)}
}

func showMemberHours(h availability.MemberHours) MemberHours {
	return MemberHours{Locations: wire.Show(h.Locations, func(p availability.LocationHours) LocationHours {
		return LocationHours{LocationID: p.LocationID, Hours: wire.Show(p.Intervals, wire.ShowInterval)}
	})}
}
