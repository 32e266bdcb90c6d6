package plan

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
)

// A membership that is canceled for an end that has not come goes on: it has no end again, or that of its terms, and
// its next billing period comes as if it had not been canceled. What its customer agreed to stays.

// ErrNotCanceled refuses to resume a membership that is not canceled.
var ErrNotCanceled = fault.New(fault.Conflict, "membership_not_canceled", "This membership is not canceled.")

// ResumeInput has a membership go on.
type ResumeInput struct {
	CustomerID, MembershipID uuid.UUID
	Version                  int64 // of the membership that was read; 0: any
}

// Resumes reports whether the membership can go on, on a day: it is canceled for an end that has not come, or waits for
// the fee of an early end.
func (m Membership) Resumes(today civil.Date) bool { return m.resumable(today) == nil }

func (m Membership) resumable(today civil.Date) error {
	switch {
	case m.Kind != Renewing:
		return ErrNotRenewing
	case m.State != Active, m.CanceledAt != nil && !m.EndsOn.After(today):
		return ErrEnded
	case m.CanceledAt == nil && m.EarlyEnd == nil:
		return ErrNotCanceled
	}
	return nil
}

// ResumeTx has a membership go on, and returns it as it was. An early end that waits for its fee is void. The payments
// of that and of its next period are locked, and their orders the caller's to give up: see Membership.Resized. It
// returns a not found error, fault.ErrStale, ErrNotRenewing, ErrEnded and ErrNotCanceled.
func ResumeTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, in ResumeInput) (Membership, error) {
	if _, err := tx.Exec(ctx, lockSQL, tx.Business(), []uuid.UUID{in.MembershipID}); err != nil {
		return Membership{}, err
	}
	m, err := membershipOf(ctx, tx, in.CustomerID, in.MembershipID)
	switch {
	case err != nil:
		return m, err
	case in.Version != 0 && in.Version != m.Version:
		return m, fault.Stale(in.Version, m.Version)
	}
	if err := m.resumable(civil.LocalDate(tx.Now(), civil.ZoneOrUTC(m.Zone))); err != nil {
		return m, err
	}
	b := tx.Batch()
	voidEndsIn(b, tx, []uuid.UUID{m.ID})
	if m.CanceledAt == nil {
		touchIn(b, tx, m.ID)
		return m, b.Send(ctx)
	}
	last, err := pg.One[lastCycle](ctx, tx, `select id, number, state, ends_on from cycles
		where business_id = $1 and membership_id = $2 order by number desc limit 1`, tx.Business(), m.ID)
	if err != nil {
		return m, err
	}
	m.goOnIn(b, tx, by, last)
	pg.QueueExec(b, `update plan_fees set state = 'void', version = version + 1, updated_at = $3
		where business_id = $1 and membership_id = $2 and kind = 'end' and state = 'paid'`,
		tx.Business(), m.ID, tx.Now())
	if err := b.Send(ctx); err != nil {
		return m, err
	}
	return m, jobs.EnqueueTx(ctx, tx, ReminderJob{tx.Business(), m.ID, Resumed})
}

// Resized reports whether the next period of a membership, which is canceled for an end within it, is whole again once
// it goes on: its order is given up.
func (m Membership) Resized() bool {
	return m.CanceledAt != nil && m.Next != nil && m.planned(m.Next.Number+1).From != m.Next.EndsOn
}

// Resuming returns the next payment of a membership once it goes on; found is false if it ends by its terms before
// that.
func (m Membership) Resuming() (on civil.Date, amount int64, found bool) {
	switch {
	case m.CanceledAt == nil && m.Next == nil:
		return on, 0, false
	case m.Next != nil && m.Resized():
		return m.Next.StartsOn, m.amount(m.Next.Number), true
	case m.Next != nil:
		return m.Next.StartsOn, m.Next.Amount, true
	}
	n := m.AnchorNumber
	for m.planned(n).From.Before(*m.EndsOn) {
		n++
	}
	if own := m.ownEnd(); own != nil && !m.EndsOn.Before(*own) {
		return on, 0, false
	}
	next := m.planned(n).From
	if *m.EndsOn == next {
		return next, m.amount(n), true
	}
	v := Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}
	part := rules.Period{From: *m.EndsOn, Until: next, Whole: v.schedule(*m.EndsOn, 0).Period(0).Days()}
	return *m.EndsOn, part.Share(m.amount(n)), true
}

// lastCycle is the last billing period of a membership, in any state.
type lastCycle struct {
	ID     uuid.UUID
	Number int
	State  string
	EndsOn civil.Date
}

// goOnIn queues that a locked membership that is canceled goes on after its last billing period.
func (m Membership) goOnIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, last lastCycle) {
	set := func(end *civil.Date, anchor civil.Date, number int) {
		pg.QueueExec(b, `update memberships set ends_on = $3, canceled_at = null, reminded_at = null, anchor_on = $4,
				anchor_number = $5, uses = uses + 1, version = version + 1, updated_at = $6
			where business_id = $1 and id = $2`, tx.Business(), m.ID, end, anchor, number, tx.Now())
	}
	own, next := m.ownEnd(), m.planned(last.Number+1).From
	come := func() { comeIn(b, tx, by, `m.id = @membership`, 1, pg.Named{"membership": m.ID}) }
	switch {
	case m.Next != nil && !m.Resized():
		set(own, m.AnchorOn, m.AnchorNumber)
	case last.State != "paid": // it was not to be paid, or in part
		set(own, m.AnchorOn, m.AnchorNumber)
		p := m.planned(last.Number)
		if m.Next != nil {
			p.From = m.Next.StartsOn
		}
		reviveIn(b, tx, by, m, last, p.From, next)
	case last.EndsOn == next:
		set(own, m.AnchorOn, m.AnchorNumber)
		come()
	default: // a part of it is paid: the other part is a period of its own, and later ones begin on their days
		set(&next, last.EndsOn, last.Number+1)
		come()
		set(own, next, last.Number+2)
	}
}

// ownEnd returns the first day without a membership that ends by its terms; nil for one that renews.
func (m Membership) ownEnd() *civil.Date {
	if !m.Renewal.Ends {
		return nil
	}
	n := m.Renewal.MinPeriods + 1
	if m.Part {
		n++
	}
	end := m.planned(n).From
	return &end
}

// reviveIn queues that a billing period that was void, or cut, is whole and to be paid, and has its credits again.
func reviveIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, m Membership, c lastCycle, from, until civil.Date) {
	pg.QueueExec(b, `with revived as (
			update cycles set state = 'coming', order_line_id = null, starts_on = @from, ends_on = @until, price_amount = @price,
				tries = case state when 'void' then 0 else tries end,
				tried_at = case state when 'void' then null else tried_at end,
				first_tried_at = case state when 'void' then null else first_tried_at end,
				version = version + 1, updated_at = @now
			where business_id = @business and id = @cycle
		), back as (
			select g.id, g.balance, coalesce(g.amount, 0) - coalesce(d.changed, 0) as lacks,
				row_number() over (order by g.id) as n
			from grants g left join lateral (select sum(d.credits)::int as changed from redemptions d
				where d.business_id = @business and d.grant_id = g.id and d.kind in ('granted', 'ended')) d on true
			where g.business_id = @business and g.cycle_id = @cycle
		), given as (
			update grants g set starts_on = @from, ends_on = @until, balance = g.balance + greatest(0, x.lacks)
			from back x where g.business_id = @business and g.id = x.id
		)
		insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, actor_kind,
			actor_id, actor_name, created_at)
		select (@note_ids::uuid[])[n], @business, id, @location, 'granted', lacks, balance + lacks, 0, @actor_kind,
			@actor::uuid, @actor_name, @now
		from back where lacks > 0`, pg.Named{
		"business": tx.Business(), "cycle": c.ID, "from": from, "until": until, "price": m.amount(c.Number),
		"location": m.LocationID, "note_ids": pg.NewIDs(changedMost), "actor_kind": by.Kind, "actor": pg.OrNull(by.ID),
		"actor_name": by.Name, "now": tx.Now(),
	})
}
