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
	ParentID   *uuid.UUID `json:"parentId" doc:"The space that contains it. A booking of the whole space occupies its parts."`
	Name       string     `json:"name"`
	Capacity   int        `json:"capacity" doc:"Maximum number of people."`
	ArchivedAt *time.Time `json:"archivedAt"`
	Version    int64      `json:"version"`
	CreatedAt  time.Time  `json:"createdAt"`
	UpdatedAt  time.Time  `json:"updatedAt"`
}

type createSpaceBody struct {
	Name     string                 `json:"name" minLength:"1" maxLength:"80" doc:"Name, unique at the location." example:"Blue room"`
	Capacity int                    `json:"capacity" minimum:"1" maximum:"10000"`
	ParentID op.Nullable[uuid.UUID] `json:"parentId,omitzero" doc:"A space of the same location that contains it."`
}

// SpacePath is the path of a space of a location.
type SpacePath struct {
	SpaceID uuid.UUID `path:"spaceId" doc:"The space."`
}

type updateSpaceIn struct {
	SpacePath
	Body updateSpaceBody
}

type updateSpaceBody struct {
	Version  int64                  `json:"version" minimum:"1" doc:"Version of the space that was read."`
	Name     *string                `json:"name,omitempty" minLength:"1" maxLength:"80"`
	Capacity *int                   `json:"capacity,omitempty" minimum:"1" maximum:"10000"`
	ParentID op.Nullable[uuid.UUID] `json:"parentId,omitzero" doc:"The space that contains it; null for none."`
}

func (a *surface) spaces() {
	declare(a, op.Spec{
		ID: "listSpaces", Method: "GET", Path: "/locations/{id}/spaces", Tag: "locations", Feature: "location.view",
		Summary: "List spaces", Description: "Returns the spaces of a location, without archived ones.",
	}, wire.Lists(a.Cursors, "spaces", func(ctx context.Context, sc tenancy.Scope, page paging.In[uuid.UUID]) (paging.Page[business.Space, uuid.UUID], error) {
		return a.Business.Spaces(ctx, sc, sc.Location, page)
	}, showSpace))
	declare(a, op.Spec{
		ID: "createSpace", Method: "POST", Path: "/locations/{id}/spaces", Tag: "locations", Feature: "location.manage", Success: 201,
		Summary: "Create a space", Description: "Creates a room, or a part of one.",
	}, a.createSpace)
	declare(a, op.Spec{
		ID: "getSpace", Method: "GET", Path: "/locations/{id}/spaces/{spaceId}", Tag: "locations", Feature: "location.view",
		Summary: "Get a space", Description: "Returns a space, archived or not.",
	}, func(ctx context.Context, sc tenancy.Scope, in *SpacePath) (Space, error) {
		s, err := a.Business.Space(ctx, sc, sc.Location, in.SpaceID)
		return showSpace(s), err
	})
	declare(a, op.Spec{
		ID: "updateSpace", Method: "PATCH", Path: "/locations/{id}/spaces/{spaceId}", Tag: "locations", Feature: "location.manage", Versioned: true,
		Summary: "Update a space", Description: "Changes the members present. A space cannot become a part of itself.",
	}, a.updateSpace)
	declare(a, op.Spec{
		ID: "archiveSpace", Method: "POST", Path: "/locations/{id}/spaces/{spaceId}/archive", Tag: "locations", Feature: "location.manage",
		Summary:     "Archive a space",
		Description: "Takes the space out of use. Refused while it has parts, or is used by an offering that can be booked.",
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
