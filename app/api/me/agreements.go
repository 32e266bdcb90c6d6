package me

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/api/wire"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// MyAgreement is an acceptance of the caller.
type MyAgreement struct {
	ID           uuid.UUID                    `json:"id"`
	BusinessID   uuid.UUID                    `json:"businessId"`
	BusinessName string                       `json:"businessName"`
	LocationName string                       `json:"locationName"`
	DocumentID   uuid.UUID                    `json:"documentId"`
	Name         string                       `json:"name"`
	Kind         agreement.Kind               `json:"kind"`
	Frequency    agreement.Frequency          `json:"frequency"`
	ContentID    uuid.UUID                    `json:"contentId" doc:"The signed copy."`
	ViewPath     string                       `json:"viewPath" doc:"Path of the signed copy for browsers."`
	Source       agreement.Source             `json:"source" doc:"How it was signed: by the customer, in the checkout or before the visit, or on paper recorded by staff."`
	Shown        op.Nullable[agreement.Shown] `json:"shown" doc:"How the document was presented: with a checkbox, or read in full to its end; null if signed on paper."`
	Attendee     op.Nullable[string]          `json:"attendee" doc:"The attendee of this signature, if the caller signed as their parent or guardian or with permission; null if the caller signed for themselves."`
	AcceptedAt   time.Time                    `json:"acceptedAt"`
}

type myAgreementsIn struct{ op.Page }

func (a *surface) myAgreements() {
	op.Declare(a.Ops, op.Spec{
		ID: "listMyAgreements", Method: "GET", Path: "/me/agreements", Tag: "me",
		Summary: "List own agreements",
		Description: "Returns the agreements the signed-in person has signed in all businesses, latest first. API keys are " +
			"refused.",
		Access: op.Session, Errors: []int{400, 401, 403},
	}, wire.Filtered(a.Cursors, "me.agreements", wire.Own(a.Agreement.Mine), showMyAgreement,
		func(_ tenancy.Scope, _ *myAgreementsIn, page paging.In[paging.Moment]) paging.In[paging.Moment] {
			return page
		}))
}

func showMyAgreement(m agreement.Mine) MyAgreement {
	of := wire.ShowAcceptance(m.BusinessID, m.Record())
	return MyAgreement{
		ID: m.ID, BusinessID: m.BusinessID, BusinessName: m.BusinessName, LocationName: m.LocationName, DocumentID: m.DocumentID, Name: m.Name,
		Kind: m.Kind, Frequency: m.Frequency, ContentID: of.ContentID, ViewPath: of.ViewPath, Source: of.Source, Shown: of.Shown,
		Attendee: of.Attendee, AcceptedAt: of.AcceptedAt,
	}
}
