package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Asset is a photo of a business. Its bytes are in the file store, under the business and the photo's id.
type Asset struct{ editedTable }

func (Asset) Fields() []ent.Field {
	return []ent.Field{
		field.String("sha256"),                 // of the original, in hexadecimal
		field.String("format"),                 // of the original
		field.Int64("bytes"),                   // of the original
		field.Int("width").SchemaType(integer), // upright, in pixels
		field.Int("height").SchemaType(integer),
		field.String("color"), // the dominant one
		field.Bytes("blur"),   // a picture of a few pixels, to be shown while the photo loads
		field.String("title"),
		field.String("alt").Default(""), // alternative text
		field.JSON("tags", []string{}).Default([]string{}).Annotations(emptyList),
		field.JSON("sizes", []int{}).Annotations(emptyList), // its widths
		field.Int("made").SchemaType(integer).Default(0),    // number of finished widths
		field.String("state").Default("processing"),
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (Asset) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "sha256").Unique().StorageKey("assets_bytes_key"),
		index.Fields("business_id", "created_at").StorageKey("assets_by_time"),
		index.Fields("id").StorageKey("assets_directory"),
		index.Fields("updated_at").StorageKey("assets_due").Annotations(entsql.IndexWhere("state = 'processing'")),
	}
}

func (Asset) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "assets", Checks: map[string]string{
			"assets_sha256": "sha256 ~ '^[0-9a-f]{64}$'",
			"assets_format": "format in ('jpeg', 'png', 'gif', 'webp')",
			"assets_size":   "bytes > 0 and width between 1 and 12000 and height between 1 and 12000",
			"assets_color":  "color ~ '^#[0-9a-f]{6}$'",
			"assets_state":  "state in ('processing', 'ready', 'failed')",
			"assets_made":   "made between 0 and jsonb_array_length(sizes) and (state <> 'ready' or made = jsonb_array_length(sizes))",
		}},
		References{To("businesses", "business_id")},
		Lookup{"id", "business_id", "state", "updated_at"},
		Audited{"blur", "sha256", "made", "color"},
	}
}

// AssetPlacement is the use of a photo on a record, with its position. Without a record it is the business itself.
type AssetPlacement struct{ tenantTable }

func (AssetPlacement) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("asset_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("space_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("member_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("offering_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("product_id", uuid.UUID{}).Optional().Nillable(),
		field.Int("position").SchemaType(integer), // 1 is the cover
	}
}

func (AssetPlacement) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "asset_id", "offering_id").Unique().StorageKey("asset_placements_once"),
		index.Fields("business_id", "offering_id", "position").StorageKey("asset_placements_of_subject"),
	}
}

func (AssetPlacement) Annotations() []schema.Annotation {
	const subject = "coalesce(location_id, space_id, member_id, offering_id, product_id, business_id)"
	return []schema.Annotation{
		entsql.Annotation{Table: "asset_placements", Checks: map[string]string{
			"asset_placements_subject":  "num_nonnulls(location_id, space_id, member_id, offering_id, product_id) <= 1",
			"asset_placements_position": "position >= 1",
		}},
		References{
			PartOf("assets", "asset_id"), To("businesses", "business_id"), To("locations", "location_id"), To("spaces", "space_id"), To("members", "member_id"),
			To("offerings", "offering_id"), To("products", "product_id"),
		},
		Expressions{"asset_placements_once": {"offering_id": subject}, "asset_placements_of_subject": {"offering_id": subject}},
		Audited{},
	}
}

// AssetLeftover lists the possible files of a deleted photo, or of a failed upload, to be deleted from due_at on. Its
// id is the photo's.
type AssetLeftover struct{ tenantTable }

func (AssetLeftover) Fields() []ent.Field {
	return []ent.Field{field.Time("due_at").SchemaType(instant)}
}

func (AssetLeftover) Indexes() []ent.Index {
	return []ent.Index{index.Fields("due_at").StorageKey("asset_leftovers_due")}
}

func (AssetLeftover) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "asset_leftovers"},
		References{To("businesses", "business_id")},
		Lookup{"id", "business_id", "due_at"},
	}
}
