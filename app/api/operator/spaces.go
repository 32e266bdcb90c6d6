package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Space is a room, or a part of one.
type Space struct {
	ID         uuid.UUID  `json:"id"`
	LocationID uuid.UUID  `json:"locationId"`
	ParentID   *uuid.UUID `json:"parentId" doc:"The whole it is a part of: taking the whole takes its parts."`
	Name       string     `json:"name"`
	Capacity   int        `json:"capacity" doc:"People."`
	ArchivedAt *time.Time `json:"archivedAt"`
	Version    int64      `json:"version"`
	CreatedAt  time.Time  `json:"createdAt"`
	UpdatedAt  time.Time  `json:"updatedAt"`
}

type createSpaceBody struct {
	Name     string                 `json:"name" minLength:"1" maxLength:"80" doc:"Unique at the location." example:"Blue room"`
	Capacity int                    `json:"capacity" minimum:"1" maximum:"10000"`
	ParentID op.Nullable[uuid.UUID] `json:"parentId,omitzero" doc:"A space of the same location."`
}

// SpacePath names a space of a location.
type SpacePath struct {
	SpaceID uuid.UUID `path:"spaceId" doc:"The space."`
}

type updateSpaceIn struct {
	SpacePath
	Body updateSpaceBody
}

type updateSpaceBody struct {
	Version  int64                  `json:"version" minimum:"1" doc:"Of the space that was read."`
	Name     *string                `json:"name,omitempty" minLength:"1" maxLength:"80"`
	Capacity *int                   `json:"capacity,omitempty" minimum:"1" maximum:"10000"`
	ParentID op.Nullable[uuid.UUID] `json:"parentId,omitzero" doc:"Null: part of nothing."`
}

func (a *surface) spaces() {
	declare(a, op.Spec{
		ID: "listSpaces", Method: "GET", Path: "/locations/{id}/spaces", Tag: "locations", Feature: "location.view",
		Summary: "List spaces", Description: "The rooms of a location; archived ones are left out.",
	}, wire.Lists(a.Cursors, "spaces", func(ctx context.Context, sc tenancy.Scope, page paging.In[uuid.UUID]) (paging.Page[business.Space, uuid.UUID], error) {
		return a.Business.Spaces(ctx, sc, sc.Location, page)
	}, showSpace))
	declare(a, op.Spec{
		ID: "createSpace", Method: "POST", Path: "/locations/{id}/spaces", Tag: "locations", Feature: "location.manage", Success: 201,
		Summary: "Add a space", Description: "A room, or a part of one.",
	}, a.createSpace)
	declare(a, op.Spec{
		ID: "getSpace", Method: "GET", Path: "/locations/{id}/spaces/{spaceId}", Tag: "locations", Feature: "location.view",
		Summary: "Get a space", Description: "One space, archived or not.",
	}, func(ctx context.Context, sc tenancy.Scope, in *SpacePath) (Space, error) {
		s, err := a.Business.Space(ctx, sc, sc.Location, in.SpaceID)
		return showSpace(s), err
	})
	declare(a, op.Spec{
		ID: "updateSpace", Method: "PATCH", Path: "/locations/{id}/spaces/{spaceId}", Tag: "locations", Feature: "location.manage", Versioned: true,
		Summary: "Change a space", Description: "Changes the members that are sent. A space cannot become a part of itself.",
	}, a.updateSpace)
	declare(a, op.Spec{
		ID: "archiveSpace", Method: "POST", Path: "/locations/{id}/spaces/{spaceId}/archive", Tag: "locations", Feature: "location.manage",
		Summary: "Archive a space", Description: "Takes it out of use. Not while it has parts, or something that can be booked takes place there.",
	}, func(ctx context.Context, sc tenancy.Scope, in *SpacePath) (Space, error) {
		s, err := a.Business.ArchiveSpace(ctx, sc, sc.Location, in.SpaceID)
		return showSpace(s), err
	})
}

func (a *surface) createSpace(ctx context.Context, sc tenancy.Scope, in *wire.Body[createSpaceBody]) (Space, error) {
	s, err := a.Business.CreateSpace(ctx, sc, business.SpaceInput{
		LocationID: sc.Location, ParentID: in.Body.ParentID.Value, Name: in.Body.Name, Capacity: in.Body.Capacity,
	})
	return showSpace(s), err
}

func (a *surface) updateSpace(ctx context.Context, sc tenancy.Scope, in *updateSpaceIn) (Space, error) {
	s, err := a.Business.UpdateSpace(ctx, sc, business.UpdateSpaceInput{
		LocationID: sc.Location, SpaceID: in.SpaceID, Version: in.Body.Version, ParentID: in.Body.ParentID.Field,
		Name: in.Body.Name, Capacity: in.Body.Capacity,
	})
	return showSpace(s), err
}

func showSpace(s business.Space) Space { return Space(s) }
