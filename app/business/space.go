package business

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
)

// Space is a room, or a part of one. Taking the whole takes its parts.
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

// The refusals about spaces.
var (
	ErrSpaceName     = fault.New(fault.Conflict, "space_name_taken", "This location has a space of that name.")
	ErrSpaceInUse    = fault.New(fault.Conflict, "space_in_use", "Something that can be booked takes place here. Move it first.")
	ErrSpaceHasParts = fault.New(fault.Conflict, "space_has_parts", "This space has parts. Archive them first.")
	ErrSpaceArchived = fault.New(fault.Conflict, "space_archived", "This space is archived.")
)

func checkSpaceName(c *fault.Checks, name *string) { checkLine(c, "name", name, MaxSpaceName) }

func checkCapacity(c *fault.Checks, n int) {
	c.That(n >= 1 && n <= MaxSpaceSize, "capacity", "Use 1 to 10000 people.")
}
