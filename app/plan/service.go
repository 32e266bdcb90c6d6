package plan

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/mail"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Options are the dependencies of a Service; all of them are required.
type Options struct {
	DB   *pg.DB
	Mail mail.Sender
	// Write writes the mail about a plan that ends soon, in the customer's language.
	Write func(Reminder) mail.Message
}

// Service manages plans and the memberships of customers, and sells plans: order.Seller. It is safe for concurrent use.
type Service struct{ o Options }

// New returns a Service. It panics if an option is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Mail == nil || o.Write == nil {
		panic("plan: an option is missing")
	}
	return &Service{o}
}

// Key is the end of a page of a list of plans, in the order of their position and name.
type Key struct {
	Position int
	Name     string
	ID       uuid.UUID
}

// ListInput selects plans in their order.
type ListInput struct {
	paging.In[Key]
	State State // empty: those that are not archived
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Check(&c)
	c.That(in.State == "" || in.State.Valid(), "state", "Use draft, published or archived.")
	return c.Err()
}

// List lists plans of the business. It needs location.view. Walking the pages yields every plan once, also while others
// are made. A97.
func (s *Service) List(
	ctx context.Context, sc tenancy.Scope, in ListInput,
) (page paging.Page[Plan, Key], err error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := list(ctx, s.o.DB.View(sc.Tenant), in)
	return paging.Of(rows, in.Size(), func(p Plan) Key { return Key{p.Position, p.Name, p.ID} }), err
}

// Get returns one plan in any state. It needs location.view. It returns a not found error.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Plan, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Plan{}, err
	}
	return find(ctx, s.o.DB.View(sc.Tenant), id)
}

// CreateInput is a new plan, as Plan has it.
type CreateInput struct {
	Name, Description string
	Kind              Kind
	Currency          money.Currency // empty: the business's
	PriceAmount       int64
	TaxRateID         *uuid.UUID
	SoldOnline        bool
	LocationIDs       []uuid.UUID
	Validity
	Renewal
	Freeze       rules.Freeze // the zero value allows none
	ChangeIDs    []uuid.UUID
	CustomerMax  int
	NewCustomers bool
	Position     int
	Benefits     []Benefit
}

// Create makes a draft. It needs catalog.manage in the whole business, as locations share plans. It returns a
// validation error, also on taxRateId, locationIds and the offerings of benefits if there are no such ones.
func (s *Service) Create(ctx context.Context, sc tenancy.Scope, in CreateInput) (Plan, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return Plan{}, err
	}
	p := Plan{
		ID: pg.NewID(), Name: in.Name, Description: in.Description, Kind: in.Kind, State: Draft, Currency: in.Currency,
		PriceAmount: in.PriceAmount, TaxRateID: in.TaxRateID, SoldOnline: in.SoldOnline, LocationIDs: in.LocationIDs,
		Validity: in.Validity, Renewal: in.Renewal, Freeze: in.Freeze, ChangeIDs: in.ChangeIDs, CustomerMax: in.CustomerMax,
		NewCustomers: in.NewCustomers, Position: in.Position,
		Benefits: in.Benefits, Version: 1,
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Plan, error) {
		if p.Currency == "" {
			house, err := business.BusinessOf(ctx, tx)
			if err != nil {
				return Plan{}, err
			}
			p.Currency = house.Currency
		}
		var c fault.Checks
		p.check(&c)
		if err := c.Err(); err != nil {
			return Plan{}, err
		}
		if err := p.chosen(ctx, tx, p.TaxRateID); err != nil {
			return Plan{}, err
		}
		p.CreatedAt, p.UpdatedAt = tx.Now(), tx.Now()
		return p, insert(ctx, tx, p)
	})
}

// UpdateInput changes a plan for later sales; nil leaves a field unchanged. Customers keep what they bought.
type UpdateInput struct {
	ID                uuid.UUID
	Version           int64 // of the plan that was read
	Name, Description *string
	State             *State // Draft or Published; of an archived plan it restores it
	PriceAmount       *int64
	TaxRateID         patch.Field[uuid.UUID] // none: untaxed
	SoldOnline        *bool
	LocationIDs       *[]uuid.UUID
	ValidCount        patch.Field[int] // none: no end
	ValidUnit         patch.Field[rules.Unit]
	FromFirstUse      *bool
	Renewal           *Renewal      // all of it
	Freeze            *rules.Freeze // likewise
	ChangeIDs         *[]uuid.UUID  // likewise
	CustomerMax       *int
	NewCustomers      *bool
	Position          *int
	Benefits          *[]Benefit // all of them
}

// Update changes a plan for carts that do not hold it. It needs catalog.manage in the whole business. It returns:
//
//   - a not found error
//   - fault.ErrStale
//   - ErrArchived, unless a state restores the plan
//   - a validation error, as Create
//   - ErrIncomplete
func (s *Service) Update(ctx context.Context, sc tenancy.Scope, in UpdateInput) (Plan, error) {
	return s.change(ctx, sc, in.ID, func(tx *pg.Tx, p *Plan) (bool, error) {
		if err := fault.Stale(in.Version, p.Version); err != nil {
			return false, err
		}
		if p.State == Archived && in.State == nil {
			return false, ErrArchived
		}
		return true, in.apply(ctx, tx, p)
	})
}

// apply changes a locked plan.
func (in UpdateInput) apply(ctx context.Context, tx *pg.Tx, p *Plan) error {
	var rate *uuid.UUID // newly chosen: one that went out of use stays until another is chosen
	if v := in.TaxRateID.Value; v != nil && (p.TaxRateID == nil || *p.TaxRateID != *v) {
		rate = v
	}
	patch.Set(&p.Name, in.Name)
	patch.Set(&p.Description, in.Description)
	patch.Set(&p.State, in.State)
	patch.Set(&p.PriceAmount, in.PriceAmount)
	in.TaxRateID.To(&p.TaxRateID)
	patch.Set(&p.SoldOnline, in.SoldOnline)
	patch.Set(&p.LocationIDs, in.LocationIDs)
	setOrZero(&p.Count, in.ValidCount)
	setOrZero(&p.Unit, in.ValidUnit)
	patch.Set(&p.FromFirstUse, in.FromFirstUse)
	patch.Set(&p.Renewal, in.Renewal)
	patch.Set(&p.Freeze, in.Freeze)
	patch.Set(&p.ChangeIDs, in.ChangeIDs)
	patch.Set(&p.CustomerMax, in.CustomerMax)
	patch.Set(&p.NewCustomers, in.NewCustomers)
	patch.Set(&p.Position, in.Position)
	patch.Set(&p.Benefits, in.Benefits)
	var c fault.Checks
	p.check(&c)
	c.That(in.State == nil || p.State == Draft || p.State == Published, "state", "Use draft or published.")
	if err := c.Err(); err != nil {
		return err
	}
	if err := p.incomplete(); err != nil {
		return err
	}
	if err := p.chosen(ctx, tx, rate); err != nil || in.Benefits == nil {
		return err
	}
	return saveBenefits(ctx, tx, *p)
}

// setOrZero sets a field to its new value; to zero, if that is removed.
func setOrZero[T any](to *T, from patch.Field[T]) {
	if !from.Set {
		return
	}
	*to = *new(T)
	patch.Set(to, from.Value)
}

// Archive takes a plan out of sale; what carts hold of it can still be paid, and customers keep theirs. It needs
// catalog.manage in the whole business. A second call changes nothing. It returns a not found error.
func (s *Service) Archive(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Plan, error) {
	return s.change(ctx, sc, id, func(_ *pg.Tx, p *Plan) (bool, error) {
		changed := p.State != Archived
		p.State = Archived
		return changed, nil
	})
}

// Publish puts a plan on sale. It needs catalog.manage in the whole business. A second call changes nothing. It returns
// a not found error, and ErrIncomplete.
func (s *Service) Publish(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Plan, error) {
	return s.change(ctx, sc, id, func(_ *pg.Tx, p *Plan) (bool, error) {
		changed := p.State != Published
		p.State = Published
		return changed, p.incomplete()
	})
}

// change saves edit's changes of a locked plan; edit reports whether there is anything to save.
func (s *Service) change(
	ctx context.Context, sc tenancy.Scope, id uuid.UUID, edit func(*pg.Tx, *Plan) (bool, error),
) (Plan, error) {
	if err := policy.Require(sc, policy.CatalogManage); err != nil {
		return Plan{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Plan, error) {
		p, err := lock(ctx, tx, id)
		if err != nil {
			return Plan{}, err
		}
		changed, err := edit(tx, &p)
		if err != nil || !changed {
			return p, err
		}
		return p, save(ctx, tx, &p)
	})
}

// chosen refuses offerings and locations that the business does not have, and a newly chosen tax rate that is not in
// use; nil is none.
func (p Plan) chosen(ctx context.Context, tx *pg.Tx, rate *uuid.UUID) error {
	offerings, locations := p.named()
	known, err := knownOf(ctx, tx, rate, offerings, locations, p)
	if err != nil {
		return err
	}
	var c fault.Checks
	c.That(rate == nil || known.Rate, "taxRateId", "There is no such tax rate.")
	c.That(known.Offerings, "benefits", "There is no such offering.")
	c.That(known.Locations, "locationIds", "There is no such location.")
	c.That(known.Plans, "changeIds", "There is no such membership in this currency.")
	return c.Err()
}
