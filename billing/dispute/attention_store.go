package dispute

import (
	"foyer/app/pg"
	"foyer/billing/processor"
)

// queueDueSoon queues the reading of the unanswered disputes with a deadline soon.
func queueDueSoon(b *pg.Batch, v *pg.View, env processor.Env, soon *[]Dispute) {
	pg.QueueAll(b, soon, selectDisputes+` and d.status in ('needs_response', 'warning_needs_response') and w.submitted_at is null
		and d.evidence_due_by > $3 and d.evidence_due_by <= $4 order by d.evidence_due_by, d.id limit $5`,
		v.Business(), env, v.Now(), v.Now().Add(EvidenceSoon), attentionMost)
}
