package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Archive puts an offering away, dates and all; history stays. It needs catalog.manage at the location. While somebody
// is booked ahead it is ErrFutureBookings. Archiving what is archived changes nothing.
//
// The row is locked FOR UPDATE before the question about bookings is asked. Whoever takes a seat under a key share lock
// of the offering therefore comes wholly before, and is seen, or wholly after, and finds it archived.
func (s *Service) Archive(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Offering{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Offering, error) {
		o, err := s.lock(ctx, tx, sc, id)
		if err != nil || o.State == Archived {
			return o, err
		}
		booked, err := s.o.HasFutureBookingsTx(ctx, tx, id)
		if err != nil {
			return Offering{}, err
		}
		if booked {
			return Offering{}, ErrFutureBookings
		}
		o.State, o.PublishedAt = Archived, nil
		return o, save(ctx, tx, &o)
	})
}
