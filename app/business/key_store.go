package business

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	entkey "foyer/ent/apikey"
	"foyer/policy"
)

func insertKey(ctx context.Context, tx *pg.Tx, k APIKey, hash [32]byte) error {
	_, err := tx.Exec(ctx, `insert into api_keys (business_id, id, name, prefix, key_hash, features, created_by, created_at, expires_at)
		values (@business, @id, @name, @prefix, @hash, @features, @created_by, @created_at, @expires_at)`, pg.Named{
		"business": tx.Business(), "id": k.ID, "name": k.Name, "prefix": k.Prefix, "hash": hash[:], "features": k.Features,
		"created_by": k.CreatedBy, "created_at": k.CreatedAt, "expires_at": k.ExpiresAt,
	})
	return err
}

func listKeys(ctx context.Context, r pg.Reader, in paging.In[uuid.UUID]) ([]APIKey, error) {
	return pg.All[APIKey](ctx, r, `select id, name, prefix, features, created_by, created_at, expires_at, used_at from api_keys
		where business_id = $1 and revoked_at is null and id > $2 order by id limit $3`, r.Business(), in.From(), in.Size()+1)
}

// endKey revokes a key; fault.Missing when there is none to revoke.
func endKey(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	n, err := tx.Ent().APIKey.Update().Where(entkey.ID(id), entkey.RevokedAtIsNil()).SetRevokedAt(tx.Now()).Save(ctx)
	return fault.When(n == 0, fault.Missing(), err)
}

// useKey reads a live key and notes the minute of its use, at most once a minute, in one statement. It is a view's
// statement although it may write, because the note belongs to no request's effect and must not count as one of its
// transactions (pg.Claim).
func useKey(ctx context.Context, v *pg.View, hash [32]byte) (tenancy.Principal, error) {
	p, found, err := pg.Find[tenancy.Principal](ctx, v, `with found as (
			select id, name, used_at from api_keys
			where business_id = $1 and key_hash = $2 and revoked_at is null and (expires_at is null or expires_at > $3)
		), noted as (
			update api_keys set used_at = $4
			where business_id = $1 and id = (select id from found where used_at is null or used_at < $4)
		)
		select id, name from found`, v.Business(), hash[:], v.Now(), v.Now().Truncate(time.Minute))
	p.Kind, p.Business = tenancy.ActorKey, v.Business()
	return p, fault.When(!found, ErrKey, err)
}

// keyFeatures reads what a live key of this business may do, in one statement with whether the business exists. A
// feature that keys may no longer hold, or that there no longer is, is left out.
func keyFeatures(ctx context.Context, v *pg.View, id uuid.UUID) (set tenancy.FeatureSet, exists, found bool, err error) {
	type row struct {
		ID       *uuid.UUID
		Features []string
	}
	k, exists, err := pg.Find[row](ctx, v, `select k.id, coalesce(k.features, '[]') as features
		from businesses b
		left join api_keys k on k.business_id = b.business_id and k.id = $2 and k.revoked_at is null
			and (k.expires_at is null or k.expires_at > $3)
		where b.business_id = $1`, v.Business(), id, v.Now())
	set = tenancy.FeatureSet{}
	for _, name := range k.Features {
		if f := tenancy.Feature(name); policy.KeyDefault(f) != policy.Never {
			set[f] = struct{}{}
		}
	}
	return set, exists, k.ID != nil, err
}
