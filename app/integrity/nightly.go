package integrity

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// The night, in hours of UTC: from, and before.
const (
	nightBegins = 2
	nightEnds   = 6
)

// reportAge is the retention of reports.
const reportAge = 90 * 24 * time.Hour

// Nightly checks every business once a night, stores the report, and logs each difference. It does nothing by day.
func (s *Service) Nightly(ctx context.Context) error {
	now := s.db.Clock().Now().UTC()
	if now.Hour() < nightBegins || now.Hour() >= nightEnds {
		return nil
	}
	night := time.Date(now.Year(), now.Month(), now.Day(), nightBegins, 0, 0, 0, time.UTC)
	return s.db.EachBusiness(ctx, func(ctx context.Context, business uuid.UUID) error {
		if err := s.look(ctx, business, night); err != nil {
			return fmt.Errorf("integrity: %s: %w", business, err)
		}
		return nil
	})
}

func (s *Service) look(ctx context.Context, business uuid.UUID, night time.Time) error {
	v := s.db.View(business)
	seen, err := pg.One[bool](ctx, v, `select exists (select from integrity_reports where business_id = $1 and created_at >= $2)`,
		business, night)
	if err != nil || seen {
		return err
	}
	report, err := CheckBusiness(ctx, v, s.declared...)
	if err != nil {
		return err
	}
	for _, d := range report.Differences {
		s.log.Error("integrity: stored value differs from its rows", "business", business, "check", d.Check,
			"record", d.Record, "id", d.RecordID, "expected", d.Expected, "found", d.Found)
	}
	body, err := json.Marshal(report.Differences)
	if err != nil {
		return err
	}
	_, err = pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int64, error) { return keep(ctx, tx, body) })
	return err
}

// keep writes a report and drops the old ones.
func keep(ctx context.Context, tx *pg.Tx, differences []byte) (int64, error) {
	return tx.Exec(ctx, `with old as (delete from integrity_reports where business_id = $2 and created_at < $5)
		insert into integrity_reports (id, business_id, differences, created_at) values ($1, $2, $3, $4)`,
		pg.NewID(), tx.Business(), differences, tx.Now(), tx.Now().Add(-reportAge))
}
