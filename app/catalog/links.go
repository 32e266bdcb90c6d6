package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// LinksMax is the maximum number of people, or of spaces, of an offering.
const LinksMax = 200

// PutLinksInput replaces the instructors or the spaces of an offering.
type PutLinksInput struct {
	ID      uuid.UUID   // the offering
	Links   []uuid.UUID // members or spaces, the first choice first
	Version int64       // of the offering that was read; 0: any
}

func (in PutLinksInput) validate(field string) error {
	var checks fault.Checks
	checks.That(in.Version >= 0, "version", "Send the version that you have read.")
	checks.That(len(in.Links) <= LinksMax, field, fmt.Sprintf("Use at most %d.", LinksMax))
	for i, id := range in.Links[:min(len(in.Links), LinksMax)] {
		checks.That(!slices.Contains(in.Links[:i], id), fmt.Sprintf("%s[%d]", field, i), "This is named twice.")
	}
	return checks.Err()
}

// PutStaff replaces the instructors of an appointment, or the attending members of a rental with NeedsMember. It
// needs catalog.manage at the offering's location. Each must be an active member who can be booked; one who was named
// before may stay.
//
// Errors:
//   - wrong fields under memberIds
//   - fault.ErrStale
//   - ErrArchived
//   - reason incomplete for a published appointment without a member
func (s *Service) PutStaff(ctx context.Context, sc tenancy.Scope, in PutLinksInput) (Offering, error) {
	return s.putLinks(ctx, sc, in, links{
		field: "memberIds", unknown: "There is no such member of the team who can be booked.",
		fits: func(o Offering) string {
			switch {
			case o.Kind == Class:
				return "Who teaches a class is said with its dates."
			case o.Kind == Rental && !o.NeedsMember:
				return "Nobody attends this rental. Turn needsMember on first."
			}
			return ""
		},
		of: func(o *Offering) *[]uuid.UUID { return &o.MemberIDs }, known: knownMembers, replace: replaceMembers,
	})
}

// PutSpaces replaces the spaces of a rental or an appointment; an appointment without spaces needs none. It needs
// catalog.manage at the offering's location. Each must be a space of that location in use; one that was named before
// may stay.
//
// Errors:
//   - wrong fields under spaceIds
//   - fault.ErrStale
//   - ErrArchived
//   - reason incomplete for a published rental without a space
func (s *Service) PutSpaces(ctx context.Context, sc tenancy.Scope, in PutLinksInput) (Offering, error) {
	return s.putLinks(ctx, sc, in, links{
		field: "spaceIds", unknown: "There is no such space at this location.",
		fits: func(o Offering) string {
			if o.Kind == Class {
				return "Where a class is, is said with its dates."
			}
			return ""
		},
		of: func(o *Offering) *[]uuid.UUID { return &o.SpaceIDs }, known: knownSpaces, replace: replaceSpaces,
	})
}

// links has the differences between members and spaces.
type links struct {
	field, unknown string
	fits           func(Offering) string // why this offering has none; empty: it may
	of             func(*Offering) *[]uuid.UUID
	known          func(context.Context, *pg.Tx, Offering, []uuid.UUID) ([]uuid.UUID, error)
	replace        func(context.Context, *pg.Tx, Offering, []uuid.UUID) error
}

func (s *Service) putLinks(ctx context.Context, sc tenancy.Scope, in PutLinksInput, l links) (Offering, error) {
	return change(ctx, s, sc, in.validate(l.field), in.ID, func(tx *pg.Tx, o Offering) (Offering, error) {
		switch {
		case in.Version != 0 && in.Version != o.Version:
			return Offering{}, fault.ErrStale.With("version", o.Version)
		case o.State == Archived:
			return Offering{}, ErrArchived
		case slices.Equal(*l.of(&o), in.Links):
			return o, nil
		}
		if why := l.fits(o); why != "" && len(in.Links) > 0 {
			return Offering{}, fault.Invalid(l.field, why)
		}
		if err := l.check(ctx, tx, o, in.Links); err != nil {
			return Offering{}, err
		}
		*l.of(&o) = append([]uuid.UUID{}, in.Links...)
		if err := o.sellable(); err != nil {
			return Offering{}, err
		}
		if err := l.replace(ctx, tx, o, in.Links); err != nil {
			return Offering{}, err
		}
		return o, save(ctx, tx, &o)
	})
}

// check refuses missing records, each under its position in the list.
func (l links) check(ctx context.Context, tx *pg.Tx, o Offering, wanted []uuid.UUID) error {
	known, err := l.known(ctx, tx, o, wanted)
	if err != nil {
		return err
	}
	var checks fault.Checks
	for i, id := range wanted {
		checks.That(slices.Contains(known, id) || slices.Contains(*l.of(&o), id), fmt.Sprintf("%s[%d]", l.field, i), l.unknown)
	}
	return checks.Err()
}
