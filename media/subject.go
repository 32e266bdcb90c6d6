package media

import (
	"github.com/google/uuid"
)

// Kind is a kind of record that photos can be shown with.
type Kind string

// The kinds of subject.
const (
	OfBusiness Kind = "business"
	OfLocation Kind = "location"
	OfSpace    Kind = "space"
	OfMember   Kind = "member"
	OfOffering Kind = "offering"
	OfProduct  Kind = "product"
)

// All lists the kinds.
func (Kind) All() []Kind {
	return []Kind{OfBusiness, OfLocation, OfSpace, OfMember, OfOffering, OfProduct}
}

// Subject is a record that photos are shown with: a record of the business, or the business itself.
type Subject struct {
	Kind Kind      `json:"kind"`
	ID   uuid.UUID `json:"id"` // for a business, its own id
}

// Placement shows a photo with a subject.
type Placement struct {
	AssetID    uuid.UUID  `json:"asset_id"`
	Kind       Kind       `json:"kind"`
	SubjectID  uuid.UUID  `json:"subject_id"`
	Name       string     `json:"name"`        // the subject's
	LocationID *uuid.UUID `json:"location_id"` // the subject's; nil: it belongs to the whole business
	Position   int        `json:"position"`    // among the subject's photos, from 1; 1 is the cover
}

// subject is the SQL of a kind of subject.
type subject struct {
	column string // of asset_placements; empty for the business itself
	read   string // reads name and location of the subject $2 of the business $1; no location if business-wide
}

var subjects = map[Kind]subject{
	OfBusiness: {"", `select name, null::uuid as location_id from businesses where business_id = $1 and business_id = $2`},
	OfLocation: {"location_id", `select name, id as location_id from locations where business_id = $1 and id = $2`},
	OfSpace:    {"space_id", `select name, location_id from spaces where business_id = $1 and id = $2`},
	OfMember:   {"member_id", `select name, null::uuid as location_id from members where business_id = $1 and id = $2`},
	OfOffering: {"offering_id", `select name, location_id from offerings where business_id = $1 and id = $2`},
	OfProduct:  {"product_id", `select name, null::uuid as location_id from products where business_id = $1 and id = $2`},
}
