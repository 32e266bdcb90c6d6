package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Publish shows an offering to the public. It needs catalog.manage at the location. What is missing comes back in one
// Validation fault (reason incomplete) with a field for each part: price, onlineCapacity, and by the kind dates, staff,
// spaces or hours. The dates of a course have an end. An archived offering is ErrArchived, an archived location ErrLocationArchived. Publishing what is published changes nothing.
func (s *Service) Publish(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	return change(ctx, s, sc, id, func(tx *pg.Tx, o Offering) (Offering, error) {
		if o.State == Published {
			return o, nil
		}
		if o.State == Archived {
			return Offering{}, ErrArchived
		}
		if err := s.complete(ctx, tx, o); err != nil {
			return Offering{}, err
		}
		now := tx.Now()
		o.State, o.PublishedAt = Published, &now
		return o, save(ctx, tx, &o)
	})
}

func (s *Service) complete(ctx context.Context, tx *pg.Tx, o Offering) error {
	place, err := business.LocationOf(ctx, tx, o.LocationID)
	if err != nil {
		return err
	}
	if place.ArchivedAt != nil {
		return ErrLocationArchived
	}
	dates, err := s.o.HasTimesTx(ctx, tx, o.ID)
	if err != nil {
		return err
	}
	fields := o.missing(dates)
	if dates && o.Enrolment == BySeries {
		why, err := s.o.CourseTx(ctx, tx, o.ID)
		if err != nil {
			return err
		}
		if why != "" {
			fields = append(fields, fault.Field{Field: "dates", Message: why})
		}
	}
	return incomplete(fields)
}
