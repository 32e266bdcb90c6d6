package catalog

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// errLooked rolls back a mere check: checking whether a course can be sold may write its dates.
var errLooked = errors.New("catalog: checked only")

// Missing returns the fields that Publish would report: none when the offering can be published now, or is published.
// It changes nothing. It needs catalog.manage at the location; its errors are those of Publish without a field.
func (s *Service) Missing(ctx context.Context, sc tenancy.Scope, id uuid.UUID) ([]fault.Field, error) {
	var lacks error
	_, err := change(ctx, s, sc, nil, id, func(tx *pg.Tx, o Offering) (Offering, error) {
		switch o.State {
		case Archived:
			lacks = ErrArchived
		case Draft:
			lacks = s.complete(ctx, tx, o)
		}
		return o, errLooked
	})
	if !errors.Is(err, errLooked) {
		return nil, err
	}
	if f := fault.From(lacks); f != nil && len(f.Fields) > 0 { // without a way to pay it is a conflict
		return f.Fields, nil
	}
	return nil, lacks
}
