package wire

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/web/op"
)

// RequiredAgreement is a required agreement of a cart or a booking. A173-A178.
type RequiredAgreement struct {
	ID        uuid.UUID           `json:"id" doc:"The agreement document."`
	Name      string              `json:"name"`
	Kind      agreement.Kind      `json:"kind"`
	Path      string              `json:"path" doc:"Path of this copy for browsers." example:"/agreements/0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b/0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1c"`
	ContentID uuid.UUID           `json:"contentId" doc:"The copy shown. An acceptance names it."`
	Show      agreement.Show      `json:"show" doc:"Presentation: a checkbox, the text with a button, or the text to be read to its end."`
	Frequency agreement.Frequency `json:"frequency"`
	Format    agreement.Format    `json:"format,omitempty" doc:"Markup of the text; absent for a PDF."`
	Body      op.Nullable[string] `json:"body,omitzero" doc:"Text of a popup or full document; null for a PDF. Absent for the list presentation, whose text is at path."`
	PageCount op.Nullable[int]    `json:"pageCount,omitzero" doc:"Number of pages of a PDF, if known."`
}

// CartAgreement is a required agreement of a cart.
type CartAgreement struct {
	RequiredAgreement
	ItemIDs []uuid.UUID `json:"itemIds,omitempty" doc:"Items of the cart that require it."`
}

// AgreedCartAgreement is a required agreement of a cart that its customer has signed. A173.
type AgreedCartAgreement struct {
	CartAgreement
	AcceptedAt time.Time `json:"acceptedAt" doc:"When the caller signed it. kind, path, contentId and the text are those of the signed copy."`
}

// ShowRequired returns a required agreement with its current copy.
func ShowRequired(business uuid.UUID, k agreement.Requirement) RequiredAgreement {
	return showCopyOf(business, k, k.Copy, "")
}

// ShowAgreed returns a required agreement with its signed copy, and the time of the acceptance.
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

// Acceptance is an acceptance in any list of the API. The lists of a customer, of a document and of a person have the
// members of their contract; the names are the same in all.
type Acceptance struct {
	ContentID      uuid.UUID
	ViewPath       string
	Source         agreement.Source
	Shown          op.Nullable[agreement.Shown] // null if signed on paper. A189
	RecordedByName op.Nullable[string]          // null if signed by the customer. A188
	Attendee       op.Nullable[string]          // null if the customer attends
	AcceptedAt     time.Time
}

// ShowAcceptance returns an acceptance of a customer of a business.
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
