package schedule

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// EndSeriesInput ends a series after a date.
type EndSeriesInput struct {
	OfferingID uuid.UUID
	SeriesID   uuid.UUID
	EndsOn     civil.Date // the last date that stays; yesterday ends it at once
	Version    int64      // the version the caller has read; 0: any
	OnBooked   OnBooked   // handling of bookings on later dates
	Silent     bool       // customers are not notified
	Reason     string
}

// Validate checks the input.
func (in EndSeriesInput) Validate() error {
	var checks fault.Checks
	checks.That(in.EndsOn.Valid(), "endsOn", "This date does not exist.")
	checks.That(in.Version >= 0, "version", "Send the version that you have read.")
	checkCarry(&checks, in.OnBooked, in.Reason)
	return checks.Err()
}

// EndSeries ends a series on a date and cancels its dates after that. It needs catalog.manage at the location. If a
// later date has bookings or holds, it changes nothing and returns ErrDatesBooked with those dates, unless OnBooked
// handles them. Dates that have begun stay as they were, so a date before yesterday is refused. Ending a series at
// its present end changes nothing and is no edit: EditID is Nil then.
func (s *Service) EndSeries(ctx context.Context, sc tenancy.Scope, in EndSeriesInput) (Edited, error) {
	of := seriesRef{in.OfferingID, in.SeriesID}
	return changeSeries(ctx, s, sc, in.Validate(), of, in.Reason, func(tx *pg.Tx, series Series) (Edited, error) {
		if in.Version != 0 && in.Version != series.Version {
			return Edited{}, fault.ErrStale.With("version", series.Version)
		}
		if _, more := series.Rule.firstAfter(in.EndsOn); !more {
			return Edited{Series: series}, nil
		}
		e, err := in.plan(series, tx)
		if err != nil {
			return Edited{}, err
		}
		return s.carryOut(ctx, tx, sc, e)
	})
}

// plan is an edit to a rule without dates.
func (in EndSeriesInput) plan(series Series, tx *pg.Tx) (edit, error) {
	loc, err := civil.LoadZone(series.Zone)
	if err != nil {
		return edit{}, err
	}
	if in.EndsOn.Before(civil.LocalDate(tx.Now(), loc).AddDays(-1)) {
		return edit{}, fault.Invalid("endsOn", "Past dates cannot change: use yesterday or a later date.")
	}
	e := edit{before: series, target: series.endedOn(in.EndsOn, loc, tx.Now()), cut: in.EndsOn.AddDays(1), onBooked: in.OnBooked,
		why: Because{Reason: in.Reason, Silent: in.Silent}}
	e.target.EndedAt = new(tx.Now())
	return e, nil
}
