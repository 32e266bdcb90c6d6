package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"
)

// Business is the tenant itself; its id is its business_id.
type Business struct{ ent.Schema }

// Annotations name the table.
func (Business) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "businesses"}}
}

// Mixin of Business.
func (Business) Mixin() []ent.Mixin { return []ent.Mixin{Mutable{}} }

// Fields of Business.
func (Business) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("business_id").Immutable(),
		field.String("name"),
		field.String("slug"),
		field.String("currency"),
		field.String("zone"),
		field.String("fee_mode").Default("absorb"),
		field.Int("fee_ppm").SchemaType(integer).Default(20000),
		field.String("class_word").Default("Classes"),
		field.String("appointment_word").Default("Appointments"),
		field.String("rental_word").Default("Rentals"),
		field.String("status").Default("active"),
		field.Time("created_at").SchemaType(instant).Immutable(),
	}
}

// TaxRate is a rate in parts per million.
type TaxRate struct{ ent.Schema }

// Annotations name the table.
func (TaxRate) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "tax_rates"}}
}

// Mixin of TaxRate.
func (TaxRate) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of TaxRate.
func (TaxRate) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),
		field.Int("ppm").SchemaType(integer),
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

// Location is a place with its clock, currency, address and look.
type Location struct{ ent.Schema }

// Annotations name the table.
func (Location) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "locations"}}
}

// Mixin of Location.
func (Location) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of Location.
func (Location) Fields() []ent.Field {
	return []ent.Field{
		field.String("slug"),
		field.String("name"),
		field.String("zone"),
		field.String("currency"),
		field.String("tax_mode").Default("exclusive"),
		field.UUID("tax_rate_id", uuid.UUID{}).Optional().Nillable(),
		field.String("street").Default(""),
		field.String("city").Default(""),
		field.String("region").Default(""),
		field.String("postal_code").Default(""),
		field.String("country").Default(""),
		field.String("website").Default(""),
		field.JSON("other_sites", []string{}).Default([]string{}).Annotations(entsql.Default("[]")),
		field.String("accent").Default("#a4472b"),
		field.String("ground").Default("paper"),
		field.String("type").Default("figtree"),
		field.String("corners").Default("soft"),
		field.UUID("policy_id", uuid.UUID{}).Optional().Nillable(),
		field.Int("daily_cap").SchemaType(integer).Optional().Nillable(),
		field.Bool("walkins_off").Default(false),
		field.Time("walkins_paused_until").SchemaType(instant).Optional().Nillable(),
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

// LocationHours is one weekly opening interval.
type LocationHours struct{ ent.Schema }

// Annotations name the table.
func (LocationHours) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "location_hours"}}
}

// Mixin of LocationHours.
func (LocationHours) Mixin() []ent.Mixin { return []ent.Mixin{Tenant{}} }

// Fields of LocationHours.
func (LocationHours) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Immutable(),
		field.UUID("location_id", uuid.UUID{}),
		field.Int("weekday").SchemaType(integer),
		field.Int("opens").SchemaType(integer),
		field.Int("closes").SchemaType(integer),
	}
}

// Space is a room or a part of one.
type Space struct{ ent.Schema }

// Annotations name the table.
func (Space) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "spaces"}}
}

// Mixin of Space.
func (Space) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of Space.
func (Space) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("parent_id", uuid.UUID{}).Optional().Nillable(),
		field.String("name"),
		field.Int("capacity").SchemaType(integer),
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

// Member is a person on the team.
type Member struct{ ent.Schema }

// Annotations name the table.
func (Member) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "members"}}
}

// Mixin of Member.
func (Member) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of Member.
func (Member) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("person_id", uuid.UUID{}),
		field.String("email"),
		field.String("name"),
		field.Bool("bookable").Default(false),
		field.Int("daily_cap").SchemaType(integer).Optional().Nillable(),
		field.Int("weekly_cap").SchemaType(integer).Optional().Nillable(),
		field.Time("deactivated_at").SchemaType(instant).Optional().Nillable(),
	}
}

// MemberRole is a role, everywhere or at one location.
type MemberRole struct{ ent.Schema }

// Annotations name the table.
func (MemberRole) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "member_roles"}}
}

// Mixin of MemberRole.
func (MemberRole) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of MemberRole.
func (MemberRole) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("member_id", uuid.UUID{}),
		field.String("role"),
		field.UUID("location_id", uuid.UUID{}).Optional().Nillable(),
	}
}

// APIKey is a machine credential.
type APIKey struct{ ent.Schema }

// Annotations name the table.
func (APIKey) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "api_keys"}}
}

// Mixin of APIKey.
func (APIKey) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of APIKey.
func (APIKey) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),
		field.String("prefix"),
		field.Bytes("key_hash"),
		field.JSON("features", []string{}),
		field.UUID("created_by", uuid.UUID{}),
		field.Time("expires_at").SchemaType(instant).Optional().Nillable(),
		field.Time("used_at").SchemaType(instant).Optional().Nillable(),
		field.Time("revoked_at").SchemaType(instant).Optional().Nillable(),
	}
}

// ProcessorAccount is the studio's own account at the card processor.
type ProcessorAccount struct{ ent.Schema }

// Annotations name the table.
func (ProcessorAccount) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "processor_accounts"}}
}

// Mixin of ProcessorAccount.
func (ProcessorAccount) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of ProcessorAccount.
func (ProcessorAccount) Fields() []ent.Field {
	return []ent.Field{
		field.String("env"),
		field.String("external_id"),
		field.String("state"),
		field.String("default_currency").Default(""),
		field.JSON("due", []string{}),
		field.Time("updated_at").SchemaType(instant),
	}
}
