package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
)

// Detail is an occurrence with what a booking of it must know: what it is, what it costs, where it is.
type Detail struct {
	ID         uuid.UUID
	SeriesID   uuid.UUID  // Nil: of an appointment or a rental
	LocalDate  civil.Date // on the location's wall clock
	EndsAt     time.Time
	MemberID   *uuid.UUID
	Instructor string // empty: nobody is named
	SpaceID    *uuid.UUID
	Space      string // empty: none is named
	Facts
	Version int64

	OfferingID   uuid.UUID
	OfferingName string
	OfferingSlug string
	PriceAmount  *int64 // minor units of Currency; nil only for a draft

	LocationID   uuid.UUID
	LocationName string
	LocationSlug string
	Currency     money.Currency
	BusinessName string
}

// OccurrenceOf returns one occurrence in any state; an unknown id is not found.
func OccurrenceOf(ctx context.Context, r pg.Reader, id uuid.UUID) (Detail, error) {
	list, err := OccurrencesOf(ctx, r, []uuid.UUID{id})
	if err == nil && len(list) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return Detail{}, err
	}
	return list[0], nil
}
