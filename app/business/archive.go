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

// ArchiveLocationInput puts a location away.
type ArchiveLocationInput struct {
	LocationID uuid.UUID
	MoveTo     *uuid.UUID // where what lies ahead goes on; nil: nothing may lie ahead
	Reason     string     // told to those whose bookings move; may be empty
}

// ArchivedContent is what is put away with a location.
type ArchivedContent struct {
	Offerings int // that are archived
	Dates     int // to come, that nobody can see or book any more
	Waiting   int // places on their waitlists; whoever has one is told
	Moved     Moved
}

// Moved is what goes on at another location.
type Moved struct {
	Offerings int // that are made anew there
	Dates     int // to come, with the times of appointments and rentals
	Bookings  int // with requests; their customers are told
	Waiting   int // places on waitlists, which stay in their order
}

// ArchivedLocation is a location that has been put away.
type ArchivedLocation struct {
	Location
	Content ArchivedContent
}

// Effects are what a quote of archiving promises.
func (a ArchivedLocation) Effects() any { return a.Content }

// ArchivePlan is a location that is about to be put away, and where what is sold there goes on: nowhere, when To is nil.
type ArchivePlan struct {
	From   Location
	To     *Location
	Reason string
	spaces map[uuid.UUID]spacePair
	lacks  map[string]bool
}

// spacePair is a space and the one of the same name elsewhere; Nil when there is none that holds as many people.
type spacePair struct {
	ID   uuid.UUID
	Name string
	To   uuid.UUID `db:",null"`
}

// Space is where what takes place in a space goes on: in the space of that name that holds as many people. Nil when the other
// location has none, which Err then says.
func (a *ArchivePlan) Space(id uuid.UUID) uuid.UUID {
	p := a.spaces[id]
	if p.To == uuid.Nil {
		a.lacks[p.Name] = true
	}
	return p.To
}

// Err is ErrSpacesMissing with details.spaces, the names of the spaces that Space did not find; nil when it found all.
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

// Why what lies ahead of a location cannot go on at another.
var (
	// ErrLocationsDiffer: dates and prices are promised as they are. details.differs says what is not the same: zone, currency, taxMode.
	ErrLocationsDiffer = fault.New(fault.Conflict, "places_differ",
		"The other location has another time zone, currency or tax mode, so what is booked would not stay as it was promised.")
	// ErrSpacesMissing: details.spaces names the spaces in which something takes place.
	ErrSpacesMissing = fault.New(fault.Conflict, "spaces_missing", "The other location needs spaces of these names, for as many people.")
	// ErrTargetArchived: nothing goes on there.
	ErrTargetArchived = fault.New(fault.Conflict, "location_archived", "The other location is archived.")
)

// ArchiveLocation puts a location away, with all that is sold there: the public finds nothing there any more (E111), and who waits for
// a seat is told that there will be none. History stays, and its address is nobody else's. While somebody is booked there it is
// refused, and details says how many, and for what.
//
// With MoveTo what is sold there goes on at another location of the business, where it is made anew: dates that have not begun move
// with their ids, their bookings and waitlists, at the same times, for the same prices and with the same people, into spaces of the
// same names. Customers are told. What has begun stays, and so do seats that are only held: they come free.
//
// Archiving what is archived changes nothing. Errors: policy.ErrMissingFeature (business.manage), fault.Missing for either location,
// Validation, ErrTargetArchived, ErrLocationsDiffer, ErrSpacesMissing, what PutAwayTx refuses.
func (s *Service) ArchiveLocation(ctx context.Context, sc tenancy.Scope, in ArchiveLocationInput) (ArchivedLocation, error) {
	var c fault.Checks
	c.That(in.MoveTo == nil || *in.MoveTo != in.LocationID, "moveTo", "Name another location.")
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
		gone, err := s.o.ArchiveLocationTx(ctx, tx, sc, away) // locks what is sold there, which everybody does before the location
		if err != nil {
			return ArchivedLocation{}, err
		}
		return away.put(ctx, tx, gone)
	})
}

// away reads where what lies ahead of a location goes on.
func (in ArchiveLocationInput) away(ctx context.Context, tx *pg.Tx, from Location) (*ArchivePlan, error) {
	a := &ArchivePlan{From: from, Reason: in.Reason, lacks: map[string]bool{}}
	if in.MoveTo == nil {
		return a, nil
	}
	to, err := LocationOf(ctx, tx, *in.MoveTo)
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

// goesOnAt tells whether what is promised at a location can be kept at another.
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

// put archives the location, both locked in the order of their ids. What was read of the other one must still hold.
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
