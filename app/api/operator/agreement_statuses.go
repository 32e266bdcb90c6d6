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

// AgreementStatus is how a customer stands to a document of a location. A187, A188.
type AgreementStatus struct {
	DocumentID     uuid.UUID                     `json:"documentId"`
	Name           string                        `json:"name"`
	Kind           agreement.Kind                `json:"kind" doc:"Of the copy that was agreed to; before that, of the one of now."`
	Status         agreement.AcceptanceState     `json:"status" doc:"Not agreed: it is expected. Of one that is asked for every booking, a booking to come still needs it."`
	AcceptedAt     *time.Time                    `json:"acceptedAt" doc:"When they agreed; where everyone was asked again since, when they did last."`
	Source         op.Nullable[agreement.Source] `json:"source" doc:"Where they agreed."`
	RecordedByName op.Nullable[string]           `json:"recordedByName" doc:"Who of the studio wrote it down."`
	Shown          op.Nullable[agreement.Shown]  `json:"shown" doc:"How it was shown: a tick, or read in full to its end; null of paper."`
	ViewPath       op.Nullable[string]           `json:"viewPath" doc:"Where a browser reads the exact copy that was agreed to."`
	Frequency      agreement.Frequency           `json:"frequency"`
}

type agreementStatusesIn struct {
	CustomerPath
	LocationID uuid.UUID `query:"locationId" required:"true" doc:"At which location."`
}

type markSignedIn struct {
	CustomerPath
	AgreementPath
	LocationID uuid.UUID `query:"locationId" required:"true" doc:"At which location."`
	BookingID  uuid.UUID `query:"bookingId" doc:"For which booking, of a document that is asked for each; left out: for every one to come that still needs it."`
	Attendee   string    `query:"attendee" maxLength:"120" doc:"For whom, by name, where a parent or guardian signed for a child, say; left out: for everybody of whom it is missing."`
}

type agreementEvidenceIn struct {
	CustomerPath
	AgreementPath
	LocationID   uuid.UUID `query:"locationId" required:"true" doc:"At which location."`
	AcceptanceID uuid.UUID `query:"acceptanceId" doc:"Which of the times that they agreed; left out: the last."`
}

func (a *surface) agreementStatuses() {
	const list = "/businesses/{businessId}/customers/{customerId}/agreements"
	frozen := []int{400, 401, 403, 404}
	declare(a, op.Spec{
		ID: "listCustomerAgreements", Method: "GET", Path: list, Tag: "customers", Feature: "crm.view", Frozen: true, Errors: frozen,
		Summary: "See what a customer agreed to",
		Description: "What they agreed to at the location and what is still expected of them there: what is asked once by something they have booked, " +
			"and what is asked for every booking by one that is to come.",
	}, func(ctx context.Context, sc tenancy.Scope, in *agreementStatusesIn) ([]AgreementStatus, error) {
		all, err := a.Agreement.Statuses(ctx, sc, agreement.StatusInput{CustomerID: in.CustomerID, LocationID: in.LocationID})
		return wire.Show(all, showStatus(sc.Tenant)), err
	})
	declare(a, op.Spec{
		ID: "markAgreementSigned", Method: "POST", Path: list + "/{documentId}/mark-signed", Tag: "customers", Feature: "crm.notes", Frozen: true, Success: 201, Errors: frozen,
		Summary: "Write down that a customer has signed",
		Description: "Records an acceptance of the copy of now under the caller's name. While they have agreed to it nothing is recorded. " +
			"Answers what listCustomerAgreements does.",
	}, func(ctx context.Context, sc tenancy.Scope, in *markSignedIn) ([]AgreementStatus, error) {
		all, err := a.Agreement.MarkSigned(ctx, sc, agreement.MarkInput{
			StatusInput: agreement.StatusInput{CustomerID: in.CustomerID, LocationID: in.LocationID}, DocumentID: in.DocumentID,
			BookingID: wire.AppointmentOptions(in.BookingID), Attendee: wire.AppointmentOptions(in.Attendee),
		})
		return wire.Show(all, showStatus(sc.Tenant)), err
	})
	declare(a, op.Spec{
		ID: "getAgreementEvidence", Method: "GET", Path: list + "/{documentId}/evidence", Tag: "customers", Feature: "crm.view", Media: "text/html; charset=utf-8",
		Summary: "Get the evidence that a customer agreed",
		Description: "A page that needs nothing but itself, to print or to hand on: the exact words or the PDF, who agreed to them, when, how they were shown, " +
			"from which browser and for which booking, with hashes that anybody can compute again. 404 where they have not agreed to the document.",
	}, a.agreementEvidence)
}

func (a *surface) agreementEvidence(ctx context.Context, sc tenancy.Scope, in *agreementEvidenceIn) (op.Raw, error) {
	e, err := a.Agreement.Evidence(ctx, sc, agreement.EvidenceInput{
		StatusInput: agreement.StatusInput{CustomerID: in.CustomerID, LocationID: in.LocationID}, DocumentID: in.DocumentID,
		AcceptanceID: wire.AppointmentOptions(in.AcceptanceID),
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
