package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Candidate is a document that a cart may require, with the acceptances of its customer that may count. Required
// decides.
type Candidate struct {
	Document
	Have []Acceptance `json:"have"`
}

// asking returns an expression of the Candidates of a location, as JSON in the order of the documents, for a person
// in a cart. which is a condition on documents d, words selects the text of their copies k, and but is a condition
// that leaves documents out. The expression runs within the tenant.
func asking(person, cart, location, which, words, but string) string {
	return `(select jsonb_agg(jsonb_build_object('id', d.id, 'location_id', d.location_id, 'name', d.name, 'show', d.show, 'frequency', d.frequency,
			'every_listing', d.every_listing, 'round', d.round, 'copy_number', d.copy_number, 'offering_ids', ` + listings + `,
			'copy', ` + copyWith(words) + `, 'have', (
				select jsonb_agg(jsonb_build_object('id', a.id, 'document_id', a.document_id, 'copy_id', a.copy_id, 'round', a.round,
					'cart_id', a.cart_id, 'attendee', a.attendee, 'language', a.language, 'created_at', a.created_at, 'copy', ` + earlierCopy(words) + `))
				from agreement_acceptances a
				where a.customer_id = ` + customerOf(person) + ` and a.document_id = d.id and (a.cart_id = ` + cart + ` or d.frequency = 'once' and a.round = d.round)
			)) order by d.position, d.created_at, d.id)
		from agreement_documents d join agreement_copies k on k.document_id = d.id and k.number = d.copy_number
		where d.location_id = ` + location + ` and d.archived_at is null and (d.every_listing or ` + which + `) and not (` + but + `))`
}

// earlierCopy returns an expression of the copy of an acceptance a of a document d, if it is not the current one. It
// is null without words.
func earlierCopy(words string) string {
	if words != shownWords {
		return "null"
	}
	return `(select ` + asJSON(shownWords, shownTranslations, "null") + ` from agreement_copies k
		where k.business_id = d.business_id and k.id = a.copy_id and k.number <> d.copy_number)`
}

// chosen returns the condition that an offering of the cart is listed for a document d.
func chosen(cart string) string {
	return `exists (select from agreement_listings x join cart_items i on i.offering_id = x.offering_id where x.document_id = d.id and i.cart_id = ` + cart + `)`
}

// shownWords is the text of copies that are shown inline; the others are read on a page of their own.
const shownWords = `case when d.show <> 'list' then k.body end`

// shownTranslations are the translations of shownWords; null where the text is not read.
const shownTranslations = `case when d.show <> 'list' then k.translations end`

// shownHTML is the HTML of shownWords.
const shownHTML = `case when d.show <> 'list' then k.html end`

// copyWith returns an expression of a copy k with its text, or without it where words is "null".
func copyWith(words string) string {
	if words == shownWords {
		return asJSON(shownWords, shownTranslations, shownHTML)
	}
	return asJSON(words, "null", "null")
}

// customerOf returns an expression of the customer of a person; null without one. As a subquery, not a join, it runs
// first, so other customers' acceptances are not read.
func customerOf(person string) string {
	return `(select who.id from customers who where who.person_id = ` + person + `)`
}

// agreed returns the condition that everything in a cart has an acceptance of a document d, by the rule of
// Document.answers for items not booked yet: an acceptance without attendees, or one of the customer in a cart that
// names no attendee. With named attendees, Required decides.
func agreed(person, cart string) string {
	return `exists (select from agreement_acceptances a
		where a.customer_id = ` + customerOf(person) + ` and a.document_id = d.id and a.round = d.round and (a.cart_id = ` + cart + ` and a.attendee is null
			or coalesce(a.attendee, '') = '' and (d.frequency = 'once' or a.cart_id = ` + cart + `)
				and not exists (select from cart_items i where i.cart_id = ` + cart + ` and i.attendee <> '')))`
}

// OpenOfCart is OfCart without the text, and without the documents that the person has signed. Most carts require
// only documents signed before, so it adds little cost to a booking.
func OpenOfCart(cart string) string {
	return asking(cart+".person_id", cart+".id", cart+".location_id", chosen(cart+".id"), "null", agreed(cart+".person_id", cart+".id"))
}

// OfCart returns an expression of the Candidates of a cart for its person, as JSON. cart is an alias of a row of
// carts in a statement within the tenant. Of texts it reads those shown inline.
func OfCart(cart string) string {
	return asking(cart+".person_id", cart+".id", cart+".location_id", chosen(cart+".id"), shownWords, "false")
}

// RequiredOf returns the documents required of a person for the items of a cart.
func RequiredOf(ctx context.Context, r pg.Reader, person, location, cart uuid.UUID, wants []Subject) ([]Requirement, error) {
	found, err := pg.One[[]Candidate](ctx, r, `select coalesce(`+asking("$1", "$2", "$3", chosen("$2"), shownWords, "false")+`, '[]') as asking`, person, cart, location)
	return RequiredBy(found, wants), err
}

// RequiredBy is Required for Candidates.
func RequiredBy(found []Candidate, wants []Subject) []Requirement {
	var documents []Document
	var have []Acceptance
	for _, k := range found {
		documents, have = append(documents, k.Document), append(have, k.Have...)
	}
	return Required(documents, wants, have)
}

// askedOfOffering returns the documents that an offering requires of a person without a cart.
func askedOfOffering(ctx context.Context, r pg.Reader, person, location, offering uuid.UUID) ([]Requirement, error) {
	found, err := pg.One[[]Candidate](ctx, r, `select coalesce(`+asking("$1", "null", "$2",
		`exists (select from agreement_listings x where x.document_id = d.id and x.offering_id = $3)`, "null", "false")+`, '[]') as asking`,
		person, location, offering)
	return RequiredBy(found, []Subject{{ID: offering, OfferingID: offering}}), err
}

// acceptanceRow is an acceptance to write.
type acceptanceRow struct {
	Document
	Customer  uuid.UUID
	Source    Source
	Shown     *Shown
	Language  string
	Cart      *uuid.UUID
	For       []target // one acceptance each
	Person    *uuid.UUID
	UserAgent string
}

// target is the subject of one acceptance.
type target struct {
	Booking  *uuid.UUID // nil: for none
	Attendee *string    // as Acceptance.Attendee
}
