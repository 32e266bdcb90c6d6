package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

func readCopy(ctx context.Context, r pg.Reader, id uuid.UUID) (Words, error) {
	return pg.Found(pg.One[Words](ctx, r, `select `+copyColumns+`, d.name, d.location_id from agreement_copies k
		join agreement_documents d on d.business_id = k.business_id and d.id = k.document_id
		where k.business_id = $1 and k.id = $2`, r.Business(), id))
}
