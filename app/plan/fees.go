package plan

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/app/words"
	"foyer/billing/ledger"
)

// A fee of a membership, for a freeze or a late payment, is open until the next billing period is paid: it is a line of
// its own in that order, taxed like the plan, and income at once. One that is not paid when the membership ends is void.

// FeeKind says what a fee of a membership is for.
type FeeKind string

// The kinds of fees that are paid with the next billing period.
const (
	FreezeFee FeeKind = "freeze"
	LateFee   FeeKind = "late"
)

// All returns the kinds.
func (FeeKind) All() []FeeKind { return []FeeKind{FreezeFee, LateFee} }

// Fee is a fee of a membership that is not paid.
type Fee struct {
	ID       uuid.UUID  `json:"id"`
	Kind     FeeKind    `json:"kind"`
	Amount   int64      `json:"amount"`   // as listed
	StartsOn civil.Date `json:"startsOn"` // it is paid with the first payment from this day on
	Due      bool       `json:"due"`      // the order of a billing period has it
}

// ErrFeeSettled refuses to waive a fee that was paid, or is void.
var ErrFeeSettled = fault.New(fault.Conflict, "fee_settled", "This fee is no longer open.")

// nextFees are the kinds of fees that are paid with the next billing period, in SQL.
const nextFees = `('freeze', 'late')`

// openFeesSQL is a JSON list of the fees of a membership m of the business $1 that are not paid; null: none.
const openFeesSQL = `(select jsonb_agg(jsonb_build_object('id', e.id, 'kind', e.kind, 'amount', e.amount,
			'startsOn', e.starts_on, 'due', e.state = 'due') order by e.starts_on, e.id)
		from plan_fees e where e.business_id = $1 and e.membership_id = m.id and e.state in ('open', 'due')
			and e.kind in ` + nextFees + `)`

// feesWithSQL is the sum of the fees that are paid with a billing period c of the business $1, on a day, an expression.
func feesWithSQL(today string) string {
	return `coalesce((select sum(e.amount) from plan_fees e where e.business_id = $1 and e.membership_id = c.membership_id
				and (e.state = 'due' or e.state = 'open' and e.starts_on <= greatest(c.starts_on, ` + today + `))
				and e.kind in ` + nextFees + `), 0)::bigint`
}

// feeLabel returns the name of a fee as a line of an order has it, in a language.
func feeLabel(language string, k FeeKind, plan string) string {
	w := words.In(language)
	if k == LateFee {
		return w.T("{plan}: late payment fee", "plan", plan)
	}
	return w.T("{plan}: fee for a freeze", "plan", plan)
}

// feesOn returns the fees that an order of the period has on a day.
func (p Period) feesOn(today civil.Date) []Fee {
	return slices.DeleteFunc(slices.Clone(p.Fees), func(f Fee) bool { return !f.Due && f.StartsOn.After(today) })
}

// Total returns what is paid with the period on a day, as listed: its price and the fees.
func (p Period) Total(today civil.Date) int64 {
	sum := p.Amount
	for _, f := range p.feesOn(today) {
		sum += f.Amount
	}
	return sum
}

// Items returns the period as items of an order on a day: itself, and the fees that are paid with it.
func (p Period) Items(today civil.Date) []*order.CartItem {
	out := []*order.CartItem{p.Item()}
	for _, f := range p.feesOn(today) {
		it := p.Item()
		it.Name, it.ListedAmount, it.Income = feeLabel(p.Language, f.Kind, p.Name), f.Amount, ledger.IncomeMembership
		out = append(out, it)
	}
	return out
}

// LateFeeOn reports whether a fee for its late payment is added to the period on a day: once, to one that somebody was
// asked to pay so many days before.
func (p Period) LateFeeOn(today civil.Date) bool {
	t := p.Terms
	return p.State == "due" && t.LateAmount > 0 && p.Amount > 0 && !p.Late && p.FirstTriedAt != nil &&
		!today.Before(p.Today(*p.FirstTriedAt).AddDays(t.LateDays))
}

// billFeesIn queues that lines of an order pay the fees of a locked membership, in place of earlier ones.
func billFeesIn(b *pg.Batch, tx *pg.Tx, fees []Fee, lines []uuid.UUID) {
	if len(fees) == 0 {
		return
	}
	ids := make([]uuid.UUID, len(fees))
	for i, f := range fees {
		ids[i] = f.ID
	}
	pg.QueueExec(b, `update plan_fees e set state = 'due', order_line_id = x.line, version = e.version + 1, updated_at = $4
		from unnest($2::uuid[], $3::uuid[]) as x (id, line)
		where e.business_id = $1 and e.id = x.id and e.state in ('open', 'due')`, tx.Business(), ids, lines, tx.Now())
}

// payFeesIn queues that lines have paid the fees that they were made for. Their memberships are locked.
func payFeesIn(b *pg.Batch, tx *pg.Tx, lines []uuid.UUID) {
	pg.QueueExec(b, `update plan_fees set state = 'paid', version = version + 1, updated_at = $3
		where business_id = $1 and order_line_id = any($2) and state = 'due' and kind in `+nextFees,
		tx.Business(), lines, tx.Now())
}

// voidFeesIn queues that the fees of memberships that have ended are not to be paid any more.
func voidFeesIn(b *pg.Batch, tx *pg.Tx, memberships []uuid.UUID) {
	pg.QueueExec(b, `update plan_fees set state = 'void', version = version + 1, updated_at = $3
		where business_id = $1 and membership_id = any($2) and state in ('open', 'due') and kind in `+nextFees,
		tx.Business(), memberships, tx.Now())
}

// restoreFeesIn queues that fees are due again that a refund has made void, with the membership: those of an open order.
func restoreFeesIn(b *pg.Batch, tx *pg.Tx, membership uuid.UUID) {
	pg.QueueExec(b, `update plan_fees e set state = 'due', version = e.version + 1, updated_at = $3
		from order_lines x join orders o on o.business_id = $1 and o.id = x.order_id and o.state = 'open'
		where e.business_id = $1 and e.membership_id = $2 and e.state = 'void' and x.business_id = $1
			and x.id = e.order_line_id`, tx.Business(), membership, tx.Now())
}

// AddLateFeeTx adds the fee for its late payment to a locked period, once, and returns the period with it.
func AddLateFeeTx(ctx context.Context, tx *pg.Tx, p Period) (Period, error) {
	if _, err := tx.Exec(ctx, `insert into plan_fees (id, business_id, membership_id, kind, amount, state, cycle_id,
			starts_on, actor_kind, version, created_at, updated_at)
		values (@id, @business, @membership, 'late', @amount, 'open', @cycle, @today, @actor_kind, 1, @now, @now)
		on conflict do nothing`, pg.Named{
		"id": pg.NewID(), "business": tx.Business(), "membership": p.MembershipID, "amount": p.Terms.LateAmount,
		"cycle": p.ID, "today": p.Today(tx.Now()), "actor_kind": system.Kind, "now": tx.Now(),
	}); err != nil {
		return p, err
	}
	return FindPeriod(ctx, tx, p.ID)
}

// WaiveFeeTx waives a fee of a membership, which it locks. The payments of the order that has it are locked, and that
// order is the caller's to write anew: due reports whether there is one. It returns a not found error and ErrFeeSettled.
func WaiveFeeTx(ctx context.Context, tx *pg.Tx, membership, fee uuid.UUID) (due bool, err error) {
	if _, err := tx.Exec(ctx, lockSQL, tx.Business(), []uuid.UUID{membership}); err != nil {
		return false, err
	}
	state, err := pg.Found(pg.One[string](ctx, tx, `select state from plan_fees where business_id = $1 and id = $2
			and membership_id = $3 and kind in `+nextFees, tx.Business(), fee, membership))
	if err = fault.When(state != "open" && state != "due", ErrFeeSettled, err); err != nil {
		return false, err
	}
	b := tx.Batch()
	pg.QueueExec(b, `update plan_fees set state = 'void', version = version + 1, updated_at = $3
		where business_id = $1 and id = $2`, tx.Business(), fee, tx.Now())
	touchIn(b, tx, membership)
	return state == "due", b.Send(ctx)
}

// freezeFee is what a freeze that is set costs: the rules of its fee and the days from which it is to be paid.
type freezeFee struct {
	rules.Freeze
	days []civil.Date
}

// feeOf returns the fee of a freeze that is to be set: none if nothing is charged after it. Of one without an end that
// costs a fee a month, the first one.
func (m Membership) feeOf(in FreezeInput, staff bool) (f freezeFee) {
	if in.WaiveFee && staff || m.Next == nil {
		return f
	}
	f.Freeze = m.FreezeRules
	until := in.StartsOn.AddDays(1)
	if in.EndsOn != nil {
		until = *in.EndsOn
	}
	f.days = f.FeeDays(in.StartsOn, until)
	return f
}

// amount returns what is known of the fee when the freeze is set.
func (f freezeFee) amount() int64 { return int64(len(f.days)) * f.FeeAmount }

// addFreezeFeesIn queues the fees of a freeze of a locked membership that it does not have yet, whether they are open or
// not.
func addFreezeFeesIn(
	b *pg.Batch, tx *pg.Tx, by tenancy.Actor, membership, freeze uuid.UUID, amount int64, days []civil.Date,
) {
	if len(days) == 0 {
		return
	}
	pg.QueueExec(b, `insert into plan_fees (id, business_id, membership_id, kind, amount, state, freeze_id, starts_on,
			actor_kind, actor_id, actor_name, version, created_at, updated_at)
		select x.id, @business, @membership, 'freeze', @amount, 'open', @freeze, x.day, @actor_kind, @actor::uuid,
			@actor_name, 1, @now, @now
		from unnest(@ids::uuid[], @days::date[]) as x (id, day)
		where not exists (select from plan_fees e where e.business_id = @business and e.freeze_id = @freeze
			and e.starts_on = x.day)`, pg.Named{
		"ids": pg.NewIDs(len(days)), "days": days, "business": tx.Business(), "membership": membership, "amount": amount,
		"freeze": freeze, "actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name, "now": tx.Now(),
	})
}

// endFreezeFeesIn queues that a freeze of a locked membership ends on a day: it costs what has begun before.
func endFreezeFeesIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, membership uuid.UUID, f Frozen, on civil.Date) {
	fee := rules.Freeze{FeeAmount: f.FeeAmount, FeeMonthly: f.FeeMonthly}
	addFreezeFeesIn(b, tx, by, membership, f.ID, f.FeeAmount, fee.FeeDays(f.StartsOn, on))
	pg.QueueExec(b, `update plan_fees set state = 'void', version = version + 1, updated_at = $4
		where business_id = $1 and freeze_id = $2 and state = 'open' and starts_on >= $3`,
		tx.Business(), f.ID, on, tx.Now())
}

// costing is a freeze without an end that costs a fee a month.
type costing struct {
	Frozen
	MembershipID uuid.UUID
	Today        civil.Date
	Fees         int // that it has, also void ones
}

// lacks returns the days of its fees up to today, if it does not have them all.
func (c costing) lacks() []civil.Date {
	days := rules.Freeze{FeeAmount: c.FeeAmount, FeeMonthly: true}.FeeDays(c.StartsOn, c.Today.AddDays(1))
	if len(days) <= c.Fees {
		return nil
	}
	return days
}

// costingFreezes reads the freezes without an end that cost a fee a month: of all active memberships, or of some.
func costingFreezes(ctx context.Context, r pg.Reader, memberships []uuid.UUID) ([]costing, error) {
	return pg.All[costing](ctx, r, `select f.id, f.starts_on, f.fee_amount, f.fee_monthly, f.membership_id,
			($2::timestamptz at time zone l.zone)::date as today, (select count(*)::int from plan_fees e
				where e.business_id = $1 and e.freeze_id = f.id) as fees
		from freezes f join memberships m on m.business_id = $1 and m.id = f.membership_id and m.state = 'active'
		join locations l on l.business_id = $1 and l.id = m.location_id
		where f.business_id = $1 and f.canceled_at is null and f.ends_on is null and f.fee_monthly
			and ($3::uuid[] is null or m.id = any($3))
		order by f.id`, r.Business(), r.Now(), memberships)
}

// AddFreezeFees adds the fees of the months that have begun in freezes without an end, once each.
func (s *Service) AddFreezeFees(ctx context.Context, business uuid.UUID) error {
	list, err := costingFreezes(ctx, s.o.DB.View(business), nil)
	if err != nil {
		return err
	}
	var ids []uuid.UUID
	for _, c := range list {
		if len(c.lacks()) > 0 {
			ids = append(ids, c.MembershipID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return pg.Do(ctx, s.o.DB, business, func(tx *pg.Tx) error {
		if _, err := tx.Exec(ctx, lockSQL, tx.Business(), ids); err != nil {
			return err
		}
		list, err := costingFreezes(ctx, tx, ids)
		b := tx.Batch()
		for _, c := range list {
			addFreezeFeesIn(b, tx, system, c.MembershipID, c.ID, c.FeeAmount, c.lacks())
		}
		if err != nil {
			return err
		}
		return b.Send(ctx)
	})
}
