package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Person is a login. Persons, sessions, challenges and invites belong to no business: package identity finds them
// only by id or by hash.
type Person struct{ ent.Schema }

func (Person) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Mutable{}} }

func (Person) Fields() []ent.Field {
	return []ent.Field{
		field.String("email"), // trimmed, lower case: the key and the address in one
		field.String("name").Default(""),
		field.String("phone").Default(""),
		field.String("locale").Default(""), // empty until it is known
		field.String("zone").Default(""),
		field.Time("verified_at").SchemaType(instant).Optional().Nillable(), // first verification of a mailed code
	}
}

func (Person) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("email").Unique().StorageKey("persons_email_key"),
	}
}

func (Person) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "persons", Checks: map[string]string{
			"persons_email_normal": "email = lower(btrim(email))",
		}},
	}
}

// Challenge is one mailed code.
type Challenge struct{ ent.Schema }

func (Challenge) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

func (Challenge) Fields() []ent.Field {
	return []ent.Field{
		field.String("email"),
		field.Int("attempts").SchemaType(integer).Default(0),
		field.Time("expires_at").SchemaType(instant),
		field.Time("consumed_at").SchemaType(instant).Optional().Nillable(),
		field.String("language").Default(""), // of the page with the request; empty when unknown
	}
}

func (Challenge) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("created_at").StorageKey("challenges_created_at"),
	}
}

func (Challenge) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "challenges", Checks: map[string]string{
			"challenges_attempts": "attempts between 0 and 5",
		}},
	}
}

// Session is one sign-in.
type Session struct{ ent.Schema }

func (Session) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

func (Session) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("person_id", uuid.UUID{}),
		field.Bytes("token_hash"),
		field.String("agent").Default(""),
		field.Time("seen_at").SchemaType(instant),
		field.Time("expires_at").SchemaType(instant), // the sliding end, never past created_at + 90 days
		field.Time("revoked_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (Session) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("token_hash").Unique().StorageKey("sessions_token_hash_key"),
		index.Fields("expires_at").StorageKey("sessions_ended"),
		index.Fields("person_id", "created_at").StorageKey("sessions_person").
			Annotations(entsql.DescColumns("created_at")),
	}
}

func (Session) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "sessions"},
		References{To("persons", "person_id")},
	}
}

// Invite is a link that may open a business.
type Invite struct{ ent.Schema }

func (Invite) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

func (Invite) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("token_hash"),
		field.String("email"),
		field.String("business_name").Default(""),
		field.Time("expires_at").SchemaType(instant),
		field.Time("consumed_at").SchemaType(instant).Optional().Nillable(),
		field.UUID("consumed_by", uuid.UUID{}).Optional().Nillable(),
		field.UUID("opened_business", uuid.UUID{}).Optional().Nillable(),
	}
}

func (Invite) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("token_hash").Unique().StorageKey("invites_token_hash_key"),
		index.Fields("expires_at").StorageKey("invites_unused").
			Annotations(entsql.IndexWhere("consumed_at is null")),
	}
}

func (Invite) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "invites"},
		References{To("persons", "consumed_by")},
	}
}
