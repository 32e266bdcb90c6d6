package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Offering is a class, an appointment or a rental that can be booked.
type Offering struct{ editedTable }

func (Offering) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.String("kind"),
		field.String("slug"), // unique inside its location
		field.String("name"),
		field.String("description").Default(""),
		field.String("heading").Default(""), // own heading; empty: the business's heading for its kind
		field.String("state").Default("draft"),
		field.Int("duration_minutes").SchemaType(integer),
		// minor units of the location's currency; null: not set yet
		field.Int64("price_amount").Optional().Nillable(),
		field.UUID("tax_rate_id", uuid.UUID{}).Optional().Nillable(),         // null: untaxed
		field.UUID("revenue_category_id", uuid.UUID{}).Optional().Nillable(), // null: income by kind
		field.Int("capacity").SchemaType(integer),
		field.Int("online_capacity").SchemaType(integer),     // how many of the seats the storefront may sell
		field.Int("position").SchemaType(integer).Default(0), // order inside its heading
		field.Time("published_at").SchemaType(instant).Optional().Nillable(),
		field.UUID("policy_id", uuid.UUID{}).Optional().Nillable(),        // null: the location's
		field.Int("buffer_before_minutes").SchemaType(integer).Default(0), // buffer before: members and spaces are busy
		field.Int("buffer_after_minutes").SchemaType(integer).Default(0),
		// starts lie on this grid from opening; null: one after the other
		field.Int("grid_minutes").SchemaType(integer).Optional().Nillable(),
		// wall clock, minutes after midnight; null: limited by the opening hours only
		field.Int("last_start_minute").SchemaType(integer).Optional().Nillable(),
		field.Bool("compact").Default(false),      // offer starts that touch another booking first
		field.Bool("approval").Default(false),     // the studio approves or declines each booking
		field.String("enrolment").Default("date"), // series: a course, one booking for all its dates
		field.String("sold_as").Default("person"), // space: a rental of the whole space
		// [{"minutes": 60, "priceAmount": 3000}]: lengths to choose from
		field.JSON("durations", json.RawMessage{}).Default(json.RawMessage("[]")).Annotations(emptyList),
		field.Bool("needs_member").Default(false), // a rental attended by a person
		field.Bool("walkins").Default(false),      // a per-person rental open to walk-ins
	}
}

func (Offering) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id", "id").Unique().StorageKey("offerings_place_key"),
		index.Fields("business_id", "location_id", "slug").Unique().StorageKey("offerings_slug_key"),
		index.Fields("id").StorageKey("offerings_directory"),
		index.Fields("business_id", "location_id", "state", "id").StorageKey("offerings_by_location"),
	}
}

func (Offering) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "offerings", Checks: map[string]string{
			"offerings_slug_form":       "slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80",
			"offerings_kind":            "kind in ('class', 'appointment', 'rental')",
			"offerings_state":           "state in ('draft', 'published', 'archived')",
			"offerings_duration":        "duration_minutes between 5 and 1440",
			"offerings_price":           "price_amount between 0 and 99999999",
			"offerings_capacity":        "capacity between 1 and 10000",
			"offerings_online_capacity": "online_capacity between 0 and capacity",
			"offerings_published":       "state <> 'published' or price_amount is not null",
			"offerings_buffers":         "buffer_before_minutes between 0 and 240 and buffer_after_minutes between 0 and 240",
			"offerings_grid":            "grid_minutes in (5, 10, 15, 30, 60)",
			"offerings_last_start":      "last_start_minute between 0 and 1439",
			"offerings_enrolment":       "enrolment = 'date' or (enrolment = 'series' and kind = 'class')",
			"offerings_sold_as":         "sold_as = 'person' or (sold_as = 'space' and kind = 'rental')",
			"offerings_walkins":         "not walkins or (kind = 'rental' and sold_as = 'person')",
		}},
		References{
			To("locations", "location_id"),
			To("tax_rates", "tax_rate_id"),
			To("revenue_categories", "revenue_category_id"),
			To("policies", "policy_id"),
		},
		Lookup{"id", "business_id", "location_id"},
		Audited{},
	}
}

// OfferingMember is an instructor of an appointment.
type OfferingMember struct{ bareTable }

func (OfferingMember) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("member_id", uuid.UUID{}),
		field.Int("position").SchemaType(integer),
	}
}

func (OfferingMember) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "offering_id", "member_id").Unique().StorageKey("offering_members_once"),
		index.Fields("business_id", "member_id").StorageKey("offering_members_of_member"),
	}
}

func (OfferingMember) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "offering_members"},
		References{To("offerings", "location_id", "offering_id"), To("members", "member_id")},
		Audited{},
	}
}

// OfferingSpace is a space for a rental or an appointment.
type OfferingSpace struct{ bareTable }

func (OfferingSpace) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("space_id", uuid.UUID{}),
		field.Int("position").SchemaType(integer),
	}
}

func (OfferingSpace) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "offering_id", "space_id").Unique().StorageKey("offering_spaces_once"),
		index.Fields("business_id", "space_id").StorageKey("offering_spaces_of_space"),
	}
}

func (OfferingSpace) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "offering_spaces"},
		References{To("offerings", "location_id", "offering_id"), To("spaces", "location_id", "space_id")},
		Audited{},
	}
}
