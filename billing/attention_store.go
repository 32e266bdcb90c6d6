package billing

import (
	"context"

	"foyer/app/pg"
)

// readAttention reads the account, disputes that are to be answered soon, or both, in one trip.
func readAttention(ctx context.Context, v *pg.View, env Env, account, disputes bool) (c Connection, soon []Dispute, err error) {
	found := false
	b := v.Batch()
	if account {
		pg.QueueOne(b, &c, &found, selectConnection, v.Business(), env)
	}
	if disputes {
		pg.QueueAll(b, &soon, selectDisputes+` and d.status in ('needs_response', 'warning_needs_response') and w.handed_in_at is null
			and d.evidence_due_by > $3 and d.evidence_due_by <= $4 order by d.evidence_due_by, d.id limit $5`,
			v.Business(), env, v.Now(), v.Now().Add(AnswerSoon), attentionMost)
	}
	err = b.Send(ctx)
	return c, soon, err
}
