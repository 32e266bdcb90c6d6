package operator

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Offering is an item that can be booked at one location.
type Offering struct {
	ID              uuid.UUID     `json:"id"`
	LocationID      uuid.UUID     `json:"locationId"`
	Kind            catalog.Kind  `json:"kind"`
	Slug            string        `json:"slug" doc:"Slug in web addresses." example:"morning-flow"`
	Name            string        `json:"name"`
	Description     string        `json:"description" doc:"Description, plain text."`
	Heading         string        `json:"heading" doc:"Heading in lists; if empty, the business's word for its kind."`
	Word            string        `json:"word" doc:"Effective heading: the offering's own or the business's word."`
	State           catalog.State `json:"state"`
	DurationMinutes int           `json:"durationMinutes"`
	Price           *int64        `json:"price" doc:"Price in minor units: 2200 is 22.00; 0 is free, null is not set yet."`
	Currency        string        `json:"currency" doc:"Currency of the location." example:"USD"`
	TaxRateID       *uuid.UUID    `json:"taxRateId" doc:"The tax rate; null for untaxed."`
	Capacity        int           `json:"capacity" doc:"Default seats of a new series."`
	OnlineCapacity  int           `json:"onlineCapacity" doc:"Seats that can be booked online."`
	Position        int           `json:"position" doc:"Sort order in lists, before the name."`

	RevenueCategoryID *uuid.UUID `json:"revenueCategoryId" doc:"Its revenue category; null for its kind's income."`
	OfferingSettings
	MemberIDs   []uuid.UUID `json:"memberIds" doc:"The instructors, first choice first."`
	SpaceIDs    []uuid.UUID `json:"spaceIds" doc:"The spaces, first choice first."`
	PublishedAt *time.Time  `json:"publishedAt" doc:"When it was published; null if it is not published."`
	Version     int64       `json:"version"`
	CreatedAt   time.Time   `json:"createdAt"`
	UpdatedAt   time.Time   `json:"updatedAt"`
}

type listOfferingsIn struct {
	op.Page
	Kind    catalog.Kind  `query:"kind"`
	State   catalog.State `query:"state"`
	Heading string        `query:"heading" maxLength:"60" doc:"Only offerings under this heading, in singular or plural."`
	Q       string        `query:"q" maxLength:"120" doc:"Part of the name or slug."`
}

type createOfferingBody struct {
	Kind            catalog.Kind           `json:"kind" doc:"Kind. class: fixed dates. appointment: times from the hours of members. rental: times from the hours of a space."`
	Name            string                 `json:"name" minLength:"1" maxLength:"120" example:"Morning Flow"`
	Slug            string                 `json:"slug,omitempty" maxLength:"80" doc:"Slug in web addresses. The default is derived from the name."`
	Description     string                 `json:"description,omitempty" maxLength:"5000" doc:"Description, plain text."`
	Heading         string                 `json:"heading,omitempty" maxLength:"60"`
	DurationMinutes int                    `json:"durationMinutes,omitempty" minimum:"5" maximum:"1440" doc:"Length in minutes. Required unless durations is set."`
	Price           op.Nullable[int64]     `json:"price,omitzero" minimum:"0" maximum:"99999999" doc:"Price in minor units: 2200 is 22.00. It can be set later, before publishing."`
	TaxRateID       op.Nullable[uuid.UUID] `json:"taxRateId,omitzero" doc:"The tax rate; null for untaxed. The default is the location's."`
	Capacity        int                    `json:"capacity" minimum:"1" maximum:"10000" doc:"Number of seats."`
	OnlineCapacity  *int                   `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"Seats that can be booked online. The default is all seats."`
	Position        int                    `json:"position,omitempty" minimum:"0" maximum:"1000000"`

	RevenueCategoryID op.Nullable[uuid.UUID] `json:"revenueCategoryId,omitzero" doc:"Its revenue category; null for its kind's income."`
	OfferingSettingsBody
}

type updateOfferingIn struct {
	OfferingPath
	Body updateOfferingBody
}

type updateOfferingBody struct {
	Version         int64                  `json:"version" minimum:"1" doc:"Version of the offering that was read."`
	Name            *string                `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Slug            *string                `json:"slug,omitempty" minLength:"1" maxLength:"80"`
	Description     *string                `json:"description,omitempty" maxLength:"5000"`
	Heading         *string                `json:"heading,omitempty" maxLength:"60" doc:"Heading in lists. Empty for the business's word for the kind."`
	DurationMinutes *int                   `json:"durationMinutes,omitempty" minimum:"5" maximum:"1440"`
	Price           *int64                 `json:"price,omitempty" minimum:"0" maximum:"99999999" doc:"Price in minor units. It can be changed, not removed."`
	TaxRateID       op.Nullable[uuid.UUID] `json:"taxRateId,omitzero" doc:"The tax rate; null for untaxed."`
	Capacity        *int                   `json:"capacity,omitempty" minimum:"1" maximum:"10000"`
	OnlineCapacity  *int                   `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"Seats that can be booked online. By default all seats stay online if all were; a separate number stays, up to capacity."`
	Position        *int                   `json:"position,omitempty" minimum:"0" maximum:"1000000"`

	RevenueCategoryID op.Nullable[uuid.UUID] `json:"revenueCategoryId,omitzero" doc:"Category of later sales; null for its kind's income."`
	OfferingSettingsPatch
}

// OfferingPath is the path of an offering.
type OfferingPath struct {
	ID uuid.UUID `path:"id" doc:"The offering."`
}

func (p *OfferingPath) id() uuid.UUID { return p.ID }

func (a *surface) offerings() {
	declare(a, op.Spec{
		ID: "listOfferings", Method: "GET", Path: "/locations/{id}/offerings", Tag: "catalog", Compact: true, Feature: "location.view",
		Summary:     "List offerings",
		Description: "Returns the offerings of a location in any state, in the storefront's order.",
	}, wire.Filtered(a.Cursors, "offerings", a.Catalog.List, showOffering,
		func(sc tenancy.Scope, in *listOfferingsIn, page paging.In[catalog.Key]) catalog.ListInput {
			return catalog.ListInput{
				LocationID: sc.Location, Kind: in.Kind, State: in.State, Heading: in.Heading, Query: in.Q, Page: page,
			}
		}))
	declare(a, op.Spec{
		ID: "createOffering", Method: "POST", Path: "/locations/{id}/offerings", Tag: "catalog", Feature: "catalog.manage",
		Success: 201,
		Summary: "Create an offering",
		Description: "Creates a draft. Add dates to a class with a series, staff to an appointment or spaces to a rental, " +
			"then publish it.",
	}, a.createOffering)
	declare(a, op.Spec{
		ID: "getOffering", Method: "GET", Path: "/offerings/{id}", Tag: "catalog", Feature: "location.view",
		Summary: "Get an offering", Description: "Returns an offering in any state.",
	}, wire.ByName(a.Catalog.Get, (*OfferingPath).id, showOffering))
	declare(a, op.Spec{
		ID: "updateOffering", Method: "PATCH", Path: "/offerings/{id}", Tag: "catalog", Feature: "catalog.manage", Versioned: true,
		Summary: "Update an offering",
		Description: "Changes the members present. Length and seats are defaults of new series: existing dates do not " +
			"change.",
	}, a.updateOffering)
}

type archiveOfferingIn struct {
	OfferingPath
	Body *archiveOfferingBody
}

type archiveOfferingBody struct{ op.Quote }

// ArchiveEffects describes the effects of archiving an offering.
type ArchiveEffects struct {
	Dates   int `json:"dates" doc:"Number of upcoming dates that become invisible and unavailable."`
	Waiting int `json:"waiting" doc:"Waitlist entries of these dates. Their customers are notified."`
}

// offeringStates declares the transitions between draft, published and archived.
func (a *surface) offeringStates() {
	declare(a, op.Spec{
		ID: "publishOffering", Method: "POST", Path: "/offerings/{id}/publish", Tag: "catalog",
		Summary: "Publish an offering",
		Description: "Makes the offering public. One 400 lists everything that is missing. If there is no way to pay its " +
			"price, details.reason is no_way_to_pay, and details.connect is the path for connecting the payment account. It " +
			"is account_currency_differs if the account's currency is not the location's; details.accountCurrency and " +
			"details.currency are the two. It is below_card_minimum with details.least if the price is payable by card only " +
			"and less than the minimum of a card payment.",
		Feature: "catalog.manage", Errors: wire.ChangeErrors,
	}, a.publishOffering)
	declare(a, op.Spec{
		ID: "unpublishOffering", Method: "POST", Path: "/offerings/{id}/unpublish", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Unpublish an offering", Description: "The offering cannot be booked any more; existing bookings stay.",
	}, wire.ByName(a.Catalog.Unpublish, (*OfferingPath).id, showOffering))
	declare(a, op.Spec{
		ID: "archiveOffering", Method: "POST", Path: "/offerings/{id}/archive", Tag: "catalog", Feature: "catalog.manage", Quoted: true,
		Summary: "Archive an offering",
		Description: "Archives the offering with its dates; history stays, and customers on its waitlists are notified. " +
			"Refused while there are upcoming bookings.",
	}, a.archiveOffering)
	declare(a, op.Spec{
		ID: "restoreOffering", Method: "POST", Path: "/offerings/{id}/restore", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Restore an offering", Description: "Restores an archived offering as a draft.",
	}, wire.ByName(a.Catalog.Restore, (*OfferingPath).id, showOffering))
}

func (a *surface) publishOffering(ctx context.Context, sc tenancy.Scope, in *OfferingPath) (Offering, error) {
	o, err := a.Catalog.Publish(ctx, sc, in.ID)
	if errors.Is(err, catalog.ErrNoWayToPay) {
		err = fault.From(err).With("connect", "/businesses/"+sc.Tenant.String()+"/processor/onboarding")
	}
	return showOffering(o), err
}

func (a *surface) archiveOffering(ctx context.Context, sc tenancy.Scope, in *archiveOfferingIn) (op.Quoted[Offering, ArchiveEffects], error) {
	o, err := a.Catalog.Archive(ctx, sc, in.ID)
	return op.Quoted[Offering, ArchiveEffects]{
		Done: showOffering(o.Offering), Effects: ArchiveEffects{Dates: o.Upcoming.Dates, Waiting: o.Upcoming.Waiting},
	}, err
}

func (a *surface) createOffering(ctx context.Context, sc tenancy.Scope, in *wire.Body[createOfferingBody]) (Offering, error) {
	b := in.Body
	o, err := a.Catalog.Create(ctx, sc, catalog.CreateInput{
		LocationID: sc.Location, Kind: b.Kind, Name: b.Name, Slug: b.Slug, Description: b.Description,
		Heading: b.Heading, DurationMinutes: b.DurationMinutes, PriceAmount: b.Price.Value, TaxRateID: b.TaxRateID.Field,
		Capacity: b.Capacity, OnlineCapacity: b.OnlineCapacity, Position: b.Position,
		RevenueCategoryID: b.RevenueCategoryID.Value, Settings: b.settings(),
	})
	return showOffering(o), err
}

func (a *surface) updateOffering(ctx context.Context, sc tenancy.Scope, in *updateOfferingIn) (Offering, error) {
	b := in.Body
	change := catalog.UpdateInput{
		ID: in.ID, Version: b.Version, Name: b.Name, Slug: b.Slug, Description: b.Description, Heading: b.Heading,
		DurationMinutes: b.DurationMinutes, PriceAmount: b.Price, TaxRateID: b.TaxRateID.Field, Capacity: b.Capacity,
		OnlineCapacity: b.OnlineCapacity, Position: b.Position, RevenueCategoryID: b.RevenueCategoryID.Field,
	}
	b.patch(&change)
	o, err := a.Catalog.Update(ctx, sc, change)
	return showOffering(o), err
}

func showOffering(o catalog.Offering) Offering {
	return Offering{
		ID: o.ID, LocationID: o.LocationID, Kind: o.Kind, Slug: o.Slug, Name: o.Name, Description: o.Description,
		Heading: o.Heading, Word: o.Word, State: o.State, DurationMinutes: o.DurationMinutes, Price: o.PriceAmount,
		Currency: string(o.Currency), TaxRateID: o.TaxRateID, Capacity: o.Capacity, OnlineCapacity: o.OnlineCapacity,
		Position: o.Position, RevenueCategoryID: o.RevenueCategoryID, OfferingSettings: showSettings(o.Settings),
		MemberIDs: o.MemberIDs, SpaceIDs: o.SpaceIDs, PublishedAt: o.PublishedAt, Version: o.Version, CreatedAt: o.CreatedAt,
		UpdatedAt: o.UpdatedAt,
	}
}
