package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Candidate is a document that a cart may ask for, with the acceptances of its customer that may count. Asked says what of it is asked.
type Candidate struct {
	Document
	Have []Acceptance `json:"have"`
}

// asking is an expression of the Askings of a location, as JSON in the order of the documents, for a person in a cart; which says which
// documents d, words which words of their copies k are read, but which of them are left out. It is sent behind the wall.
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

// earlierCopy is the copy of an acceptance a of a document d, where it is not the one of now. Without words nobody asks for it.
func earlierCopy(words string) string {
	if words != shownWords {
		return "null"
	}
	return `(select ` + asJSON(shownWords, shownTranslations, "null") + ` from agreement_copies k
		where k.business_id = d.business_id and k.id = a.copy_id and k.number <> d.copy_number)`
}

// chosen is the condition that a listing of the cart was chosen for a document d.
func chosen(cart string) string {
	return `exists (select from agreement_listings x join cart_items i on i.offering_id = x.offering_id where x.document_id = d.id and i.cart_id = ` + cart + `)`
}

// The words of the copies that are put before customers as words; those of others are read on a page of their own.
const shownWords = `case when d.show <> 'list' then k.body end`

// shownTranslations are those of the words that are put before customers; of words that are not read there are none.
const shownTranslations = `case when d.show <> 'list' then k.translations end`

// shownHTML is the HTML of those of the words that are put before customers.
const shownHTML = `case when d.show <> 'list' then k.html end`

// copyWith is a copy k with its words, or without them where words is "null".
func copyWith(words string) string {
	if words == shownWords {
		return asJSON(shownWords, shownTranslations, shownHTML)
	}
	return asJSON(words, "null", "null")
}

// customerOf is an expression of the customer that a person is; null for one who is none yet. Said so, and not as a join, it is looked up first, and
// what others have agreed to is not read.
func customerOf(person string) string {
	return `(select who.id from customers who where who.person_id = ` + person + `)`
}

// agreed is a condition on which all that a cart has is answered for a document d, as Document.answers says of what is not booked yet: somebody
// agreed in it without saying for whom, or for themselves and nobody else is named in it. Where others are named, Asked decides.
func agreed(person, cart string) string {
	return `exists (select from agreement_acceptances a
		where a.customer_id = ` + customerOf(person) + ` and a.document_id = d.id and a.round = d.round and (a.cart_id = ` + cart + ` and a.attendee is null
			or coalesce(a.attendee, '') = '' and (d.frequency = 'once' or a.cart_id = ` + cart + `)
				and not exists (select from cart_items i where i.cart_id = ` + cart + ` and i.attendee <> '')))`
}

// OpenOfCart is OfCart without the words, and without the documents that the person has agreed to. What most carts ask for was agreed to
// before: it costs a booking little.
func OpenOfCart(cart string) string {
	return asking(cart+".person_id", cart+".id", cart+".location_id", chosen(cart+".id"), "null", agreed(cart+".person_id", cart+".id"))
}

// OfCart is an expression of the Askings of a cart for the person whose it is, as JSON. cart is an alias of a row of carts in a statement
// that is sent behind the wall. Of words there are those to put before customers.
func OfCart(cart string) string {
	return asking(cart+".person_id", cart+".id", cart+".location_id", chosen(cart+".id"), shownWords, "false")
}

// RequiredOf is what is asked of a person for the items of a cart.
func RequiredOf(ctx context.Context, r pg.Reader, person, location, cart uuid.UUID, wants []Subject) ([]Requirement, error) {
	found, err := pg.One[[]Candidate](ctx, r, `select coalesce(`+asking("$1", "$2", "$3", chosen("$2"), shownWords, "false")+`, '[]') as asking`, person, cart, location)
	return RequiredBy(found, wants), err
}

// RequiredBy is Asked of Askings.
func RequiredBy(found []Candidate, wants []Subject) []Requirement {
	var documents []Document
	var have []Acceptance
	for _, k := range found {
		documents, have = append(documents, k.Document), append(have, k.Have...)
	}
	return Required(documents, wants, have)
}

// askedOfOffering is what an offering asks of a person who has no cart.
func askedOfOffering(ctx context.Context, r pg.Reader, person, location, offering uuid.UUID) ([]Requirement, error) {
	found, err := pg.One[[]Candidate](ctx, r, `select coalesce(`+asking("$1", "null", "$2",
		`exists (select from agreement_listings x where x.document_id = d.id and x.offering_id = $3)`, "null", "false")+`, '[]') as asking`,
		person, location, offering)
	return RequiredBy(found, []Subject{{ID: offering, OfferingID: offering}}), err
}

// acceptanceRow is an acceptance that is being written.
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

// target is what one acceptance is for.
type target struct {
	Booking  *uuid.UUID // nil: for none
	Attendee *string    // as Acceptance.Attendee
}
