package agenda

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/policy"
)

// Opening is the progress of a business towards its first booking, except for the facts in the records of its
// locations. A step is done as soon as one location has it.
type Opening struct {
	Hours bool // a location has opening hours
	Sells bool // something is published
	Pays  bool // customers have a way to pay: the account accepts cards, or a location allows payment at the studio
	// The newest draft; nil where there is none.
	DraftID   *uuid.UUID
	DraftName string
}

// OpeningInput is the environment of the payment account: live or test.
type OpeningInput struct {
	Env processor.Env
}

// Opening returns the progress of the business. Errors: policy.ErrMissingFeature (business.manage).
func (s *Service) Opening(ctx context.Context, sc tenancy.Scope, in OpeningInput) (Opening, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Opening{}, err
	}
	q := openingOf(sc, in)
	return pg.Found(pg.One[Opening](ctx, s.db.View(sc.Tenant), q.SQL(), q.Args()...))
}

func openingOf(sc tenancy.Scope, in OpeningInput) *pg.Shape {
	return pg.NewShape(`select
			exists (select from location_hours h where h.business_id = $1) as hours,
			exists (select from offerings f where f.business_id = $1 and f.state = 'published') as sells,
			d.id as draft_id, coalesce(d.name, '') as draft_name,
			exists (select from locations l left join policies p on p.business_id = l.business_id and p.id = l.policy_id
				where l.business_id = $1 and l.archived_at is null and (coalesce((p.rules->>'payAtStudio')::boolean, false)
					or `+billing.AcceptsSQL("l.business_id", "$2", "l.currency")+`)) as pays
		from businesses b
		left join lateral (select f.id, f.name from offerings f
			where f.business_id = $1 and f.state = 'draft' order by f.created_at desc limit 1) d on true
		where b.business_id = $1`, sc.Tenant, in.Env)
}
