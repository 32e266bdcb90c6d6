package crm

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/names"
	"foyer/app/pg"
)

const (
	keysEvery  = 10 * time.Minute
	keysAtOnce = 500
)

// Register registers the sweep of this package with the worker.
func (s *Service) Register(r *jobs.Registry) { jobs.Sweep(r, "crm.keys", keysEvery, s.FillKeys) }

// FillKeys runs the sweep crm.keys: it writes search keys into records without them, written before there were keys
// or by the previous version. It may run in several processes at once.
func (s *Service) FillKeys(ctx context.Context) error {
	businesses, err := unkeyed(ctx, s.o.DB.View(uuid.Nil))
	if err != nil {
		return err
	}
	for _, business := range businesses {
		err := pg.Batches(keysAtOnce, func() (int, error) {
			return pg.InTx(ctx, s.o.DB, business, func(tx *pg.Tx) (int, error) { return fillKeys(ctx, tx) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// keysOf returns the search keys of customers, in the order of the columns.
func keysOf(list []Customer) (ids []uuid.UUID, name, phone []string) {
	for _, c := range list {
		ids, name, phone = append(ids, c.ID), append(name, names.Search(c.Name)), append(phone, numberKey(c.Phone))
	}
	return ids, name, phone
}
