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

// AgreementSigner is somebody who has agreed to a document, with the last time that they did.
type AgreementSigner struct {
	AcceptanceID   uuid.UUID                    `json:"acceptanceId" doc:"Names it where its evidence is asked for."`
	CustomerID     uuid.UUID                    `json:"customerId"`
	CustomerName   string                       `json:"customerName" doc:"May be empty."`
	CustomerEmail  string                       `json:"customerEmail" doc:"May be empty."`
	Attendee       op.Nullable[string]          `json:"attendee" doc:"Whom they agreed for, by name, as a parent or guardian or with their permission; null: for themselves."`
	ContentID      uuid.UUID                    `json:"contentId" doc:"The copy that they agreed to."`
	CopyNumber     int                          `json:"copyNumber" doc:"Of that copy: 1 is the first."`
	ViewPath       string                       `json:"viewPath" doc:"Where a browser reads the exact copy that was agreed to."`
	Counts         bool                         `json:"counts" doc:"False: everyone was asked again since, and they have not agreed yet."`
	Source         agreement.Source             `json:"source" doc:"Who wrote it down: the customer in the checkout, or the studio."`
	Shown          op.Nullable[agreement.Shown] `json:"shown" doc:"How it was shown: a tick, or read in full to its end; null of paper."`
	RecordedByName op.Nullable[string]          `json:"recordedByName" doc:"Who of the studio wrote it down."`
	AcceptedAt     time.Time                    `json:"acceptedAt"`
}

// OutstandingAgreement is somebody whose bookings to come still ask for a document.
type OutstandingAgreement struct {
	CustomerID    uuid.UUID `json:"customerId"`
	CustomerName  string    `json:"customerName" doc:"May be empty."`
	CustomerEmail string    `json:"customerEmail" doc:"May be empty."`
	Bookings      int       `json:"bookings" doc:"How many of their bookings still ask for it."`
	NextBookingID uuid.UUID `json:"nextBookingId" doc:"The first of those."`
	NextAt        time.Time `json:"nextAt" doc:"When they come next for something that asks for it."`
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
		Summary: "List who has agreed", Description: "Each customer who has agreed to the document once, and once for each who comes with them, with the last time that they did; whoever did so last comes first.",
	}, func(ctx context.Context, sc tenancy.Scope, in *agreementPeopleIn) (op.List[AgreementSigner], error) {
		return wire.Filtered(a.Cursors, "agreement.signers", a.Agreement.Signers, showSigner(sc.Tenant), ask)(ctx, sc, in)
	})
	declare(a, op.Spec{
		ID: "listAgreementDebtors", Method: "GET", Path: one + "/debtors", Tag: "customers", Feature: "crm.view",
		Summary: "List who still has to agree", Description: "Each customer with bookings to come that still ask for the document; whoever comes first comes first. Nobody is asked for one that is archived.",
	}, wire.Filtered(a.Cursors, "agreement.debtors", a.Agreement.Outstanding, showDebtor, ask))
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

func showDebtor(p agreement.OutstandingCustomer) OutstandingAgreement {
	return OutstandingAgreement{
		CustomerID: p.CustomerID, CustomerName: p.CustomerName, CustomerEmail: p.CustomerEmail, Bookings: p.Bookings, NextBookingID: p.NextID, NextAt: p.NextAt,
	}
}
