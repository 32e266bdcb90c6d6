package plan

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/policy"
)

// A membership changes to another plan. One with a higher price begins at once: the customer pays its price for the
// days that are left of the billing period, less what is not used of the present plan, by rules.Change. Any other one
// begins with the next period, and costs nothing before. Credits that were used already count against those of the new
// plan; bookings stay paid.

// The errors of changes besides ErrPeriodDue.
var (
	// ErrChange refuses a change: details.why is one of ChangeRefusal.
	ErrChange = fault.New(fault.Conflict, "change_refused", "This membership cannot change to that plan.")
	// ErrNoChange refuses to withdraw a change of a membership that has none.
	ErrNoChange = fault.New(fault.Conflict, "no_change", "This membership has no scheduled change.")
	// ErrChanging refuses what a change of the membership is in the way of.
	ErrChanging = fault.New(fault.Conflict, "membership_changing", "Withdraw the change of this membership first.")
)

// ChangeRefusal is the reason that a change is refused.
type ChangeRefusal string

// The reasons.
const (
	ChangeSame       ChangeRefusal = "same_plan"
	ChangeNotOffered ChangeRefusal = "not_offered"
	ChangeNotSold    ChangeRefusal = "not_sold" // at the location of the membership, in its currency, as a membership
	ChangeTooEarly   ChangeRefusal = "too_early"
	ChangeEnds       ChangeRefusal = "ends" // one of both plans ends by itself, or the membership has an end
	ChangeFrozen     ChangeRefusal = "frozen"
)

// ChangeInput is a change of plan.
type ChangeInput struct {
	CustomerID, MembershipID, PlanID uuid.UUID
	Version                          int64  // of the membership that was read; 0: any
	AtPeriodEnd                      bool   // also of a plan with a higher price
	Amount                           *int64 // that was shown to be paid now; nil: whatever it is
	Consent                          string // the words that the customer agreed to, of the renewals at the new price
}

// PlanChange is a change that is to come, or waits for its payment.
type PlanChange struct {
	ID      uuid.UUID  `json:"id"`
	PlanID  uuid.UUID  `json:"planId"`
	Name    string     `json:"name"`    // of the new plan
	Price   int64      `json:"price"`   // of a period of it
	On      civil.Date `json:"on"`      // its first day; of one that waits for its payment, the day of the request
	Amount  int64      `json:"amount"`  // that is charged for it
	Due     bool       `json:"due"`     // it waits for its payment
	Failed  string     `json:"failed"`  // the code of the failed charge; empty: none failed
	OrderID *uuid.UUID `json:"orderId"` // that is to be paid
}

// Changing is what a change does.
type Changing struct {
	To         Plan
	On         civil.Date // the first day of the new plan
	Now        bool       // that is today
	Amount     int64      // paid now, as listed
	RenewsOn   civil.Date // the next charge
	NextAmount int64
	Credits    []*int // left of the new plan until then, by benefit; nil: any number
	Currency   money.Currency
	m          Membership
	cycle      uuid.UUID // in which it begins
	price      int64     // of the present plan, for the whole period
	held       []held
	allowances []int
	consent    string
	tax        order.Tax
	taxed      bool
}

// held is a plan that was held for some days of a period, as it is stored.
type held struct {
	Price   int64 `json:"price"`
	Credits []int `json:"credits"` // by benefit; 0: none, or any number
	Days    int   `json:"days"`
}

// paidPeriod is the last period of a membership that is paid, with what was paid and used in it.
type paidPeriod struct {
	ID               uuid.UUID
	Number           int
	StartsOn, EndsOn civil.Date
	Paid             int64  // for it and for changes in it, as listed, less refunds
	Held             []held // the plans before the present one
	Used             []int  // credits, by benefit from the first one; of any number, bookings
}

// lastPaid reads the last paid period of a membership.
func lastPaid(ctx context.Context, r pg.Reader, membership uuid.UUID) (paidPeriod, bool, error) {
	return pg.Find[paidPeriod](ctx, r, `select c.id, c.number, c.starts_on, c.ends_on,
			coalesce((select h.held from plan_changes h where h.business_id = $1 and h.cycle_id = c.id and h.state = 'done'
				order by h.changes_on desc, h.updated_at desc limit 1), '[]') as held,
			case when t.worth = 0 then 0 else round(t.listed * greatest(0, t.worth - b.refunded)::numeric / t.worth)
				end::bigint as paid,
			coalesce((select jsonb_agg(u.used order by u.benefit) from (`+usedSQL("$1", "c.id")+`) u), '[]') as used
		from cycles c
		cross join lateral (select coalesce(sum(x.listed_amount - x.discount_amount), 0) as listed,
				coalesce(sum(`+worthSQL+`), 0) as worth
			from order_lines x join orders o on o.business_id = $1 and o.id = x.order_id
			where x.business_id = $1 and (x.id = c.order_line_id or x.id in (select h.order_line_id from plan_changes h
				where h.business_id = $1 and h.cycle_id = c.id and h.state = 'done'))) t
		cross join lateral (select coalesce(sum(case d.kind when 'refunded' then d.amount else -d.amount end), 0) as refunded
			from redemptions d join grants g on g.business_id = $1 and g.id = d.grant_id and g.cycle_id = c.id
			where d.business_id = $1 and d.kind in ('refunded', 'restored')) b
		where c.business_id = $1 and c.membership_id = $2 and c.state = 'paid'
		order by c.number desc limit 1`, r.Business(), membership)
}

// usedSQL is a query of what bookings have used in a billing period, an expression, by benefit: credits, of any number
// the bookings. Credits of the period before are not counted. The business is an expression too.
func usedSQL(business, cycle string) string {
	return `select g.benefit, coalesce(sum(case when d.kind is null then 0 when d.credits <> 0 then -d.credits
				when d.kind = 'used' then 1 else -1 end), 0)::int as used
			from grants g left join redemptions d on d.business_id = ` + business + ` and d.grant_id = g.id
				and d.kind in ('used', 'returned')
			where g.business_id = ` + business + ` and g.cycle_id = ` + cycle + ` and not g.carried
			group by g.benefit`
}

// changeable returns the reason that a change is refused on a day; empty if it is not.
func (m Membership) changeable(from, to Plan, in ChangeInput, staff bool, today civil.Date) ChangeRefusal {
	downgrade := to.PriceAmount < m.PriceAmount
	switch {
	case to.ID == m.PlanID:
		return ChangeSame
	case m.EndsOn != nil || m.Renewal.Ends || to.Ends:
		return ChangeEnds
	case to.Kind != Renewing || !to.SoldAt(m.LocationID, m.Currency):
		return ChangeNotSold
	case !staff && (!to.SoldOnline || !slices.Contains(from.ChangeIDs, to.ID)):
		return ChangeNotOffered
	case !staff && downgrade && m.Whole(m.Next.Number-1) < m.Renewal.DowngradePeriods:
		return ChangeTooEarly
	case m.Freeze(today) != nil:
		return ChangeFrozen
	}
	return ""
}

// ChangingOf reads a membership of a customer, and what a change of its plan would do now. The studio is bound by fewer
// rules. It returns a not found error, also for the plan, ErrNotRenewing, ErrEnded, ErrPeriodDue and ErrChange.
func ChangingOf(ctx context.Context, r pg.Reader, in ChangeInput, staff bool) (Membership, Changing, error) {
	m, err := membershipOf(ctx, r, in.CustomerID, in.MembershipID)
	switch {
	case err != nil:
		return m, Changing{}, err
	case m.Kind != Renewing:
		return m, Changing{}, ErrNotRenewing
	case m.State != Active:
		return m, Changing{}, ErrEnded
	}
	today := civil.LocalDate(r.Now(), civil.ZoneOrUTC(m.Zone))
	to, err := find(ctx, r, in.PlanID)
	if err != nil {
		return m, Changing{}, err
	}
	from, err := find(ctx, r, m.PlanID)
	if err != nil {
		return m, Changing{}, err
	}
	if why := m.changeable(from, to, in, staff, today); why != "" {
		return m, Changing{}, ErrChange.With("why", string(why))
	}
	if m.Next.Due || m.Next.StartsOn.Before(today) {
		return m, Changing{}, ErrPeriodDue
	}
	run, found, err := lastPaid(ctx, r, m.ID)
	if err = fault.When(!found, ErrPeriodDue, err); err != nil {
		return m, Changing{}, err
	}
	c := Changing{To: to, m: m, Currency: m.Currency, consent: in.Consent, price: m.amount(run.Number)}
	sameLength := to.Count == m.Count && string(to.Unit) == m.Unit
	c.Now = sameLength && to.PriceAmount > m.PriceAmount && !in.AtPeriodEnd && today.Before(run.EndsOn)
	if !c.Now {
		c.On, c.RenewsOn, c.NextAmount, c.cycle = m.Next.StartsOn, m.Next.StartsOn, to.PriceAmount, m.Next.ID
		for _, b := range to.Benefits {
			c.allowances, c.Credits = append(c.allowances, included(b)), append(c.Credits, b.Credits)
		}
		return m, c, c.readTax(ctx, r)
	}
	c.On, c.RenewsOn, c.NextAmount, c.cycle = today, m.Next.StartsOn, to.PriceAmount, run.ID
	c.reckon(run, today)
	return m, c, c.readTax(ctx, r)
}

// reckon computes the amount and the credits of a change within the running period. Days of freezes cost nothing.
func (c *Changing) reckon(run paidPeriod, today civil.Date) {
	before := 0
	for _, h := range run.Held {
		before += h.Days
	}
	days := c.m.unfrozen(run.StartsOn, run.EndsOn)
	now := held{Price: c.price, Days: c.m.unfrozen(run.StartsOn, today) - before, Credits: c.m.included()}
	c.held = append(slices.Clone(run.Held), now)
	change := rules.Change{
		Whole: c.m.wholeDays(run, days), Left: c.m.unfrozen(today, run.EndsOn), Paid: run.Paid, Price: c.To.PriceAmount,
	}
	for _, h := range c.held {
		change.Held = append(change.Held, rules.Held{Price: h.Price, ForDays: h.Days})
	}
	c.Amount = max(0, change.Amount())
	for i, b := range c.To.Benefits {
		for j, h := range c.held {
			change.Held[j].Credits = at(h.Credits, i)
		}
		change.Included, change.Used = included(b), 0
		n := change.Credits()
		c.allowances = append(c.allowances, n)
		if b.unlimited() {
			c.Credits = append(c.Credits, nil)
			continue
		}
		left := max(0, n-at(run.Used, i))
		c.Credits = append(c.Credits, &left)
	}
}

// at returns an element of a list; 0 after its end.
func at(list []int, i int) int {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// included returns the credits of a benefit; 0 for any number.
func included(b Benefit) int {
	if b.unlimited() {
		return 0
	}
	return *b.Credits
}

// included returns the credits of the membership's plan in a period, by benefit.
func (m Membership) included() []int {
	out := make([]int, len(m.Benefits))
	for i, b := range m.Benefits {
		out[i] = included(b)
	}
	return out
}

// unfrozen returns the number of days from one until another, without those of freezes.
func (m Membership) unfrozen(from, until civil.Date) int {
	days := from.DaysUntil(until)
	for _, f := range m.Freezes {
		p := f.period()
		if p.From.Before(from) {
			p.From = from
		}
		if p.Until.After(until) {
			p.Until = until
		}
		days -= max(0, p.Days())
	}
	return days
}

// wholeDays returns the days of the whole period that the running one is, or is a part of.
func (m Membership) wholeDays(run paidPeriod, days int) int {
	if !m.Part || run.Number > 1 {
		return days
	}
	v := Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}
	return max(days, v.schedule(run.StartsOn, m.Renewal.BillingDay).Period(0).Whole)
}

// readTax reads the tax of the new plan.
func (c *Changing) readTax(ctx context.Context, r pg.Reader) error {
	if c.To.TaxRateID == nil {
		return nil
	}
	type row struct {
		Name string
		PPM  int64 `db:"ppm"`
	}
	t, err := pg.One[row](ctx, r, `select name, ppm from tax_rates where business_id = $1 and id = $2`, r.Business(),
		*c.To.TaxRateID)
	c.tax, c.taxed = order.Tax{RateID: *c.To.TaxRateID, Name: t.Name, PPM: t.PPM}, true
	return err
}

// Item returns the change as an item of an order.
func (c Changing) Item() *order.CartItem {
	it := &order.CartItem{
		ID: c.To.ID, LocationID: c.m.LocationID, Kind: order.Plan, Subject: c.To.ID, Quantity: 1, AtDesk: true,
	}
	it.Name, it.ListedAmount = c.To.Name, c.Amount
	it.Income, _ = Renewing.Deferred()
	if c.taxed {
		it.Tax = &c.tax
	}
	return it
}

// ChangeTx changes the plan of a membership, as it was shown; one that is to be paid is written by BillChangeTx. An
// earlier change that is open is void: its order is the caller's to give up, with its payments locked. It returns the
// errors of ChangingOf, and fault.ErrStale if another amount is to be paid now, or the membership has another version.
func ChangeTx(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, in ChangeInput, staff bool,
) (Membership, Changing, error) {
	if _, err := tx.Exec(ctx, lockSQL, tx.Business(), []uuid.UUID{in.MembershipID}); err != nil {
		return Membership{}, Changing{}, err
	}
	m, c, err := ChangingOf(ctx, tx, in, staff)
	if m.ID != uuid.Nil && in.Version != 0 { // before any other refusal
		err = cmp.Or(fault.Stale(in.Version, m.Version), err)
	}
	switch {
	case err != nil:
		return m, c, err
	case in.Amount != nil && *in.Amount != c.Amount:
		return m, c, fault.ErrStale
	}
	b := tx.Batch()
	voidChangesIn(b, tx, []uuid.UUID{m.ID})
	touchIn(b, tx, m.ID)
	if c.Amount > 0 {
		return m, c, b.Send(ctx)
	}
	id := c.insertIn(b, tx, by, nil)
	if c.Now {
		applyIn(b, tx, by, `h.id = any(@ids)`, pg.Named{"ids": []uuid.UUID{id}})
	}
	if err := b.Send(ctx); err != nil {
		return m, c, err
	}
	return m, c, jobs.EnqueueTx(ctx, tx, ReminderJob{tx.Business(), m.ID, ChangesTo})
}

// BillChangeTx writes a change that a line of an open order pays.
func BillChangeTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, c Changing, line uuid.UUID) error {
	b := tx.Batch()
	c.insertIn(b, tx, by, &line)
	return b.Send(ctx)
}

// insertIn queues the row of a change, and returns its id.
func (c Changing) insertIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, line *uuid.UUID) uuid.UUID {
	id, state := pg.NewID(), "coming"
	if line != nil {
		state = "due"
	}
	if c.held == nil {
		c.held = []held{}
	}
	if c.allowances == nil {
		c.allowances = []int{}
	}
	pg.QueueExec(b, `insert into plan_changes (id, business_id, membership_id, cycle_id, from_plan_id, to_plan_id,
			from_amount, to_amount, changes_on, amount, state, order_line_id, sold, held, allowances, consent_text, name,
			actor_kind, actor_id, actor_name, version, created_at, updated_at)
		select @id, @business, @membership, @cycle, @from, p.id, @price, p.price_amount, @on, @amount, @state, @line::uuid,
			`+soldAsSQL("@part::bool")+` || jsonb_build_object('renewal', `+renewalSQL("0")+`), @held, @allowances, @consent,
			p.name, @actor_kind, @actor::uuid, @actor_name, 1, @now, @now
		from plans p where p.business_id = @business and p.id = @plan`, pg.Named{
		"id": id, "business": tx.Business(), "membership": c.m.ID, "cycle": c.cycle, "from": c.m.PlanID, "plan": c.To.ID,
		"price": c.price, "on": c.On, "amount": c.Amount, "state": state, "line": line, "part": c.m.Part,
		"held": jsonOf(c.held), "allowances": jsonOf(c.allowances), "consent": c.consent, "actor_kind": by.Kind,
		"actor": pg.OrNull(by.ID), "actor_name": by.Name, "now": tx.Now(),
	})
	return id
}

func jsonOf(v any) string {
	raw, _ := json.Marshal(v) // lists of numbers
	return string(raw)
}

// WithdrawTx withdraws a change that is to come or waits for its payment. Its order is the caller's to give up, with
// its payments locked. It returns a not found error, fault.ErrStale and ErrNoChange.
func WithdrawTx(ctx context.Context, tx *pg.Tx, customer, id uuid.UUID, version int64) error {
	if _, err := tx.Exec(ctx, lockSQL, tx.Business(), []uuid.UUID{id}); err != nil {
		return err
	}
	m, err := membershipOf(ctx, tx, customer, id)
	switch {
	case err != nil:
		return err
	case version != 0 && version != m.Version:
		return fault.Stale(version, m.Version)
	case m.Change == nil:
		return ErrNoChange
	}
	b := tx.Batch()
	voidChangesIn(b, tx, []uuid.UUID{id})
	touchIn(b, tx, id)
	return b.Send(ctx)
}

// StartChangeTx applies the change of plan that begins with a locked billing period, and returns the period as it is
// then. A change that waits for its payment is void: its days are over. Its order, Period.ChangeOrderID, is the
// caller's to give up.
func StartChangeTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, p Period) (Period, error) {
	if !p.Changing && p.ChangeOrderID == nil {
		return p, nil
	}
	b := tx.Batch()
	if p.ChangeOrderID != nil {
		voidChangesIn(b, tx, []uuid.UUID{p.MembershipID})
	}
	applyIn(b, tx, by, `h.state = 'coming' and h.cycle_id = @cycle`, pg.Named{"cycle": p.ID})
	if err := b.Send(ctx); err != nil {
		return p, err
	}
	return FindPeriod(ctx, tx, p.ID)
}

// ChangeDueOf reports whether a change that an order pays waits for its payment, and its billing period is not over,
// under the lock of its membership.
func ChangeDueOf(ctx context.Context, tx *pg.Tx, orderID uuid.UUID) (due bool, err error) {
	var found bool
	b := tx.Batch()
	pg.QueueExec(b, `select m.id from memberships m where m.business_id = $1 and m.id in (
			select h.membership_id from plan_changes h join order_lines x on x.business_id = $1 and x.id = h.order_line_id
			where h.business_id = $1 and x.order_id = $2)
		order by m.id for no key update`, tx.Business(), orderID)
	pg.QueueOne(b, &due, &found, `select exists (`+selectChanges+` and x.order_id = $2)`, tx.Business(), orderID, tx.Now())
	return due, b.Send(ctx)
}

// touchIn queues that a locked membership has changed.
func touchIn(b *pg.Batch, tx *pg.Tx, id uuid.UUID) {
	pg.QueueExec(b, `update memberships set uses = uses + 1, version = version + 1, updated_at = $3
		where business_id = $1 and id = $2`, tx.Business(), id, tx.Now())
}

// Changing returns what a change of a customer's membership would do. It needs membership.manage at the membership's
// location, and the customer in its reach. It returns the errors of ChangingOf.
func (s *Service) Changing(ctx context.Context, sc tenancy.Scope, in ChangeInput) (Changing, error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := crm.Seen(ctx, v, sc, policy.MembershipManage, in.CustomerID); err != nil {
		return Changing{}, err
	}
	m, c, err := ChangingOf(ctx, v, in, true)
	if m.ID != uuid.Nil {
		err = cmp.Or(policy.RequireAt(sc, policy.MembershipManage, m.LocationID), err)
	}
	return c, err
}

// ChangingMine reads a membership of the signed-in person, and what a change of its plan would do. It returns
// identity.ErrSignIn and the errors of ChangingOf.
func (s *Service) ChangingMine(
	ctx context.Context, p tenancy.Principal, in ChangeInput,
) (Membership, Changing, error) {
	m, err := s.MineOf(ctx, p, in.MembershipID)
	if err != nil {
		return m, Changing{}, err
	}
	in.CustomerID = m.CustomerID
	return ChangingOf(ctx, s.o.DB.View(m.BusinessID), in, false)
}

// Changes lists the plans that the customer of a membership can change to; none if it cannot be changed now.
func (s *Service) Changes(ctx context.Context, m Membership, now time.Time) ([]Plan, error) {
	if m.Kind != Renewing || m.State != Active || m.EndsOn != nil || m.Renewal.Ends || m.Next == nil || m.Next.Due ||
		m.Freeze(civil.LocalDate(now, civil.ZoneOrUTC(m.Zone))) != nil {
		return nil, nil
	}
	v := s.o.DB.View(m.BusinessID)
	return pg.All[Plan](ctx, v, offeredPlans+` and `+onSaleSQL("$1", "$2")+` and p.kind = 'membership' and not p.ends
			and p.currency = $5 and exists (select from plans f where f.business_id = $1 and f.id = $4
				and f.change_ids ? p.id::text)
		order by p.price_amount, p.position, lower(p.name), p.id limit 200`,
		v.Business(), m.LocationID, now, m.PlanID, m.Currency)
}
