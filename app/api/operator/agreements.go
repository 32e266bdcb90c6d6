package operator

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/api/wire"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// AgreementDocument is a waiver or terms of a location.
type AgreementDocument struct {
	ID           uuid.UUID                     `json:"id"`
	LocationID   uuid.UUID                     `json:"locationId"`
	Name         string                        `json:"name" example:"Waiver"`
	Kind         agreement.Kind                `json:"kind"`
	Show         agreement.Show                `json:"show" doc:"Presentation to customers: a checkbox, the text with a button, or the text to be read to its end."`
	Frequency    agreement.Frequency           `json:"frequency" doc:"Whether it is required once or for every booking."`
	EveryListing bool                          `json:"everyListing" doc:"Whether every listing of the location requires it, including listings added later."`
	OfferingIDs  []uuid.UUID                   `json:"offeringIds" doc:"Listings that require it, if everyListing is false."`
	Position     int                           `json:"position" doc:"Sort order in the checkout; lower values come first."`
	ContentID    uuid.UUID                     `json:"contentId" doc:"The current copy."`
	Path         string                        `json:"path" doc:"Path of the current copy for browsers."`
	Format       op.Nullable[agreement.Format] `json:"format" doc:"Markup of the text; null for a PDF."`
	Body         op.Nullable[string]           `json:"body" doc:"The text; null for a PDF."`
	PageCount    op.Nullable[int]              `json:"pageCount" doc:"Number of pages of a PDF; null if unknown."`
	ArchivedAt   *time.Time                    `json:"archivedAt"`
	CreatedAt    time.Time                     `json:"createdAt"`
	UpdatedAt    time.Time                     `json:"updatedAt"`
}

// AgreementCopy is the text or PDF of a document from one moment on.
type AgreementCopy struct {
	ContentID uuid.UUID                     `json:"contentId" doc:"The copy. An acceptance names it."`
	Number    int                           `json:"number" doc:"Number of the copy, starting at 1."`
	Kind      agreement.Kind                `json:"kind"`
	Path      string                        `json:"path" doc:"Path of the copy for browsers."`
	Format    op.Nullable[agreement.Format] `json:"format" doc:"Markup of the text; null for a PDF."`
	Body      op.Nullable[string]           `json:"body" doc:"The text; null for a PDF."`
	Language  string                        `json:"language" doc:"Language of the text; empty for a PDF, and for copies older than this field."`
	// Translations are for the team: a customer sees one language only.
	Translations []AgreementTranslation `json:"translations" doc:"The same text in further languages. Customers see the one in their language, or else the text itself."`
	Bytes        int                    `json:"bytes" doc:"Length of the text or the file in bytes."`
	PageCount    op.Nullable[int]       `json:"pageCount" doc:"Number of pages of a PDF; null if unknown."`
	WrittenBy    string                 `json:"writtenBy" doc:"Author of the copy; may be empty."`
	CreatedAt    time.Time              `json:"createdAt"`
}

// AgreementTranslation is the text of a document in one more language.
type AgreementTranslation struct {
	Language string `json:"language" enum:"en,de,es,fr,it,nl,pt" doc:"Language, other than the location's own."`
	Body     string `json:"body" minLength:"1" maxLength:"100000" doc:"The text in that language." example:"Participo bajo mi propia responsabilidad."`
}

// ArchivedAgreement confirms that a document is archived.
type ArchivedAgreement struct {
	Archived bool `json:"archived" doc:"Always true: the document is no longer required."`
}

// AgreementPath is the path of a document of a location.
type AgreementPath struct {
	DocumentID uuid.UUID `path:"documentId" doc:"The document."`
}

type listAgreementsIn struct {
	Archived bool `query:"archived" json:",omitzero" doc:"Only archived documents. The default is documents in use."`
}

type createAgreementBody struct {
	Name         string                  `json:"name,omitempty" minLength:"1" maxLength:"120" doc:"Name of the document. The default is the first line of the text or the file name." example:"Waiver"`
	Body         *string                 `json:"body,omitempty" maxLength:"100000" doc:"The text. It is ignored if a file is sent." example:"I take part at my own risk."`
	Format       *agreement.Format       `json:"format,omitempty" doc:"Markup of the text. The default is plain."`
	Translations *[]AgreementTranslation `json:"translations,omitempty" maxItems:"6" doc:"The same text in further languages, other than the location's. Not available in a form."`
	Show         agreement.Show          `json:"show,omitempty" doc:"Presentation to customers. The default is list."`
	Frequency    agreement.Frequency     `json:"frequency,omitempty" doc:"How often it is required. The default is once."`
	EveryListing *bool                   `json:"everyListing,omitempty" doc:"Whether every listing of the location requires it. The default is true. If false, no listing requires it until it is chosen."`
	OfferingIDs  []uuid.UUID             `json:"offeringIds,omitempty" maxItems:"200" doc:"Listings that require it, if everyListing is false."`
	Position     int                     `json:"position,omitempty" minimum:"0" maximum:"1000" doc:"Sort order in the checkout; lower values come first."`
}

type updateAgreementIn struct {
	AgreementPath
	Body updateAgreementBody
}

type updateAgreementBody struct {
	Name         *string                 `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Body         *string                 `json:"body,omitempty" maxLength:"100000" doc:"The text. A different text creates a new copy. It is ignored if a file is sent."`
	Format       *agreement.Format       `json:"format,omitempty" doc:"Markup of the text."`
	Translations *[]AgreementTranslation `json:"translations,omitempty" maxItems:"6" doc:"Translations. Replaces the whole list. If left out next to another body, the translations are deleted. Different translations create a new copy. Not available in a form."`
	Show         *agreement.Show         `json:"show,omitempty" doc:"Presentation to customers."`
	Frequency    *agreement.Frequency    `json:"frequency,omitempty" doc:"Whether it is required once or for every booking."`
	EveryListing *bool                   `json:"everyListing,omitempty" doc:"Whether every listing of the location requires it."`
	OfferingIDs  *[]uuid.UUID            `json:"offeringIds,omitempty" maxItems:"200" doc:"Listings that require it. Replaces the whole list."`
	Position     *int                    `json:"position,omitempty" minimum:"0" maximum:"1000" doc:"Sort order in the checkout; lower values come first."`
	Reask        bool                    `json:"reask,omitempty" doc:"Whether every customer must sign again at the next booking."`
}

type replaceOfferingAgreementsIn struct {
	OfferingPath
	Body replaceOfferingAgreementsBody
}

type replaceOfferingAgreementsBody struct {
	DocumentIDs []uuid.UUID `json:"documentIds" maxItems:"100" doc:"The agreements this listing requires, of those without everyListing."`
}

func (a *surface) agreements() {
	const list = "/locations/{id}/agreements"
	const one = list + "/{documentId}"
	frozen := []int{400, 401, 403, 404}
	file := &op.FilePart{
		Most: agreement.FileMax, Types: []string{"application/pdf"}, OrJSON: true,
		Doc: "A PDF, up to 20 MB. It becomes the document, and body is ignored.",
	}
	declare(a, op.Spec{
		ID: "listAgreements", Method: "GET", Path: list, Tag: "catalog", Feature: "location.view", Frozen: true, Errors: frozen[1:],
		Summary: "List agreements",
		Description: "Returns the waivers and terms of a location in the order of the checkout: those in use or, with " +
			"archived, the archived ones.",
	}, a.listAgreements)
	declare(a, op.Spec{
		ID: "createAgreement", Method: "POST", Path: list, Tag: "catalog", Feature: "catalog.manage", Frozen: true, Success: 201, Errors: frozen, File: file,
		Summary: "Create an agreement",
		Description: "Accepts a text, as JSON or a form, or a PDF, as a form with a file. Customers must sign it from then " +
			"on: a listing that requires it cannot be booked without a signature.",
	}, a.createAgreement)
	declare(a, op.Spec{
		ID: "updateAgreement", Method: "PATCH", Path: one, Tag: "catalog", Feature: "catalog.manage", Frozen: true, Errors: frozen, File: file,
		Summary: "Update an agreement",
		Description: "A different text or file creates a new copy. Customers' records keep the signed copy, and signatures " +
			"stay valid unless reask is true.",
	}, a.updateAgreement)
	declare(a, op.Spec{
		ID: "archiveAgreement", Method: "POST", Path: one + "/archive", Tag: "catalog", Feature: "catalog.manage", Frozen: true, Errors: frozen[1:], NoReplay: true,
		Summary: "Archive an agreement",
		Description: "Removes the requirement from every listing. Signatures stay on the customers' records. Repeating the " +
			"call changes nothing.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AgreementPath) (ArchivedAgreement, error) {
		d, err := a.Agreement.Archive(ctx, sc, sc.Location, in.DocumentID)
		return ArchivedAgreement{d.ArchivedAt != nil}, err
	})
	declare(a, op.Spec{
		ID: "restoreAgreement", Method: "POST", Path: one + "/restore", Tag: "catalog", Feature: "catalog.manage",
		Summary:     "Restore an agreement",
		Description: "The listings that required it require it again. Earlier signatures are valid.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AgreementPath) (AgreementDocument, error) {
		d, err := a.Agreement.Restore(ctx, sc, sc.Location, in.DocumentID)
		return showAgreement(sc.Tenant)(d), err
	})
	declare(a, op.Spec{
		ID: "listAgreementCopies", Method: "GET", Path: one + "/copies", Tag: "catalog", Feature: "location.view",
		Summary: "List the copies of an agreement", Description: "Returns the copies, latest first, at most 200.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AgreementPath) ([]AgreementCopy, error) {
		copies, err := a.Agreement.Copies(ctx, sc, sc.Location, in.DocumentID)
		return wire.Show(copies, func(k agreement.Copy) AgreementCopy { return showCopy(sc.Tenant, k) }), err
	})
	declare(a, op.Spec{
		ID: "replaceOfferingAgreements", Method: "PUT", Path: "/offerings/{id}/agreements", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Replace the agreements of an offering",
		Description: "Replaces the agreements chosen for the offering. Returns all agreements it then requires, including " +
			"those of every listing.",
	}, func(ctx context.Context, sc tenancy.Scope, in *replaceOfferingAgreementsIn) ([]AgreementDocument, error) {
		all, err := a.Agreement.SetOfDocuments(ctx, sc, in.ID, in.Body.DocumentIDs)
		return wire.Show(all, showAgreement(sc.Tenant)), err
	})
}

func (a *surface) listAgreements(ctx context.Context, sc tenancy.Scope, in *listAgreementsIn) ([]AgreementDocument, error) {
	all, err := a.Agreement.List(ctx, sc, sc.Location, in.Archived)
	return wire.Show(all, showAgreement(sc.Tenant)), err
}

func (a *surface) createAgreement(ctx context.Context, sc tenancy.Scope, in *wire.Body[createAgreementBody]) (AgreementDocument, error) {
	b := in.Body
	if f := op.FileOf(ctx); f != nil && b.Name == "" {
		b.Name = strings.TrimSuffix(f.Name, ".pdf")
	}
	d, err := a.Agreement.Create(ctx, sc, agreement.CreateInput{
		LocationID: sc.Location, Name: b.Name, Show: b.Show, Frequency: b.Frequency, EveryListing: b.EveryListing == nil || *b.EveryListing,
		OfferingIDs: b.OfferingIDs, Position: b.Position, Content: agreement.Content{Body: b.Body, Format: b.Format, File: fileOf(ctx), Translations: translated(b.Translations)},
	})
	return showAgreement(sc.Tenant)(d), ofWords(err)
}

func (a *surface) updateAgreement(ctx context.Context, sc tenancy.Scope, in *updateAgreementIn) (AgreementDocument, error) {
	b := in.Body
	d, err := a.Agreement.Update(ctx, sc, agreement.UpdateInput{
		LocationID: sc.Location, ID: in.DocumentID, Name: b.Name, Show: b.Show, Frequency: b.Frequency, EveryListing: b.EveryListing,
		OfferingIDs: b.OfferingIDs, Position: b.Position, Reask: b.Reask,
		Content: agreement.Content{Body: b.Body, Format: b.Format, File: fileOf(ctx), Translations: translated(b.Translations)},
	})
	return showAgreement(sc.Tenant)(d), ofWords(err)
}

// ofWords names the member body in an error.
func ofWords(err error) error {
	f := fault.From(err)
	if f == nil {
		return err
	}
	return f.At(func(field string) string {
		if field == "body" {
			return "body.body"
		}
		return field
	})
}

// translated returns the translations of a body, or nil if it has none.
func translated(given *[]AgreementTranslation) *[]agreement.Translation {
	if given == nil {
		return nil
	}
	out := wire.Show(*given, func(t AgreementTranslation) agreement.Translation {
		return agreement.Translation{Language: t.Language, Body: t.Body}
	})
	return &out
}

// fileOf returns the file of a request. It is nil without a file, and empty but not nil for an empty one.
func fileOf(ctx context.Context) []byte {
	f := op.FileOf(ctx)
	switch {
	case f == nil:
		return nil
	case f.Data == nil:
		return []byte{}
	}
	return f.Data
}

func showAgreement(business uuid.UUID) func(agreement.Document) AgreementDocument {
	return func(d agreement.Document) AgreementDocument {
		k := showCopy(business, d.Copy)
		return AgreementDocument{
			ID: d.ID, LocationID: d.LocationID, Name: d.Name, Kind: k.Kind, Show: d.Show, Frequency: d.Frequency, EveryListing: d.EveryListing,
			OfferingIDs: wire.Show(d.OfferingIDs, same), Position: d.Position, ContentID: k.ContentID, Path: k.Path, Format: k.Format, Body: k.Body,
			PageCount: k.PageCount, ArchivedAt: d.ArchivedAt, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
		}
	}
}

func showCopy(business uuid.UUID, k agreement.Copy) AgreementCopy {
	return AgreementCopy{
		ContentID: k.ID, Number: k.Number, Kind: k.Kind, Path: agreement.Path(business, k.ID), Body: op.NullableOf(k.Body), Bytes: k.Bytes,
		Format:   op.NullableOf(k.Format),
		Language: k.Language, Translations: wire.Show(k.Translations, func(t agreement.Translation) AgreementTranslation {
			return AgreementTranslation{t.Language, t.Body}
		}),
		PageCount: op.NullableOf(k.PageCount), WrittenBy: k.ActorName, CreatedAt: k.CreatedAt,
	}
}
