package plan

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"foyer/app/pg"
	entplan "foyer/ent/plan"
)

// benefitsSQL selects the benefits of a plan p of a business, an expression, as a membership keeps them.
func benefitsSQL(business string) string {
	return `coalesce((
		select jsonb_agg(jsonb_build_object('credits', e.credits, 'offeringIds', e.offering_ids, 'kinds', e.kinds,
			'locationIds', e.location_ids, 'excludedIds', e.excluded_ids, 'costs', e.costs, 'forGuests', e.for_guests,
			'guestsOnly', e.guests_only, 'rolloverMax', e.rollover_max, 'dayMax', e.day_max, 'weekMax', e.week_max,
			'upcomingMax', e.upcoming_max) order by e.position)
		from plan_benefits e where e.business_id = ` + business + ` and e.plan_id = p.id), '[]')`
}

// plansSQL selects plans p of the business $1, with expressions of the number of active memberships and of the day.
func plansSQL(members, today string) string {
	return `select p.id, p.name, p.description, p.kind, p.state, p.currency, p.price_amount, p.tax_rate_id,
		p.sold_online, p.location_ids, coalesce(p.valid_count, 0) as count, coalesce(p.valid_unit, '') as unit,
		p.from_first_use, p.intro_amount, p.intro_periods, p.min_periods, p.ends, p.notice_days,
		p.billing_day, p.downgrade_periods, p.change_ids, coalesce(p.freeze, '{}') as freeze, p.customer_max,
		p.new_customers, p.position, p.version, p.created_at, p.updated_at,
		` + benefitsSQL("$1") + ` as benefits, ` + members + `::int as members,
		` + today + `::date as today
	from plans p where p.business_id = $1`
}

// selectPlans is for the studio; offeredPlans does not count who has them: at the location $2, at the time $3.
var (
	selectPlans = plansSQL(`(select count(*) from memberships m
			where m.business_id = $1 and m.plan_id = p.id and m.state = 'active')`, "null")
	offeredPlans = plansSQL("0", `(select $3::timestamptz at time zone z.zone from locations z where z.business_id = $1
			and z.id = $2)`)
)

func find(ctx context.Context, r pg.Reader, id uuid.UUID) (Plan, error) {
	return pg.Found(pg.One[Plan](ctx, r, selectPlans+` and p.id = $2`, r.Business(), id))
}

// lock reads a plan under its lock, which every change of it takes first.
func lock(ctx context.Context, tx *pg.Tx, id uuid.UUID) (p Plan, err error) {
	var found bool
	b := tx.Batch()
	pg.QueueExec(b, `select from plans where business_id = $1 and id = $2 for no key update`, tx.Business(), id)
	pg.QueueOne(b, &p, &found, selectPlans+` and p.id = $2`, tx.Business(), id)
	if err = b.Send(ctx); err == nil && !found {
		err = pg.ErrNoRow
	}
	return pg.Found(p, err)
}

func list(ctx context.Context, v *pg.View, in ListInput) ([]Plan, error) {
	s := pg.NewShape(selectPlans, v.Business())
	if in.State == "" {
		s.And(`p.state <> 'archived'`)
	} else {
		s.And(`p.state = ?`, in.State)
	}
	if key := in.After; key != nil {
		s.And(`(p.position, lower(p.name), p.id) > (?, lower(?), ?)`, key.Position, key.Name, key.ID)
	}
	s.Add(` order by p.position, lower(p.name), p.id limit ?`, in.Size()+1)
	return pg.All[Plan](ctx, v.Kept(), s.SQL(), s.Args()...)
}

// insert writes a new plan with its benefits.
func insert(ctx context.Context, tx *pg.Tx, p Plan) error {
	err := tx.Ent().Plan.Create().SetID(p.ID).SetBusinessID(tx.Business()).SetName(p.Name).
		SetDescription(p.Description).SetKind(string(p.Kind)).SetState(string(p.State)).SetCurrency(string(p.Currency)).
		SetPriceAmount(p.PriceAmount).SetNillableTaxRateID(p.TaxRateID).SetSoldOnline(p.SoldOnline).
		SetLocationIds(p.LocationIDs).SetNillableValidCount(pg.OrNull(p.Count)).
		SetNillableValidUnit(pg.OrNull(string(p.Unit))).SetFromFirstUse(p.FromFirstUse).SetCustomerMax(p.CustomerMax).
		SetNewCustomers(p.NewCustomers).SetPosition(p.Position).SetIntroAmount(p.IntroAmount).
		SetIntroPeriods(p.IntroPeriods).SetMinPeriods(p.MinPeriods).SetEnds(p.Ends).SetNoticeDays(p.NoticeDays).
		SetBillingDay(p.BillingDay).SetDowngradePeriods(p.DowngradePeriods).SetChangeIds(p.ChangeIDs).
		SetFreeze(p.freeze()).SetVersion(p.Version).SetCreatedAt(p.CreatedAt).SetUpdatedAt(p.UpdatedAt).Exec(ctx)
	if err != nil || len(p.Benefits) == 0 {
		return err
	}
	return saveBenefits(ctx, tx, p)
}

// save writes a changed plan as its next version, without its benefits. The row is locked.
func save(ctx context.Context, tx *pg.Tx, p *Plan) error {
	p.Version, p.UpdatedAt = p.Version+1, tx.Now()
	u := tx.Ent().Plan.Update().Where(entplan.BusinessID(tx.Business()), entplan.ID(p.ID)).
		SetName(p.Name).SetDescription(p.Description).SetState(string(p.State)).SetPriceAmount(p.PriceAmount).
		SetSoldOnline(p.SoldOnline).SetLocationIds(p.LocationIDs).SetFromFirstUse(p.FromFirstUse).
		SetCustomerMax(p.CustomerMax).SetNewCustomers(p.NewCustomers).SetPosition(p.Position).
		SetIntroAmount(p.IntroAmount).SetIntroPeriods(p.IntroPeriods).SetMinPeriods(p.MinPeriods).SetEnds(p.Ends).
		SetNoticeDays(p.NoticeDays).SetBillingDay(p.BillingDay).SetDowngradePeriods(p.DowngradePeriods).
		SetChangeIds(p.ChangeIDs).SetVersion(p.Version).SetUpdatedAt(p.UpdatedAt)
	if f := p.freeze(); f != nil {
		u.SetFreeze(f)
	} else {
		u.ClearFreeze()
	}
	if p.TaxRateID != nil {
		u.SetTaxRateID(*p.TaxRateID)
	} else {
		u.ClearTaxRateID()
	}
	if p.Count > 0 {
		u.SetValidCount(p.Count).SetValidUnit(string(p.Unit))
	} else {
		u.ClearValidCount().ClearValidUnit()
	}
	return u.Exec(ctx)
}

// freeze returns the rules for a freeze as they are stored; nil without any.
func (p Plan) freeze() json.RawMessage {
	if !p.Freeze.Allowed {
		return nil
	}
	raw, _ := json.Marshal(p.Freeze) // numbers and booleans
	return raw
}

// saveBenefits replaces the benefits of a plan.
func saveBenefits(ctx context.Context, tx *pg.Tx, p Plan) error {
	b := tx.Batch()
	pg.QueueExec(b, `delete from plan_benefits where business_id = $1 and plan_id = $2`, tx.Business(), p.ID)
	pg.QueueExec(b, `insert into plan_benefits (id, business_id, plan_id, position, "credits", offering_ids, kinds,
			location_ids, excluded_ids, costs, for_guests, guests_only, rollover_max, day_max, week_max, upcoming_max,
			created_at)
		select x.id, $1, $2, x.position, (x.e ->> 'credits')::int, x.e -> 'offeringIds', x.e -> 'kinds',
			x.e -> 'locationIds', x.e -> 'excludedIds', x.e -> 'costs', (x.e ->> 'forGuests')::bool,
			(x.e ->> 'guestsOnly')::bool, (x.e ->> 'rolloverMax')::int,
			(x.e ->> 'dayMax')::int, (x.e ->> 'weekMax')::int, (x.e ->> 'upcomingMax')::int, $5
		from rows from (unnest($3::uuid[]), jsonb_array_elements($4::jsonb)) with ordinality as x (id, e, position)`,
		tx.Business(), p.ID, pg.NewIDs(len(p.Benefits)), p.Benefits, tx.Now())
	return b.Send(ctx)
}

// known reports whether what a plan names is there.
type known struct{ Rate, Offerings, Locations, Plans bool }

func knownOf(
	ctx context.Context, tx *pg.Tx, rate *uuid.UUID, offerings, locations []uuid.UUID, p Plan,
) (known, error) {
	return pg.One[known](ctx, tx, `select
		exists (select from tax_rates where business_id = $1 and id = $2 and archived_at is null) as rate,
		(select count(*) from offerings where business_id = $1
		and id = any($3::uuid[])) = cardinality($3::uuid[]) as offerings,
		(select count(*) from locations where business_id = $1
		and id = any($4::uuid[])) = cardinality($4::uuid[]) as locations,
		(select count(*) from plans where business_id = $1 and kind = 'membership' and currency = $6
		and id = any($5::uuid[])) = cardinality($5::uuid[]) as plans`,
		tx.Business(), rate, offerings, locations, p.ChangeIDs, p.Currency)
}

// ReplaceTaxRateTx replaces a tax rate by its successor on every plan: business.Ports.ReplaceTaxRateTx. It is an edit:
// versions go up.
func ReplaceTaxRateTx(ctx context.Context, tx *pg.Tx, old, successor uuid.UUID) error {
	return tx.Ent().Plan.Update().Where(entplan.BusinessID(tx.Business()), entplan.TaxRateID(old)).
		SetTaxRateID(successor).AddVersion(1).SetUpdatedAt(tx.Now()).Exec(ctx)
}
