package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Drawer is a session of a location's cash drawer, from opening to counting.
type Drawer struct{ editedTable }

func (Drawer) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.String("currency"),
		field.Int64("float_amount"), // counted cash at opening
		field.Int64("found_amount"), // cash expected at opening: the last closing amount, and cash payments since
		field.String("opened_by").Default(""),
		field.Time("closed_at").SchemaType(instant).Optional().Nillable(),
		field.String("closed_by").Default(""),
		field.Int64("expected_amount").Optional().Nillable(), // expected cash at the count
		field.Int64("counted_amount").Optional().Nillable(),
		field.Int64("left_amount").Optional().Nillable(), // cash kept in it for the next one; the remainder goes to the bank
		field.String("note").Default(""),
	}
}

func (Drawer) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id").Unique().StorageKey("drawers_one_open").
			Annotations(entsql.IndexWhere("closed_at is null")),
		index.Fields("business_id", "location_id", "created_at", "id").StorageKey("drawers_of_location"),
	}
}

func (Drawer) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "drawers", Checks: map[string]string{
			"drawers_amounts": "float_amount >= 0 and counted_amount >= 0 and left_amount between 0 and counted_amount",
			"drawers_closed":  "num_nonnulls(closed_at, expected_amount, counted_amount, left_amount) in (0, 4)",
		}},
		References{To("locations", "location_id")},
		Audited{},
	}
}

// DrawerTransaction is cash paid into or out of an open drawer without a customer.
type DrawerTransaction struct{ tenantTable }

func (DrawerTransaction) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("drawer_id", uuid.UUID{}),
		field.String("kind"),
		field.Int64("amount"),
		field.String("note"),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (DrawerTransaction) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "drawer_id", "created_at", "id").StorageKey("drawer_transactions_of_drawer"),
	}
}

func (DrawerTransaction) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "drawer_transactions", Checks: map[string]string{
			"drawer_transactions_amount": "amount > 0",
			"drawer_transactions_kind":   "kind in ('pay_in', 'pay_out')",
		}},
		References{To("drawers", "drawer_id")},
		AppendOnly{},
		Audited{},
	}
}

// Settlement is the arrival at the studio's bank account of money paid by another method.
type Settlement struct{ tenantTable }

func (Settlement) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.String("currency"),
		field.Int64("amount"),     // amount that arrived
		field.Int64("fee_amount"), // fee deducted by the carrier of the payment
		field.String("note").Default(""),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (Settlement) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id", "created_at", "id").StorageKey("settlements_of_location"),
	}
}

func (Settlement) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "settlements", Checks: map[string]string{
			"settlements_amounts": "amount >= 0 and fee_amount >= 0 and amount + fee_amount > 0",
		}},
		References{To("locations", "location_id")},
		AppendOnly{},
		Audited{},
	}
}
