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

// Series is a recurrence rule that generates dates.
type Series struct{ editedTable }

func (Series) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.String("weekdays"), // RFC 5545 BYDAY: "MO,WE"
		field.Time("starts_on").SchemaType(date),
		field.Int("starts_at_minute").SchemaType(integer), // minutes after midnight on the wall clock
		field.Int("duration_minutes").SchemaType(integer),
		field.Time("ends_on").SchemaType(date).Optional().Nillable(),     // last possible date
		field.Int("max_count").SchemaType(integer).Optional().Nillable(), // number of dates, exceptions included
		field.JSON("except_dates", []string{}),                           // ["2026-12-25"]
		field.String("zone"),
		field.UUID("member_id", uuid.UUID{}).Optional().Nillable(), // instructor
		field.UUID("space_id", uuid.UUID{}).Optional().Nillable(),
		field.Int("capacity").SchemaType(integer),
		field.Int("online_capacity").SchemaType(integer),
		field.Time("materialized_to").SchemaType(date).Optional().Nillable(), // occurrences exist up to and including this date
		// when the next dates are to be written; null: the rule has ended
		field.Time("due_at").SchemaType(instant).Optional().Nillable(),
		field.String("freq").Default("weekly"),
		field.Int("every").SchemaType(integer).Default(1), // every second week: 2
		field.String("monthly_by").Default(""),            // monthly rules: the day of the month or the weekday in it, of starts_on
		// ["2026-12-27"]: dates beside the rule
		field.JSON("extra_dates", []string{}).Default([]string{}).Annotations(emptyList),
		field.UUID("split_from", uuid.UUID{}).Optional().Nillable(), // the series this one continues
		field.Time("ended_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (Series) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "offering_id", "id").Unique().StorageKey("series_place_key"),
		index.Fields("business_id", "offering_id", "starts_on", "id").StorageKey("series_of_offering"),
		index.Fields("due_at").StorageKey("series_due").
			Annotations(entsql.IndexWhere("due_at is not null")),
	}
}

func (Series) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "series", Checks: map[string]string{
			"series_starts_at":       "starts_at_minute between 0 and 1439",
			"series_duration":        "duration_minutes between 5 and 1440",
			"series_end":             "ends_on is null or ends_on >= starts_on",
			"series_one_end":         "ends_on is null or max_count is null",
			"series_max_count":       "max_count between 1 and 1000",
			"series_capacity":        "capacity between 1 and 10000",
			"series_online_capacity": "online_capacity between 0 and capacity",
			"series_weekdays": "weekdays = '' and freq <> 'weekly' or " +
				"weekdays ~ '^(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*$'",
			"series_freq":       "freq in ('daily', 'weekly', 'monthly')",
			"series_every":      "every between 1 and 52",
			"series_monthly_by": "(freq = 'monthly') = (monthly_by in ('day', 'weekday'))",
		}},
		References{
			To("offerings", "location_id", "offering_id"),
			To("members", "member_id"),
			To("spaces", "location_id", "space_id"),
			To("series", "offering_id", "split_from").Named("series_split_fkey"),
		},
		Lookup{"id", "business_id", "due_at"},
		Audited{"materialized_to", "due_at"},
	}
}

// SeriesEdit is the state of a series before an edit, so that it can be undone for a day.
type SeriesEdit struct{ tenantTable }

func (SeriesEdit) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("series_id", uuid.UUID{}),
		field.JSON("before", json.RawMessage{}), // the rows of series and occurrences as they were
		field.JSON("after", json.RawMessage{}),  // their versions as the edit left them: undoing needs them unchanged
		field.Time("undo_until").SchemaType(instant),
		field.Time("undone_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (SeriesEdit) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "series_id", "created_at").StorageKey("series_edits_of_series").
			Annotations(entsql.DescColumns("created_at")),
	}
}

func (SeriesEdit) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "series_edits"},
		References{To("series", "offering_id", "series_id")},
	}
}

// Occurrence is one date with its seats.
type Occurrence struct{ editedTable }

func (Occurrence) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("series_id", uuid.UUID{}).Optional().Nillable(),
		// the date of the rule: it prevents writing a date twice
		field.Time("rule_date").SchemaType(date).Optional().Nillable(),
		field.Time("local_date").SchemaType(date), // the date on the location's wall clock
		field.Time("starts_at").SchemaType(instant),
		field.Time("ends_at").SchemaType(instant),
		field.UUID("member_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("space_id", uuid.UUID{}).Optional().Nillable(),
		field.String("state").Default("scheduled"),
		field.Int("capacity").SchemaType(integer),
		field.Int("online_capacity").SchemaType(integer),
		field.Int("taken").SchemaType(integer).Default(0),        // seats held or booked
		field.Int("taken_online").SchemaType(integer).Default(0), // of those, through the storefront
		field.Int("offered").SchemaType(integer).Default(0),      // seats on offer to the waitlist
		// ["startsAt", "memberId"]: fields that no longer follow the series
		field.JSON("overrides", []string{}).Default([]string{}).Annotations(emptyList),
		field.String("cancel_reason").Default(""),
	}
}

func (Occurrence) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id", "offering_id", "id").Unique().StorageKey("occurrences_place_key"),
		index.Fields("business_id", "series_id", "rule_date").Unique().StorageKey("occurrences_rule_date_key"),
		// No index has the counters, not even beside its key: then taking a seat writes to none of them.
		index.Fields("business_id", "location_id", "starts_at", "id").StorageKey("occurrences_by_location"),
		index.Fields("business_id", "offering_id", "starts_at", "id").StorageKey("occurrences_by_offering"),
		// The public schedule. It has no counters, so that taking a seat does not write to it.
		index.Fields("business_id", "location_id", "starts_at", "id").StorageKey("occurrences_on_sale").
			Annotations(entsql.IndexWhere("series_id is not null and state = 'scheduled'")),
	}
}

func (Occurrence) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "occurrences", Checks: map[string]string{
			"occurrences_span":            "starts_at < ends_at",
			"occurrences_state":           "state in ('scheduled', 'cancelled')",
			"occurrences_capacity":        "capacity between 1 and 10000",
			"occurrences_online_capacity": "online_capacity between 0 and capacity",
			"occurrences_seats":           "taken between 0 and capacity",
			"occurrences_online_seats":    "taken_online between 0 and taken",
			"occurrences_of_series":       "(series_id is null) = (rule_date is null)",
			"occurrences_offered":         "offered >= 0 and taken + offered <= capacity",
		}},
		References{
			To("offerings", "location_id", "offering_id"),
			To("series", "offering_id", "series_id"),
			To("members", "member_id"),
			To("spaces", "location_id", "space_id"),
		},
		Lookup{"id", "business_id", "location_id", "starts_at", "state", "taken"},
		AuditedByHand{},
	}
}

// Claim is busy time of a member or a space, buffers included: the only record of it. A class claims its instructor
// and room with each date, an appointment and a rental with the booking. A claim first locks the rows of the members
// and spaces, in the order of their ids; the exclusion constraints are the backstop.
type Claim struct{ bareTable }

func (Claim) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}),
		field.UUID("occurrence_id", uuid.UUID{}),
		field.UUID("member_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("space_id", uuid.UUID{}).Optional().Nillable(),
		field.Time("starts_at").SchemaType(instant),
		field.Time("ends_at").SchemaType(instant),
		field.Bool("exclusive"),                           // false: seats of a space that others may share
		field.Bool("forced").Default(false),               // a staff member allowed the overlap
		field.Bool("direct").Default(true),                // false: blocked because a space it is a part of is booked
		field.Int("seats").SchemaType(integer).Default(0), // of a shared space
	}
}

func (Claim) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "member_id", "ends_at", "starts_at").StorageKey("claims_of_member").
			Annotations(entsql.IndexWhere("member_id is not null")),
		index.Fields("business_id", "space_id", "ends_at", "starts_at").StorageKey("claims_of_space").
			Annotations(entsql.IncludeColumns("exclusive", "direct", "seats"), entsql.IndexWhere("space_id is not null")),
		index.Fields("business_id", "occurrence_id").StorageKey("claims_of_occurrence"),
	}
}

func (Claim) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "claims", Checks: map[string]string{
			"claims_one_resource": "num_nonnulls(member_id, space_id) = 1",
			"claims_span":         "starts_at < ends_at",
			"claims_seats":        "seats >= 0 and (exclusive or seats > 0)",
		}},
		References{
			To("occurrences", "occurrence_id"),
			To("members", "member_id"),
			To("spaces", "space_id"),
		},
	}
}

// SpaceBlock is a time during which a space is unavailable.
type SpaceBlock struct{ tenantTable }

func (SpaceBlock) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("space_id", uuid.UUID{}),
		field.Time("starts_at").SchemaType(instant),
		field.Time("ends_at").SchemaType(instant),
		field.String("note").Default(""),
	}
}

func (SpaceBlock) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "space_id", "ends_at", "starts_at").StorageKey("space_blocks_of_space"),
	}
}

func (SpaceBlock) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "space_blocks", Checks: map[string]string{
			"space_blocks_span": "starts_at < ends_at",
		}},
		References{To("spaces", "location_id", "space_id")},
		Audited{},
	}
}
