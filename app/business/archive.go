package business

import (
	"bytes"
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ArchiveLocationInput archives a location.
type ArchiveLocationInput struct {
	LocationID uuid.UUID
	TransferTo *uuid.UUID // location that continues the upcoming dates; nil: none may be booked
	Reason     string     // sent to the customers of rescheduled bookings; may be empty
}

// ArchivedContent counts the records that are archived with a location.
type ArchivedContent struct {
	Offerings   int // archived
	Dates       int // upcoming, no longer visible or bookable
	Waiting     int // waitlist entries; their customers are notified
	Transferred Transferred
}

// Transferred counts the records that continue at another location.
type Transferred struct {
	Offerings int // created again there
	Dates     int // upcoming, including the times of appointments and rentals
	Bookings  int // including requests; their customers are notified
	Waiting   int // waitlist entries, which keep their order
}

// ArchivedLocation is an archived location, with the effects of archiving it.
type ArchivedLocation struct {
	Location
	Content ArchivedContent
}

// Effects returns the effects that a quote of archiving shows.
func (a ArchivedLocation) Effects() any { return a.Content }

// ArchivePlan is a location that is being archived, with the location at which its offerings continue. They end when
// To is nil.
type ArchivePlan struct {
	From   Location
	To     *Location
	Reason string
	spaces map[uuid.UUID]spacePair
	lacks  map[string]bool
}

// spacePair is a space and the space of the same name at the other location; Nil when none holds as many people.
type spacePair struct {
	ID   uuid.UUID
	Name string
	To   uuid.UUID `db:",null"`
}

// Space returns the space at the other location that replaces a space: the one of the same name that holds as many
// people. It returns Nil when there is none; Err then returns ErrSpacesMissing.
func (a *ArchivePlan) Space(id uuid.UUID) uuid.UUID {
	p := a.spaces[id]
	if p.To == uuid.Nil {
		a.lacks[p.Name] = true
	}
	return p.To
}

// Err returns ErrSpacesMissing when Space found no counterpart for some spaces, with their names in details.spaces.
// It returns nil when it found all.
func (a *ArchivePlan) Err() error {
	if len(a.lacks) == 0 {
		return nil
	}
	names := []string{}
	for name := range a.lacks {
		names = append(names, name)
	}
	slices.Sort(names)
	return ErrSpacesMissing.With("spaces", names)
}

// Errors of archiving a location with MoveTo.
var (
	// ErrLocationsDiffer is returned because dates and prices must not change. details.differs names the differences:
	// zone, currency, taxMode.
	ErrLocationsDiffer = fault.New(fault.Conflict, "locations_differ",
		"The other location has another time zone, currency or tax mode.")
	// ErrSpacesMissing is returned with the names of the spaces in use in details.spaces.
	ErrSpacesMissing = fault.New(fault.Conflict, "spaces_missing", "The other location needs spaces of these names, for as many people.")
	// ErrTargetArchived is returned when MoveTo is an archived location.
	ErrTargetArchived = fault.New(fault.Conflict, "location_archived", "The other location is archived.")
)

// ArchiveLocation archives a location and its offerings. The public no longer sees it (E111), and customers on its
// waitlists are notified that they get no seat. History remains, and its address stays reserved. It is refused while
// the location has upcoming bookings; details counts them by kind.
//
// With MoveTo the offerings continue at another location of the business, where they are created again. Dates that
// have not begun change to that location with their ids, bookings and waitlists. Times, prices and staff stay the
// same, and the spaces are those of the same names. Customers are notified. Dates that have begun stay. Seats that
// are only held are released.
//
// Archiving an archived location changes nothing. Errors:
//
//   - policy.ErrMissingFeature (business.manage)
//   - fault.Missing for either location
//   - Validation
//   - ErrTargetArchived, ErrLocationsDiffer, ErrSpacesMissing
//   - the refusals of Ports.ArchiveLocationTx
func (s *Service) ArchiveLocation(ctx context.Context, sc tenancy.Scope, in ArchiveLocationInput) (ArchivedLocation, error) {
	var c fault.Checks
	c.That(in.TransferTo == nil || *in.TransferTo != in.LocationID, "transferTo", "Choose another location.")
	checkMaybe(&c, "reason", &in.Reason, maxReason)
	return change(ctx, s, sc, policy.Require(sc, policy.BusinessManage), c.Err, func(tx *pg.Tx) (ArchivedLocation, error) {
		if err := tx.Because(ctx, in.Reason); err != nil {
			return ArchivedLocation{}, err
		}
		l, err := LocationOf(ctx, tx, in.LocationID)
		if err != nil || l.ArchivedAt != nil {
			return ArchivedLocation{Location: l}, err
		}
		away, err := in.away(ctx, tx, l)
		if err != nil {
			return ArchivedLocation{}, err
		}
		gone, err := s.o.ArchiveLocationTx(ctx, tx, sc, away) // locks its offerings, always before the location
		if err != nil {
			return ArchivedLocation{}, err
		}
		return away.put(ctx, tx, gone)
	})
}

// away reads the location at which the upcoming dates continue.
func (in ArchiveLocationInput) away(ctx context.Context, tx *pg.Tx, from Location) (*ArchivePlan, error) {
	a := &ArchivePlan{From: from, Reason: in.Reason, lacks: map[string]bool{}}
	if in.TransferTo == nil {
		return a, nil
	}
	to, err := LocationOf(ctx, tx, *in.TransferTo)
	if err == nil {
		err = from.goesOnAt(to)
	}
	if err != nil {
		return nil, err
	}
	a.To = &to
	a.spaces, err = spacesAlike(ctx, tx, from.ID, to.ID)
	return a, err
}

// goesOnAt returns ErrLocationsDiffer unless zone, currency and tax mode of the two locations are the same.
func (l Location) goesOnAt(to Location) error {
	if to.ArchivedAt != nil {
		return ErrTargetArchived
	}
	differs := []string{}
	for _, d := range []struct {
		name string
		is   bool
	}{{"zone", l.Zone != to.Zone}, {"currency", l.Currency != to.Currency}, {"taxMode", l.TaxMode != to.TaxMode}} {
		if d.is {
			differs = append(differs, d.name)
		}
	}
	if len(differs) == 0 {
		return nil
	}
	return ErrLocationsDiffer.With("differs", differs)
}

// put archives the location, with both locations locked in the order of their ids. It checks the other one again.
func (a *ArchivePlan) put(ctx context.Context, tx *pg.Tx, gone ArchivedContent) (ArchivedLocation, error) {
	ids := []uuid.UUID{a.From.ID}
	if a.To != nil {
		ids = append(ids, a.To.ID)
	}
	slices.SortFunc(ids, func(x, y uuid.UUID) int { return bytes.Compare(x[:], y[:]) })
	locked := map[uuid.UUID]Location{}
	for _, id := range ids {
		l, err := lockLocation(ctx, tx, id)
		if err != nil {
			return ArchivedLocation{}, err
		}
		locked[id] = l
	}
	l := locked[a.From.ID]
	if l.ArchivedAt != nil {
		return ArchivedLocation{Location: l}, nil
	}
	if a.To != nil {
		if err := l.goesOnAt(locked[a.To.ID]); err != nil {
			return ArchivedLocation{}, err
		}
	}
	l.ArchivedAt = new(tx.Now())
	l, err := saveLocation(ctx, tx, l)
	return ArchivedLocation{l, gone}, err
}
