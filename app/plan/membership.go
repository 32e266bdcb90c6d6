package plan

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/policy"
)

// MembershipState is the state of a membership.
type MembershipState string

// The states.
const (
	Active   MembershipState = "active"
	Over     MembershipState = "ended"    // its last day is over
	Canceled MembershipState = "canceled" // its purchase was refunded, or the studio ended it
)

// All returns the states.
func (MembershipState) All() []MembershipState { return []MembershipState{Active, Over, Canceled} }

// Grant is a benefit of a membership, with what is left of it.
type Grant struct {
	ID uuid.UUID `json:"id"`
	Benefit
	Unlimited    bool  `json:"unlimited"`
	Amount       int   `json:"amount"`  // credits; 0 of an unlimited one
	Balance      int   `json:"balance"` // of them, left
	UnusedAmount int64 `json:"unusedAmount"`
}

// Membership is a plan that a customer has, as it was sold.
type Membership struct {
	ID           uuid.UUID
	BusinessID   uuid.UUID
	BusinessName string
	CustomerID   uuid.UUID
	PlanID       uuid.UUID
	LocationID   uuid.UUID // that sold it
	LocationName string
	LocationSlug string
	Zone         string // IANA: of the location's wall clock
	Name         string // of the plan
	Kind         Kind
	Currency     money.Currency
	State        MembershipState
	StartsOn     civil.Date
	EndsOn       *civil.Date // the first day after; nil: no end, or it begins with the first class
	Count        int         // of Unit: the validity, as it was sold; 0: no end
	Unit         string
	FromFirstUse bool
	ActivatedOn  *civil.Date // the day of the first class, if it begins with that
	Grants       []Grant     // of a membership that renews, those of its present period
	PriceAmount  int64       // of a billing period; 0 of other plans
	Renewal      Renewal     // as it was sold
	// The billing period that is to be paid next; nil: none, and of other plans.
	Next *Cycle
	// The billing period of this number begins on this day, and the later ones follow it. Part: the first one was a part
	// of a whole one, until the billing day.
	AnchorOn     civil.Date
	AnchorNumber int
	Part         bool
	FreezeRules  rules.Freeze // as it was sold
	Freezes      []Frozen     // those that are not canceled, in their order
	Benefits     []Benefit    // as it was sold
	MayChange    bool         // there are plans that its customer can change to
	Change       *PlanChange  // of plan, to come or to be paid; nil: none
	ConsentedAt  *time.Time   // to be charged for each period; nil: the customer pays by a link, or at the studio
	CanceledAt   *time.Time   // for EndsOn
	OrderID      *uuid.UUID   // that sold it; nil: complimentary
	Version      int64
	CreatedAt    time.Time
}

// Cycle is a billing period that is not paid.
type Cycle struct {
	ID           uuid.UUID  `json:"id"`
	Number       int        `json:"number"`
	StartsOn     civil.Date `json:"startsOn"`
	EndsOn       civil.Date `json:"endsOn"` // the first day after
	Amount       int64      `json:"amount"`
	Due          bool       `json:"due"`     // it has begun: there is an order for it
	PastDue      bool       `json:"pastDue"` // GraceDays are over: the membership pays for nothing
	Failed       string     `json:"failed"`  // the code of the failed charge; empty: none failed
	OrderID      *uuid.UUID `json:"orderId"` // that is to be paid
	TriedAt      *time.Time `json:"triedAt"`
	FirstTriedAt *time.Time `json:"firstTriedAt"` // when it was first tried; nil: nobody was asked to pay it
	Tries        int        `json:"tries"`
}

// LapsesOn returns the day on which the membership ends if the period is not paid, and somebody was first asked to pay
// it on a day: LapseDays later, or as many days as the period has if these are fewer.
func (c Cycle) LapsesOn(asked civil.Date) civil.Date {
	return asked.AddDays(min(LapseDays, c.StartsOn.DaysUntil(c.EndsOn)))
}

// LastDay returns the last day of classes that it pays for; zero: no end, or none yet.
func (m Membership) LastDay() civil.Date {
	if m.EndsOn == nil {
		return civil.Date{}
	}
	return m.EndsOn.AddDays(-1)
}

var selectMemberships = `select m.id, m.business_id, b.name as business_name, m.customer_id, m.plan_id, m.location_id,
		l.name as location_name, l.slug as location_slug, l.zone, m.name, m.kind, m.currency, m.state, m.starts_on, m.ends_on,
		(m.sold #>> '{validity,Count}')::int as count, m.sold #>> '{validity,Unit}' as unit,
		(m.sold #>> '{validity,FromFirstUse}')::bool as from_first_use, m.activated_on, x.order_id, m.version, m.created_at,
		coalesce((m.sold ->> 'price')::bigint, 0) as price_amount, coalesce(m.sold -> 'renewal', '{}') as renewal,
		m.consented_at, m.canceled_at, m.anchor_on, m.anchor_number, coalesce((m.sold ->> 'part')::bool, false) as part,
		coalesce(m.sold -> 'freeze', '{}') as freeze_rules, m.sold -> 'benefits' as benefits,
		exists (select from plans f where f.business_id = $1 and f.id = m.plan_id and f.change_ids <> '[]') as may_change,
		(select jsonb_build_object('id', h.id, 'planId', h.to_plan_id, 'name', h.name, 'price', h.to_amount,
				'on', case h.state when 'due' then h.changes_on else k.starts_on end, 'amount', h.amount, 'due', h.state = 'due',
				'failed', coalesce(o.charge_failed, ''), 'orderId', o.id)
			from plan_changes h join cycles k on k.business_id = $1 and k.id = h.cycle_id
			left join order_lines z on z.business_id = $1 and z.id = h.order_line_id
			left join orders o on o.business_id = $1 and o.id = z.order_id
			where h.business_id = $1 and h.membership_id = m.id and h.state in ('coming', 'due')) as change,
		(select jsonb_agg(jsonb_build_object('id', f.id, 'startsOn', f.starts_on, 'endsOn', f.ends_on, 'note', f.note)
				order by f.starts_on)
			from freezes f where f.business_id = $1 and f.membership_id = m.id and f.canceled_at is null) as freezes,
		(select jsonb_build_object('id', c.id, 'number', c.number, 'startsOn', c.starts_on, 'endsOn', c.ends_on,
				'amount', ` + nextPriceSQL + `, 'due', c.state = 'due', 'failed', coalesce(o.charge_failed, ''), 'orderId', o.id,
				'pastDue', c.starts_on + ` + strconv.Itoa(GraceDays) + ` < ($2::timestamptz at time zone l.zone)::date
					and not ` + heldOpenSQL + `,
				'triedAt', c.tried_at, 'firstTriedAt', c.first_tried_at, 'tries', c.tries)
			from cycles c left join order_lines z on z.business_id = $1 and z.id = c.order_line_id
			left join orders o on o.business_id = $1 and o.id = z.order_id
			where c.business_id = $1 and c.membership_id = m.id and c.state in ('coming', 'due')
			order by c.number limit 1) as next,
		(select jsonb_agg(m.sold -> 'benefits' -> (g.benefit - 1) || jsonb_build_object('id', g.id,
				'unlimited', g.amount is null, 'amount', coalesce(g.amount, 0), 'balance', g.balance,
				'unusedAmount', g.unused_amount) order by g.benefit)
			from grants g where g.business_id = $1 and g.membership_id = m.id and (g.cycle_id is null
				or (g.replaced_at is null or g.balance > 0) and g.benefit <= jsonb_array_length(m.sold -> 'benefits')
				and g.starts_on <= ($2::timestamptz at time zone l.zone)::date
				and g.ends_on > ($2::timestamptz at time zone l.zone)::date)) as grants
	from memberships m
	join businesses b on b.business_id = $1
	join locations l on l.business_id = $1 and l.id = m.location_id
	left join order_lines x on x.business_id = $1 and x.id = m.order_line_id
	where m.business_id = $1`

// nextPriceSQL is the price of a billing period c of the business $1: that of the plan to which its membership changes
// with it, if it does.
const nextPriceSQL = `coalesce((select h.to_amount from plan_changes h where h.business_id = $1 and h.cycle_id = c.id
				and h.state = 'coming'), c.price_amount)`

// ofCustomer reads the memberships of a customer, the active ones first, and of each the latest first.
func ofCustomer(ctx context.Context, r pg.Reader, customer uuid.UUID) ([]Membership, error) {
	return pg.All[Membership](ctx, r, selectMemberships+` and m.customer_id = $3
		order by m.state <> 'active', m.created_at desc, m.id limit 200`, r.Business(), r.Now(), customer)
}

// OfCustomer lists the plans of a customer, the active ones first: at most 200. It needs crm.view for them, by
// crm.AddReach. It returns a not found error. A97.
func (s *Service) OfCustomer(ctx context.Context, sc tenancy.Scope, customer uuid.UUID) ([]Membership, error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := crm.Seen(ctx, v, sc, policy.CRMView, customer); err != nil {
		return nil, err
	}
	return ofCustomer(ctx, v, customer)
}

// Mine lists the plans of the signed-in person in the businesses that they are a customer of: the active ones first,
// and at most 200 of a business. It returns identity.ErrSignIn and ErrKeyRefused.
func (s *Service) Mine(ctx context.Context, p tenancy.Principal) ([]Membership, error) {
	out := []Membership{}
	err := s.eachRecord(ctx, p, func(v *pg.View, customer uuid.UUID) (bool, error) {
		list, err := ofCustomer(ctx, v, customer)
		out = append(out, list...)
		return false, err
	})
	return out, err
}

// eachRecord calls do for the records of the signed-in person that have plans, until it is done.
func (s *Service) eachRecord(
	ctx context.Context, p tenancy.Principal, do func(v *pg.View, customer uuid.UUID) (done bool, err error),
) error {
	person, err := identity.PersonOf(p)
	if err != nil {
		return err
	}
	type record struct{ BusinessID, CustomerID uuid.UUID }
	records, err := pg.All[record](ctx, s.o.DB.View(uuid.Nil),
		`select business_id, customer_id from app.memberships_of($1)`, person)
	for _, r := range records {
		if done, err := do(s.o.DB.View(r.BusinessID), r.CustomerID); done || err != nil {
			return err
		}
	}
	return err
}

// Transaction is a change of the credits of a membership.
type Transaction struct {
	ID          uuid.UUID
	GrantID     uuid.UUID
	Kind        string
	Credits     int // negative: fewer; 0 of an unlimited grant
	Balance     int // of the grant, after it
	BookingID   *uuid.UUID
	Item        string     // of the booking: its offering
	StartsAt    *time.Time // likewise
	Note        string
	ActorKind   tenancy.ActorKind
	ActorName   string
	CreatedAt   time.Time
	LocationTZ  string // IANA: the wall clock of StartsAt
	Unlimited   bool
	BookedFor   string      // the attendee, if not the customer
	BookingGone bool        // the booking was cancelled
	GuestsOnly  bool        // the credits are guest passes
	PeriodFrom  *civil.Date // of a membership that renews: the first day of the period of the grant
	PeriodEnd   *civil.Date // and the first day after it
}

// Transactions lists the changes of the credits of a customer's membership, the latest first. It needs crm.view for the
// customer, by crm.AddReach. It returns a not found error, and a validation error on limit.
func (s *Service) Transactions(
	ctx context.Context, sc tenancy.Scope, customer, membership uuid.UUID, in paging.In[paging.Moment],
) (page paging.Page[Transaction, paging.Moment], err error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := crm.Seen(ctx, v, sc, policy.CRMView, customer); err != nil {
		return page, err
	}
	return transactions(ctx, v, customer, membership, in)
}

// MyTransactions is Transactions of a membership of the signed-in person, without who did it.
func (s *Service) MyTransactions(
	ctx context.Context, p tenancy.Principal, membership uuid.UUID, in paging.In[paging.Moment],
) (page paging.Page[Transaction, paging.Moment], err error) {
	found := false
	err = s.eachRecord(ctx, p, func(v *pg.View, customer uuid.UUID) (bool, error) {
		page, err = transactions(ctx, v, customer, membership, in)
		if found = err == nil; fault.IsKind(err, fault.NotFound) {
			err = nil
		}
		return found, err
	})
	for i := range page.Items {
		page.Items[i].ActorName = ""
	}
	return page, fault.When(!found, fault.Missing(), err)
}

func transactions(
	ctx context.Context, r pg.Reader, customer, membership uuid.UUID, in paging.In[paging.Moment],
) (page paging.Page[Transaction, paging.Moment], err error) {
	if err := in.Validate(); err != nil {
		return page, err
	}
	if known, err := pg.One[bool](ctx, r, `select exists (select from memberships where business_id = $1 and id = $2
			and customer_id = $3)`, r.Business(), membership, customer); err != nil || !known {
		return page, fault.When(err == nil, fault.Missing(), err)
	}
	s := pg.NewShape(`select d.id, d.grant_id, d.kind, d.credits, d.balance, d.booking_id, coalesce(f.name, '') as item,
			w.starts_at, d.note, d.actor_kind, d.actor_name, d.created_at, l.zone as location_tz,
			g.amount is null as unlimited, coalesce(k.attendee, '') as booked_for,
			coalesce(k.state in ('cancelled', 'late_cancelled', 'studio_cancelled', 'declined'), false) as booking_gone,
			coalesce((m.sold -> 'benefits' -> (g.benefit - 1) ->> 'guestsOnly')::bool, false) as guests_only,
			g.starts_on as period_from, g.ends_on as period_end
		from redemptions d join grants g on g.business_id = $1 and g.id = d.grant_id
		join memberships m on m.business_id = $1 and m.id = g.membership_id
		join locations l on l.business_id = $1 and l.id = d.location_id
		left join bookings k on k.business_id = $1 and k.id = d.booking_id
		left join occurrences w on w.business_id = $1 and w.id = k.occurrence_id
		left join offerings f on f.business_id = $1 and f.id = k.offering_id
		where d.business_id = $1 and g.membership_id = $2 and d.kind <> 'earned'`, r.Business(), membership)
	if key := in.After; key != nil {
		s.And(`(d.created_at, d.id) < (?, ?)`, key.At, key.ID)
	}
	s.Add(` order by d.created_at desc, d.id desc limit ?`, in.Size()+1)
	rows, err := pg.All[Transaction](ctx, r, s.SQL(), s.Args()...)
	return paging.Of(rows, in.Size(), func(t Transaction) paging.Moment {
		return paging.Moment{At: t.CreatedAt, ID: t.ID}
	}), err
}

// CompInput gives a customer a plan without a payment.
type CompInput struct {
	CustomerID, PlanID, LocationID uuid.UUID
}

// AddComp gives a customer a complimentary plan: one of the kind comp, that is published. It needs membership.manage at
// the location, and the customer has to be in its reach. It returns a not found error, a validation error on planId,
// and ErrUnavailable.
func (s *Service) AddComp(ctx context.Context, sc tenancy.Scope, in CompInput) (Membership, error) {
	if err := policy.RequireAt(sc, policy.MembershipManage, in.LocationID); err != nil {
		return Membership{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Membership, error) {
		if _, err := crm.Seen(ctx, tx, sc, policy.MembershipManage, in.CustomerID); err != nil {
			return Membership{}, err
		}
		if _, err := business.LocationOf(ctx, tx, in.LocationID); err != nil {
			return Membership{}, err
		}
		p, err := lock(ctx, tx, in.PlanID)
		switch {
		case err != nil:
			return Membership{}, err
		case p.Kind != Comp:
			return Membership{}, fault.Invalid("planId", "Choose a complimentary plan. Sell any other one.")
		case p.State != Published:
			return Membership{}, ErrUnavailable
		}
		id, err := compTx(ctx, tx, sc.Actor, in.PlanID, in.CustomerID, in.LocationID)
		if err != nil {
			return Membership{}, err
		}
		return membershipOf(ctx, tx, in.CustomerID, id)
	})
}

func membershipOf(ctx context.Context, r pg.Reader, customer, id uuid.UUID) (Membership, error) {
	return pg.Found(pg.One[Membership](ctx, r, selectMemberships+` and m.customer_id = $3 and m.id = $4`,
		r.Business(), r.Now(), customer, id))
}

// AdjustInput changes the credits of a grant by hand.
type AdjustInput struct {
	CustomerID, MembershipID uuid.UUID
	GrantID                  uuid.UUID // uuid.Nil: the only one with credits
	Credits                  int       // negative: fewer
	Note                     string    // the reason
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *AdjustInput) Validate() error {
	var c fault.Checks
	in.Note = strings.TrimSpace(in.Note)
	c.That(in.Credits != 0 && in.Credits >= -CreditsMax && in.Credits <= CreditsMax, "credits",
		"Use -10000 to 10000, not 0.")
	c.That(in.Note != "", "note", "Enter a reason.")
	c.That(utf8.RuneCountInString(in.Note) <= 500, "note", "Use at most 500 characters.")
	c.That(!strings.ContainsFunc(in.Note, unprinted), "note", unprintable)
	return c.Err()
}

// Adjust adds credits to a membership, or takes some away. Its price does not change: what is not used of it is spread
// over the credits that are left. It needs balance.adjust at the membership's location, and the customer in its reach.
// It returns:
//
//   - a validation error, also on grantId if the membership has several grants with credits
//   - a not found error
//   - ErrEnded
//   - ErrShort
func (s *Service) Adjust(ctx context.Context, sc tenancy.Scope, in AdjustInput) (Membership, error) {
	if err := in.Validate(); err != nil {
		return Membership{}, err
	}
	return s.changeOf(ctx, sc, policy.BalanceAdjust, in.CustomerID, in.MembershipID,
		func(b *pg.Batch, tx *pg.Tx, m Membership) error {
			g, err := m.grant(in.GrantID)
			if err != nil {
				return err
			}
			if g.Balance+in.Credits < 0 {
				return ErrShort.With("balance", g.Balance)
			}
			recordIn(b, tx, sc.Actor, redemption{ID: pg.NewID(), GrantID: g.ID, LocationID: m.LocationID, Kind: Adjusted,
				Credits: in.Credits, Note: in.Note})
			return nil
		})
}

// grant returns the grant of an id, or the only one with credits.
func (m Membership) grant(id uuid.UUID) (found Grant, err error) {
	n := 0
	for _, g := range m.Grants {
		if !g.Unlimited && (id == uuid.Nil || g.ID == id) {
			found, n = g, n+1
		}
	}
	if n != 1 {
		return found, fault.Invalid("grantId", "Choose the credits to change.")
	}
	return found, nil
}

// ExtendInput changes the last day of a membership.
type ExtendInput struct {
	CustomerID, MembershipID uuid.UUID
	Version                  int64
	LastDay                  civil.Date
}

// Extend changes the last day of a membership that has not ended: to a later day, or an earlier one that is not over.
// It needs membership.manage at the membership's location, and the customer in its reach. It returns:
//
//   - a validation error on lastDay
//   - a not found error
//   - fault.ErrStale
//   - ErrEnded, ErrRenews
func (s *Service) Extend(ctx context.Context, sc tenancy.Scope, in ExtendInput) (Membership, error) {
	return s.changeOf(ctx, sc, policy.MembershipManage, in.CustomerID, in.MembershipID,
		func(b *pg.Batch, tx *pg.Tx, m Membership) error {
			if err := fault.Stale(in.Version, m.Version); err != nil {
				return err
			}
			if m.Kind == Renewing {
				return ErrRenews
			}
			today := civil.LocalDate(tx.Now(), civil.ZoneOrUTC(m.Zone))
			var c fault.Checks
			c.That(in.LastDay.Valid() && in.LastDay.After(today), "lastDay", "Choose a day in the future.")
			c.That(!in.LastDay.After(today.AddDays(ValidMax)), "lastDay", "Choose a day within ten years.")
			if err := c.Err(); err != nil {
				return err
			}
			pg.QueueExec(b, `update memberships set ends_on = $3 where business_id = $1 and id = $2`,
				tx.Business(), m.ID, in.LastDay.AddDays(1))
			return nil
		})
}

// End ends a membership at once, without a refund: one that nothing was paid for, or whose price is used. It needs
// membership.manage at the membership's location, and the customer in its reach. It returns a not found error,
// fault.ErrStale, ErrEnded, ErrRenews, and ErrUnused for one with a part of its price that is not used: that is
// refunded instead.
func (s *Service) End(
	ctx context.Context, sc tenancy.Scope, customer, membership uuid.UUID, version int64,
) (Membership, error) {
	return s.changeOf(ctx, sc, policy.MembershipManage, customer, membership,
		func(b *pg.Batch, tx *pg.Tx, m Membership) error {
			if err := fault.Stale(version, m.Version); err != nil {
				return err
			}
			if m.Kind == Renewing {
				return ErrRenews
			}
			for _, g := range m.Grants {
				if g.UnusedAmount > 0 {
					return ErrUnused.With("unusedAmount", g.UnusedAmount)
				}
				recordIn(b, tx, sc.Actor, redemption{ID: pg.NewID(), GrantID: g.ID, LocationID: m.LocationID, Kind: Ended,
					Credits: -g.Balance})
			}
			pg.QueueExec(b, `update memberships set state = 'canceled' where business_id = $1 and id = $2`,
				tx.Business(), m.ID)
			return nil
		})
}

// ErrUnused refuses to end a membership whose price is not used: refund its purchase.
var ErrUnused = fault.New(fault.Conflict, "membership_unused",
	"A part of the price of this plan is not used. Refund its payment instead.")

// changeOf changes a locked membership that is active, and returns it as it is then.
func (s *Service) changeOf(
	ctx context.Context, sc tenancy.Scope, f tenancy.Feature, customer, id uuid.UUID,
	do func(*pg.Batch, *pg.Tx, Membership) error,
) (Membership, error) {
	if err := policy.RequireAny(sc, f); err != nil {
		return Membership{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Membership, error) {
		if _, err := crm.Seen(ctx, tx, sc, f, customer); err != nil {
			return Membership{}, err
		}
		if _, err := tx.Exec(ctx, lockSQL, tx.Business(), []uuid.UUID{id}); err != nil {
			return Membership{}, err
		}
		m, err := membershipOf(ctx, tx, customer, id)
		if err == nil {
			err = policy.RequireAt(sc, f, m.LocationID)
		}
		switch {
		case err != nil:
			return Membership{}, err
		case m.State != Active:
			return Membership{}, ErrEnded
		}
		b := tx.Batch()
		if err := do(b, tx, m); err != nil {
			return Membership{}, err
		}
		pg.QueueExec(b, `update memberships set uses = uses + 1, version = version + 1, updated_at = $3
			where business_id = $1 and id = $2`, tx.Business(), id, tx.Now())
		if err := b.Send(ctx); err != nil {
			return Membership{}, err
		}
		return membershipOf(ctx, tx, customer, id)
	})
}

// OnSaleAt lists the plans that a location sells online, in their order: at most 200. It needs nobody to be signed in.
func (s *Service) OnSaleAt(ctx context.Context, business, location uuid.UUID) ([]Plan, error) {
	v := s.o.DB.View(business)
	return pg.All[Plan](ctx, v, offeredPlans+` and `+onSaleSQL("$1", "$2")+`
		order by p.position, lower(p.name), p.id limit 200`, v.Business(), location, v.Now())
}
