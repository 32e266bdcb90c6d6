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

// Plan is a plan that a business sells: a pack of credits, a pass for a time. It pays for bookings by its benefits.
type Plan struct{ editedTable }

func (Plan) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),
		field.String("description").Default(""), // plain text
		field.String("kind"),
		field.String("state").Default("draft"),
		field.String("currency"), // of its price; locations with another one do not sell it
		field.Int64("price_amount"),
		field.UUID("tax_rate_id", uuid.UUID{}).Optional().Nillable(),
		field.Bool("sold_online").Default(true),
		// Locations that sell it; empty: all of them.
		field.JSON("location_ids", []uuid.UUID{}).Default([]uuid.UUID{}).Annotations(emptyList),
		field.Int("valid_count").SchemaType(integer).Optional().Nillable(), // of valid_unit; null: no end
		field.String("valid_unit").Optional().Nillable(),
		field.Bool("from_first_use").Default(false), // it is valid from the first class, not from the purchase
		field.Int("customer_max").SchemaType(integer).Default(0),
		field.Bool("new_customers").Default(false),
		field.Int("position").SchemaType(integer).Default(0),
		// Of a membership, which is paid by the period of valid_count and valid_unit.
		field.Int64("intro_amount").Default(0), // the price of each of the first intro_periods
		field.Int("intro_periods").SchemaType(integer).Default(0),
		field.Int("min_periods").SchemaType(integer).Default(0), // it cannot be ended before
		field.Bool("ends").Default(false),                       // by itself after min_periods
		field.Int("notice_days").SchemaType(integer).Default(0), // of a cancellation
		field.Int("billing_day").SchemaType(integer).Default(0), // of the month, on which periods begin; 0: that of joining
		// The rules for freezing; null: a customer cannot.
		field.JSON("freeze", json.RawMessage{}).Optional(),
		// The plans that a customer can change to.
		field.JSON("change_ids", []uuid.UUID{}).Default([]uuid.UUID{}).Annotations(emptyList),
		field.Int("downgrade_periods").SchemaType(integer).Default(0), // paid ones, before a change to a lesser plan
	}
}

func (Plan) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "plans", Checks: map[string]string{
			"plans_kind":  "kind in ('pack', 'pass', 'intro', 'comp', 'membership')",
			"plans_state": "state in ('draft', 'published', 'archived')",
			"plans_name":  "name <> ''",
			"plans_price": "price_amount between 0 and 99999999",
			"plans_valid": "num_nonnulls(valid_count, valid_unit) in (0, 2) and valid_count between 1 and 3660 and " +
				"valid_unit in ('day', 'week', 'month', 'year') and (not from_first_use or valid_count is not null)",
			"plans_limits": "customer_max between 0 and 1000",
			"plans_renewal": "intro_amount between 0 and 99999999 and intro_periods between 0 and 60 and " +
				"min_periods between 0 and 120 and notice_days between 0 and 366 and (not ends or min_periods > 0) and " +
				"(intro_periods > 0 or intro_amount = 0) and case kind when 'membership' then " +
				"valid_count is not null and not from_first_use else intro_periods = 0 and min_periods = 0 and " +
				"not ends and notice_days = 0 end",
			"plans_billing_day": "billing_day = 0 or billing_day between 1 and 28 and kind = 'membership' and " +
				"valid_unit in ('month', 'year')",
			"plans_change": "downgrade_periods between 0 and 120 and (kind = 'membership' or change_ids = '[]' and " +
				"downgrade_periods = 0)",
		}},
		References{To("businesses", "business_id"), To("tax_rates", "tax_rate_id")},
		Audited{},
	}
}

// PlanBenefit is a benefit of a plan: credits, or any number of bookings, within its limits.
type PlanBenefit struct{ tenantTable }

func (PlanBenefit) Fields() []ent.Field {
	ids := func(name string) ent.Field {
		return field.JSON(name, []uuid.UUID{}).Default([]uuid.UUID{}).Annotations(emptyList)
	}
	return []ent.Field{
		field.UUID("plan_id", uuid.UUID{}),
		field.Int("position").SchemaType(integer),                      // from 1
		field.Int("credits").SchemaType(integer).Optional().Nillable(), // null: any number
		// What it pays for; all of them empty: everything.
		ids("offering_ids"),
		field.JSON("kinds", []string{}).Default([]string{}).Annotations(emptyList),
		ids("location_ids"), // empty: all of them
		ids("excluded_ids"), // offerings
		// Credits for a booking of an offering, by its id; of others 1.
		field.JSON("costs", map[string]int{}).Default(map[string]int{}).Annotations(entsql.DefaultExpr("'{}'")),
		field.Bool("for_guests").Default(false), // also for attendees other than the customer
		field.Int("day_max").SchemaType(integer).Default(0),
		field.Int("week_max").SchemaType(integer).Default(0),
		field.Int("upcoming_max").SchemaType(integer).Default(0),
		field.Bool("guests_only").Default(false),                 // guest passes: for attendees other than the customer alone
		field.Int("rollover_max").SchemaType(integer).Default(0), // credits that go on into the next billing period
	}
}

func (PlanBenefit) Indexes() []ent.Index {
	return []ent.Index{index.Fields("business_id", "plan_id",
		"position").Unique().StorageKey("plan_benefits_position_key")}
}

func (PlanBenefit) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "plan_benefits", Checks: map[string]string{
			"plan_benefits_position": "position between 1 and 10",
			"plan_benefits_credits":  "credits between 1 and 10000",
			"plan_benefits_limits": "day_max between 0 and 100 and week_max between 0 and 100 and " +
				"upcoming_max between 0 and 1000 and rollover_max between 0 and 10000",
			"plan_benefits_guests": "not (for_guests and guests_only) and (credits is not null or not guests_only and " +
				"rollover_max = 0)",
		}},
		References{PartOf("plans", "plan_id")},
		Audited{},
	}
}

// Membership is a plan that a customer has. It keeps the plan as it was sold.
type Membership struct{ editedTable }

func (Membership) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("customer_id", uuid.UUID{}),
		field.UUID("plan_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),                              // that sold it
		field.UUID("order_line_id", uuid.UUID{}).Optional().Nillable(),      // null: complimentary
		field.String("name"),                                                // of the plan, as it was sold
		field.String("kind"),                                                // likewise
		field.String("currency"),                                            // of its value
		field.String("state").Default("active"),                             // active, ended, canceled
		field.JSON("sold", map[string]any{}),                                // the benefits and the validity of the plan
		field.Time("starts_on").SchemaType(date),                            // the first day of classes that it pays for
		field.Time("ends_on").SchemaType(date).Optional().Nillable(),        // the first day after; null: no end, or none yet
		field.Time("activated_on").SchemaType(date).Optional().Nillable(),   // the first class, if it is valid from that
		field.Int("uses").SchemaType(integer).Default(0),                    // changes of its credits, to notice one
		field.Time("reminded_at").SchemaType(instant).Optional().Nillable(), // of its end
		// What the customer agreed to: that their card is charged for each period; empty: they did not.
		field.String("consent_text").Default(""),
		field.Time("consented_at").SchemaType(instant).Optional().Nillable(),
		field.Time("canceled_at").SchemaType(instant).Optional().Nillable(), // for the end of a period; null: it renews
		// The billing period of this number begins on this day, and the later ones follow it. A freeze moves it.
		field.Time("anchor_on").SchemaType(date),
		field.Int("anchor_number").SchemaType(integer).Default(1),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (Membership) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "customer_id", "id").StorageKey("memberships_of_customer"),
		index.Fields("business_id", "order_line_id").Unique().StorageKey("memberships_line_key"),
		index.Fields("business_id", "plan_id").StorageKey("memberships_of_plan"),
		index.Fields("ends_on").StorageKey("memberships_ending").
			Annotations(entsql.IndexWhere("state = 'active' and ends_on is not null")),
	}
}

func (Membership) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "memberships", Checks: map[string]string{
			"memberships_kind":    "kind in ('pack', 'pass', 'intro', 'comp', 'membership')",
			"memberships_state":   "state in ('active', 'ended', 'canceled')",
			"memberships_days":    "starts_on <= ends_on and uses >= 0",
			"memberships_consent": "(consented_at is null) = (consent_text = '')",
		}},
		References{
			To("customers", "customer_id"), To("plans", "plan_id"), To("locations", "location_id"),
			To("order_lines", "order_line_id"),
		},
		Lookup{"business_id", "customer_id", "state", "ends_on"},
		Audited{"uses", "reminded_at"},
	}
}

// Cycle is a billing period of a membership: coming, due, or paid by a line of an order.
type Cycle struct{ editedTable }

func (Cycle) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("membership_id", uuid.UUID{}),
		field.Int("number").SchemaType(integer), // from 1
		field.Time("starts_on").SchemaType(date),
		field.Time("ends_on").SchemaType(date),                                 // the first day after
		field.Int64("price_amount"),                                            // as the plan was sold
		field.String("state"),                                                  // coming, due, paid, void
		field.UUID("order_line_id", uuid.UUID{}).Optional().Nillable(),         // that pays it
		field.Int("tries").SchemaType(integer).Default(0),                      // to charge it, or mails of the way to pay
		field.Time("tried_at").SchemaType(instant).Optional().Nillable(),       // the last one
		field.Time("first_tried_at").SchemaType(instant).Optional().Nillable(), // the first one
		field.Time("noticed_at").SchemaType(instant).Optional().Nillable(),     // the mail that it comes
	}
}

func (Cycle) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "membership_id", "number").Unique().StorageKey("cycles_number_key"),
		index.Fields("business_id", "order_line_id").Unique().StorageKey("cycles_line_key"),
		index.Fields("starts_on").StorageKey("cycles_due").Annotations(entsql.IndexWhere("state in ('coming', 'due')")),
	}
}

func (Cycle) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "cycles", Checks: map[string]string{
			"cycles_state":  "state in ('coming', 'due', 'paid', 'void') and (state <> 'due' or order_line_id is not null)",
			"cycles_days":   "starts_on < ends_on and number >= 1 and tries >= 0",
			"cycles_amount": "price_amount between 0 and 99999999",
		}},
		References{To("memberships", "membership_id"), To("order_lines", "order_line_id")},
		Lookup{"business_id", "starts_on", "state"},
		Audited{"tries", "tried_at", "first_tried_at", "noticed_at"},
	}
}

// Grant is a benefit of a membership: its credits, as they are left, and the part of the price that is not earned yet.
type Grant struct{ tenantTable }

func (Grant) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("membership_id", uuid.UUID{}),
		field.Int("benefit").SchemaType(integer),                      // position in the membership's plan
		field.Int("amount").SchemaType(integer).Optional().Nillable(), // credits; null: any number
		field.Int("balance").SchemaType(integer).Default(0),           // of them, left
		field.Int64("value_amount"),                                   // of the price, without tax, less refunds
		field.Int64("unused_amount"),                                  // of that: of what is not used and not earned
		field.String("deferred_account"),                              // in the books
		field.String("income_account"),                                // likewise, once it is earned
		// Of a membership that renews: its period, and the days of that.
		field.UUID("cycle_id", uuid.UUID{}).Optional().Nillable(),
		field.Time("starts_on").SchemaType(date).Optional().Nillable(),
		field.Time("ends_on").SchemaType(date).Optional().Nillable(),
		field.Bool("carried").Default(false), // from the period before
		// When a change of the plan took its place; null: it is a benefit of the plan.
		field.Time("replaced_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (Grant) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "membership_id", "benefit").Unique().StorageKey("grants_benefit_key").
			Annotations(entsql.IndexWhere("cycle_id is null")),
		index.Fields("business_id", "cycle_id", "benefit", "carried").Unique().StorageKey("grants_cycle_key").
			Annotations(entsql.IndexWhere("replaced_at is null")),
		index.Fields("business_id", "membership_id", "ends_on").StorageKey("grants_of_membership"),
		index.Fields("ends_on").StorageKey("grants_ending").
			Annotations(entsql.IndexWhere("ends_on is not null and (balance > 0 or unused_amount > 0)")),
	}
}

func (Grant) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "grants", Checks: map[string]string{
			"grants_balance": "balance >= 0 and (amount is not null or balance = 0)",
			"grants_value":   "0 <= unused_amount and unused_amount <= value_amount",
			"grants_days":    "num_nonnulls(cycle_id, starts_on, ends_on) in (0, 3)",
			"grants_accounts": "deferred_account in ('deferred.pack', 'deferred.membership') and " +
				"income_account in ('income.pack', 'income.membership')",
		}},
		References{To("memberships", "membership_id"), To("cycles", "cycle_id")},
		Lookup{"business_id", "amount", "balance", "unused_amount", "ends_on"},
	}
}

// Redemption is a change of the credits of a grant: those of a booking, and those that come back.
type Redemption struct{ tenantTable }

func (Redemption) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("grant_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.String("kind"),
		field.Int("credits").SchemaType(integer),                       // negative: fewer; 0 of an unlimited grant
		field.Int("balance").SchemaType(integer),                       // after it
		field.Int64("amount"),                                          // of the price: of what is used, earned or refunded
		field.UUID("order_line_id", uuid.UUID{}).Optional().Nillable(), // of the booking that it pays
		field.UUID("booking_id", uuid.UUID{}).Optional().Nillable(),    // likewise
		field.UUID("refund_id", uuid.UUID{}).Optional().Nillable(),     // of the purchase
		field.String("note").Default(""),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (Redemption) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "grant_id", "created_at", "id").StorageKey("redemptions_of_grant"),
		index.Fields("business_id", "booking_id", "kind").StorageKey("redemptions_of_booking").
			Annotations(entsql.IndexWhere("booking_id is not null")),
		index.Fields("business_id", "order_line_id", "kind").Unique().StorageKey("redemptions_line_key"),
		index.Fields("business_id", "refund_id", "grant_id", "kind").Unique().StorageKey("redemptions_refund_key"),
	}
}

func (Redemption) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "redemptions", Checks: map[string]string{
			"redemptions_kind": "(num_nonnulls(order_line_id, booking_id) = 2) = (kind in ('used', 'returned')) and " +
				"num_nonnulls(order_line_id, booking_id) in (0, 2) and " +
				"(refund_id is not null) = (kind in ('refunded', 'restored')) and amount >= 0 and balance >= 0 and " +
				"case kind when 'granted' then credits >= 0 when 'used' then credits <= 0 when 'returned' then credits >= 0 " +
				"when 'expired' then credits <= 0 when 'earned' then credits = 0 and amount > 0 " +
				"when 'refunded' then credits <= 0 when 'restored' then credits >= 0 " +
				"when 'ended' then credits <= 0 when 'carried' then credits <= 0 when 'changed' then true " +
				"else kind = 'adjusted' and credits <> 0 and note <> '' end",
		}},
		References{
			To("grants", "grant_id"), To("locations", "location_id"), To("order_lines", "order_line_id"),
			To("bookings", "booking_id"), To("refunds", "refund_id"),
		},
		AppendOnly{},
		Audited{},
	}
}

// UnearnedUse is a use of a grant whose part of the price is not earned yet, because the class is still to come.
type UnearnedUse struct{ bareTable }

func (UnearnedUse) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}), // of the redemption
		field.UUID("grant_id", uuid.UUID{}),
		field.UUID("booking_id", uuid.UUID{}),
		field.Int64("amount"),
	}
}

func (UnearnedUse) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "booking_id").StorageKey("unearned_uses_of_booking"),
		index.Fields("business_id", "grant_id").StorageKey("unearned_uses_of_grant"),
	}
}

func (UnearnedUse) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "unearned_uses", Checks: map[string]string{
			"unearned_uses_amount": "amount > 0",
		}},
		References{
			To("redemptions", "id").Named("unearned_uses_redemption_fkey"), To("grants", "grant_id"),
			To("bookings", "booking_id"),
		},
		Lookup{"business_id"},
	}
}

// Freeze is a time for which a membership pays for nothing, and is not paid for. Its periods after it begin later.
type Freeze struct{ editedTable }

func (Freeze) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("membership_id", uuid.UUID{}),
		field.Time("starts_on").SchemaType(date),
		field.Time("ends_on").SchemaType(date).Optional().Nillable(), // the first day after; null: not known yet
		field.Time("canceled_at").SchemaType(instant).Optional().Nillable(),
		field.String("note").Default(""),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (Freeze) Indexes() []ent.Index {
	return []ent.Index{index.Fields("business_id", "membership_id", "starts_on").StorageKey("freezes_of_membership")}
}

func (Freeze) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "freezes", Checks: map[string]string{
			"freezes_days": "starts_on < ends_on",
		}},
		References{To("memberships", "membership_id")},
		Audited{},
	}
}

// PlanChange is a change of a membership to another plan.
type PlanChange struct{ editedTable }

func (PlanChange) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("membership_id", uuid.UUID{}),
		field.UUID("cycle_id", uuid.UUID{}), // in which it begins
		field.UUID("from_plan_id", uuid.UUID{}),
		field.UUID("to_plan_id", uuid.UUID{}),
		field.Int64("from_amount"),                                     // the price of that whole period
		field.Int64("to_amount"),                                       // likewise
		field.Time("changes_on").SchemaType(date),                      // the first day of the new plan
		field.Int64("amount").Default(0),                               // that is charged for it
		field.String("state"),                                          // coming, due, done, void
		field.UUID("order_line_id", uuid.UUID{}).Optional().Nillable(), // that pays it
		field.JSON("sold", map[string]any{}),                           // the new plan, as it was offered
		field.JSON("held", []map[string]any{}),                         // the plans of the period before it
		field.JSON("allowances", []int{}),                              // credits of the new plan in that period, by benefit
		field.String("consent_text").Default(""),                       // of the customer, to its renewals
		field.String("name"),                                           // likewise
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (PlanChange) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "membership_id").Unique().StorageKey("plan_changes_open").
			Annotations(entsql.IndexWhere("state in ('coming', 'due')")),
		index.Fields("business_id", "order_line_id").Unique().StorageKey("plan_changes_line_key"),
		index.Fields("business_id", "cycle_id").StorageKey("plan_changes_of_cycle"),
	}
}

func (PlanChange) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "plan_changes", Checks: map[string]string{
			"plan_changes_state": "state in ('coming', 'due', 'done', 'void') and " +
				"(state <> 'due' or order_line_id is not null)",
			"plan_changes_amount": "from_amount >= 0 and to_amount >= 0 and amount >= 0",
			"plan_changes_plans":  "name <> ''",
		}},
		References{
			To("memberships", "membership_id"), To("cycles", "cycle_id"), To("order_lines", "order_line_id"),
			To("plans", "from_plan_id").Named("plan_changes_from_fkey"), To("plans", "to_plan_id").Named("plan_changes_to_fkey"),
		},
		Audited{},
	}
}
