package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// OAuthClient is a program that asks people to connect it: an assistant. It belongs to no business.
type OAuthClient struct{ ent.Schema }

func (OAuthClient) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

func (OAuthClient) Fields() []ent.Field {
	return []ent.Field{
		field.String("client_id"), // ours, or the address of the client's metadata document
		field.String("kind"),
		field.String("name"),
		field.Strings("redirect_uris"),
		field.String("auth_method"),
		field.Bytes("secret_hash").Optional(),                               // of a confidential client
		field.Time("used_at").SchemaType(instant).Optional().Nillable(),     // somebody connected it
		field.Time("fresh_until").SchemaType(instant).Optional().Nillable(), // the document is fetched again after it
	}
}

func (OAuthClient) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("client_id").Unique().StorageKey("oauth_clients_client_id_key"),
		index.Fields("created_at").StorageKey("oauth_clients_unused").
			Annotations(entsql.IndexWhere("used_at is null")),
	}
}

func (OAuthClient) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "oauth_clients", Checks: map[string]string{
			"oauth_clients_kind":   "kind in ('registered', 'document') and (kind = 'document') = (fresh_until is not null)",
			"oauth_clients_method": "auth_method in ('none', 'client_secret_basic', 'client_secret_post')",
			"oauth_clients_secret": "(auth_method = 'none') = (secret_hash is null)",
		}},
	}
}

// OAuthCode is an authorization code: what a person allowed a client, until the client fetches its tokens.
type OAuthCode struct{ tenantTable }

func (OAuthCode) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("client_id", uuid.UUID{}),
		field.UUID("person_id", uuid.UUID{}),
		field.Bytes("code_hash"),
		field.String("redirect_uri"),
		field.String("challenge"), // S256 of the client's verifier
		field.Time("expires_at").SchemaType(instant),
		field.UUID("family_id", uuid.UUID{}).Optional().Nillable(), // of its tokens; null: it is not used yet
	}
}

func (OAuthCode) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "code_hash").Unique().StorageKey("oauth_codes_hash_key"),
		index.Fields("created_at").StorageKey("oauth_codes_by_time"),
	}
}

func (OAuthCode) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "oauth_codes"},
		References{
			To("businesses", "business_id"), To("persons", "person_id"), To("oauth_clients", "client_id"),
			To("oauth_families", "family_id"),
		},
		Lookup{"business_id", "created_at"},
	}
}

// OAuthFamily is a connection of a person's assistant to a business: all tokens that descend from one consent.
type OAuthFamily struct{ tenantTable }

func (OAuthFamily) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("client_id", uuid.UUID{}),
		field.UUID("person_id", uuid.UUID{}),
		field.String("client_name"),                                     // as the person saw it
		field.String("redirect_host"),                                   // where the tokens went
		field.Time("used_at").SchemaType(instant).Optional().Nillable(), // last call, to the minute
		field.Time("ended_at").SchemaType(instant).Optional().Nillable(),
		field.String("ended_by").Default(""),
	}
}

func (OAuthFamily) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "oauth_families", Checks: map[string]string{
			"oauth_families_ended": "(ended_at is null) = (ended_by = '')",
			"oauth_families_by":    "ended_by in ('', 'disconnected', 'revoked', 'reuse', 'expired')",
		}},
		References{To("businesses", "business_id"), To("persons", "person_id"), To("oauth_clients", "client_id")},
		Audited{"client_id", "used_at"},
	}
}

// OAuthToken is an access or refresh token of a connection.
type OAuthToken struct{ tenantTable }

func (OAuthToken) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("family_id", uuid.UUID{}),
		field.String("kind"),
		field.Bytes("token_hash"),
		field.Time("expires_at").SchemaType(instant),
		field.Time("used_at").SchemaType(instant).Optional().Nillable(), // a refresh token is exchanged once
	}
}

func (OAuthToken) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "token_hash").Unique().StorageKey("oauth_tokens_hash_key"),
		index.Fields("business_id", "family_id").StorageKey("oauth_tokens_of_family"),
		index.Fields("expires_at").StorageKey("oauth_tokens_expired"),
	}
}

func (OAuthToken) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "oauth_tokens", Checks: map[string]string{
			"oauth_tokens_kind": "kind in ('access', 'refresh') and (kind = 'refresh' or used_at is null)",
		}},
		References{To("oauth_families", "family_id")},
		Lookup{"business_id", "expires_at"},
	}
}
