package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Replay is the answer to a write with an Idempotency-Key, written in the write's own transaction. The key is the
// SHA-256 of credential, method, path and the client's key, so that only the same caller can find the row; seq counts
// the transactions of one request.
type Replay struct{ ent.Schema }

func (Replay) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("id").StorageKey("key"),
		field.Int16("seq"),
		field.Bytes("request"),
		field.JSON("result", json.RawMessage{}),
		field.Time("created_at").SchemaType(instant),
	}
}

func (Replay) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("created_at").StorageKey("replays_created_at"),
	}
}

func (Replay) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "replays"},
		Key{"key", "seq"},
	}
}

// Quote is the result of a dry run, for the call that names it: its owner, its input, and a digest of its effects.
// Like a replay it belongs to a request, not to a tenant.
type Quote struct{ ent.Schema }

func (Quote) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

func (Quote) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("credential"), // SHA-256 of the caller and the operation
		field.Bytes("request"),    // SHA-256 of the input
		field.Bytes("effects"),    // SHA-256 of the answer's effects
		field.Time("expires_at").SchemaType(instant),
	}
}

func (Quote) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("expires_at").StorageKey("quotes_expires_at"),
	}
}

func (Quote) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "quotes"},
	}
}

// RateWindow is the window of a limit that all processes share. The table is unlogged: a crash resets all limits.
type RateWindow struct{ ent.Schema }

func (RateWindow) Fields() []ent.Field {
	return []ent.Field{
		field.Text("id").StorageKey("bucket"),
		field.Time("starts_at").SchemaType(instant), // of the current window: the bucket's first call in it
		field.Int("hits").SchemaType(integer),
	}
}

func (RateWindow) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("starts_at").StorageKey("rate_windows_starts_at"),
	}
}

func (RateWindow) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "rate_windows"},
	}
}
