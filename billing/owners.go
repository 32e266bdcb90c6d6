package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// TellOwnersTx enqueues a job for every owner.
func TellOwnersTx(ctx context.Context, tx *pg.Tx, job func(member uuid.UUID) jobs.Args) error {
	owners, err := ownersOf(ctx, tx)
	if err != nil || len(owners) == 0 {
		return err
	}
	var list []jobs.Args
	for _, m := range owners {
		list = append(list, job(m))
	}
	return jobs.EnqueueAllTx(ctx, tx, list)
}

// ownersOf returns the members who own the business.
func ownersOf(ctx context.Context, tx *pg.Tx) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select m.id from members m where m.business_id = $1 and m.deactivated_at is null
		and exists (select from member_roles r where r.business_id = $1 and r.member_id = m.id and r.role = 'owner') order by m.id`, tx.Business())
}
