package schedule

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/pg"
)

// relocated is a date that continues at another location, or one of its series that does not: it has begun.
type relocated struct {
	ID         uuid.UUID
	OfferingID uuid.UUID
	SeriesID   *uuid.UUID
	RuleDate   *civil.Date
	SpaceID    *uuid.UUID
}

// RelocateTx relocates dates of offerings that have not begun, and the series with such dates or further ones, to the
// offerings that replace theirs at another location: with their ids, times, people and seats, in the spaces of the
// same names. Dates that have begun stay, and so does their series, which ends. The caller has the offerings and the
// dates under lock. Rows that refer to the dates dangle until the caller updates them: the transaction has deferred
// that check (Deferred). Errors: business.ErrSpacesMissing; claim.ErrSpaceBusy with details.conflicts.
func RelocateTx(ctx context.Context, tx *pg.Tx, m catalog.GoingOn, dates []uuid.UUID) error {
	list, err := lockSeriesOf(ctx, tx, m.Offerings)
	if err != nil {
		return err
	}
	ahead, err := relocating(ctx, tx, dates)
	if err != nil {
		return err
	}
	for _, s := range list {
		spaceOf(m, s.SpaceID)
	}
	for _, d := range ahead {
		spaceOf(m, d.SpaceID)
	}
	if err := m.Err(); err != nil {
		return err
	}
	series := map[uuid.UUID]uuid.UUID{}
	for _, s := range list {
		if series[s.ID], err = s.relocate(ctx, tx, m); err != nil {
			return err
		}
	}
	if err := relocateDates(ctx, tx, m, ahead, series); err != nil {
		return err
	}
	clashes, err := claim.ChangeSpacesTx(ctx, tx, dates, m.Space)
	if err == nil {
		err = claim.Refusal(clashes)
	}
	return err
}

// spaceOf returns the space at the new location for a space; nil without a space.
func spaceOf(m catalog.GoingOn, space *uuid.UUID) *uuid.UUID {
	if space == nil {
		return nil
	}
	return new(m.Space(*space))
}

// relocate writes the series that continues at the new location, ends the one that stays, and returns the id of the
// former. The rule is the same: its earlier dates are not repeated, and neither is a date that was rescheduled by
// hand and has begun.
func (s Series) relocate(ctx context.Context, tx *pg.Tx, m catalog.GoingOn) (uuid.UUID, error) {
	loc, err := civil.LoadZone(s.Zone)
	if err != nil {
		return uuid.Nil, err
	}
	today := civil.LocalDate(tx.Now(), loc)
	begun, err := begunEarly(ctx, tx, s.ID, today)
	if err != nil {
		return uuid.Nil, err
	}
	next := s
	next.ID, next.OfferingID, next.LocationID, next.SpaceID = pg.NewID(), m.Offerings[s.OfferingID], m.To.ID, spaceOf(m, s.SpaceID)
	next.SplitFrom, next.Version, next.CreatedAt, next.UpdatedAt = nil, 1, tx.Now(), tx.Now()
	next.Rule.Extra = slices.DeleteFunc(slices.Clone(s.Rule.Extra), func(d civil.Date) bool { return slices.Contains(begun, d) })
	for _, d := range begun {
		if !slices.Contains(s.Rule.Extra, d) {
			next.Rule.Except = append(slices.Clip(next.Rule.Except), d)
		}
	}
	next.Rule = next.Rule.tidy()
	if err := insertSeries(ctx, tx, next); err != nil {
		return uuid.Nil, err
	}
	rest := s.endedOn(today, loc, tx.Now())
	rest.EndedAt = new(tx.Now())
	return next.ID, saveSeries(ctx, tx, rest)
}
