package schema

import (
	"encoding/json"

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
		field.UUID("policy_id", uuid.UUID{}).Optional().Nillable(),
		field.Int("buffer_before_minutes").SchemaType(integer).Default(0),
		field.Int("buffer_after_minutes").SchemaType(integer).Default(0),
		field.Int("grid_minutes").SchemaType(integer).Optional().Nillable(),
		field.Int("last_start_minute").SchemaType(integer).Optional().Nillable(),
		field.Bool("compact").Default(false),
		field.Bool("approval").Default(false),
		field.String("enrolment").Default("date"),
		field.String("sold_as").Default("person"),
		field.JSON("durations", json.RawMessage{}).Default(json.RawMessage("[]")).Annotations(entsql.DefaultExpr("'[]'")),
		field.Bool("needs_member").Default(false),
		field.Bool("walkins").Default(false),
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
		field.String("freq").Default("weekly"),
		field.Int("every").SchemaType(integer).Default(1),
		field.String("monthly_by").Default(""),
		field.JSON("extra_dates", []string{}).Default([]string{}).Annotations(entsql.DefaultExpr("'[]'")),
		field.UUID("split_from", uuid.UUID{}).Optional().Nillable(),
		field.Time("ended_at").SchemaType(instant).Optional().Nillable(),
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
		field.UUID("series_id", uuid.UUID{}).Optional().Nillable(),
		field.Time("rule_date").SchemaType(date).Optional().Nillable(),
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
		field.Int("offered").SchemaType(integer).Default(0),
		field.JSON("overrides", []string{}).Default([]string{}).Annotations(entsql.DefaultExpr("'[]'")),
		field.String("cancel_reason").Default(""),
	}
}

// BookingPolicy is the rules of booking and cancelling that offerings share.
type BookingPolicy struct{ ent.Schema }

// Annotations name the table.
func (BookingPolicy) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "policies"}}
}

// Mixin of BookingPolicy.
func (BookingPolicy) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of BookingPolicy.
func (BookingPolicy) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),
		field.JSON("rules", json.RawMessage{}),
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

// Closure is days on which a location is closed or has hours of its own.
type Closure struct{ ent.Schema }

// Annotations name the table.
func (Closure) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "closures"}}
}

// Mixin of Closure.
func (Closure) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of Closure.
func (Closure) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.String("name"),
		field.Time("starts_on").SchemaType(date),
		field.Time("ends_on").SchemaType(date),
		field.JSON("hours", json.RawMessage{}).Default(json.RawMessage("[]")).Annotations(entsql.DefaultExpr("'[]'")),
	}
}

// TimeOff is when a person is away.
type TimeOff struct{ ent.Schema }

// Annotations name the table.
func (TimeOff) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "time_off"}}
}

// Mixin of TimeOff.
func (TimeOff) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of TimeOff.
func (TimeOff) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("member_id", uuid.UUID{}),
		field.Time("starts_at").SchemaType(instant),
		field.Time("ends_at").SchemaType(instant),
		field.String("note").Default(""),
	}
}

// SpaceBlock is when a space is out of use.
type SpaceBlock struct{ ent.Schema }

// Annotations name the table.
func (SpaceBlock) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "space_blocks"}}
}

// Mixin of SpaceBlock.
func (SpaceBlock) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of SpaceBlock.
func (SpaceBlock) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("space_id", uuid.UUID{}),
		field.Time("starts_at").SchemaType(instant),
		field.Time("ends_at").SchemaType(instant),
		field.String("note").Default(""),
	}
}
