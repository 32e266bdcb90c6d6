package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// FailedMail is a mail that will not be sent, with its recipient and subject.
type FailedMail struct{ tenantTable }

func (FailedMail) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("job"),   // of the outbox, so that it is reported once
		field.String("kind"), // of the job
		field.String("what").Default(""),
		field.Bool("late"), // it expired before it could be sent; otherwise its last try was refused
		field.UUID("customer_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("member_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("booking_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("occurrence_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("location_id", uuid.UUID{}).Optional().Nillable(),
		field.Time("dismissed_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (FailedMail) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "job").Unique().StorageKey("failed_mails_one"),
		index.Fields("business_id", "created_at").StorageKey("failed_mails_by_age"),
		index.Fields("business_id", "booking_id").StorageKey("failed_mails_of_booking"),
		index.Fields("business_id", "occurrence_id").StorageKey("failed_mails_of_occurrence"),
	}
}

func (FailedMail) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "failed_mails"},
		References{
			To("customers", "customer_id"),
			To("members", "member_id"),
			PartOf("bookings", "booking_id"),
			PartOf("occurrences", "occurrence_id"),
			To("locations", "location_id"),
		},
		Lookup{"business_id", "created_at"},
		Audited{},
	}
}
