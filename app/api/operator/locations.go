package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/money"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Location is a place: a wall clock, a currency and an address.
type Location struct {
	ID             uuid.UUID              `json:"id"`
	Slug           string                 `json:"slug" doc:"First part of the address of its pages." example:"harbour"`
	Name           string                 `json:"name"`
	Zone           string                 `json:"zone" doc:"The wall clock of everything that happens here." example:"America/New_York"`
	Currency       string                 `json:"currency" doc:"Of all prices here." example:"USD"`
	TaxMode        business.TaxMode       `json:"taxMode" doc:"Whether tax is added at the checkout or inside the listed price."`
	TaxRateID      *uuid.UUID             `json:"taxRateId" doc:"For new offerings; null: untaxed."`
	PriceDisplay   *business.PriceDisplay `json:"priceDisplay" doc:"How lists show prices: full, with tax and service fee, or plus_tax, as they are set, saying what is added. Null: as is usual in the country, plus_tax in the United States and in Canada and full elsewhere."`
	Address        wire.Address           `json:"address"`
	Website        string                 `json:"website" doc:"The studio's own; empty when it has none."`
	OtherSites     []string               `json:"otherSites" doc:"Further addresses that are the studio's own website: a way back leads to these too."`
	Language       string                 `json:"language" doc:"Of its pages, mails and embeds." example:"en"`
	OtherLanguages bool                   `json:"otherLanguages" doc:"Whoever reads another language that foyer speaks gets pages and mails in it; embeds stay in the location's."`
	DailyCap       *int                   `json:"dailyCap" doc:"Most appointments and rentals a day; null: no limit."`
	RefundCap      int64                  `json:"refundCap" doc:"How much of one payment, in all, those may refund whose payment.refund is limited (the front desk); minor units, 0: nothing."`
	Reminders      []int                  `json:"reminders" doc:"How many minutes before a booking begins its customer is reminded by mail, the most first. Empty: never." example:"[1440,120]"`
	ArchivedAt     *time.Time             `json:"archivedAt"`
	Version        int64                  `json:"version"`
	CreatedAt      time.Time              `json:"createdAt"`
	UpdatedAt      time.Time              `json:"updatedAt"`
}

type addressBody struct {
	Street     string `json:"street,omitempty" maxLength:"200"`
	City       string `json:"city,omitempty" maxLength:"120"`
	Region     string `json:"region,omitempty" maxLength:"120"`
	PostalCode string `json:"postalCode,omitempty" maxLength:"20"`
	Country    string `json:"country,omitempty" maxLength:"2" doc:"ISO 3166, two letters." example:"US"`
}

// address is empty for a body that was left out.
func (b *addressBody) address() business.Address {
	if b == nil {
		return business.Address{}
	}
	return business.Address(*b)
}

type createLocationBody struct {
	Name         string                             `json:"name" minLength:"1" maxLength:"120" example:"Harbour"`
	Slug         string                             `json:"slug,omitempty" maxLength:"60" doc:"Made from the name when left out."`
	Zone         string                             `json:"zone,omitempty" maxLength:"64" doc:"The business's when left out."`
	Currency     string                             `json:"currency,omitempty" maxLength:"3" doc:"The business's when left out."`
	TaxMode      business.TaxMode                   `json:"taxMode,omitempty" doc:"Exclusive when left out."`
	TaxRateID    op.Nullable[uuid.UUID]             `json:"taxRateId,omitzero" doc:"For new offerings."`
	PriceDisplay op.Nullable[business.PriceDisplay] `json:"priceDisplay,omitzero" doc:"How lists show prices. Null: as is usual in the country."`
	Address      *addressBody                       `json:"address,omitempty"`
	Website      string                             `json:"website,omitempty" maxLength:"300" example:"https://harbour.example"`
	OtherSites   []string                           `json:"otherSites,omitempty" maxLength:"300" maxItems:"20" doc:"Further addresses that are the studio's own website."`
	Reminders    *[]int                             `json:"reminders,omitempty" minimum:"15" maximum:"20160" maxItems:"4" doc:"Minutes before the start. A day and two hours when left out; empty: never."`
	Language     string                             `json:"language,omitempty" enum:"en,de,es,fr,it,nl,pt" doc:"Of its pages, mails and embeds. That of the business's first location when left out, and English for the first."`
}

type updateLocationBody struct {
	Version        int64                              `json:"version" minimum:"1" doc:"Of the location that was read."`
	Slug           *string                            `json:"slug,omitempty" minLength:"3" maxLength:"60" doc:"The old address stays as a redirect."`
	Name           *string                            `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Zone           *string                            `json:"zone,omitempty" maxLength:"64"`
	Currency       *string                            `json:"currency,omitempty" minLength:"3" maxLength:"3" doc:"Frozen after the first payment."`
	TaxMode        *business.TaxMode                  `json:"taxMode,omitempty"`
	TaxRateID      op.Nullable[uuid.UUID]             `json:"taxRateId,omitzero" doc:"Null: untaxed."`
	PriceDisplay   op.Nullable[business.PriceDisplay] `json:"priceDisplay,omitzero" doc:"How lists show prices. Null: as is usual in the country."`
	Address        *addressBody                       `json:"address,omitempty" doc:"As a whole: parts that are left out become empty."`
	Website        *string                            `json:"website,omitempty" maxLength:"300" doc:"Empty takes it away."`
	OtherSites     *[]string                          `json:"otherSites,omitempty" maxLength:"300" maxItems:"20" doc:"All of them: one that is not in the list is taken away."`
	Language       *string                            `json:"language,omitempty" enum:"en,de,es,fr,it,nl,pt" doc:"Of its pages, mails and embeds."`
	OtherLanguages *bool                              `json:"otherLanguages,omitempty" doc:"Whether whoever reads another language gets pages and mails in it."`
	DailyCap       op.Nullable[int]                   `json:"dailyCap,omitzero" minimum:"1" maximum:"10000" doc:"Most appointments and rentals a day. Null: no limit."`
	RefundCap      *int64                             `json:"refundCap,omitempty" minimum:"0" maximum:"99999999" doc:"How much of one payment the front desk may refund; minor units. Needs business.manage, too."`
	Reminders      *[]int                             `json:"reminders,omitempty" minimum:"15" maximum:"20160" maxItems:"4" doc:"Minutes before the start, all of them. Empty: nobody is reminded."`
}

func (a *surface) locations() {
	declare(a, op.Spec{
		ID: "listLocations", Method: "GET", Path: "/businesses/{businessId}/locations", Tag: "locations", Compact: true, Feature: "location.view",
		Summary: "List locations", Description: "The locations that the caller may see, in the order they were added; archived ones are left out.",
	}, wire.Lists(a.Cursors, "locations", a.Business.Locations, showLocation))
	declare(a, op.Spec{
		ID: "createLocation", Method: "POST", Path: "/businesses/{businessId}/locations", Tag: "locations", Feature: "business.manage", Success: 201,
		Summary: "Add a location", Description: "Zone and currency default to the business's.",
	}, a.createLocation)
	declare(a, op.Spec{
		ID: "getLocation", Method: "GET", Path: "/locations/{id}", Tag: "locations", Compact: true, Feature: "location.view",
		Summary: "Get a location", Description: "One location, archived or not.",
	}, wire.AtLocation(a.Business.Location, showLocation))
	declare(a, op.Spec{
		ID: "updateLocation", Method: "PATCH", Path: "/locations/{id}", Tag: "locations", Feature: "location.manage", Versioned: true,
		Summary: "Change a location", Description: "Changes the members that are sent. Another zone moves no date that exists.",
	}, a.updateLocation)
}

func (a *surface) createLocation(ctx context.Context, sc tenancy.Scope, in *wire.Body[createLocationBody]) (Location, error) {
	b := in.Body
	l, err := a.Business.CreateLocation(ctx, sc, business.LocationInput{
		Name: b.Name, Slug: b.Slug, Zone: b.Zone, Currency: money.Currency(b.Currency), TaxMode: b.TaxMode,
		TaxRateID: b.TaxRateID.Value, Address: b.Address.address(), Website: b.Website, OtherSites: b.OtherSites, Language: b.Language,
		Reminders: b.Reminders, Display: b.PriceDisplay.Value,
	})
	return showLocation(l), err
}

func (a *surface) updateLocation(ctx context.Context, sc tenancy.Scope, in *wire.Body[updateLocationBody]) (Location, error) {
	b := in.Body
	input := business.UpdateLocationInput{
		LocationID: sc.Location, Version: b.Version, Slug: b.Slug, Name: b.Name, Zone: b.Zone,
		Currency: (*money.Currency)(b.Currency), TaxMode: b.TaxMode, TaxRateID: b.TaxRateID.Field, PriceDisplay: b.PriceDisplay.Field,
		Website: b.Website, OtherSites: b.OtherSites, Language: b.Language, OtherLanguages: b.OtherLanguages, DailyCap: b.DailyCap.Field, RefundCapAmount: b.RefundCap, Reminders: b.Reminders,
	}
	if b.Address != nil {
		address := b.Address.address()
		input.Address = &address
	}
	l, err := a.Business.UpdateLocation(ctx, sc, input)
	return showLocation(l), err
}

func showLocation(l business.Location) Location {
	return Location{
		ID: l.ID, Slug: l.Slug, Name: l.Name, Zone: l.Zone, Currency: string(l.Currency), TaxMode: l.TaxMode,
		TaxRateID: l.TaxRateID, PriceDisplay: l.PriceDisplay, Address: wire.ShowAddress(l.Address), Website: l.Website, OtherSites: l.OtherSites,
		Language: l.Language, OtherLanguages: l.OtherLanguages, DailyCap: l.DailyCap, RefundCap: l.RefundCapAmount, Reminders: l.Reminders, ArchivedAt: l.ArchivedAt,
		Version: l.Version, CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt,
	}
}
