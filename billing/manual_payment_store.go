package billing

import (
	"encoding/json"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// lockLocation queues that opening a drawer of a location waits, as it locks the location: earlier payments are on the
// desk, later ones in the drawer.
func lockLocation(b *pg.Batch, tx *pg.Tx, location uuid.UUID) {
	pg.QueueExec(b, `select from locations where business_id = $1 and id = $2 for share`, tx.Business(), location)
}

// insertTenderRefund queues the writing of a refund of a tender, by method: cash is taken from the open drawer.
func insertTenderRefund(
	b *pg.Batch, tx *pg.Tx, by tenancy.Actor, of tender.Tender, kind RefundKind, method tender.Kind, r RefundRequest,
) error {
	parts, err := json.Marshal(r.Parts)
	if err != nil {
		return err
	}
	var actor *uuid.UUID
	if by.ID != uuid.Nil {
		actor = &by.ID
	}
	pg.QueueExec(b, `with drawer as (`+tender.OpenDrawerSQL+`)
		insert into refunds (id, business_id, tender_id, kind, amount, fee_amount, state, reason, note, destination, parts,
			drawer_id, actor_kind, actor_id, actor_name, created_at, updated_at)
		values (@id, @business, @tender, @refund, @amount, 0, @state, @reason, @note, @destination, @parts::jsonb,
			(select id from drawer), @actor_kind, @actor, @actor_name, @now, @now)`, pg.Named{
		"id": r.ID, "business": tx.Business(), "location": of.LocationID, "tender": of.ID, "refund": kind,
		"kind": method, "amount": r.Amount, "state": r.State, "reason": r.Reason, "note": r.Note,
		"destination": r.Destination, "parts": parts, "actor_kind": by.Kind, "actor": actor, "actor_name": by.Name,
		"now": tx.Now(),
	})
	return nil
}

// RefundedPartSQL is what was refunded of a part of a tender, which is not void. Business and part are SQL.
func RefundedPartSQL(business, part string) string {
	return `coalesce((select sum((p ->> 'amount')::bigint) from refunds g, jsonb_array_elements(g.parts) p
		where g.business_id = ` + business + ` and g.tender_id = ` + part + `.tender_id and g.kind = 'refund'
			and p ->> 'line' = ` + part + `.line_id::text and p ->> 'account' = ` + part + `.account), 0)::bigint`
}

// TenderRefundedSQL is what was refunded of a tender, to any destination. Business and tender are SQL.
func TenderRefundedSQL(business, tender string) string {
	return `coalesce((select sum(g.amount) from refunds g where g.business_id = ` + business + `
		and g.tender_id = ` + tender + ` and g.kind = 'refund'), 0)::bigint`
}
