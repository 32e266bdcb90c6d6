package wire

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/web/op"
)

// CartAgreement is a document that a cart asks for. A173-A178.
type CartAgreement struct {
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
	ItemIDs   []uuid.UUID         `json:"itemIds,omitempty" doc:"The items of the cart that ask for it."`
}

// AgreedCartAgreement is a document that a cart asks for and its customer has agreed to. A173.
type AgreedCartAgreement struct {
	CartAgreement
	AcceptedAt time.Time `json:"acceptedAt" doc:"When the caller agreed to it. kind, path, contentId and the words are those of the copy that they agreed to."`
}

// ShowCartAgreement shows a document that is asked, as it is now.
func ShowCartAgreement(business uuid.UUID, k agreement.Ask) CartAgreement {
	return showCopyOf(business, k, k.Copy, "")
}

// ShowAgreed shows a document that is asked and was agreed to, as it was then.
func ShowAgreed(business uuid.UUID, k agreement.Ask) AgreedCartAgreement {
	return AgreedCartAgreement{showCopyOf(business, k, k.AgreedTo(), k.Agreed.Language), k.Agreed.CreatedAt}
}

func showCopyOf(business uuid.UUID, k agreement.Ask, of agreement.Copy, language string) CartAgreement {
	out := CartAgreement{
		ID: k.ID, Name: k.Name, Kind: of.Kind, Path: agreement.PathIn(business, of.ID, language), ContentID: of.ID, Show: k.Show,
		Frequency: k.Frequency, ItemIDs: k.Wants,
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

// ForWhom shows whom somebody agreed for; null: for themselves.
func ForWhom(attendee *string) op.Nullable[string] {
	if attendee == nil || *attendee == "" {
		return op.Null[string]()
	}
	return op.Some(*attendee)
}
