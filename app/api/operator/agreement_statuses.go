package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web/op"
)

// AgreementStatus is the status of a customer for a document of a location. A187, A188.
type AgreementStatus struct {
	DocumentID     uuid.UUID                     `json:"documentId"`
	Name           string                        `json:"name"`
	Kind           agreement.Kind                `json:"kind" doc:"Kind of the signed copy; if unsigned, of the current copy."`
	Status         agreement.AcceptanceState     `json:"status" doc:"Status of the agreement. Not signed means outstanding. For an agreement required for every booking, an upcoming booking still needs it."`
	AcceptedAt     *time.Time                    `json:"acceptedAt" doc:"When it was signed; if a new signature has been required since, when it was last signed."`
	Source         op.Nullable[agreement.Source] `json:"source" doc:"How it was signed: by the customer, in the checkout or before the visit, or on paper recorded by staff."`
	RecordedByName op.Nullable[string]           `json:"recordedByName" doc:"The staff member who recorded it."`
	Shown          op.Nullable[agreement.Shown]  `json:"shown" doc:"How the document was presented: with a checkbox, or read in full to its end; null if signed on paper."`
	ViewPath       op.Nullable[string]           `json:"viewPath" doc:"Path of the signed copy for browsers."`
	Frequency      agreement.Frequency           `json:"frequency"`
}

type agreementStatusesIn struct {
	CustomerPath
	LocationID uuid.UUID `query:"locationId" required:"true" doc:"The location."`
}

type markSignedIn struct {
	CustomerPath
	AgreementPath
	LocationID uuid.UUID `query:"locationId" required:"true" doc:"The location."`
	BookingID  uuid.UUID `query:"bookingId" doc:"For an agreement required for every booking: the booking. The default is every upcoming booking that still needs it."`
	Attendee   string    `query:"attendee" maxLength:"120" doc:"Name of the attendee, for example a child whose parent or guardian signed. The default is every attendee without a signature."`
}

type agreementEvidenceIn struct {
	CustomerPath
	AgreementPath
	LocationID   uuid.UUID `query:"locationId" required:"true" doc:"The location."`
	AcceptanceID uuid.UUID `query:"acceptanceId" doc:"The acceptance. The default is the latest."`
}

func (a *surface) agreementStatuses() {
	const list = "/businesses/{businessId}/customers/{customerId}/agreements"
	frozen := []int{400, 401, 403, 404}
	declare(a, op.Spec{
		ID: "listCustomerAgreements", Method: "GET", Path: list, Tag: "customers", Feature: "crm.view", Frozen: true, Errors: frozen,
		Summary: "List a customer's agreements",
		Description: "Returns the signed agreements of the customer at the location and the outstanding ones: agreements " +
			"required once by any of the customer's bookings, and agreements required for every booking by an upcoming one.",
	}, func(ctx context.Context, sc tenancy.Scope, in *agreementStatusesIn) ([]AgreementStatus, error) {
		all, err := a.Agreement.Statuses(ctx, sc, agreement.StatusInput{CustomerID: in.CustomerID, LocationID: in.LocationID})
		return wire.Show(all, showStatus(sc.Tenant)), err
	})
	declare(a, op.Spec{
		ID: "markAgreementSigned", Method: "POST", Path: list + "/{documentId}/mark-signed", Tag: "customers", Feature: "crm.notes", Frozen: true, Success: 201, Errors: frozen,
		Summary: "Record a signature on paper",
		Description: "Records an acceptance of the current copy under the caller's name. If the agreement is signed " +
			"already, nothing is recorded. The response is that of listCustomerAgreements.",
	}, func(ctx context.Context, sc tenancy.Scope, in *markSignedIn) ([]AgreementStatus, error) {
		all, err := a.Agreement.MarkSigned(ctx, sc, agreement.MarkInput{
			StatusInput: agreement.StatusInput{CustomerID: in.CustomerID, LocationID: in.LocationID}, DocumentID: in.DocumentID,
			BookingID: wire.Optional(in.BookingID), Attendee: wire.Optional(in.Attendee),
		})
		return wire.Show(all, showStatus(sc.Tenant)), err
	})
	declare(a, op.Spec{
		ID: "getAgreementEvidence", Method: "GET", Path: list + "/{documentId}/evidence", Tag: "customers", Feature: "crm.view", Media: "text/html; charset=utf-8",
		Summary: "Get the evidence of an acceptance",
		Description: "Returns a self-contained page to print or share: the exact text or PDF, the signer, the time, the " +
			"presentation, the browser and the booking, with reproducible hashes. Returns 404 if the customer has not signed " +
			"the document.",
	}, a.agreementEvidence)
}

func (a *surface) agreementEvidence(ctx context.Context, sc tenancy.Scope, in *agreementEvidenceIn) (op.Raw, error) {
	e, err := a.Agreement.Evidence(ctx, sc, agreement.EvidenceInput{
		StatusInput: agreement.StatusInput{CustomerID: in.CustomerID, LocationID: in.LocationID}, DocumentID: in.DocumentID,
		AcceptanceID: wire.Optional(in.AcceptanceID),
	})
	if err != nil {
		return op.Raw{}, err
	}
	page, err := view.Evidence(e)
	return op.Download("evidence.html", page), err
}

func showStatus(business uuid.UUID) func(agreement.Status) AgreementStatus {
	return func(s agreement.Status) AgreementStatus {
		out := AgreementStatus{DocumentID: s.DocumentID, Name: s.Name, Kind: s.Kind, Status: s.State, Frequency: s.Frequency}
		if s.Record != nil {
			of := wire.ShowAcceptance(business, *s.Record)
			out.AcceptedAt, out.Source, out.ViewPath = &of.AcceptedAt, op.Some(of.Source), op.Some(of.ViewPath)
			out.Shown, out.RecordedByName = of.Shown, of.RecordedByName
		}
		return out
	}
}
