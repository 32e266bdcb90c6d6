package accounting

import "foyer/app/pg"

func queueAttention(b *pg.Batch, v *pg.View, a *Attention) {
	var found bool
	pg.QueueOne(b, a, &found, `select c.company_name, c.status = 'needs_reauth' as reconnect,
			(select count(*) from (select p.status from accounting_postings p where p.business_id = $1 and p.connection_id = c.id
				order by p.created_at desc, p.id desc limit $2) newest where newest.status = 'failed') as failed
		from accounting_connections c where c.business_id = $1 and c.status <> 'disconnected'`, v.Business(), attentionMost)
}
