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

// APIKey is a credential for programs, without its secret.
type APIKey struct {
	ID        uuid.UUID         `json:"id"`
	Name      string            `json:"name"`
	Prefix    string            `json:"prefix" doc:"First characters of the key, to identify it." example:"bk_4f2Kq9"`
	Features  []tenancy.Feature `json:"features" doc:"Features of the key."`
	CreatedBy uuid.UUID         `json:"createdBy" doc:"Team member who created the key."`
	CreatedAt time.Time         `json:"createdAt"`
	ExpiresAt *time.Time        `json:"expiresAt" doc:"When it expires; null if it does not expire."`
	UsedAt    *time.Time        `json:"usedAt" doc:"When it was last used, to the minute."`
}

// NewAPIKey is a key with its secret.
type NewAPIKey struct {
	APIKey
	Key string `json:"key" doc:"The secret. It is returned only once." example:"bk_…"`
}

type createKeyBody struct {
	Name      string            `json:"name,omitempty" maxLength:"80" doc:"Purpose of the key."`
	Features  []tenancy.Feature `json:"features,omitempty" maxLength:"40" minItems:"1" maxItems:"50" doc:"Features of the key. The default is all of the caller's features in the whole business that keys can hold; a list narrows this."`
	ExpiresAt *time.Time        `json:"expiresAt,omitempty" doc:"When it expires. By default it does not expire."`
}

type keyIn struct {
	KeyID uuid.UUID `path:"keyId" doc:"The key."`
}

// apiKeys declares the keys of a business. Only people manage keys: a key cannot create its own successor (A51).
func (a *surface) apiKeys() {
	declare(a, op.Spec{
		ID: "createApiKey", Method: "POST", Path: "/businesses/{businessId}/api-keys", Tag: "business", Access: op.OperatorSession, Feature: "business.manage",
		Summary: "Create an API key", Description: "Returns the key once; only its hash is stored. Requires a session.",
		Success: 201, NoReplay: true, Frozen: true,
	}, a.createKey)
	declare(a, op.Spec{
		ID: "listApiKeys", Method: "GET", Path: "/businesses/{businessId}/api-keys", Tag: "business", Access: op.OperatorSession, Feature: "business.manage",
		Summary:     "List API keys",
		Description: "Returns the keys that are not revoked, without their secrets. Requires a session.",
	}, wire.Lists(a.Cursors, "api-keys", a.Business.Keys, showKey))
	declare(a, op.Spec{
		ID: "deleteApiKey", Method: "DELETE", Path: "/businesses/{businessId}/api-keys/{keyId}", Tag: "business",
		Summary: "Revoke an API key", Description: "The key is refused from its next use on. Requires a session.",
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
