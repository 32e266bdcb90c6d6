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
	Show         agreement.Show                `json:"show" doc:"How customers meet it: a box to tick, the words with a button, or the words to be read to their end."`
	Frequency    agreement.Frequency           `json:"frequency" doc:"Asked once, or for every booking."`
	EveryListing bool                          `json:"everyListing" doc:"Every listing of the location asks for it, also one that is added later."`
	OfferingIDs  []uuid.UUID                   `json:"offeringIds" doc:"The listings that were chosen: they ask for it when not every one does."`
	Position     int                           `json:"position" doc:"Lower ones are asked first."`
	ContentID    uuid.UUID                     `json:"contentId" doc:"The copy of now."`
	Path         string                        `json:"path" doc:"Where a browser reads the copy of now."`
	Format       op.Nullable[agreement.Format] `json:"format" doc:"How the words are written; null of a PDF."`
	Body         op.Nullable[string]           `json:"body" doc:"The words; null of a PDF."`
	PageCount    op.Nullable[int]              `json:"pageCount" doc:"Pages of a PDF; null when that is not known."`
	ArchivedAt   *time.Time                    `json:"archivedAt"`
	CreatedAt    time.Time                     `json:"createdAt"`
	UpdatedAt    time.Time                     `json:"updatedAt"`
}

// AgreementCopy is what a document said from one moment on.
type AgreementCopy struct {
	ContentID uuid.UUID                     `json:"contentId" doc:"The copy: what an acceptance names."`
	Number    int                           `json:"number" doc:"1 is the first."`
	Kind      agreement.Kind                `json:"kind"`
	Path      string                        `json:"path" doc:"Where a browser reads it."`
	Format    op.Nullable[agreement.Format] `json:"format" doc:"How the words are written; null of a PDF."`
	Body      op.Nullable[string]           `json:"body" doc:"The words; null of a PDF."`
	Language  string                        `json:"language" doc:"Of the words; empty of a PDF, and of copies from before it was written down."`
	// Translations are there for those who run the place: customers are shown one of them.
	Translations []AgreementTranslation `json:"translations" doc:"The same words in further languages. Whoever reads one of them is shown those, everybody else the words themselves."`
	Bytes        int                    `json:"bytes" doc:"How long the words or the file are."`
	PageCount    op.Nullable[int]       `json:"pageCount" doc:"Pages of a PDF; null when that is not known."`
	WrittenBy    string                 `json:"writtenBy" doc:"Who wrote it; may be empty."`
	CreatedAt    time.Time              `json:"createdAt"`
}

// AgreementTranslation is what a document says in one more language.
type AgreementTranslation struct {
	Language string `json:"language" enum:"en,de,es,fr,it,nl,pt" doc:"Another one than the location's own."`
	Body     string `json:"body" minLength:"1" maxLength:"100000" doc:"The words in it." example:"Participo bajo mi propia responsabilidad."`
}

// ArchivedAgreement tells that a document is archived.
type ArchivedAgreement struct {
	Archived bool `json:"archived" doc:"True: nobody is asked for it any more."`
}

// AgreementPath names a document of the location that the path names.
type AgreementPath struct {
	DocumentID uuid.UUID `path:"documentId" doc:"The document."`
}

type listAgreementsIn struct {
	Archived bool `query:"archived" json:",omitzero" doc:"Those that were archived, instead of those in use."`
}

type createAgreementBody struct {
	Name         string                  `json:"name,omitempty" minLength:"1" maxLength:"120" doc:"Left out: the first line of the words, or what the file is called." example:"Waiver"`
	Body         *string                 `json:"body,omitempty" maxLength:"100000" doc:"The words of a text. Beside a file it is ignored." example:"I take part at my own risk."`
	Format       *agreement.Format       `json:"format,omitempty" doc:"How the words are written; left out: plain."`
	Translations *[]AgreementTranslation `json:"translations,omitempty" maxItems:"6" doc:"The same words in further languages, none of them that of the location. Not in a form."`
	Show         agreement.Show          `json:"show,omitempty" doc:"Left out: list."`
	Frequency    agreement.Frequency     `json:"frequency,omitempty" doc:"Left out: once."`
	EveryListing *bool                   `json:"everyListing,omitempty" doc:"Every listing of the location asks for it; left out: yes. False: none does until it is chosen."`
	OfferingIDs  []uuid.UUID             `json:"offeringIds,omitempty" maxItems:"200" doc:"The listings that ask for it when not every one does."`
	Position     int                     `json:"position,omitempty" minimum:"0" maximum:"1000" doc:"Lower ones are asked first."`
}

type updateAgreementIn struct {
	AgreementPath
	Body updateAgreementBody
}

type updateAgreementBody struct {
	Name         *string                 `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Body         *string                 `json:"body,omitempty" maxLength:"100000" doc:"Other words are a new copy. Beside a file it is ignored."`
	Format       *agreement.Format       `json:"format,omitempty" doc:"How the words are written."`
	Translations *[]AgreementTranslation `json:"translations,omitempty" maxItems:"6" doc:"As a whole. Left out beside another body there are none any more: nobody has said how it reads in them. Others are a new copy. Not in a form."`
	Show         *agreement.Show         `json:"show,omitempty" doc:"How customers meet it."`
	Frequency    *agreement.Frequency    `json:"frequency,omitempty" doc:"Asked once, or for every booking."`
	EveryListing *bool                   `json:"everyListing,omitempty" doc:"Every listing of the location asks for it."`
	OfferingIDs  *[]uuid.UUID            `json:"offeringIds,omitempty" maxItems:"200" doc:"The listings that were chosen, as a whole."`
	Position     *int                    `json:"position,omitempty" minimum:"0" maximum:"1000" doc:"Lower ones are asked first."`
	Reask        bool                    `json:"reask,omitempty" doc:"Everyone is asked again at their next booking."`
}

type replaceOfferingAgreementsIn struct {
	OfferingPath
	Body replaceOfferingAgreementsBody
}

type replaceOfferingAgreementsBody struct {
	DocumentIDs []uuid.UUID `json:"documentIds" maxItems:"100" doc:"Of the documents that not every listing asks for: those that this one does."`
}

func (a *surface) agreements() {
	const list = "/locations/{id}/agreements"
	const one = list + "/{documentId}"
	frozen := []int{400, 401, 403, 404}
	file := &op.FilePart{Most: agreement.FileMax, OrJSON: true, Doc: "A PDF, up to 20 MB: then the document is that, and body is ignored."}
	declare(a, op.Spec{
		ID: "listAgreements", Method: "GET", Path: list, Tag: "catalog", Feature: "location.view", Frozen: true, Errors: frozen[1:],
		Summary: "List agreements", Description: "The waivers and terms of a location in the order in which customers are asked: those in use, or those that were archived.",
	}, a.listAgreements)
	declare(a, op.Spec{
		ID: "createAgreement", Method: "POST", Path: list, Tag: "catalog", Feature: "catalog.manage", Frozen: true, Success: 201, Errors: frozen, File: file,
		Summary: "Add an agreement", Description: "A text, as JSON or a form, or a PDF, as a form with a file. Customers are asked for it from then on: what asks for it cannot be booked without.",
	}, a.createAgreement)
	declare(a, op.Spec{
		ID: "updateAgreement", Method: "PATCH", Path: one, Tag: "catalog", Feature: "catalog.manage", Frozen: true, Errors: frozen, File: file,
		Summary: "Change an agreement",
		Description: "Other words, or another file, are a new copy; customers' records still open the one they agreed to, and what they agreed to counts on, " +
			"unless reask has everyone asked again.",
	}, a.updateAgreement)
	declare(a, op.Spec{
		ID: "archiveAgreement", Method: "POST", Path: one + "/archive", Tag: "catalog", Feature: "catalog.manage", Frozen: true, Errors: frozen[1:], NoReplay: true,
		Summary: "Archive an agreement", Description: "Takes it off every listing. What customers agreed to stays on their records. Again, it changes nothing.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AgreementPath) (ArchivedAgreement, error) {
		d, err := a.Agreement.Archive(ctx, sc, sc.Location, in.DocumentID)
		return ArchivedAgreement{d.ArchivedAt != nil}, err
	})
	declare(a, op.Spec{
		ID: "restoreAgreement", Method: "POST", Path: one + "/restore", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Restore an agreement", Description: "The listings that asked for it do so again. What was agreed to before counts.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AgreementPath) (AgreementDocument, error) {
		d, err := a.Agreement.Restore(ctx, sc, sc.Location, in.DocumentID)
		return showAgreement(sc.Tenant)(d), err
	})
	declare(a, op.Spec{
		ID: "listAgreementCopies", Method: "GET", Path: one + "/copies", Tag: "catalog", Feature: "location.view",
		Summary: "List what an agreement has said", Description: "Its copies, the latest first: at most 200 of them.",
	}, func(ctx context.Context, sc tenancy.Scope, in *AgreementPath) ([]AgreementCopy, error) {
		copies, err := a.Agreement.Copies(ctx, sc, sc.Location, in.DocumentID)
		return wire.Show(copies, func(k agreement.Copy) AgreementCopy { return showCopy(sc.Tenant, k) }), err
	})
	declare(a, op.Spec{
		ID: "replaceOfferingAgreements", Method: "PUT", Path: "/offerings/{id}/agreements", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Say which agreements an offering asks for", Description: "Replaces those that were chosen for it. Answers all that it asks for then, with those of every listing.",
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

// ofWords names the member body of a body.
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

// translated are the translations of a body; nil where it says nothing of them.
func translated(given *[]AgreementTranslation) *[]agreement.Translation {
	if given == nil {
		return nil
	}
	out := wire.Show(*given, func(t AgreementTranslation) agreement.Translation {
		return agreement.Translation{Language: t.Language, Body: t.Body}
	})
	return &out
}

// fileOf is the file of a request; nil without one, and empty, but not nil, for an empty one.
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
