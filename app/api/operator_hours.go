package api

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// MemberHours is when somebody can be booked, location by location.
type MemberHours struct {
	Locations []PlaceHours `json:"locations" doc:"Those with hours. Where somebody has none they give no appointments."`
}

// PlaceHours is somebody's week at one location.
type PlaceHours struct {
	LocationID uuid.UUID      `json:"locationId"`
	Hours      []OpenInterval `json:"hours" maxItems:"70"`
}

type replaceMemberHoursIn struct {
	MemberPath
	Body replaceMemberHoursBody
}

type replaceMemberHoursBody struct {
	Locations []PlaceHours `json:"locations" maxItems:"100" doc:"All of them: a location that is not in the list has no hours from now on."`
}

type replaceSpaceHoursIn struct {
	SpacePath
	Body replaceSpaceHoursBody
}

type replaceSpaceHoursBody struct {
	Intervals []OpenInterval `json:"intervals" maxItems:"70" doc:"The whole week. None: open whenever the location is."`
}

// hours declares when people and spaces can be booked. A person's own hours ask for location.view only: the verb lets
// others in with team.manage.
func (a *surface) hours() {
	web.Op(a.ops, web.Spec{
		ID: "getMemberHours", Method: "GET", Path: "/businesses/{businessId}/team/{memberId}/hours", Tag: "team",
		Summary: "Get a member's hours", Description: "When somebody can be booked, at the locations the caller sees, on each location's wall clock.",
		Access: web.Operator, Feature: "location.view", Target: web.InBusiness("businessId"), Errors: readErrors,
	}, func(ctx context.Context, sc tenancy.Scope, in *MemberPath) (MemberHours, error) {
		h, err := a.Schedule.MemberHours(ctx, sc, in.MemberID)
		return showMemberHours(h), err
	})
	web.Op(a.ops, web.Spec{
		ID: "replaceMemberHours", Method: "PUT", Path: "/businesses/{businessId}/team/{memberId}/hours", Tag: "team",
		Summary: "Replace a member's hours", Description: "One's own, or with team.manage anybody's. Replaces the weeks at all locations; the last one to write wins.",
		Access: web.Operator, Feature: "location.view", Target: web.InBusiness("businessId"), Errors: changeErrors,
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceMemberHoursIn) (MemberHours, error) {
		h, err := a.Schedule.PutMemberHours(ctx, sc, schedule.MemberHours{
			MemberID: in.MemberID, Locations: show(in.Body.Locations, PlaceHours.week),
		})
		return showMemberHours(h), err
	})
	web.Op(a.ops, web.Spec{
		ID: "getSpaceHours", Method: "GET", Path: "/locations/{id}/spaces/{spaceId}/hours", Tag: "locations",
		Summary: "Get a space's hours", Description: "Without intervals it is open whenever its location is.",
		Access: web.Operator, Feature: "location.view", Target: web.InLocation("id"), Errors: readErrors,
	}, func(ctx context.Context, sc tenancy.Scope, in *SpacePath) (Hours, error) {
		h, err := a.Schedule.SpaceHours(ctx, sc, sc.Location, in.SpaceID)
		return Hours{Intervals: show(h.Intervals, showInterval)}, err
	})
	web.Op(a.ops, web.Spec{
		ID: "replaceSpaceHours", Method: "PUT", Path: "/locations/{id}/spaces/{spaceId}/hours", Tag: "locations",
		Summary: "Replace a space's hours", Description: "Replaces the whole week. The last one to write wins.",
		Access: web.Operator, Feature: "location.manage", Target: web.InLocation("id"), Errors: changeErrors,
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceSpaceHoursIn) (Hours, error) {
		h, err := a.Schedule.PutSpaceHours(ctx, sc, schedule.SpaceHours{
			LocationID: sc.Location, SpaceID: in.SpaceID, Intervals: show(in.Body.Intervals, OpenInterval.interval),
		})
		return Hours{Intervals: show(h.Intervals, showInterval)}, err
	})
}

func (p PlaceHours) week() schedule.PlaceHours {
	return schedule.PlaceHours{LocationID: p.LocationID, Intervals: show(p.Hours, OpenInterval.interval)}
}

func showMemberHours(h schedule.MemberHours) MemberHours {
	return MemberHours{Locations: show(h.Locations, func(p schedule.PlaceHours) PlaceHours {
		return PlaceHours{LocationID: p.LocationID, Hours: show(p.Intervals, showInterval)}
	})}
}
