package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/api/wire"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// AgreementSigner is a customer or attendee with an acceptance of a document, and the latest one.
type AgreementSigner struct {
	AcceptanceID   uuid.UUID                    `json:"acceptanceId" doc:"The acceptance; identifies it in requests for its evidence."`
	CustomerID     uuid.UUID                    `json:"customerId"`
	CustomerName   string                       `json:"customerName" doc:"The customer's name; may be empty."`
	CustomerEmail  string                       `json:"customerEmail" doc:"The customer's email address; may be empty."`
	Attendee       op.Nullable[string]          `json:"attendee" doc:"The attendee of this signature, if the customer signed as their parent or guardian or with permission; null if the customer signed for themselves."`
	ContentID      uuid.UUID                    `json:"contentId" doc:"The signed copy."`
	CopyNumber     int                          `json:"copyNumber" doc:"Number of the signed copy, starting at 1."`
	ViewPath       string                       `json:"viewPath" doc:"Path of the signed copy for browsers."`
	Counts         bool                         `json:"counts" doc:"Whether the acceptance is valid. False if a new signature has been required since."`
	Source         agreement.Source             `json:"source" doc:"How it was signed: by the customer, in the checkout or before the visit, or on paper recorded by staff."`
	Shown          op.Nullable[agreement.Shown] `json:"shown" doc:"How the document was presented: with a checkbox, or read in full to its end; null if signed on paper."`
	RecordedByName op.Nullable[string]          `json:"recordedByName" doc:"The staff member who recorded it."`
	AcceptedAt     time.Time                    `json:"acceptedAt"`
}

// OutstandingAgreement is a customer with upcoming bookings that still require a document.
type OutstandingAgreement struct {
	CustomerID    uuid.UUID `json:"customerId"`
	CustomerName  string    `json:"customerName" doc:"The customer's name; may be empty."`
	CustomerEmail string    `json:"customerEmail" doc:"The customer's email address; may be empty."`
	Bookings      int       `json:"bookings" doc:"Number of the customer's upcoming bookings that still require it."`
	NextBookingID uuid.UUID `json:"nextBookingId" doc:"The earliest of those bookings."`
	NextAt        time.Time `json:"nextAt" doc:"Start of the earliest of those bookings."`
}

type agreementPeopleIn struct {
	AgreementPath
	op.Page
}

func (a *surface) agreementPeople() {
	const one = "/locations/{id}/agreements/{documentId}"
	ask := func(sc tenancy.Scope, in *agreementPeopleIn, page paging.In[paging.Moment]) agreement.PeopleInput {
		return agreement.PeopleInput{LocationID: sc.Location, DocumentID: in.DocumentID, Page: page}
	}
	declare(a, op.Spec{
		ID: "listAgreementSigners", Method: "GET", Path: one + "/signers", Tag: "customers", Feature: "crm.view",
		Summary: "List signers of an agreement",
		Description: "Returns each customer with an acceptance of the document, and each attendee signed for, with the " +
			"latest acceptance. The most recent acceptance is first.",
	}, func(ctx context.Context, sc tenancy.Scope, in *agreementPeopleIn) (op.List[AgreementSigner], error) {
		return wire.Filtered(a.Cursors, "agreement.signers", a.Agreement.Signers, showSigner(sc.Tenant), ask)(ctx, sc, in)
	})
	declare(a, op.Spec{
		ID: "listOutstandingAgreements", Method: "GET", Path: one + "/outstanding", Tag: "customers", Feature: "crm.view",
		Summary: "List outstanding signatures of an agreement",
		Description: "Returns each customer with upcoming bookings that still require the document, in the order of the " +
			"next visit. An archived agreement is not required.",
	}, wire.Filtered(a.Cursors, "agreement.outstanding", a.Agreement.Outstanding, showOutstanding, ask))
}

func showSigner(business uuid.UUID) func(agreement.Signer) AgreementSigner {
	return func(p agreement.Signer) AgreementSigner {
		of := wire.ShowAcceptance(business, p.Record())
		return AgreementSigner{
			AcceptanceID: p.ID, CustomerID: p.CustomerID, CustomerName: p.CustomerName, CustomerEmail: p.CustomerEmail, Attendee: of.Attendee,
			ContentID: of.ContentID, CopyNumber: p.CopyNumber, ViewPath: of.ViewPath, Counts: p.Counts, Source: of.Source, Shown: of.Shown,
			RecordedByName: of.RecordedByName, AcceptedAt: of.AcceptedAt,
		}
	}
}

func showOutstanding(p agreement.OutstandingCustomer) OutstandingAgreement {
	return OutstandingAgreement{
		CustomerID: p.CustomerID, CustomerName: p.CustomerName, CustomerEmail: p.CustomerEmail, Bookings: p.Bookings, NextBookingID: p.NextID, NextAt: p.NextAt,
	}
}
