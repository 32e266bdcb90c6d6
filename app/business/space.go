package business

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Space is a room, or a part of one. Booking the whole blocks its parts.
type Space struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	ParentID   *uuid.UUID // the whole it is a part of; nil: none
	Name       string     // unique at its location
	Capacity   int        // people, 1 to MaxSpaceSize
	ArchivedAt *time.Time
	Version    int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Errors about spaces.
var (
	ErrSpaceName     = fault.New(fault.Conflict, "space_name_taken", "This location has a space of that name.")
	ErrSpaceInUse    = fault.New(fault.Conflict, "space_in_use", "This space is used by a bookable offering or an upcoming date. Assign another space there first.")
	ErrSpaceHasParts = fault.New(fault.Conflict, "space_has_parts", "This space has parts. Archive them first.")
	ErrSpaceArchived = fault.New(fault.Conflict, "space_archived", "This space is archived.")
)

func checkCapacity(c *fault.Checks, n int) {
	c.That(n >= 1 && n <= MaxSpaceSize, "capacity", "Use 1 to 10000 people.")
}

// Spaces lists the spaces of a location, without archived ones. Errors: fault.Missing for the location,
// policy.ErrMissingFeature (location.view there), Validation on limit.
func (s *Service) Spaces(ctx context.Context, sc tenancy.Scope, location uuid.UUID, in paging.In[uuid.UUID]) (page paging.Page[Space, uuid.UUID], err error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := seen(ctx, sc, v, policy.LocationView, location); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listSpaces(ctx, v, location, in)
	return paging.Of(rows, in.Size(), func(s Space) uuid.UUID { return s.ID }), err
}

// Space returns one space of a location, archived or not. Errors: fault.Missing for either, policy.ErrMissingFeature
// (location.view there).
func (s *Service) Space(ctx context.Context, sc tenancy.Scope, location, space uuid.UUID) (Space, error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := seen(ctx, sc, v, policy.LocationView, location); err != nil {
		return Space{}, err
	}
	return SpaceOf(ctx, v, location, space)
}
