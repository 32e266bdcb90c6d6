package plan

import (
	"context"

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

// purchase is a grant that a line sold.
type purchase struct {
	LineID, MembershipID, GrantID, LocationID uuid.UUID
	Currency                                  money.Currency
	Balance                                   int
	UnusedAmount                              int64
	DeferredAccount, IncomeAccount            ledger.Account
}

const purchasesSQL = `select m.order_line_id as line_id, m.id as membership_id, g.id as grant_id, m.location_id,
	m.currency,
		g.balance, g.unused_amount, g.deferred_account, g.income_account
	from memberships m join grants g on g.business_id = $1 and g.membership_id = m.id
	where m.business_id = $1 and `

// purchases locks the memberships that lines have sold, and reads their grants.
func purchases(ctx context.Context, tx *pg.Tx, lines []uuid.UUID) ([]purchase, error) {
	var rows []purchase
	b := tx.Batch()
	pg.QueueExec(b, `select id from memberships where business_id = $1 and order_line_id = any($2)
		order by id for no key update`, tx.Business(), lines)
	pg.QueueAll(b, &rows, purchasesSQL+`m.order_line_id = any($2) order by m.id, g.benefit`, tx.Business(), lines)
	return rows, b.Send(ctx)
}

// unused sums up what is not used, by line.
func unused(rows []purchase) map[uuid.UUID]int64 {
	left := map[uuid.UUID]int64{}
	for _, p := range rows {
		left[p.LineID] += p.UnusedAmount
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
	pg.QueueAll(b, &rows, purchasesSQL+`m.order_line_id in (
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
	b := tx.Batch()
	for _, p := range rows {
		taken := min(p.UnusedAmount, rest[p.LineID])
		ends := left[p.LineID] <= sum(lines, p.LineID)
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
		}
	}
	for _, p := range rows {
		if err := ledger.PostIn(b, tx,
			ledger.PlanLost(at, refund, p.DeferredAccount, p.IncomeAccount, rest[p.LineID])...); err != nil {
			return err
		}
		rest[p.LineID] = 0
	}
	return b.Send(ctx)
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
		where business_id = $1 and refund_id = $2 and kind = 'refunded'`, tx.Business(), refund)
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
