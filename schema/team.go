package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Member is a person on the team.
type Member struct{ editedTable }

func (Member) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("person_id", uuid.UUID{}),
		field.String("email"),
		field.String("name"),
		field.Bool("bookable").Default(false), // may teach or be booked
		field.Time("deactivated_at").SchemaType(instant).Optional().Nillable(),
		field.Int("daily_cap").SchemaType(integer).Optional().Nillable(),  // appointments a day
		field.Int("weekly_cap").SchemaType(integer).Optional().Nillable(), // appointments a week, Monday to Sunday
	}
}

func (Member) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "person_id").Unique().StorageKey("members_person_key"),
		index.Fields("person_id").StorageKey("members_of_person").
			Annotations(entsql.IndexWhere("deactivated_at is null")),
	}
}

func (Member) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "members", Checks: map[string]string{
			"members_daily_cap":  "daily_cap between 1 and 1000",
			"members_weekly_cap": "weekly_cap between 1 and 1000",
		}},
		References{To("businesses", "business_id"), To("persons", "person_id")},
		Lookup{"business_id", "person_id", "deactivated_at"},
		Audited{},
	}
}

// MemberRole is a role, in the whole business or at one location.
type MemberRole struct{ tenantTable }

func (MemberRole) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("member_id", uuid.UUID{}),
		field.String("role"),
		field.UUID("location_id", uuid.UUID{}).Optional().Nillable(), // null: the whole business
	}
}

func (MemberRole) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "member_id", "role", "location_id").Unique().StorageKey("member_roles_once"),
	}
}

func (MemberRole) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "member_roles", Checks: map[string]string{
			"member_roles_role": "role in ('owner', 'admin', 'manager', 'front_desk', 'instructor', 'accountant', 'marketer', " +
				"'viewer')",
			"member_roles_owner_everywhere": "role not in ('owner', 'admin') or location_id is null",
		}},
		References{To("members", "member_id"), To("locations", "location_id")},
		Expressions{"member_roles_once": {"location_id": "coalesce(location_id, '00000000-0000-0000-0000-000000000000')"}},
		Audited{},
	}
}

// MemberHours is a weekly interval of a member at a location, on its wall clock. Without any: no appointments there.
type MemberHours struct{ bareTable }

func (MemberHours) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}),
		field.UUID("member_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.Int("weekday").SchemaType(integer), // 0 is Sunday
		field.Int("opens").SchemaType(integer),   // minutes after midnight
		field.Int("closes").SchemaType(integer),
	}
}

func (MemberHours) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "member_id", "location_id", "weekday", "opens").StorageKey("member_hours_of_member"),
		index.Fields("business_id", "location_id").StorageKey("member_hours_of_location"),
	}
}

func (MemberHours) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "member_hours", Checks: map[string]string{
			"member_hours_weekday": "weekday between 0 and 6",
			"member_hours_span":    "opens >= 0 and opens < closes and closes <= 1440",
		}},
		References{To("members", "member_id"), To("locations", "location_id")},
		Audited{},
	}
}

// TimeOff is an absence of a member.
type TimeOff struct{ tenantTable }

func (TimeOff) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("member_id", uuid.UUID{}),
		field.Time("starts_at").SchemaType(instant),
		field.Time("ends_at").SchemaType(instant),
		field.String("note").Default(""),
	}
}

func (TimeOff) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "member_id", "ends_at", "starts_at").StorageKey("time_off_of_member"),
	}
}

func (TimeOff) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "time_off", Checks: map[string]string{
			"time_off_span": "starts_at < ends_at",
		}},
		References{To("members", "member_id")},
		Audited{},
	}
}

// APIKey is a machine credential.
type APIKey struct{ tenantTable }

func (APIKey) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),
		field.String("prefix"), // "bk_" and the first characters, to tell keys apart
		field.Bytes("key_hash"),
		field.JSON("features", []string{}),    // the set it was created with
		field.UUID("created_by", uuid.UUID{}), // member
		field.Time("expires_at").SchemaType(instant).Optional().Nillable(),
		field.Time("used_at").SchemaType(instant).Optional().Nillable(), // to the minute
		field.Time("revoked_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (APIKey) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("key_hash").Unique().StorageKey("api_keys_key_hash_key"),
	}
}

func (APIKey) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "api_keys"},
		References{To("members", "created_by")},
		Lookup{"id", "business_id", "key_hash"},
		Audited{"key_hash", "used_at"},
	}
}

// SavedView is a filter of a console list that a member saved under a name. It is theirs alone, and has no effect on
// the business.
type SavedView struct{ tenantTable }

func (SavedView) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("person_id", uuid.UUID{}),
		field.String("screen"),
		field.String("name"),
		field.String("query"), // the parameters of the address
	}
}

func (SavedView) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "person_id", "screen", "name").Unique().StorageKey("saved_views_name_key"),
	}
}

func (SavedView) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "saved_views", Checks: map[string]string{
			"saved_views_screen": "screen in ('bookings', 'calendar', 'catalog', 'customers')",
			"saved_views_size":   "char_length(name) between 1 and 40 and char_length(query) <= 1000",
		}},
		References{To("businesses", "business_id"), To("persons", "person_id")},
	}
}
