package business

import (
	"github.com/google/uuid"

	"foyer/app/pg"
)

func queueSite(b *pg.Batch, business, location uuid.UUID, site *Site) {
	var found bool
	pg.QueueOne(b, site, &found, `select b.name as studio, l.name, l.slug, l.zone, l.currency, l.street, l.city, l.region, l.postal_code, l.country,
			l.archived_at is null and b.status <> 'closed' as open,
			exists (select from stylesheets s where s.business_id = l.business_id and s.location_id = l.id and s.css <> '') as styled
		from locations l join businesses b on b.business_id = l.business_id where l.business_id = $1 and l.id = $2`, business, location)
}
