package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
)

const selectPolicies = `select p.id, p.name, p.rules, b.currency, p.archived_at, p.version, p.created_at, p.updated_at
	from policies p join businesses b on b.business_id = p.business_id where p.business_id = $1 `

func findPolicy(ctx context.Context, r pg.Reader, id uuid.UUID) (Policy, error) {
	return pg.Found(pg.One[Policy](ctx, r, selectPolicies+`and p.id = $2`, r.Business(), id))
}

// lockPolicy reads a policy and locks its row until the transaction ends.
func lockPolicy(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Policy, error) {
	return pg.Found(pg.One[Policy](ctx, tx, selectPolicies+`and p.id = $2 for update of p`, tx.Business(), id))
}

func listPolicies(ctx context.Context, r pg.Reader, in paging.In[uuid.UUID]) ([]Policy, error) {
	return pg.All[Policy](ctx, r, selectPolicies+`and p.archived_at is null and p.id > $2 order by p.id limit $3`,
		r.Business(), in.From(), in.Size()+1)
}

var policyConstraints = map[string]error{"policies_name_key": ErrPolicyName}

func insertPolicy(ctx context.Context, tx *pg.Tx, p Policy) error {
	_, err := tx.Exec(ctx, `insert into policies (id, business_id, name, rules, version, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $6)`, p.ID, tx.Business(), p.Name, p.Rules, p.Version, p.CreatedAt)
	return pg.Map(err, policyConstraints)
}

// savePolicy writes a changed policy as its next version. The row is locked by lockPolicy.
func savePolicy(ctx context.Context, tx *pg.Tx, p *Policy) error {
	p.Version, p.UpdatedAt = p.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update policies set name = $3, rules = $4, archived_at = $5, version = $6, updated_at = $7
		where business_id = $1 and id = $2`, tx.Business(), p.ID, p.Name, p.Rules, p.ArchivedAt, p.Version, p.UpdatedAt)
	return pg.Map(err, policyConstraints)
}

// policyInUse reports whether a location or an offering that is not archived points at a policy.
func policyInUse(ctx context.Context, tx *pg.Tx, id uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `select exists (
			select from locations where business_id = $1 and policy_id = $2 and archived_at is null
			union all select from offerings where business_id = $1 and policy_id = $2 and state <> 'archived')`,
		tx.Business(), id)
}

// policyInForce reports whether there is such a policy that is not archived, and locks it until the transaction ends.
func policyInForce(ctx context.Context, tx *pg.Tx, id uuid.UUID) (bool, error) {
	rows, err := pg.All[uuid.UUID](ctx, tx, `select id from policies where business_id = $1 and id = $2 and archived_at is null
		for share`, tx.Business(), id)
	return len(rows) > 0, err
}

// placePolicy reads the policy of a location.
func placePolicy(ctx context.Context, r pg.Reader, location uuid.UUID) (LocationPolicy, error) {
	return pg.Found(pg.One[LocationPolicy](ctx, r, `select l.id as location_id, p.id as policy_id, coalesce(p.name, $3) as name,
			coalesce(p.rules, 'null') as rules, l.currency, l.version
		from locations l left join policies p on p.business_id = l.business_id and p.id = l.policy_id
		where l.business_id = $1 and l.id = $2`, r.Business(), location, StandardName))
}

// rulesFor reads the rules that hold for an offering with the policy that it names now, or is about to.
func rulesFor(ctx context.Context, r pg.Reader, o Offering) (Rules, error) {
	type row struct{ Rules Rules }
	found, err := pg.One[row](ctx, r, `select coalesce(p.rules, 'null') as rules from locations l
		left join policies p on p.business_id = l.business_id and p.id = coalesce($3::uuid, l.policy_id)
		where l.business_id = $1 and l.id = $2`, r.Business(), o.LocationID, o.PolicyID)
	return found.Rules, err
}

// place has the facts for choosing a location's policy.
type place struct {
	PolicyID *uuid.UUID
	Archived bool
	Version  int64
}

func lockPlace(ctx context.Context, tx *pg.Tx, location uuid.UUID) (place, error) {
	return pg.Found(pg.One[place](ctx, tx, `select policy_id, archived_at is not null as archived, version from locations
		where business_id = $1 and id = $2 for no key update`, tx.Business(), location))
}

// currenciesOf lists the currencies of the business and of its locations.
func currenciesOf(ctx context.Context, tx *pg.Tx) ([]money.Currency, error) {
	return pg.All[money.Currency](ctx, tx, `select currency from businesses where business_id = $1
		union select currency from locations where business_id = $1 and archived_at is null`, tx.Business())
}
