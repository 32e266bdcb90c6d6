package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Booked is an offering that stands in the way of putting its location away, with how many bookings it has ahead.
type Booked struct {
	OfferingID uuid.UUID `json:"offeringId"`
	Name       string    `json:"name"`
	Bookings   int       `json:"bookings"`
}

// PutAwayTx archives all offerings of a location as Archive does: business.Options.PutAwayTx. While somebody is booked ahead it
// archives none and is ErrFutureBookings, with details.bookings and details.offerings: every one that is in the way.
func (s *Service) PutAwayTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, location uuid.UUID) (business.PutAway, error) {
	list, err := lockOfferingsAt(ctx, tx, location)
	if err != nil {
		return business.PutAway{}, err
	}
	var gone business.PutAway
	var total int
	var booked []Booked
	for _, o := range list {
		ahead, err := s.o.PutAwayTx(ctx, tx, sc, o.ID)
		if err != nil {
			return business.PutAway{}, err
		}
		if ahead.Bookings > 0 {
			total, booked = total+ahead.Bookings, append(booked, Booked{o.ID, o.Name, ahead.Bookings})
			continue
		}
		gone.Offerings, gone.Dates, gone.Waiting = gone.Offerings+1, gone.Dates+ahead.Dates, gone.Waiting+ahead.Waiting
		o.State, o.PublishedAt = Archived, nil
		if err := save(ctx, tx, &o); err != nil {
			return business.PutAway{}, err
		}
	}
	if total > 0 {
		return business.PutAway{}, ErrFutureBookings.Say("Somebody is booked here. Cancel or move these bookings first.").
			With("bookings", total).With("offerings", booked)
	}
	return gone, nil
}
