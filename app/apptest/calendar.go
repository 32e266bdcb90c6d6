package apptest

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/claim"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/billing/processor"
)

// Times is the service of availability, wired as the program wires it.
func Times(db *pg.DB) *availability.Service {
	return availability.New(availability.Options{DB: db, Ports: availability.Ports{HitsTx: booking.HitsTx}, Cards: processor.EnvSimulated})
}

// Dates returns the service of schedule without bookings: only the seat counters count.
func Dates(db *pg.DB) *schedule.Service {
	return schedule.New(schedule.Options{DB: db, Bookings: NoBookings(), Cards: processor.EnvSimulated})
}

// NoBookings returns ports without bookings, on which every act does nothing.
func NoBookings() schedule.Bookings {
	quiet := func(context.Context, *pg.Tx, []uuid.UUID) error { return nil }
	return schedule.Bookings{
		BookedTx: func(context.Context, *pg.Tx, []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) { return nil, nil },
		CancelBookedTx: func(context.Context, *pg.Tx, tenancy.Scope, []uuid.UUID, schedule.Because) ([]schedule.CancelledBooking, error) {
			return nil, nil
		},
		RescheduleBookedTx: func(context.Context, *pg.Tx, tenancy.Scope, []schedule.Transfer, schedule.Because) (int, error) {
			return 0, nil
		},
		RetimeBookedTx:  quiet,
		CloseWaitlistTx: func(context.Context, *pg.Tx, tenancy.Scope, []uuid.UUID, string) error { return nil },
		RoundTx:         quiet,
		NoticeTx:        func(context.Context, *pg.Tx, []schedule.Notice) (int, error) { return 0, nil },
	}
}

// Claim makes people and spaces busy, all of the claims or none.
func Claim(ctx context.Context, tx *pg.Tx, claims []claim.Claim) error {
	clashes, rows, err := claim.CheckTx(ctx, tx, claims)
	if err == nil {
		err = claim.Refusal(clashes)
	}
	if err != nil {
		return err
	}
	return claim.InsertTx(ctx, tx, rows)
}
