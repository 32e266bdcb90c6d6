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

// Business is the tenant itself; its id is its business_id.
type Business struct{ ent.Schema }

func (Business) Mixin() []ent.Mixin { return []ent.Mixin{Mutable{}} }

func (Business) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("business_id").Immutable(),
		field.String("name"),
		field.String("slug"),
		field.String("currency"), // default for new locations
		field.String("zone"),     // default for new locations
		field.String("fee_mode").Default("absorb"),
		field.Int("fee_ppm").SchemaType(integer).Default(20000),
		field.Int("split_ppm").SchemaType(integer).Default(500000), // the customer's share of the fee when it is split
		field.String("class_word").Default("Classes"),              // headings for listings without one of their own
		field.String("appointment_word").Default("Appointments"),
		field.String("rental_word").Default("Rentals"),
		field.String("status").Default("active"),
		field.Time("closed_at").SchemaType(instant).Optional().Nillable(), // can reopen for a while from then; closed without it: for good
		field.Time("created_at").SchemaType(instant).Immutable(),
	}
}

func (Business) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "businesses", Checks: map[string]string{
			"businesses_currency": "currency ~ '^[A-Z]{3}$'",
			"businesses_fee_mode": "fee_mode in ('absorb', 'split', 'customer')",
			"businesses_fee_ppm":  "fee_ppm between 0 and 300000",
			"businesses_split":    "split_ppm between 0 and 1000000",
			"businesses_status":   "status in ('active', 'paused', 'closed')",
			"businesses_closed":   "closed_at is null or status = 'closed'",
		}},
		Lookup{"business_id"},
		Audited{},
	}
}

// Slug is a root path: of a business, of a location, or a previous one of either.
type Slug struct{ bareTable }

func (Slug) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").StorageKey("slug"),
		field.UUID("location_id", uuid.UUID{}).Optional().Nillable(), // null: the business itself
		field.Bool("current"),
		field.Time("created_at").SchemaType(instant),
	}
}

func (Slug) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id").Unique().StorageKey("slugs_one_current").
			Annotations(entsql.IndexWhere("current")),
	}
}

func (Slug) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "slugs", Checks: map[string]string{
			"slugs_form": "slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 60",
		}},
		Key{"slug"},
		References{To("businesses", "business_id"), To("locations", "location_id")},
		Expressions{"slugs_one_current": {"location_id": "coalesce(location_id, business_id)"}},
		Lookup{"slug", "business_id", "location_id", "current"},
	}
}

// TaxRate is a rate in parts per million.
type TaxRate struct{ editedTable }

func (TaxRate) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),
		field.Int("ppm").SchemaType(integer), // 8.25 % is 82500
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (TaxRate) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "tax_rates", Checks: map[string]string{
			"tax_rates_ppm": "ppm between 0 and 1000000",
		}},
		References{To("businesses", "business_id")},
		Audited{},
	}
}

// BookingPolicy is a set of booking and cancellation rules that offerings share. A location has a default one;
// without any, the standard policy of package catalog applies.
type BookingPolicy struct{ editedTable }

func (BookingPolicy) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),
		field.JSON("rules", json.RawMessage{}), // catalog.Rules; copied onto each booking when it is made
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (BookingPolicy) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "name").Unique().StorageKey("policies_name_key").
			Annotations(entsql.IndexWhere("archived_at is null")),
	}
}

func (BookingPolicy) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "policies"},
		References{To("businesses", "business_id")},
		Audited{},
	}
}

// Location is a site with its time zone, currency, address and branding.
type Location struct{ editedTable }

func (Location) Fields() []ent.Field {
	return []ent.Field{
		field.String("slug"),
		field.String("name"),
		field.String("zone"),
		field.String("currency"),
		field.String("tax_mode").Default("exclusive"),
		field.UUID("tax_rate_id", uuid.UUID{}).Optional().Nillable(), // default for new offerings
		field.String("price_display").Optional().Nillable(),          // how lists show prices; null: by its country
		field.String("street").Default(""),
		field.String("city").Default(""),
		field.String("region").Default(""),
		field.String("postal_code").Default(""),
		field.String("country").Default(""),
		field.String("website").Default(""),
		field.String("accent").Default("#a4472b"),
		field.String("background").Default("paper"),
		field.String("type").Default("figtree"),
		field.String("corners").Default("soft"),
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
		field.UUID("policy_id", uuid.UUID{}).Optional().Nillable(),       // default for its offerings; null: the standard one
		field.Int("daily_cap").SchemaType(integer).Optional().Nillable(), // appointments and rentals a day
		// limit per payment for members with a limited right to refund, in minor units
		field.Int64("refund_cap_amount").Default(0),
		field.Bool("walkins_off").Default(false),
		field.Time("walkins_paused_until").SchemaType(instant).Optional().Nillable(),
		// further addresses of the studio's own website: ["https://shop.example.com"]
		field.JSON("other_sites", []string{}).Default([]string{}).Annotations(emptyList),
		// reminders of bookings, in minutes before the start, descending; []: none
		field.JSON("reminders", []int{}).Default([]int{1440, 120}).Annotations(entsql.DefaultExpr("'[1440, 120]'")),
		field.String("language").Default("en"),      // of its pages, mails and embeds; a language of package words
		field.Bool("other_languages").Default(true), // readers of other languages get pages and mails in theirs
	}
}

func (Location) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("id").StorageKey("locations_directory"),
	}
}

func (Location) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "locations", Checks: map[string]string{
			"locations_currency":      "currency ~ '^[A-Z]{3}$'",
			"locations_tax_mode":      "tax_mode in ('exclusive', 'inclusive')",
			"locations_price_display": "price_display in ('full', 'plus_tax')",
			"locations_accent":        "accent ~ '^#[0-9a-f]{6}$'",
			"locations_background":    "background in ('paper', 'white', 'dark')",
			"locations_type":          "type in ('figtree', 'system')",
			"locations_corners":       "corners in ('square', 'soft', 'round', 'pill')",
			"locations_language":      "language ~ '^[a-z]{2}$'",
			"locations_daily_cap":     "daily_cap between 1 and 10000",
			"locations_refund_cap":    "refund_cap_amount >= 0",
			"locations_other_sites":   "jsonb_typeof(other_sites) = 'array' and jsonb_array_length(other_sites) <= 20",
			"locations_reminders":     "jsonb_typeof(reminders) = 'array' and jsonb_array_length(reminders) <= 4",
		}},
		References{
			To("businesses", "business_id"),
			To("tax_rates", "tax_rate_id"),
			To("policies", "policy_id"),
		},
		Lookup{"id", "business_id", "reminders"},
		Audited{},
	}
}

// LocationHours is one weekly opening interval.
type LocationHours struct{ bareTable }

func (LocationHours) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Immutable(),
		field.UUID("location_id", uuid.UUID{}),
		field.Int("weekday").SchemaType(integer), // 0 is Sunday
		field.Int("opens").SchemaType(integer),   // minutes after midnight on the wall clock
		field.Int("closes").SchemaType(integer),
	}
}

func (LocationHours) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id", "weekday", "opens").StorageKey("location_hours_location"),
	}
}

func (LocationHours) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "location_hours", Checks: map[string]string{
			"location_hours_weekday": "weekday between 0 and 6",
			"location_hours_span":    "opens >= 0 and opens < closes and closes <= 1440",
		}},
		References{To("locations", "location_id")},
		Audited{},
	}
}

// Closure is a range of days on which a location is closed or has hours of its own.
type Closure struct{ tenantTable }

func (Closure) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.String("name"),
		field.Time("starts_on").SchemaType(date),
		field.Time("ends_on").SchemaType(date), // last day
		// [{"opens": 600, "closes": 840}]: special hours; empty: closed
		field.JSON("hours", json.RawMessage{}).Default(json.RawMessage("[]")).Annotations(emptyList),
	}
}

func (Closure) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id", "ends_on", "id").StorageKey("closures_of_location"),
	}
}

func (Closure) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "closures", Checks: map[string]string{
			"closures_span": "starts_on <= ends_on and ends_on <= starts_on + 366",
		}},
		References{To("locations", "location_id")},
		Audited{},
	}
}

// Stylesheet is the CSS of a location's embeds, checked when it was saved and served unchanged.
type Stylesheet struct{ editedTable }

func (Stylesheet) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.Text("css"),
	}
}

func (Stylesheet) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id").Unique().StorageKey("stylesheets_location_key"),
	}
}

func (Stylesheet) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "stylesheets", Checks: map[string]string{
			"stylesheets_size": "octet_length(css) <= 32768",
		}},
		References{To("locations", "location_id")},
		Audited{},
	}
}

// Space is a room or a part of one.
type Space struct{ editedTable }

func (Space) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("parent_id", uuid.UUID{}).Optional().Nillable(), // booking the whole blocks the parts
		field.String("name"),
		field.Int("capacity").SchemaType(integer),
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (Space) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id", "id").Unique().StorageKey("spaces_place_key"),
		index.Fields("business_id", "location_id", "name").Unique().StorageKey("spaces_name_key").
			Annotations(entsql.IndexWhere("archived_at is null")),
	}
}

func (Space) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "spaces", Checks: map[string]string{
			"spaces_capacity": "capacity between 1 and 10000",
			"spaces_parent":   "parent_id <> id",
		}},
		References{To("locations", "location_id"), To("spaces", "location_id", "parent_id")},
		Audited{},
	}
}

// SpaceHours is a weekly interval of a space. A space without any is open whenever its location is.
type SpaceHours struct{ bareTable }

func (SpaceHours) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("space_id", uuid.UUID{}),
		field.Int("weekday").SchemaType(integer),
		field.Int("opens").SchemaType(integer),
		field.Int("closes").SchemaType(integer),
	}
}

func (SpaceHours) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "space_id", "weekday", "opens").StorageKey("space_hours_of_space"),
	}
}

func (SpaceHours) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "space_hours", Checks: map[string]string{
			"space_hours_weekday": "weekday between 0 and 6",
			"space_hours_span":    "opens >= 0 and opens < closes and closes <= 1440",
		}},
		References{To("spaces", "location_id", "space_id")},
		Audited{},
	}
}
