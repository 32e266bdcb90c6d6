package catalog

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Booked is an offering that prevents the archiving of its location, with the number of its upcoming bookings.
type Booked struct {
	OfferingID uuid.UUID `json:"offeringId"`
	Name       string    `json:"name"`
	Bookings   int       `json:"bookings"`
}

// GoingOn is the relocation of offerings to another location.
type GoingOn struct {
	*business.ArchivePlan
	Offerings map[uuid.UUID]uuid.UUID // each with its replacement
}

// ArchiveLocationTx archives all offerings of a location as Archive does: business.Ports.ArchiveLocationTx. If its
// offerings continue at another location, each has been made anew there, in the same state, and its upcoming dates
// have been relocated. While there are upcoming bookings it archives none and returns ErrFutureBookings, with
// details.bookings and details.offerings: every offering with bookings.
func (s *Service) ArchiveLocationTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, away *business.ArchivePlan) (business.ArchivedContent, error) {
	list, err := lockOfferingsAt(ctx, tx, away.From.ID)
	if err != nil {
		return business.ArchivedContent{}, err
	}
	var gone business.ArchivedContent
	if away.To != nil {
		if gone.Transferred, err = s.goOn(ctx, tx, sc, away, list); err != nil {
			return business.ArchivedContent{}, err
		}
	}
	var total int
	var booked []Booked
	for _, o := range list {
		ahead, err := s.o.ArchiveOfferingTx(ctx, tx, sc, o.ID)
		if err != nil {
			return business.ArchivedContent{}, err
		}
		if ahead.Bookings > 0 {
			total, booked = total+ahead.Bookings, append(booked, Booked{o.ID, o.Name, ahead.Bookings})
			continue
		}
		gone.Offerings, gone.Dates, gone.Waiting = gone.Offerings+1, gone.Dates+ahead.Dates, gone.Waiting+ahead.Waiting
		o.State, o.PublishedAt = Archived, nil
		if err := save(ctx, tx, &o); err != nil {
			return business.ArchivedContent{}, err
		}
	}
	if total > 0 {
		return business.ArchivedContent{}, ErrFutureBookings.WithMessage("There are upcoming bookings. Cancel or reschedule them first.").
			With("bookings", total).With("offerings", booked)
	}
	return gone, nil
}

// goOn makes offerings anew at another location and relocates their upcoming dates.
func (s *Service) goOn(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, away *business.ArchivePlan, list []Offering) (business.Transferred, error) {
	m := GoingOn{ArchivePlan: away, Offerings: map[uuid.UUID]uuid.UUID{}}
	for _, o := range list {
		made, err := goesOn(ctx, tx, o, away)
		if err != nil {
			return business.Transferred{}, err
		}
		m.Offerings[o.ID] = made
	}
	moved, err := s.o.GoOnTx(ctx, tx, sc, m)
	moved.Offerings = len(list)
	return moved, err
}

// goesOn writes an offering that replaces another at another location, under its slug if that is free there.
func goesOn(ctx context.Context, tx *pg.Tx, was Offering, away *business.ArchivePlan) (uuid.UUID, error) {
	o := was
	o.ID, o.LocationID, o.Version, o.CreatedAt, o.UpdatedAt = pg.NewID(), away.To.ID, 1, tx.Now(), tx.Now()
	err := insert(ctx, tx, o)
	if errors.Is(err, ErrSlugTaken) {
		err = insertNamed(ctx, tx, &o)
	}
	if err != nil {
		return uuid.Nil, err
	}
	var spaces []uuid.UUID
	for _, id := range was.SpaceIDs {
		if to := away.Space(id); to != uuid.Nil {
			spaces = append(spaces, to)
		}
	}
	if err := replaceMembers(ctx, tx, o, o.MemberIDs); err != nil {
		return uuid.Nil, err
	}
	if err := replaceSpaces(ctx, tx, o, spaces); err != nil {
		return uuid.Nil, err
	}
	if o.PublishedAt != nil {
		err = save(ctx, tx, &o) // since when it is on sale
	}
	return o.ID, err
}
