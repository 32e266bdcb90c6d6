package wire

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/web/op"
)

// RequiredAgreement is a document that a cart or a booking asks for. A173-A178.
type RequiredAgreement struct {
	ID        uuid.UUID           `json:"id" doc:"The agreement document."`
	Name      string              `json:"name"`
	Kind      agreement.Kind      `json:"kind"`
	Path      string              `json:"path" doc:"Where a browser reads this copy." example:"/agreements/0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b/0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1c"`
	ContentID uuid.UUID           `json:"contentId" doc:"The copy shown: what an acceptance names."`
	Show      agreement.Show      `json:"show" doc:"A box to tick, the words with a button, or the words to be read to their end."`
	Frequency agreement.Frequency `json:"frequency"`
	Format    agreement.Format    `json:"format,omitempty" doc:"How the words are written; not of a PDF."`
	Body      op.Nullable[string] `json:"body,omitzero" doc:"The words, of a popup or full document; null of a PDF. Not there for one of a list, whose words are at path."`
	PageCount op.Nullable[int]    `json:"pageCount,omitzero" doc:"Of a PDF: its pages, when that is known."`
}

// CartAgreement is a document that a cart asks for.
type CartAgreement struct {
	RequiredAgreement
	ItemIDs []uuid.UUID `json:"itemIds,omitempty" doc:"The items of the cart that ask for it."`
}

// AgreedCartAgreement is a document that a cart asks for and its customer has agreed to. A173.
type AgreedCartAgreement struct {
	CartAgreement
	AcceptedAt time.Time `json:"acceptedAt" doc:"When the caller agreed to it. kind, path, contentId and the words are those of the copy that they agreed to."`
}

// ShowRequired shows a document that is asked, as it is now.
func ShowRequired(business uuid.UUID, k agreement.Requirement) RequiredAgreement {
	return showCopyOf(business, k, k.Copy, "")
}

// ShowAgreed shows a document that is asked and was agreed to, as it was then, and when that was.
func ShowAgreed(business uuid.UUID, k agreement.Requirement) (asked RequiredAgreement, at time.Time) {
	return showCopyOf(business, k, k.AgreedTo(), k.Agreed.Language), k.Agreed.CreatedAt
}

func showCopyOf(business uuid.UUID, k agreement.Requirement, of agreement.Copy, language string) RequiredAgreement {
	out := RequiredAgreement{
		ID: k.ID, Name: k.Name, Kind: of.Kind, Path: agreement.PathIn(business, of.ID, language), ContentID: of.ID, Show: k.Show,
		Frequency: k.Frequency,
	}
	if of.Format != nil {
		out.Format = *of.Format
	}
	if k.Show != agreement.ShowList {
		out.Body = op.NullableOf(of.Body)
	}
	if of.Kind == agreement.KindPDF {
		out.PageCount = op.NullableOf(of.PageCount)
	}
	return out
}

// Acceptance is what the API returns of an acceptance wherever it lists one. The lists of a customer, of a document and of a person
// take the members that their contract has: the names are the same in all.
type Acceptance struct {
	ContentID      uuid.UUID
	ViewPath       string
	Source         agreement.Source
	Shown          op.Nullable[agreement.Shown] // null: on paper. A189
	RecordedByName op.Nullable[string]          // null: the customer agreed themselves. A188
	Attendee       op.Nullable[string]          // null: for themselves
	AcceptedAt     time.Time
}

// ShowAcceptance shows an acceptance of a customer of a business.
func ShowAcceptance(business uuid.UUID, r agreement.Record) Acceptance {
	out := Acceptance{
		ContentID: r.CopyID, ViewPath: agreement.PathIn(business, r.CopyID, r.Language), Source: r.Source, Shown: op.NullableOf(r.Shown),
		RecordedByName: op.NullableOf(r.RecordedBy()), Attendee: op.Null[string](), AcceptedAt: r.CreatedAt,
	}
	if whom := r.For(); whom != "" {
		out.Attendee = op.Some(whom)
	}
	return out
}
