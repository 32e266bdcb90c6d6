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

// keyRow is a live key, as its use reads it.
type keyRow struct {
	tenancy.Principal
	Features []string
	Noted    *bool
}

// selectKey finds a live key by its hash, with its features, and records the minute of its use, at most once a
// minute. The write is in a function, like the renewal of a session (identity.SelectSession), so that a view may run
// the statement.
const selectKey = `select id, name, features,
		case when used_at is null or used_at < $4 then app.note_key(business_id, id, $4) end as noted
	from api_keys
	where business_id = $1 and key_hash = $2 and revoked_at is null and (expires_at is null or expires_at > $3)`

// QueueKey queues in a batch of v, the view of a key's business, the read of the live key with this hash and its
// features there. After the batch was sent, the returned function returns the caller. Its only error is ErrKey.
func QueueKey(b *pg.Batch, v *pg.View, hash [32]byte) (who func() (Caller, error)) {
	var row keyRow
	var found bool
	pg.QueueOne(b, &row, &found, selectKey, v.Business(), hash[:], v.Now(), v.Now().Truncate(time.Minute))
	return func() (Caller, error) {
		if !found {
			return Caller{}, ErrKey
		}
		row.Kind, row.Business = tenancy.ActorKey, v.Business()
		return Caller{row.Principal, tenancy.Grants{All: keyHolds(row.Features)}, true, true}, nil
	}
}

// keyHolds returns the features of a key's row, without those that keys may no longer hold and those that no longer
// exist.
func keyHolds(names []string) tenancy.FeatureSet {
	set := tenancy.FeatureSet{}
	for _, name := range names {
		if f := tenancy.Feature(name); policy.KeyDefault(f) != policy.Never {
			set[f] = struct{}{}
		}
	}
	return set
}

// keyFeatures reads the features of a live key of this business, and whether the business exists, in one statement.
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
	return keyHolds(k.Features), exists, k.ID != nil, err
}
