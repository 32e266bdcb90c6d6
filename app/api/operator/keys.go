package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// APIKey is a machine's credential, without the secret.
type APIKey struct {
	ID        uuid.UUID         `json:"id"`
	Name      string            `json:"name"`
	Prefix    string            `json:"prefix" doc:"The first characters of the key, to tell keys apart." example:"bk_4f2Kq9"`
	Features  []tenancy.Feature `json:"features" doc:"What it may do."`
	CreatedBy uuid.UUID         `json:"createdBy" doc:"Member of the team."`
	CreatedAt time.Time         `json:"createdAt"`
	ExpiresAt *time.Time        `json:"expiresAt" doc:"Null: never."`
	UsedAt    *time.Time        `json:"usedAt" doc:"Last use, to the minute."`
}

// NewAPIKey is a key with its secret.
type NewAPIKey struct {
	APIKey
	Key string `json:"key" doc:"The key itself. It is shown this once." example:"bk_…"`
}

type createKeyBody struct {
	Name      string            `json:"name,omitempty" maxLength:"80" doc:"What it is for."`
	Features  []tenancy.Feature `json:"features,omitempty" maxLength:"40" minItems:"1" maxItems:"50" doc:"Left out: everything that the caller has in the whole business and keys may have. A list only narrows that."`
	ExpiresAt *time.Time        `json:"expiresAt,omitempty" doc:"Left out: never."`
}

type keyIn struct {
	KeyID uuid.UUID `path:"keyId" doc:"The key."`
}

// apiKeys declares the keys of a business. They are managed by people: a key cannot make its own successor (A51).
func (a *surface) apiKeys() {
	declare(a, op.Spec{
		ID: "createApiKey", Method: "POST", Path: "/businesses/{businessId}/api-keys", Tag: "business", Access: op.OperatorSession, Feature: "business.manage",
		Summary: "Create an API key", Description: "Returns the key itself, this once: only a hash of it is kept. Sessions only.",
		Success: 201, NoReplay: true, Frozen: true,
	}, a.createKey)
	declare(a, op.Spec{
		ID: "listApiKeys", Method: "GET", Path: "/businesses/{businessId}/api-keys", Tag: "business", Access: op.OperatorSession, Feature: "business.manage",
		Summary: "List API keys", Description: "Keys that have not been revoked, without their secrets. Sessions only.",
	}, wire.Lists(a.Cursors, "api-keys", a.Business.Keys, showKey))
	declare(a, op.Spec{
		ID: "deleteApiKey", Method: "DELETE", Path: "/businesses/{businessId}/api-keys/{keyId}", Tag: "business",
		Summary: "Revoke an API key", Description: "Its next use is refused. Sessions only.",
		Access: op.OperatorSession, Feature: "business.manage", NoReplay: true,
	}, func(ctx context.Context, sc tenancy.Scope, in *keyIn) (op.NoContent, error) {
		return op.NoContent{}, a.Business.RevokeKey(ctx, sc, in.KeyID)
	})
}

func (a *surface) createKey(ctx context.Context, sc tenancy.Scope, in *wire.Body[createKeyBody]) (NewAPIKey, error) {
	b := in.Body
	k, err := a.Business.CreateKey(ctx, sc, business.CreateKeyInput{Name: b.Name, Features: b.Features, ExpiresAt: b.ExpiresAt})
	return NewAPIKey{APIKey: showKey(k.APIKey), Key: k.Key}, err
}

func showKey(k business.APIKey) APIKey { return APIKey(k) }
