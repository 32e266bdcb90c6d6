package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Customer is a studio's record of a person.
type Customer struct{ editedTable }

func (Customer) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("person_id", uuid.UUID{}).Optional().Nillable(), // the login behind the record, once there is one
		field.String("name").Default(""),
		field.String("email").Default(""), // trimmed, lower case
		field.String("phone").Default(""),
		// Search keys of names and numbers: names.Search of the name, and the digits of the number in each form that
		// it is written in (crm.keysOf). Null: the sweep crm.keys has yet to write them.
		field.String("name_key").Optional().Nillable(),
		field.String("phone_key").Optional().Nillable(),
		// The number of the transaction that added the row to the list of customers, which counts its total by it.
		// Records are never deleted, or that total would be wrong; the serving roles may not. Null: an anonymous
		// walk-in. It is on no list.
		field.Int64("entered").Optional().Nillable().Annotations(entsql.DefaultExpr("(pg_current_xact_id())::text::bigint")),
		// The location at which the studio created the record, and the person who did: members who see the customers
		// of that location see this one until the first booking at another. Null: customers who came by themselves,
		// and records of members with access to all locations.
		field.UUID("location_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("added_by", uuid.UUID{}).Optional().Nillable(),
	}
}

func (Customer) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "person_id").Unique().StorageKey("customers_person_key"),
		index.Fields("business_id", "created_at", "id").StorageKey("customers_by_age").
			Annotations(entsql.DescColumns("created_at", "id")),
		index.Fields("business_id", "entered").StorageKey("customers_by_entry"),
		index.Fields("business_id").StorageKey("customers_unkeyed").
			Annotations(entsql.IndexWhere("name_key is null")),
		index.Fields("person_id").StorageKey("customers_of_person").
			Annotations(entsql.IndexWhere("person_id is not null")),
	}
}

func (Customer) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "customers", Checks: map[string]string{
			"customers_email_normal": "email = lower(btrim(email))",
			"customers_unlisted":     "entered is not null or (person_id is null and email = '' and phone = '')",
		}},
		References{To("businesses", "business_id"), To("persons", "person_id"), To("locations", "location_id"), To("persons", "added_by")},
		Lookup{"id", "business_id", "person_id", "name_key"},
		Audited{"entered", "name_key", "phone_key", "added_by"},
	}
}
