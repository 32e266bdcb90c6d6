package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// AgreementDocument is a waiver or terms of a location, to be signed by its customers when they book.
type AgreementDocument struct{ editedTable }

func (AgreementDocument) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.String("name"),
		field.String("show"),
		field.String("frequency"),
		field.Bool("every_listing").Default(true),               // also of those that are added later
		field.Int("position").SchemaType(integer).Default(0),    // lower ones are shown first
		field.Int("copy_number").SchemaType(integer).Default(1), // of the current copy
		field.Int("round").SchemaType(integer).Default(1),       // all sign again in each
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (AgreementDocument) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id", "id").Unique().StorageKey("agreement_documents_place_key"),
	}
}

func (AgreementDocument) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "agreement_documents", Checks: map[string]string{
			"agreement_documents_show":      "show in ('list', 'popup', 'full')",
			"agreement_documents_frequency": "frequency in ('once', 'every_booking')",
			"agreement_documents_counters":  "copy_number >= 1 and round >= 1 and position >= 0",
		}},
		References{To("locations", "location_id")},
		Audited{},
	}
}

// AgreementCopy is the text of a document from one moment on. It never changes.
type AgreementCopy struct{ tenantTable }

func (AgreementCopy) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("document_id", uuid.UUID{}),
		field.Int("number").SchemaType(integer), // 1 is the first
		field.String("kind"),
		field.String("format").Optional().Nillable(), // of a text
		field.String("body").Optional().Nillable(),   // of a text
		field.String("language").Default(""),         // SHA-256 of body; empty: of copies before it was stored
		// the same words in further languages: [{"language": "es", "body": "…", "sha256": "<base64>"}]
		field.JSON("translations", []any{}).Default([]any{}).Annotations(emptyList),
		field.String("file_key").Optional().Nillable(), // of a PDF, in the store of files
		field.Bytes("sha256"),                                             // of the words, or of the file
		field.Int("bytes").SchemaType(integer),                            // how long they are
		field.Int("page_count").SchemaType(integer).Optional().Nillable(), // of a PDF, if it could be determined
		// Markdown rendered as HTML, by language of the translation: {"": "<p>…", "es": …}; null: not rendered, or no
		// Markdown
		field.JSON("html", map[string]string{}).Optional(),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (AgreementCopy) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "document_id", "number").Unique().StorageKey("agreement_copies_number_key"),
		index.Fields("business_id", "document_id", "id").Unique().StorageKey("agreement_copies_document_key"),
	}
}

func (AgreementCopy) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "agreement_copies", Checks: map[string]string{
			"agreement_copies_content": "case kind when 'text' then body is not null and body <> '' and format is not null and format in ('plain', 'markdown') and " +
				"file_key is null and page_count is null when 'pdf' then body is null and format is null and file_key is not null else false end",
			"agreement_copies_translations": "jsonb_typeof(translations) = 'array' and (kind = 'text' or translations = '[]')",
			"agreement_copies_html":         "html is null or format = 'markdown' and jsonb_typeof(html) = 'object'",
			"agreement_copies_size":         "octet_length(sha256) = 32 and bytes > 0 and number >= 1 and page_count >= 1",
		}},
		References{To("agreement_documents", "document_id")},
		AppendOnly{},
	}
}

// AgreementListing is an offering that requires a document that is not required by all offerings of its location.
type AgreementListing struct{ bareTable }

func (AgreementListing) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("document_id", uuid.UUID{}),
	}
}

func (AgreementListing) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "offering_id", "document_id").Unique().StorageKey("agreement_listings_once"),
		index.Fields("business_id", "document_id").StorageKey("agreement_listings_of_document"),
	}
}

func (AgreementListing) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "agreement_listings"},
		References{To("offerings", "location_id", "offering_id"), To("agreement_documents", "location_id", "document_id")},
		Audited{},
	}
}

// AgreementAcceptance is a customer's signature of a copy of a document. It never changes; a later one replaces it.
type AgreementAcceptance struct{ tenantTable }

func (AgreementAcceptance) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("customer_id", uuid.UUID{}),
		field.UUID("document_id", uuid.UUID{}),
		field.UUID("copy_id", uuid.UUID{}),
		field.Int("round").SchemaType(integer),                      // of the document, at signing
		field.String("source"),                                      // source of the signature
		field.String("shown").Optional().Nillable(),                 // presentation; null: on paper
		field.String("language").Default(""),                        // of the shown translation; empty: the original
		field.UUID("cart_id", uuid.UUID{}).Optional().Nillable(),    // of its checkout: valid for the bookings of the order
		field.UUID("booking_id", uuid.UUID{}).Optional().Nillable(), // marked by the studio, or signed, for this booking
		field.String("attendee").Optional().Nillable(),              // for this attendee; empty: the customer; null: unknown
		field.UUID("person_id", uuid.UUID{}).Optional().Nillable(),  // the signed-in person
		field.String("actor_kind"),                                  // the recorder
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
		field.String("ip").Default(""),
		field.String("user_agent").Default(""),
	}
}

func (AgreementAcceptance) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "customer_id", "document_id", "created_at", "id").StorageKey("agreement_acceptances_of_customer"),
		index.Fields("business_id", "document_id", "created_at", "id").StorageKey("agreement_acceptances_of_document"),
		index.Fields("business_id", "cart_id", "customer_id", "copy_id", "round", "attendee").Unique().StorageKey("agreement_acceptances_cart_key").
			Annotations(entsql.IndexWhere("cart_id is not null")),
		index.Fields("business_id", "booking_id", "document_id", "attendee").Unique().StorageKey("agreement_acceptances_booking_key").
			Annotations(entsql.IndexWhere("booking_id is not null")),
		index.Fields("business_id", "customer_id", "document_id", "round", "attendee").Unique().StorageKey("agreement_acceptances_paper_key").
			Annotations(entsql.IndexWhere("cart_id is null and booking_id is null")),
	}
}

// whomFor distinguishes acceptances without a known attendee from all others: no name is a space.
const whomFor = "coalesce(attendee, ' ')"

func (AgreementAcceptance) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "agreement_acceptances", Checks: map[string]string{
			"agreement_acceptances_source": "case source when 'checkout' then (cart_id is null or booking_id is null) and person_id is not null and shown is not null " +
				"and shown in ('checkbox', 'full') when 'staff' then cart_id is null and shown is null else false end",
			"agreement_acceptances_round": "round >= 1",
		}},
		Expressions{
			"agreement_acceptances_cart_key": {"attendee": whomFor}, "agreement_acceptances_booking_key": {"attendee": whomFor},
			"agreement_acceptances_paper_key": {"attendee": whomFor},
		},
		References{
			To("customers", "customer_id"), To("agreement_copies", "document_id", "copy_id"), To("bookings", "booking_id"), To("persons", "person_id"),
		},
		AppendOnly{},
		Audited{"ip", "user_agent"},
		Lookup{"id", "business_id", "customer_id", "created_at"},
	}
}
