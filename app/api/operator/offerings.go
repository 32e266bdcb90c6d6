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

// Offering is one thing that can be booked at one location.
type Offering struct {
	ID              uuid.UUID     `json:"id"`
	LocationID      uuid.UUID     `json:"locationId"`
	Kind            catalog.Kind  `json:"kind"`
	Slug            string        `json:"slug" doc:"Its name in addresses." example:"morning-flow"`
	Name            string        `json:"name"`
	Description     string        `json:"description" doc:"Plain text."`
	Heading         string        `json:"heading" doc:"What it is listed under; empty: the business's word for its kind."`
	Word            string        `json:"word" doc:"What it is listed under, in either case."`
	State           catalog.State `json:"state"`
	DurationMinutes int           `json:"durationMinutes"`
	Price           *int64        `json:"price" doc:"Minor units: 2200 is 22.00. 0 is free, null not set yet."`
	Currency        string        `json:"currency" doc:"The location's." example:"USD"`
	TaxRateID       *uuid.UUID    `json:"taxRateId" doc:"Null: untaxed."`
	Capacity        int           `json:"capacity" doc:"Seats that a new series starts with."`
	OnlineCapacity  int           `json:"onlineCapacity" doc:"How many of them the storefront may sell."`
	Position        int           `json:"position" doc:"Order in lists, before the name."`
	OfferingSettings
	MemberIDs   []uuid.UUID `json:"memberIds" doc:"Who gives it, the first choice first."`
	SpaceIDs    []uuid.UUID `json:"spaceIds" doc:"Where it can be, the first choice first."`
	PublishedAt *time.Time  `json:"publishedAt" doc:"Since when it has been published; null when it is not."`
	Version     int64       `json:"version"`
	CreatedAt   time.Time   `json:"createdAt"`
	UpdatedAt   time.Time   `json:"updatedAt"`
}

type listOfferingsIn struct {
	op.Page
	Kind    catalog.Kind  `query:"kind"`
	State   catalog.State `query:"state"`
	Heading string        `query:"heading" maxLength:"60" doc:"What they are listed under, in singular or plural."`
	Q       string        `query:"q" maxLength:"120" doc:"A part of the name or slug."`
}

type createOfferingBody struct {
	Kind            catalog.Kind           `json:"kind" doc:"Class: fixed dates. Appointment: times from people's hours. Rental: times from a space's hours."`
	Name            string                 `json:"name" minLength:"1" maxLength:"120" example:"Morning Flow"`
	Slug            string                 `json:"slug,omitempty" maxLength:"80" doc:"Made from the name when left out."`
	Description     string                 `json:"description,omitempty" maxLength:"5000" doc:"Plain text."`
	Heading         string                 `json:"heading,omitempty" maxLength:"60"`
	DurationMinutes int                    `json:"durationMinutes,omitempty" minimum:"5" maximum:"1440" doc:"Needed unless there are durations."`
	Price           op.Nullable[int64]     `json:"price,omitzero" minimum:"0" maximum:"99999999" doc:"Minor units: 2200 is 22.00. It can wait until publishing."`
	TaxRateID       op.Nullable[uuid.UUID] `json:"taxRateId,omitzero" doc:"Left out: the location's. Null: untaxed."`
	Capacity        int                    `json:"capacity" minimum:"1" maximum:"10000" doc:"Seats."`
	OnlineCapacity  *int                   `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"All seats when left out."`
	Position        int                    `json:"position,omitempty" minimum:"0" maximum:"1000000"`
	OfferingSettingsBody
}

type updateOfferingIn struct {
	OfferingPath
	Body updateOfferingBody
}

type updateOfferingBody struct {
	Version         int64                  `json:"version" minimum:"1" doc:"Of the offering that was read."`
	Name            *string                `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Slug            *string                `json:"slug,omitempty" minLength:"1" maxLength:"80"`
	Description     *string                `json:"description,omitempty" maxLength:"5000"`
	Heading         *string                `json:"heading,omitempty" maxLength:"60" doc:"Empty: the business's word for the kind."`
	DurationMinutes *int                   `json:"durationMinutes,omitempty" minimum:"5" maximum:"1440"`
	Price           *int64                 `json:"price,omitempty" minimum:"0" maximum:"99999999" doc:"Minor units. A price can be changed, not taken away."`
	TaxRateID       op.Nullable[uuid.UUID] `json:"taxRateId,omitzero" doc:"Null: untaxed."`
	Capacity        *int                   `json:"capacity,omitempty" minimum:"1" maximum:"10000"`
	OnlineCapacity  *int                   `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"Left out: all seats stay sold online where all were; a number that was set apart stays, and is at most capacity."`
	Position        *int                   `json:"position,omitempty" minimum:"0" maximum:"1000000"`
	OfferingSettingsPatch
}

// OfferingPath names an offering.
type OfferingPath struct {
	ID uuid.UUID `path:"id" doc:"The offering."`
}

func (p *OfferingPath) id() uuid.UUID { return p.ID }

func (a *surface) offerings() {
	declare(a, op.Spec{
		ID: "listOfferings", Method: "GET", Path: "/locations/{id}/offerings", Tag: "catalog", Compact: true, Feature: "location.view",
		Summary: "List offerings", Description: "The offerings of a location in any state, in the storefront's order.",
	}, wire.Filtered(a.Cursors, "offerings", a.Catalog.List, showOffering,
		func(sc tenancy.Scope, in *listOfferingsIn, page paging.In[catalog.Key]) catalog.ListInput {
			return catalog.ListInput{
				LocationID: sc.Location, Kind: in.Kind, State: in.State, Heading: in.Heading, Query: in.Q, Page: page,
			}
		}))
	declare(a, op.Spec{
		ID: "createOffering", Method: "POST", Path: "/locations/{id}/offerings", Tag: "catalog", Compact: true, Feature: "catalog.manage", Success: 201,
		Summary: "Add an offering", Description: "Makes a draft. Give a class dates with a series, an appointment staff and a rental spaces, then publish it.",
	}, a.createOffering)
	declare(a, op.Spec{
		ID: "getOffering", Method: "GET", Path: "/offerings/{id}", Tag: "catalog", Compact: true, Feature: "location.view",
		Summary: "Get an offering", Description: "One offering in any state.",
	}, wire.ByName(a.Catalog.Get, (*OfferingPath).id, showOffering))
	declare(a, op.Spec{
		ID: "updateOffering", Method: "PATCH", Path: "/offerings/{id}", Tag: "catalog", Feature: "catalog.manage", Versioned: true,
		Summary: "Change an offering", Description: "Changes the members that are sent. Length and seats are what new series start with: dates that exist keep theirs.",
	}, a.updateOffering)
}

type archiveOfferingIn struct {
	OfferingPath
	Body *archiveOfferingBody
}

type archiveOfferingBody struct{ op.Quote }

// ArchiveEffects are what goes with an offering that is archived.
type ArchiveEffects struct {
	Dates   int `json:"dates" doc:"Dates to come that nobody can see or book any more."`
	Waiting int `json:"waiting" doc:"Places on their waitlists; whoever has one is told."`
}

// offeringStates declares the moves between draft, published and archived.
func (a *surface) offeringStates() {
	declare(a, op.Spec{
		ID: "publishOffering", Method: "POST", Path: "/offerings/{id}/publish", Tag: "catalog", Compact: true,
		Summary: "Publish an offering", Description: "Shows it to the public. What is missing for that comes back in one 400. When nobody could pay its price, " +
			"details.reason is no_way_to_pay and details.connect the path where the payment account is connected; it is account_currency_differs where " +
			"the account takes cards in another currency than the location's, and details.accountCurrency and details.currency are the two. A price that only a card could pay, and " +
			"that is less than one can, is below_card_minimum with details.least.",
		Feature: "catalog.manage", Errors: wire.ChangeErrors,
	}, a.publishOffering)
	declare(a, op.Spec{
		ID: "unpublishOffering", Method: "POST", Path: "/offerings/{id}/unpublish", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Take an offering from the public", Description: "Nobody can book it any more; bookings that exist stay.",
	}, wire.ByName(a.Catalog.Unpublish, (*OfferingPath).id, showOffering))
	declare(a, op.Spec{
		ID: "archiveOffering", Method: "POST", Path: "/offerings/{id}/archive", Tag: "catalog", Feature: "catalog.manage", Quoted: true,
		Summary: "Archive an offering", Description: "Puts it away, dates and all; history stays, and who waits for a seat is told. Not while somebody is booked ahead.",
	}, a.archiveOffering)
	declare(a, op.Spec{
		ID: "restoreOffering", Method: "POST", Path: "/offerings/{id}/restore", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Restore an offering", Description: "Brings an archived offering back as a draft.",
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
		Capacity: b.Capacity, OnlineCapacity: b.OnlineCapacity, Position: b.Position, Settings: b.settings(),
	})
	return showOffering(o), err
}

func (a *surface) updateOffering(ctx context.Context, sc tenancy.Scope, in *updateOfferingIn) (Offering, error) {
	b := in.Body
	change := catalog.UpdateInput{
		ID: in.ID, Version: b.Version, Name: b.Name, Slug: b.Slug, Description: b.Description, Heading: b.Heading,
		DurationMinutes: b.DurationMinutes, PriceAmount: b.Price, TaxRateID: b.TaxRateID.Field, Capacity: b.Capacity,
		OnlineCapacity: b.OnlineCapacity, Position: b.Position,
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
		Position: o.Position, OfferingSettings: showSettings(o.Settings), MemberIDs: o.MemberIDs, SpaceIDs: o.SpaceIDs,
		PublishedAt: o.PublishedAt, Version: o.Version, CreatedAt: o.CreatedAt,
		UpdatedAt: o.UpdatedAt,
	}
}
