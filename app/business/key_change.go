package business

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CreateKeyInput creates an API key.
type CreateKeyInput struct {
	Name      string            // may be empty
	Features  []tenancy.Feature // nil: all features of the creator that keys may hold
	ExpiresAt *time.Time        // nil: never
}

// NewKey is an API key with its secret, shown only once.
type NewKey struct {
	APIKey
	Key string
}

// sealedKey is a new key as stored for a repetition of the request.
type sealedKey struct {
	Row    APIKey
	Sealed []byte
}

// CreateKey creates an API key of the business. It holds the requested features, or all that its creator holds in the
// whole business except those that no key may hold (A216). A45, A46, A227. Errors:
//
//   - identity.ErrKeyRefused (A51)
//   - policy.ErrMissingFeature (business.manage, or a feature that the creator does not hold)
//   - Validation on name, features and expiresAt
func (s *Service) CreateKey(ctx context.Context, sc tenancy.Scope, in CreateKeyInput) (NewKey, error) {
	if err := mayKeys(sc); err != nil {
		return NewKey{}, err
	}
	var c fault.Checks
	checkMaybe(&c, "name", &in.Name, MaxKeyName)
	c.That(in.ExpiresAt == nil || in.ExpiresAt.After(s.o.DB.Clock().Now()), "expiresAt", "Choose a time in the future.")
	if err := c.Err(); err != nil {
		return NewKey{}, err
	}
	features, err := policy.KeyGrants(sc.Grants, in.Features)
	if err != nil {
		return NewKey{}, err
	}
	kept, err := pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (sealedKey, error) {
		creator, err := memberOfPerson(ctx, tx, sc.Person())
		if err != nil {
			return sealedKey{}, err
		}
		secret := mintKey()
		row := APIKey{
			ID: pg.NewID(), Name: in.Name, Prefix: secret[:keyShown], Features: features.List(), CreatedBy: creator,
			CreatedAt: tx.Now(), ExpiresAt: in.ExpiresAt,
		}
		return sealedKey{row, s.seal.Hide(secret)}, insertKey(ctx, tx, row, hashKey(secret))
	})
	if err != nil {
		return NewKey{}, err
	}
	secret, err := s.seal.Show(kept.Sealed)
	return NewKey{APIKey: kept.Row, Key: secret}, err
}

// Keys lists the API keys that are not revoked, expired ones included. Errors: identity.ErrKeyRefused,
// policy.ErrMissingFeature (business.manage), Validation on limit. A46, A51.
func (s *Service) Keys(ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID]) (page paging.Page[APIKey, uuid.UUID], err error) {
	if err := mayKeys(sc); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listKeys(ctx, s.o.DB.View(sc.Tenant), in)
	return paging.Of(rows, in.Size(), func(k APIKey) uuid.UUID { return k.ID }), err
}

// RevokeKey revokes an API key: its next use is refused. Errors: identity.ErrKeyRefused, policy.ErrMissingFeature
// (business.manage), fault.Missing for an unknown or revoked one. A51.
func (s *Service) RevokeKey(ctx context.Context, sc tenancy.Scope, id uuid.UUID) error {
	if err := mayKeys(sc); err != nil {
		return err
	}
	return pg.Do(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) error { return endKey(ctx, tx, id) })
}

// mayKeys checks the right to see and change API keys. No key has it (A51).
func mayKeys(sc tenancy.Scope) error {
	if _, err := identity.PersonOf(sc.Principal); err != nil {
		return err
	}
	return policy.Require(sc, policy.BusinessManage)
}
