package catalog

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CreateInput is a new offering. Lengths are minutes, the price is in minor units of the location's currency.
type CreateInput struct {
	LocationID      uuid.UUID
	Kind            Kind
	Name            string
	Slug            string                 // empty: made from the name
	Description     string                 // plain text
	Heading         string                 // empty: the business's word for the kind
	DurationMinutes int                    // 0: that of the first of the durations
	PriceAmount     *int64                 // nil: to be set before publishing
	TaxRateID       patch.Field[uuid.UUID] // not set: the location's default; none: untaxed
	Capacity        int
	OnlineCapacity  *int // nil: all seats
	Position        int
	// RevenueCategoryID is the income category of its sales; nil: the one of its kind.
	RevenueCategoryID *uuid.UUID
	Settings
}

// offering returns the row of the input, before its location is read.
func (in CreateInput) offering() Offering {
	o := Offering{
		LocationID: in.LocationID, Kind: in.Kind, Slug: in.Slug, Name: in.Name, Description: in.Description, Heading: in.Heading,
		State: Draft, DurationMinutes: in.DurationMinutes, PriceAmount: in.PriceAmount,
		Capacity: in.Capacity, OnlineCapacity: in.Capacity, Position: in.Position, RevenueCategoryID: in.RevenueCategoryID,
		Settings: in.Settings, Version: 1,
	}
	if o.Enrolment == "" {
		o.Enrolment = ByDate
	}
	if o.SoldAs == "" {
		o.SoldAs = PerPerson
	}
	if in.OnlineCapacity != nil {
		o.OnlineCapacity = *in.OnlineCapacity
	}
	o.tidy()
	return o
}

// Validate checks the input without the database. The error names every wrong field.
func (in CreateInput) Validate() error {
	var checks fault.Checks
	checks.That(in.Kind.Valid(), "kind", "Use class, appointment or rental.")
	o := in.offering()
	var minutes *int
	if in.DurationMinutes != 0 {
		minutes = &in.DurationMinutes
	}
	o.followDurations(&checks, minutes, in.PriceAmount)
	if o.Slug == "" {
		o.Slug = "made-from-the-name"
	}
	o.check(&checks)
	return checks.Err()
}

// Create makes a draft. It needs catalog.manage at the location; an unknown location is not found, an archived one
// ErrLocationArchived. Without a slug it makes one from the name, with a number behind when another offering has it;
// a given slug that is in use is ErrSlugTaken.
func (s *Service) Create(ctx context.Context, sc tenancy.Scope, in CreateInput) (Offering, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Offering{}, err
	}
	if err := in.Validate(); err != nil {
		return Offering{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Offering, error) {
		o, err := placed(ctx, tx, sc, in)
		if err != nil {
			return Offering{}, err
		}
		if in.Slug != "" {
			err = insert(ctx, tx, o)
		} else {
			err = insertNamed(ctx, tx, &o)
		}
		if err != nil {
			return Offering{}, err
		}
		return find(ctx, tx, o.ID)
	})
}

// placed completes the row with the facts of its location, and checks the caller's grants there.
func placed(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in CreateInput) (Offering, error) {
	place, err := business.LocationOf(ctx, tx, in.LocationID)
	if err != nil {
		return Offering{}, err
	}
	if err := policy.RequireAt(sc, policy.CatalogManage, place.ID); err != nil {
		return Offering{}, err
	}
	if place.ArchivedAt != nil {
		return Offering{}, ErrLocationArchived
	}
	o := in.offering()
	o.followDurations(new(fault.Checks), nil, nil)
	if err := choosable(ctx, tx, o.PolicyID); err != nil {
		return Offering{}, err
	}
	o.ID, o.CreatedAt, o.UpdatedAt = pg.NewID(), tx.Now(), tx.Now()
	o.TaxRateID = place.TaxRateID
	in.TaxRateID.To(&o.TaxRateID)
	if err := rateChosen(ctx, tx, in.TaxRateID.Value); err != nil {
		return Offering{}, err
	}
	return o, categoryChosen(ctx, tx, in.RevenueCategoryID)
}

// rateChosen refuses a chosen rate that is not in use.
func rateChosen(ctx context.Context, tx *pg.Tx, id *uuid.UUID) error {
	if id == nil {
		return nil
	}
	ok, err := rateInUse(ctx, tx, *id)
	if err == nil && !ok {
		err = fault.Invalid("taxRateId", "There is no such tax rate.")
	}
	return err
}

// categoryChosen refuses a chosen revenue category that is not in use.
func categoryChosen(ctx context.Context, tx *pg.Tx, id *uuid.UUID) error {
	if id == nil {
		return nil
	}
	ok, err := categoryInUse(ctx, tx, *id)
	return fault.When(!ok, fault.Invalid("revenueCategoryId", "There is no such revenue category."), err)
}

// insertNamed inserts under the first free slug for the name. If another transaction uses it meanwhile, the next one
// is tried. Each round ends because another offering was made.
func insertNamed(ctx context.Context, tx *pg.Tx, o *Offering) error {
	base := tenancy.Slugify(o.Name, string(o.Kind))
	for {
		taken, err := slugsLike(ctx, tx, o.LocationID, base)
		if err != nil {
			return err
		}
		o.Slug = freeSlug(base, taken)
		if err = insert(ctx, tx, *o); !errors.Is(err, ErrSlugTaken) {
			return err
		}
	}
}

// Duplicate makes a draft like another offering, archived or not, at the same location: with its settings, people and
// spaces, under the first free slug for its name. Dates and bookings stay with the original. It needs catalog.manage
// at the location; an unknown id is not found, an archived location ErrLocationArchived.
func (s *Service) Duplicate(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	return change(ctx, s, sc, nil, id, func(tx *pg.Tx, o Offering) (Offering, error) {
		place, err := business.LocationOf(ctx, tx, o.LocationID)
		if err != nil {
			return Offering{}, err
		}
		if place.ArchivedAt != nil {
			return Offering{}, ErrLocationArchived
		}
		return copied(ctx, tx, o)
	})
}

// copied writes the copy. The records it refers to may have been archived since the original chose them; it keeps
// referring to them until they are chosen anew, as the original does.
func copied(ctx context.Context, tx *pg.Tx, o Offering) (Offering, error) {
	o.ID, o.State, o.PublishedAt, o.Version = pg.NewID(), Draft, nil, 1
	o.CreatedAt, o.UpdatedAt = tx.Now(), tx.Now()
	if err := insertNamed(ctx, tx, &o); err != nil {
		return Offering{}, err
	}
	if err := replaceMembers(ctx, tx, o, o.MemberIDs); err != nil {
		return Offering{}, err
	}
	if err := replaceSpaces(ctx, tx, o, o.SpaceIDs); err != nil {
		return Offering{}, err
	}
	return o, nil
}
