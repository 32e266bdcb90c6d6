package schedule

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// EndSeriesInput ends a series after a date.
type EndSeriesInput struct {
	OfferingID uuid.UUID
	SeriesID   uuid.UUID
	EndsOn     Date  // the last date that stays; yesterday ends it at once
	Version    int64 // the version the caller has read; 0: whatever it is
}

// Validate checks the input.
func (in EndSeriesInput) Validate() error {
	var checks fault.Checks
	checks.That(in.EndsOn.Valid(), "body.endsOn", "This date does not exist.")
	checks.That(in.Version >= 0, "body.version", "Send the version that you have read.")
	return checks.Err()
}

// EndSeries lets a series end on a date and cancels what it has after that. It needs catalog.manage at the location.
// While somebody holds or has booked a seat on a later date it changes nothing and is ErrDatesBooked with those dates.
// What has begun stays as it was, so a date before yesterday is refused. Ending a series where it ends anyway changes
// nothing.
func (s *Service) EndSeries(ctx context.Context, sc tenancy.Scope, in EndSeriesInput) (Series, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Series{}, err
	}
	if err := in.Validate(); err != nil {
		return Series{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Series, error) {
		series, err := lockSeries(ctx, tx, in.OfferingID, in.SeriesID)
		if err != nil {
			return Series{}, err
		}
		if err := policy.RequireAt(sc, policy.CatalogManage, series.LocationID); err != nil {
			return Series{}, err
		}
		if in.Version != 0 && in.Version != series.Version {
			return Series{}, ErrStale.With("version", series.Version)
		}
		if _, more := series.Rule.firstAfter(in.EndsOn); !more {
			return series, nil
		}
		return end(ctx, tx, series, in.EndsOn)
	})
}

func end(ctx context.Context, tx *pg.Tx, series Series, on Date) (Series, error) {
	loc, err := LoadZone(series.Zone)
	if err != nil {
		return Series{}, err
	}
	if on.Before(LocalDate(tx.Now(), loc).AddDays(-1)) {
		return Series{}, fault.Invalid("body.endsOn", "What has taken place stays as it was: use yesterday or a later date.")
	}
	if err := cancelAfter(ctx, tx, series.ID, on); err != nil {
		return Series{}, err
	}
	// A count that would go on is cut off by the date, and one that ends sooner did not come here.
	series.Rule.Until, series.Rule.Count = &on, nil
	if on.Before(series.Rule.Start) {
		series.Rule.Until = &series.Rule.Start // a rule ends no sooner than it starts; that date is cancelled too
	}
	series.DueAt = nil
	if series.WrittenTo != nil {
		series.DueAt = series.Rule.due(loc, *series.WrittenTo)
	}
	return series, saveEnd(ctx, tx, &series)
}
