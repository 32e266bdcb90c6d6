package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// keepHTML writes the HTML of a copy without any: no other column of a copy can be updated.
func keepHTML(ctx context.Context, tx *pg.Tx, k Copy) error {
	_, err := tx.Exec(ctx, `update agreement_copies set html = $3 where business_id = $1 and id = $2 and html is null`, tx.Business(), k.ID, k.Pages)
	return err
}

func readCopy(ctx context.Context, r pg.Reader, id uuid.UUID) (Words, error) {
	return pg.Found(pg.One[Words](ctx, r, `select `+copyColumns+`, d.name, d.location_id from agreement_copies k
		join agreement_documents d on d.business_id = k.business_id and d.id = k.document_id
		where k.business_id = $1 and k.id = $2`, r.Business(), id))
}
