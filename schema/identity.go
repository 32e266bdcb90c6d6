package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"
)

// Person is a login.
type Person struct{ ent.Schema }

// Annotations name the table.
func (Person) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "persons"}}
}

// Mixin of Person.
func (Person) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Mutable{}} }

// Fields of Person.
func (Person) Fields() []ent.Field {
	return []ent.Field{
		field.String("email"),
		field.String("name").Default(""),
		field.String("phone").Default(""),
		field.String("locale").Default("en"),
		field.String("zone").Default(""),
		field.Time("verified_at").SchemaType(instant).Optional().Nillable(),
	}
}

// Challenge is one mailed code.
type Challenge struct{ ent.Schema }

// Annotations name the table.
func (Challenge) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "challenges"}}
}

// Mixin of Challenge.
func (Challenge) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

// Fields of Challenge.
func (Challenge) Fields() []ent.Field {
	return []ent.Field{
		field.String("email"),
		field.Int("attempts").SchemaType(integer).Default(0),
		field.Time("expires_at").SchemaType(instant),
		field.Time("consumed_at").SchemaType(instant).Optional().Nillable(),
	}
}

// Session is one sign-in.
type Session struct{ ent.Schema }

// Annotations name the table.
func (Session) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "sessions"}}
}

// Mixin of Session.
func (Session) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

// Fields of Session.
func (Session) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("person_id", uuid.UUID{}),
		field.Bytes("token_hash"),
		field.String("agent").Default(""),
		field.Time("seen_at").SchemaType(instant),
		field.Time("expires_at").SchemaType(instant),
		field.Time("revoked_at").SchemaType(instant).Optional().Nillable(),
	}
}

// Invite is a link that may open a business.
type Invite struct{ ent.Schema }

// Annotations name the table.
func (Invite) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "invites"}}
}

// Mixin of Invite.
func (Invite) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

// Fields of Invite.
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
