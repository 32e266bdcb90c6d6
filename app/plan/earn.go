package plan

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
)

// The intervals of the sweeps, in real time. What a day has earned is in the books before it is closed, three hours
// after its midnight.
const (
	earnEvery = 10 * time.Minute
	endEvery  = 10 * time.Minute
	sweepMost = 200 // rows in a transaction
)

// Register adds the job and the sweeps of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailReminder)
	jobs.Sweep(r, "plan.earn", earnEvery, s.EarnDue)
	jobs.Sweep(r, "plan.expire", endEvery, s.ExpireDue)
	jobs.Sweep(r, "plan.expire_periods", endEvery, s.ExpirePeriodsDue)
	jobs.Sweep(r, "plan.remind", remindEvery, s.RemindDue)
	jobs.Sweep(r, "plan.remind_renewals", remindEvery, s.RemindRenewals)
}

// system is who acts in a sweep.
var system = tenancy.Actor{Kind: tenancy.ActorSystem}

// EarnDue is the sweep plan.earn: what was paid for classes that are over becomes income, and of passes for any number
// of bookings the part of each day that is over. It can run in several processes at once.
func (s *Service) EarnDue(ctx context.Context) error {
	return s.o.DB.EachOf(ctx, "select business_id from app.unearned_plans($1, $2)",
		func(ctx context.Context, business uuid.UUID) error {
			return errors.Join(
				s.inRounds(ctx, business, earnUses),
				s.inRounds(ctx, business, earnDays),
			)
		})
}

// ExpireDue is the sweep plan.expire: plans end after their last day, and what is left of their price is income. It can
// run in several processes at once.
func (s *Service) ExpireDue(ctx context.Context) error {
	ahead := civil.DateOf(s.o.DB.Clock().Now().Add(14 * time.Hour)) // the latest day anywhere
	return s.o.DB.EachOf(ctx, "select business_id from app.memberships_ending($3, $1, $2)",
		func(ctx context.Context, business uuid.UUID) error { return s.inRounds(ctx, business, expire) }, ahead)
}

// inRounds does something in transactions of a business until one has found less than sweepMost.
func (s *Service) inRounds(
	ctx context.Context, business uuid.UUID, do func(context.Context, *pg.Tx) (int, error),
) error {
	for {
		n, err := pg.InTx(ctx, s.o.DB, business, func(tx *pg.Tx) (int, error) { return do(ctx, tx) })
		if err != nil || n < sweepMost {
			return err
		}
	}
}

// earned is an amount that is earned, by a redemption.
type earned struct {
	ID              uuid.UUID // of the redemption
	LocationID      uuid.UUID
	Currency        money.Currency
	DeferredAccount ledger.Account
	IncomeAccount   ledger.Account
	Amount          int64
	At              time.Time
}

// post queues the entries of earned amounts.
func post(b *pg.Batch, tx *pg.Tx, list []earned) error {
	entries := make([]ledger.Entry, len(list))
	for i, e := range list {
		at := ledger.Context{LocationID: e.LocationID, Currency: e.Currency, At: e.At}
		entries[i] = ledger.PlanEarned(at, e.ID, e.DeferredAccount, e.IncomeAccount, e.Amount)
	}
	return ledger.PostIn(b, tx, entries...)
}

// earnUses earns uses whose classes are over, or whose bookings have ended without returning them.
func earnUses(ctx context.Context, tx *pg.Tx) (int, error) {
	var list []earned
	b := tx.Batch()
	due := `select u.id from unearned_uses u
		join bookings k on k.business_id = $1 and k.id = u.booking_id
		join occurrences w on w.business_id = $1 and w.id = k.occurrence_id
		where u.business_id = $1 and (w.ends_at <= $2 or k.state not in ('held', 'requested', 'confirmed', 'checked_in'))
		order by u.id limit $3`
	pg.QueueExec(b, `select m.id from memberships m where m.business_id = $1 and m.id in (
			select g.membership_id from unearned_uses u join grants g on g.business_id = $1 and g.id = u.grant_id
			where u.business_id = $1 and u.id in (`+due+`))
		order by m.id for no key update`, tx.Business(), tx.Now(), sweepMost)
	pg.QueueAll(b, &list, `with done as (delete from unearned_uses where business_id = $1 and id in (`+due+`) returning *)
		select d.id, m.location_id, m.currency, g.deferred_account, g.income_account, d.amount, least(w.ends_at, $2) as at
		from done d join grants g on g.business_id = $1 and g.id = d.grant_id
		join memberships m on m.business_id = $1 and m.id = g.membership_id
		join bookings k on k.business_id = $1 and k.id = d.booking_id
		join occurrences w on w.business_id = $1 and w.id = k.occurrence_id
		order by d.id`, tx.Business(), tx.Now(), sweepMost)
	if err := b.Send(ctx); err != nil || len(list) == 0 {
		return 0, err
	}
	b = tx.Batch()
	if err := post(b, tx, list); err != nil {
		return 0, err
	}
	return len(list), b.Send(ctx)
}

// running is an unlimited grant whose price is earned by the day.
type running struct {
	earned      // Amount is what is not earned yet; ID is not set
	GrantID     uuid.UUID
	ValueAmount int64
	Past, Days  int       // days of it that are over, of all; those of freezes are none
	Midnight    time.Time // with which today begins
}

// earnDays earns the days of unlimited grants that are over. One that a change of plan made within a billing period has
// the days from then on.
func earnDays(ctx context.Context, tx *pg.Tx) (int, error) {
	var list []running
	b := tx.Batch()
	due := `from grants g join memberships m on m.business_id = $1 and m.id = g.membership_id
		join locations l on l.business_id = $1 and l.id = m.location_id
		cross join lateral (select ($2::timestamptz at time zone l.zone)::date as today,
			greatest(coalesce(g.starts_on, m.activated_on, m.starts_on), (g.created_at at time zone l.zone)::date) as begun,
			coalesce(g.ends_on, m.ends_on) as ends_on) d
		cross join lateral (select
			greatest(1, d.ends_on - d.begun - ` + frozenDaysSQL("d.begun", "d.ends_on", false) + `) as every,
			least(d.today, d.ends_on) - d.begun - ` + frozenDaysSQL("d.begun", "least(d.today, d.ends_on)", true) + ` as past) n
		where g.business_id = $1 and g.amount is null and g.unused_amount > 0 and d.ends_on is not null
			and g.value_amount - g.unused_amount < round(g.value_amount
				* least(greatest(n.past, 0), n.every)::numeric / n.every)`
	pg.QueueExec(b, `select m.id from memberships m where m.business_id = $1 and m.id in (select m.id `+due+`
		order by g.id limit $3) order by m.id for no key update`, tx.Business(), tx.Now(), sweepMost)
	pg.QueueAll(b, &list, `select g.id as grant_id, g.value_amount, g.unused_amount as amount, g.deferred_account,
			g.income_account, m.location_id, m.currency, least(greatest(n.past, 0), n.every) as past, n.every as days,
			d.today::timestamp at time zone l.zone as midnight, $2::timestamptz as at `+due+`
		order by g.id limit $3`, tx.Business(), tx.Now(), sweepMost)
	if err := b.Send(ctx); err != nil || len(list) == 0 {
		return 0, err
	}
	b = tx.Batch()
	done := make([]earned, len(list))
	for i, g := range list {
		e := g.earned
		e.ID, e.At = pg.NewID(), g.Midnight.Add(-time.Second)
		e.Amount = rules.UpTo(g.ValueAmount, g.Past, g.Days) - (g.ValueAmount - g.Amount)
		done[i] = e
		recordIn(b, tx, system, redemption{ID: e.ID, GrantID: g.GrantID, LocationID: g.LocationID, Kind: Earned,
			Amount: e.Amount, Unused: -e.Amount})
	}
	if err := post(b, tx, done); err != nil {
		return 0, err
	}
	return len(list), b.Send(ctx)
}

// over is a grant of a membership that has ended.
type over struct {
	earned
	GrantID uuid.UUID
	Balance int
}

// expire ends memberships after their last day.
func expire(ctx context.Context, tx *pg.Tx) (int, error) {
	var ended []uuid.UUID
	var list []over
	b := tx.Batch()
	due := `select m.id from memberships m join locations l on l.business_id = $1 and l.id = m.location_id
		where m.business_id = $1 and m.state = 'active' and m.ends_on <= ($2::timestamptz at time zone l.zone)::date
			and not ` + frozenOpenSQL("m.ends_on") + `
		order by m.id limit $3 for no key update of m`
	pg.QueueAll(b, &ended, due, tx.Business(), tx.Now(), sweepMost)
	if err := b.Send(ctx); err != nil || len(ended) == 0 {
		return 0, err
	}
	b = tx.Batch()
	pg.QueueExec(b, `update memberships set state = 'ended', uses = uses + 1, version = version + 1, updated_at = $3
		where business_id = $1 and id = any($2)`, tx.Business(), ended, tx.Now())
	voidIn(b, tx, ended)
	pg.QueueAll(b, &list, `select g.id as grant_id, g.balance, g.unused_amount as amount,
			g.deferred_account, g.income_account, m.location_id, m.currency,
			m.ends_on::timestamp at time zone l.zone - interval '1 second' as at
		from grants g join memberships m on m.business_id = $1 and m.id = g.membership_id
		join locations l on l.business_id = $1 and l.id = m.location_id
		where g.business_id = $1 and g.membership_id = any($2) and (g.balance > 0 or g.unused_amount > 0)
		order by g.id`, tx.Business(), ended)
	if err := b.Send(ctx); err != nil {
		return 0, err
	}
	return len(ended), lapse(ctx, tx, list)
}

// voidIn queues that billing periods of memberships are not to be paid any more.
func voidIn(b *pg.Batch, tx *pg.Tx, memberships []uuid.UUID) {
	voidChangesIn(b, tx, memberships)
	pg.QueueExec(b, `update cycles set state = 'void', version = version + 1, updated_at = $3
		where business_id = $1 and membership_id = any($2) and state in ('coming', 'due')`,
		tx.Business(), memberships, tx.Now())
}

// lapse takes away what is left of grants whose memberships are locked: their price is earned.
func lapse(ctx context.Context, tx *pg.Tx, list []over) error {
	b := tx.Batch()
	var lapsed []earned
	for _, g := range list {
		e := g.earned
		e.ID = pg.NewID()
		recordIn(b, tx, system, redemption{ID: e.ID, GrantID: g.GrantID, LocationID: g.LocationID, Kind: Expired,
			Credits: -g.Balance, Amount: e.Amount, Unused: -e.Amount})
		if e.Amount > 0 {
			lapsed = append(lapsed, e)
		}
	}
	if err := post(b, tx, lapsed); err != nil {
		return err
	}
	return b.Send(ctx)
}

// ExpirePeriodsDue is the sweep plan.expire_periods: what is left of a billing period that is over ends with it, and is
// income. It can run in several processes at once.
func (s *Service) ExpirePeriodsDue(ctx context.Context) error {
	ahead := civil.DateOf(s.o.DB.Clock().Now().Add(14 * time.Hour)) // the latest day anywhere
	return s.o.DB.EachOf(ctx, "select business_id from app.grants_ending($3, $1, $2)",
		func(ctx context.Context, business uuid.UUID) error { return s.inRounds(ctx, business, expirePeriods) }, ahead)
}

// ending is a grant of a billing period that is over, with the period that follows it, if there is one.
type ending struct {
	over
	MembershipID uuid.UUID
	Benefit      int
	Rules        rules.Rollover
	Included     int        // credits of the benefit in a period
	NextID       *uuid.UUID // the period that follows; nil: none
	NextStartsOn *civil.Date
	NextEndsOn   *civil.Date
}

// expirePeriods ends grants of periods that are over and paid; those of one that is due wait for its payment. Credits
// that the plan lets go on are those of the next period then, with their part of the price.
func expirePeriods(ctx context.Context, tx *pg.Tx) (int, error) {
	var list []ending
	b := tx.Batch()
	of := `from grants g join memberships m on m.business_id = $1 and m.id = g.membership_id
		join cycles c on c.business_id = $1 and c.id = g.cycle_id and c.state = 'paid'
		join locations l on l.business_id = $1 and l.id = m.location_id`
	due := ` where g.business_id = $1 and g.ends_on is not null and (g.balance > 0 or g.unused_amount > 0)
			and g.ends_on <= ($2::timestamptz at time zone l.zone)::date and not ` + frozenOpenSQL("g.ends_on")
	pg.QueueExec(b, `select m.id from memberships m where m.business_id = $1 and m.id in (select m.id `+of+due+`
		order by g.id limit $3) order by m.id for no key update`, tx.Business(), tx.Now(), sweepMost)
	pg.QueueAll(b, &list, `select g.id as grant_id, g.balance, g.unused_amount as amount, g.deferred_account,
			g.income_account, m.location_id, m.currency, g.ends_on::timestamp at time zone l.zone - interval '1 second' as at,
			g.membership_id, g.benefit, coalesce(g.amount, 0) as included, n.id as next_id, n.starts_on as next_starts_on,
			n.ends_on as next_ends_on, jsonb_build_object('Most', case when g.carried then 0 else
				coalesce((m.sold #>> array['benefits', (g.benefit - 1)::text, 'rolloverMax'])::int, 0) end) as rules `+
		of+` left join cycles n on n.business_id = $1 and n.membership_id = m.id and n.number = c.number + 1
			and n.state <> 'void' and m.state = 'active'`+due+` order by g.id limit $3`, tx.Business(), tx.Now(), sweepMost)
	if err := b.Send(ctx); err != nil || len(list) == 0 {
		return 0, err
	}
	b = tx.Batch()
	gone := make([]over, len(list))
	for i, g := range list {
		gone[i] = g.carryIn(b, tx)
	}
	if err := b.Send(ctx); err != nil {
		return 0, err
	}
	return len(list), lapse(ctx, tx, gone)
}

// carryIn queues that unused credits go on into the next period, and returns what does not.
func (g ending) carryIn(b *pg.Batch, tx *pg.Tx) over {
	left := g.over
	n := 0
	if g.NextID != nil {
		n = g.Rules.Carry(g.Balance, g.Included)
	}
	if n == 0 {
		return left
	}
	worth := rules.UpTo(g.Amount, n, g.Balance)
	recordIn(b, tx, system, redemption{ID: pg.NewID(), GrantID: g.GrantID, LocationID: g.LocationID, Kind: CarriedOn,
		Credits: -n, Amount: worth, Unused: -worth, Value: -worth})
	pg.QueueExec(b, `with made as (
			insert into grants (id, business_id, membership_id, benefit, amount, balance, value_amount, unused_amount,
				deferred_account, income_account, cycle_id, starts_on, ends_on, carried, created_at)
			values (@id, @business, @membership, @benefit, @amount, @amount, @worth, @worth, @deferred, @income, @cycle, @starts,
				@ends, true, @now)
		)
		insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, actor_kind,
			created_at)
		values (@note, @business, @id, @location, 'granted', @amount, @amount, 0, @actor_kind, @now)`, pg.Named{
		"id": pg.NewID(), "business": tx.Business(), "membership": g.MembershipID, "benefit": g.Benefit, "amount": n,
		"worth": worth, "deferred": g.DeferredAccount, "income": g.IncomeAccount, "cycle": g.NextID,
		"starts": g.NextStartsOn, "ends": g.NextEndsOn, "now": tx.Now(), "note": pg.NewID(), "location": g.LocationID,
		"actor_kind": system.Kind,
	})
	left.Balance, left.Amount = g.Balance-n, g.Amount-worth
	return left
}

// redemption is a change of a grant whose membership is locked.
type redemption struct {
	ID, GrantID, LocationID uuid.UUID
	Kind                    string
	Credits                 int
	Amount                  int64 // that it is about
	Unused                  int64 // change of the unused amount
	Value                   int64 // change of the value
	RefundID                *uuid.UUID
	Note                    string
}

// recordIn queues a change of a grant. It fails if its balance would be negative.
func recordIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, r redemption) {
	pg.QueueExec(b, `with changed as (
			update grants set balance = balance + @credits, unused_amount = unused_amount + @unused,
				value_amount = value_amount + @value
			where business_id = @business and id = @grant returning balance
		)
		insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, refund_id, note,
			actor_kind, actor_id, actor_name, created_at)
		values (@id, @business, @grant, @location, @kind, @credits, (select balance from changed), @amount, @refund, @note,
			@actor_kind, @actor, @actor_name, @now)`, pg.Named{
		"id": r.ID, "business": tx.Business(), "grant": r.GrantID, "location": r.LocationID, "kind": r.Kind,
		"credits": r.Credits, "amount": r.Amount, "unused": r.Unused, "value": r.Value, "refund": r.RefundID, "note": r.Note,
		"actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name, "now": tx.Now(),
	})
}
