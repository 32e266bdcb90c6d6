package plan

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// A refund of the purchase of a plan takes off the value that is not used: what classes have earned cannot be refunded.

var _ billing.Purchases = (*Service)(nil)

// purchase is a grant that a line sold, or whose billing period it paid.
type purchase struct {
	LineID, MembershipID, GrantID, LocationID uuid.UUID
	Currency                                  money.Currency
	Balance                                   int
	UnusedAmount                              int64
	Ends                                      bool // with all of it refunded the membership ends
	Carried                                   bool // credits of the period before: another line has paid them
	DeferredAccount, IncomeAccount            ledger.Account
}

// purchasesSQL reads the grants of memberships, each with the line that paid for it. The membership ends with a refund
// of the latest period that is paid.
const purchasesSQL = `select p.line_id, m.id as membership_id,
		g.id as grant_id, m.location_id, m.currency, g.balance, g.unused_amount, g.deferred_account, g.income_account,
		g.carried, c.id is null or not exists (select from cycles d where d.business_id = $1 and d.membership_id = m.id
			and d.number > c.number and d.state = 'paid') as ends
	from memberships m join grants g on g.business_id = $1 and g.membership_id = m.id
	left join cycles c on c.business_id = $1 and c.id = g.cycle_id
	cross join lateral (select coalesce(c.order_line_id, m.order_line_id) as line_id
		union all select h.order_line_id from plan_changes h where h.business_id = $1 and h.cycle_id = c.id
			and h.state = 'done' and h.order_line_id is not null) p
	where m.business_id = $1 and (c.id is null or c.state = 'paid') and p.line_id `

// purchases locks the memberships that lines have paid for, and reads their grants.
func purchases(ctx context.Context, tx *pg.Tx, lines []uuid.UUID) ([]purchase, error) {
	var rows []purchase
	b := tx.Batch()
	pg.QueueExec(b, `select m.id from memberships m where m.business_id = $1 and (m.order_line_id = any($2) or m.id in (
			select c.membership_id from cycles c where c.business_id = $1 and c.order_line_id = any($2)
			union all select h.membership_id from plan_changes h where h.business_id = $1 and h.order_line_id = any($2)))
		order by m.id for no key update`, tx.Business(), lines)
	pg.QueueAll(b, &rows, purchasesSQL+`= any($2) order by m.id, g.benefit`, tx.Business(), lines)
	return rows, b.Send(ctx)
}

// unused sums up what is not used, by line.
func unused(rows []purchase) map[uuid.UUID]int64 {
	left := map[uuid.UUID]int64{}
	for _, p := range rows {
		if !p.Carried {
			left[p.LineID] += p.UnusedAmount
		}
	}
	return left
}

// RefundableTx implements billing.Purchases.
func (s *Service) RefundableTx(ctx context.Context, tx *pg.Tx, lines []uuid.UUID) (map[uuid.UUID]int64, error) {
	rows, err := purchases(ctx, tx, lines)
	return unused(rows), err
}

// RefundableIn implements billing.Purchases.
func (s *Service) RefundableIn(b *pg.Batch, r pg.Reader, order uuid.UUID) func() map[uuid.UUID]int64 {
	var rows []purchase
	pg.QueueAll(b, &rows, purchasesSQL+`in (
		select x.id from order_lines x where x.business_id = $1 and x.order_id = $2)`, r.Business(), order)
	return func() map[uuid.UUID]int64 { return unused(rows) }
}

// ReturnTx implements billing.Purchases. What was earned and is refunded all the same, as the processor's website
// allows, is taken back from the income. A refund of all that is not used ends the membership.
func (s *Service) ReturnTx(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, refund uuid.UUID, at ledger.Context, lines []tender.LineRefund,
) error {
	rows, err := purchases(ctx, tx, idsOf(lines))
	if err != nil || len(rows) == 0 {
		return err
	}
	left, rest := unused(rows), amounts(lines)
	var gone []over // carried credits, which end with the membership
	b := tx.Batch()
	for _, p := range rows {
		ends := p.Ends && left[p.LineID] <= sum(lines, p.LineID)
		if p.Carried {
			if ends {
				gone = append(gone, p.over(tx.Now()))
			}
			continue
		}
		taken := min(p.UnusedAmount, rest[p.LineID])
		rest[p.LineID] -= taken
		r := redemption{ID: pg.NewID(), GrantID: p.GrantID, LocationID: p.LocationID, Kind: Refunded, Amount: taken,
			Unused: -taken, Value: -taken, RefundID: &refund}
		if ends {
			r.Credits = -p.Balance
		}
		recordIn(b, tx, by, r)
		if ends {
			pg.QueueExec(b, `update memberships set state = 'canceled', uses = uses + 1, version = version + 1, updated_at = $3
				where business_id = $1 and id = $2 and state <> 'canceled'`, tx.Business(), p.MembershipID, tx.Now())
			dropIn(b, tx, by, p.MembershipID, refund)
		}
	}
	for _, p := range rows {
		if err := ledger.PostIn(b, tx,
			ledger.PlanLost(at, refund, p.DeferredAccount, p.IncomeAccount, rest[p.LineID])...); err != nil {
			return err
		}
		rest[p.LineID] = 0
	}
	if err := b.Send(ctx); err != nil {
		return err
	}
	return lapse(ctx, tx, gone)
}

// over returns the grant as one that ends.
func (p purchase) over(at time.Time) over {
	return over{GrantID: p.GrantID, Balance: p.Balance, earned: earned{
		LocationID: p.LocationID, Currency: p.Currency, DeferredAccount: p.DeferredAccount, IncomeAccount: p.IncomeAccount,
		Amount: p.UnusedAmount, At: at,
	}}
}

// dropIn queues that the billing periods of a membership that are not paid are void, and have no credits; once, for any
// number of calls about a refund.
func dropIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, membership, refund uuid.UUID) {
	pg.QueueExec(b, `with coming as (
			select g.*, m.location_id, (@ids::uuid[])[row_number() over (order by g.id)] as note
			from grants g join cycles c on c.business_id = @business and c.id = g.cycle_id and c.state in ('coming', 'due')
			join memberships m on m.business_id = @business and m.id = g.membership_id
			where g.business_id = @business and g.membership_id = @membership
				and (g.balance > 0 or g.replaced_at is null)
		), taken as (
			update grants g set balance = 0 from coming c where g.business_id = @business and g.id = c.id
		)
		insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, refund_id,
			actor_kind, actor_id, actor_name, created_at)
		select note, @business, id, location_id, 'refunded', -balance, 0, 0, @refund, @actor_kind, @actor::uuid,
			@actor_name, @now
		from coming`, pg.Named{
		"business": tx.Business(), "membership": membership, "refund": refund, "ids": pg.NewIDs(changedMost),
		"actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name, "now": tx.Now(),
	})
	voidIn(b, tx, []uuid.UUID{membership})
}

// RestoreTx implements billing.Purchases.
func (s *Service) RestoreTx(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, refund uuid.UUID, at ledger.Context, lines []tender.LineRefund,
) error {
	rows, err := purchases(ctx, tx, idsOf(lines))
	if err != nil || len(rows) == 0 {
		return err
	}
	type back struct {
		GrantID uuid.UUID
		Credits int
		Amount  int64
	}
	taken, err := pg.All[back](ctx, tx, `select grant_id, -credits as credits, amount from redemptions
		where business_id = $1 and refund_id = $2 and kind = 'refunded' order by grant_id`, tx.Business(), refund)
	if err != nil {
		return err
	}
	by1 := map[uuid.UUID]back{}
	for _, t := range taken {
		by1[t.GrantID] = t
	}
	rest := amounts(lines)
	b := tx.Batch()
	for _, p := range rows {
		t, found := by1[p.GrantID]
		if !found {
			continue
		}
		rest[p.LineID] -= t.Amount
		recordIn(b, tx, by, redemption{ID: pg.NewID(), GrantID: p.GrantID, LocationID: p.LocationID, Kind: Restored,
			Credits: t.Credits, Amount: t.Amount, Unused: t.Amount, Value: t.Amount, RefundID: &refund})
		pg.QueueExec(b, `update memberships set state = 'active', uses = uses + 1, version = version + 1, updated_at = $3
			where business_id = $1 and id = $2 and state = 'canceled'`, tx.Business(), p.MembershipID, tx.Now())
		delete(by1, p.GrantID)
	}
	for grant, t := range by1 { // of a period to come, which ended with the membership
		recordIn(b, tx, by, redemption{ID: pg.NewID(), GrantID: grant, LocationID: rows[0].LocationID, Kind: Restored,
			Credits: t.Credits, RefundID: &refund})
		pg.QueueExec(b, `update cycles c set state = case when w.id is null then 'coming' else 'due' end,
				order_line_id = w.id, tries = 0, tried_at = null, first_tried_at = null, version = c.version + 1, updated_at = $3
			from grants g join cycles d on d.business_id = $1 and d.id = g.cycle_id
			left join (order_lines w join orders o on o.business_id = $1 and o.id = w.order_id and o.state = 'open')
				on w.business_id = $1 and w.id = d.order_line_id
			where c.business_id = $1 and g.business_id = $1 and g.id = $2 and c.id = d.id and c.state = 'void'`,
			tx.Business(), grant, tx.Now())
	}
	for _, p := range rows {
		if err := ledger.PostIn(b, tx,
			ledger.PlanLost(at, refund, p.DeferredAccount, p.IncomeAccount, -rest[p.LineID])...); err != nil {
			return err
		}
		rest[p.LineID] = 0
	}
	return b.Send(ctx)
}

func idsOf(lines []tender.LineRefund) []uuid.UUID {
	ids := make([]uuid.UUID, len(lines))
	for i, l := range lines {
		ids[i] = l.Line
	}
	return ids
}

func amounts(lines []tender.LineRefund) map[uuid.UUID]int64 {
	out := map[uuid.UUID]int64{}
	for _, l := range lines {
		out[l.Line] += l.Amount
	}
	return out
}

func sum(lines []tender.LineRefund, line uuid.UUID) int64 { return amounts(lines)[line] }
