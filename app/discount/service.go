package discount

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Service manages discounts.
type Service struct{ db *pg.DB }

// New returns a Service.
func New(db *pg.DB) *Service { return &Service{db} }

// Errors about discounts.
var (
	ErrCodeTaken = fault.New(fault.Conflict, "code_taken", "Another discount has this code.")
	ErrArchived  = fault.New(fault.Conflict, "discount_archived", "This discount is archived. Restore it first.")
)

// ListInput selects discounts in the order of their creation.
type ListInput struct {
	paging.In[uuid.UUID]
	Archived bool      // archived ones instead of active ones
	PlanID   uuid.UUID // only those for members of this plan; uuid.Nil: all
}

// List lists the discounts of the business with their uses. It needs catalog.manage at any location.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (page paging.Page[Discount, uuid.UUID], err error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := list(ctx, s.db.View(sc.Tenant), in)
	return paging.Of(rows, in.Size(), func(d Discount) uuid.UUID { return d.ID }), err
}

// ForMembers returns the automatic discounts that members of plans have now at a location, by plan, in the order in
// which they are taken off. Those of amounts in another currency than the location's are left out.
func (s *Service) ForMembers(
	ctx context.Context, business, location uuid.UUID, plans []uuid.UUID,
) (map[uuid.UUID][]Discount, error) {
	if len(plans) == 0 {
		return nil, nil
	}
	rows, err := forMembers(ctx, s.db.View(business), location, plans)
	out := map[uuid.UUID][]Discount{}
	for _, d := range rows {
		if d.UsesMax > 0 && d.Uses >= d.UsesMax {
			continue
		}
		for _, p := range d.PlanIDs {
			out[p] = append(out[p], d)
		}
	}
	return out, err
}

// Get returns one discount, archived or not. It needs catalog.manage at any location. It returns a not found error.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Discount, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Discount{}, err
	}
	return find(ctx, s.db.View(sc.Tenant), id)
}

// CreateInput is a new discount, as Discount has it.
type CreateInput struct {
	Name                     string
	Code                     string // empty: automatic
	PPM, Amount, LeastAmount int64
	Currency                 money.Currency // empty: the business's
	AppliesTo                AppliesTo      // empty: Bookings
	LocationIDs, OfferingIDs []uuid.UUID
	PlanIDs                  []uuid.UUID
	Weekdays                 []time.Weekday
	FirstDay, LastDay        *civil.Date
	UsesMax, CustomerUsesMax int
	FirstTime                bool
	Position                 int
	Combines                 bool
}

func (in CreateInput) discount() Discount {
	return Discount{
		Name: in.Name, Code: in.Code, PPM: in.PPM, Amount: in.Amount, LeastAmount: in.LeastAmount, Currency: in.Currency,
		AppliesTo: cmp.Or(in.AppliesTo, Bookings), LocationIDs: in.LocationIDs, OfferingIDs: in.OfferingIDs,
		PlanIDs: in.PlanIDs, Weekdays: in.Weekdays, FirstDay: in.FirstDay, LastDay: in.LastDay,
		UsesMax: in.UsesMax, CustomerUsesMax: in.CustomerUsesMax, FirstTime: in.FirstTime, Position: in.Position, Combines: in.Combines,
		Version: 1,
	}
}

// Create adds a discount that applies from then on. It needs catalog.manage in the whole business, as discounts are
// shared. It returns a validation error, also on planIds if there is no such plan, a not found error for a location or
// an offering of another business, and ErrCodeTaken.
func (s *Service) Create(ctx context.Context, sc tenancy.Scope, in CreateInput) (Discount, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return Discount{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Discount, error) {
		d := in.discount()
		if d.Currency == "" {
			house, err := business.BusinessOf(ctx, tx)
			if err != nil {
				return Discount{}, err
			}
			d.Currency = house.Currency
		}
		if err := d.allowed(ctx, tx); err != nil {
			return Discount{}, err
		}
		d.ID, d.CreatedAt, d.UpdatedAt = pg.NewID(), tx.Now(), tx.Now()
		return d, insert(ctx, tx, d)
	})
}

// allowed checks a discount, and that its locations, offerings and plans are the business's.
func (d *Discount) allowed(ctx context.Context, tx *pg.Tx) error {
	var checks fault.Checks
	d.check(&checks)
	if err := checks.Err(); err != nil {
		return err
	}
	known, err := knownOf(ctx, tx, *d)
	checks.That(known.Plans, "planIds", "There is no such plan.")
	return fault.When(!known.Others, fault.Missing(), cmp.Or(err, checks.Err()))
}

// UpdateInput changes a discount: a nil field stays as it is.
type UpdateInput struct {
	ID                       uuid.UUID
	Version                  int64 // of the discount that was read
	Name, Code               *string
	PPM, Amount, LeastAmount *int64 // a percentage replaces an amount, and the other way round
	Currency                 *money.Currency
	AppliesTo                *AppliesTo
	LocationIDs, OfferingIDs *[]uuid.UUID
	PlanIDs                  *[]uuid.UUID
	Weekdays                 *[]time.Weekday
	FirstDay, LastDay        patch.Field[civil.Date]
	UsesMax, CustomerUsesMax *int
	FirstTime                *bool
	Position                 *int
	Combines                 *bool
}

func (in UpdateInput) to(d *Discount) {
	patch.Set(&d.Name, in.Name)
	patch.Set(&d.Code, in.Code)
	switch { // the new one replaces the old one
	case in.PPM != nil && *in.PPM > 0 && in.Amount == nil:
		d.Amount = 0
	case in.Amount != nil && *in.Amount > 0 && in.PPM == nil:
		d.PPM = 0
	}
	patch.Set(&d.PPM, in.PPM)
	patch.Set(&d.Amount, in.Amount)
	patch.Set(&d.LeastAmount, in.LeastAmount)
	patch.Set(&d.Currency, in.Currency)
	patch.Set(&d.AppliesTo, in.AppliesTo)
	patch.Set(&d.LocationIDs, in.LocationIDs)
	patch.Set(&d.OfferingIDs, in.OfferingIDs)
	patch.Set(&d.PlanIDs, in.PlanIDs)
	patch.Set(&d.Weekdays, in.Weekdays)
	in.FirstDay.To(&d.FirstDay)
	in.LastDay.To(&d.LastDay)
	patch.Set(&d.UsesMax, in.UsesMax)
	patch.Set(&d.CustomerUsesMax, in.CustomerUsesMax)
	patch.Set(&d.FirstTime, in.FirstTime)
	patch.Set(&d.Position, in.Position)
	patch.Set(&d.Combines, in.Combines)
}

// Update changes a discount for carts that are not paid for yet; sold orders stay as they were. It needs
// catalog.manage in the whole business. It returns:
//
//   - a not found error
//   - fault.ErrStale
//   - ErrArchived
//   - a validation error
//   - ErrCodeTaken
func (s *Service) Update(ctx context.Context, sc tenancy.Scope, in UpdateInput) (Discount, error) {
	return s.change(ctx, sc, in.ID, func(tx *pg.Tx, d *Discount) (bool, error) {
		if err := fault.Stale(in.Version, d.Version); err != nil {
			return false, err
		}
		if d.ArchivedAt != nil {
			return false, ErrArchived
		}
		in.to(d)
		if in.UsesMax != nil && *in.UsesMax > 0 && *in.UsesMax < d.Uses {
			return false, fault.Invalid("usesMax", "This is less than the number of uses so far.")
		}
		return true, d.allowed(ctx, tx)
	})
}

// Archive archives a discount: carts lose it, orders keep it, and its code is free. It needs catalog.manage in the
// whole business. A second call changes nothing. It returns a not found error.
func (s *Service) Archive(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Discount, error) {
	return s.change(ctx, sc, id, func(tx *pg.Tx, d *Discount) (bool, error) {
		if d.ArchivedAt != nil {
			return false, nil
		}
		now := tx.Now()
		d.ArchivedAt = &now
		return true, nil
	})
}

// Restore restores an archived discount, with its earlier uses. It needs catalog.manage in the whole business. It
// returns a not found error, and ErrCodeTaken if another discount has its code by now.
func (s *Service) Restore(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Discount, error) {
	return s.change(ctx, sc, id, func(_ *pg.Tx, d *Discount) (bool, error) {
		changed := d.ArchivedAt != nil
		d.ArchivedAt = nil
		return changed, nil
	})
}

// change saves edit's changes of a locked discount; edit reports whether there is anything to save.
func (s *Service) change(ctx context.Context, sc tenancy.Scope, id uuid.UUID, edit func(*pg.Tx, *Discount) (bool, error)) (Discount, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return Discount{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Discount, error) {
		d, err := lock(ctx, tx, id)
		if err != nil {
			return Discount{}, err
		}
		changed, err := edit(tx, &d)
		if err != nil || !changed {
			return d, err
		}
		return d, save(ctx, tx, &d)
	})
}
