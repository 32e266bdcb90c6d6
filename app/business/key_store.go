package business

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/ent"
	entkey "foyer/ent/apikey"
	"foyer/policy"
)

func keyFrom(row *ent.APIKey) APIKey {
	return APIKey{
		ID: row.ID, Name: row.Name, Prefix: row.Prefix, Features: each(row.Features, func(f string) tenancy.Feature { return tenancy.Feature(f) }),
		CreatedBy: row.CreatedBy, CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt, UsedAt: row.UsedAt,
	}
}

func insertKey(ctx context.Context, tx *pg.Tx, k APIKey, hash [32]byte) error {
	features := each(k.Features, func(f tenancy.Feature) string { return string(f) })
	return tx.Ent().APIKey.Create().SetID(k.ID).SetBusinessID(tx.Business()).SetName(k.Name).SetPrefix(k.Prefix).
		SetKeyHash(hash[:]).SetFeatures(features).SetCreatedBy(k.CreatedBy).SetCreatedAt(k.CreatedAt).
		SetNillableExpiresAt(k.ExpiresAt).Exec(ctx)
}

func listKeys(ctx context.Context, r pg.Reader, in paging.In[uuid.UUID]) ([]APIKey, error) {
	rows, err := r.Ent().APIKey.Query().
		Where(entkey.BusinessID(r.Business()), entkey.RevokedAtIsNil(), entkey.IDGT(in.From())).
		Order(entkey.ByID()).Limit(in.Size() + 1).All(ctx)
	return each(rows, keyFrom), err
}

// endKey revokes a key and says how many there were to revoke.
func endKey(ctx context.Context, tx *pg.Tx, id uuid.UUID) (int, error) {
	return tx.Ent().APIKey.Update().Where(entkey.ID(id), entkey.RevokedAtIsNil()).SetRevokedAt(tx.Now()).Save(ctx)
}

// useKey reads a live key and notes the minute of its use, at most once a minute, in one statement. It is a view's
// statement although it may write, because the note belongs to no request's effect and must not count as one of its
// transactions (pg.Claim).
func useKey(ctx context.Context, v *pg.View, hash [32]byte) (tenancy.Principal, error) {
	p, err := pg.One[tenancy.Principal](ctx, v, `with found as (
			select id, name, used_at from api_keys
			where business_id = $1 and key_hash = $2 and revoked_at is null and (expires_at is null or expires_at > $3)
		), noted as (
			update api_keys set used_at = $4
			where business_id = $1 and id = (select id from found where used_at is null or used_at < $4)
		)
		select id, name from found`, v.Business(), hash[:], v.Now(), v.Now().Truncate(time.Minute))
	if errors.Is(err, pg.ErrNoRow) {
		return tenancy.Principal{}, ErrKey
	}
	p.Kind, p.Business = tenancy.ActorKey, v.Business()
	return p, err
}

// keyFeatures reads what a live key of this business may do, in one statement with whether the business exists. A
// feature that keys may no longer hold, or that there no longer is, is left out.
func keyFeatures(ctx context.Context, v *pg.View, id uuid.UUID) (set tenancy.FeatureSet, exists, found bool, err error) {
	type row struct {
		ID       *uuid.UUID
		Features []string
	}
	k, err := pg.One[row](ctx, v, `select k.id, coalesce(k.features, '[]') as features
		from businesses b
		left join api_keys k on k.business_id = b.business_id and k.id = $2 and k.revoked_at is null
			and (k.expires_at is null or k.expires_at > $3)
		where b.business_id = $1`, v.Business(), id, v.Now())
	if errors.Is(err, pg.ErrNoRow) {
		return nil, false, false, nil
	}
	set = tenancy.FeatureSet{}
	for _, name := range k.Features {
		if f := tenancy.Feature(name); policy.KeyDefault(f) != policy.Never {
			set[f] = struct{}{}
		}
	}
	return set, true, k.ID != nil, err
}
