package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"
)

// Offering is what can be booked.
type Offering struct{ ent.Schema }

// Annotations name the table.
func (Offering) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "offerings"}}
}

// Mixin of Offering.
func (Offering) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of Offering.
func (Offering) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.String("kind"),
		field.String("slug"),
		field.String("name"),
		field.String("description").Default(""),
		field.String("heading").Default(""),
		field.String("state").Default("draft"),
		field.Int("duration_minutes").SchemaType(integer),
		field.Int64("price_amount").Optional().Nillable(),
		field.UUID("tax_rate_id", uuid.UUID{}).Optional().Nillable(),
		field.Int("capacity").SchemaType(integer),
		field.Int("online_capacity").SchemaType(integer),
		field.Int("position").SchemaType(integer).Default(0),
		field.Time("published_at").SchemaType(instant).Optional().Nillable(),
	}
}

// Series is a rule that gives dates.
type Series struct{ ent.Schema }

// Annotations name the table.
func (Series) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "series"}}
}

// Mixin of Series.
func (Series) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of Series.
func (Series) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.String("weekdays"),
		field.Time("starts_on").SchemaType(date),
		field.Int("starts_at_minute").SchemaType(integer),
		field.Int("duration_minutes").SchemaType(integer),
		field.Time("ends_on").SchemaType(date).Optional().Nillable(),
		field.Int("max_count").SchemaType(integer).Optional().Nillable(),
		field.JSON("except_dates", []string{}),
		field.String("zone"),
		field.UUID("member_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("space_id", uuid.UUID{}).Optional().Nillable(),
		field.Int("capacity").SchemaType(integer),
		field.Int("online_capacity").SchemaType(integer),
		field.Time("materialized_to").SchemaType(date).Optional().Nillable(),
		field.Time("due_at").SchemaType(instant).Optional().Nillable(),
	}
}

// Occurrence is one date with its seats.
type Occurrence struct{ ent.Schema }

// Annotations name the table.
func (Occurrence) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "occurrences"}}
}

// Mixin of Occurrence.
func (Occurrence) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of Occurrence.
func (Occurrence) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("series_id", uuid.UUID{}),
		field.Time("rule_date").SchemaType(date),
		field.Time("local_date").SchemaType(date),
		field.Time("starts_at").SchemaType(instant),
		field.Time("ends_at").SchemaType(instant),
		field.UUID("member_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("space_id", uuid.UUID{}).Optional().Nillable(),
		field.String("state").Default("scheduled"),
		field.Int("capacity").SchemaType(integer),
		field.Int("online_capacity").SchemaType(integer),
		field.Int("taken").SchemaType(integer).Default(0),
		field.Int("taken_online").SchemaType(integer).Default(0),
	}
}
