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

// Location is a site of the business, with a time zone, a currency and an address.
type Location struct {
	ID             uuid.UUID              `json:"id"`
	Slug           string                 `json:"slug" doc:"First segment of the address of its pages." example:"harbour"`
	Name           string                 `json:"name"`
	Zone           string                 `json:"zone" doc:"Time zone of all dates and times of the location." example:"America/New_York"`
	Currency       string                 `json:"currency" doc:"Currency of all prices of the location." example:"USD"`
	TaxMode        business.TaxMode       `json:"taxMode" doc:"Whether tax is added at checkout or included in the listed price."`
	TaxRateID      *uuid.UUID             `json:"taxRateId" doc:"Default tax rate of new offerings; null for untaxed."`
	PriceDisplay   *business.PriceDisplay `json:"priceDisplay" doc:"Price display in lists: full, with tax and service fee, or plus_tax, before them and with a note. Null follows the custom of the country: plus_tax in the United States and Canada, full in other countries."`
	Address        wire.Address           `json:"address"`
	Website        string                 `json:"website" doc:"Address of the studio's own website; empty if there is none."`
	OtherSites     []string               `json:"otherSites" doc:"Further addresses of the studio's own website. They are valid return addresses too."`
	Language       string                 `json:"language" doc:"Language of its pages, emails and embeds." example:"en"`
	OtherLanguages bool                   `json:"otherLanguages" doc:"Whether pages and emails follow the reader's language, if foyer supports it. Embeds stay in the location's language."`
	DailyCap       *int                   `json:"dailyCap" doc:"Maximum number of appointments and rentals a day; null for no limit."`
	RefundCap      int64                  `json:"refundCap" doc:"Maximum refund of one payment, in total, for roles with the limited form of payment.refund (front desk), in minor units; 0 permits no refund."`
	Reminders      []int                  `json:"reminders" doc:"Email reminders, in minutes before the start of a booking, largest first. Empty for none." example:"[1440,120]"`
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
	Country    string `json:"country,omitempty" maxLength:"2" doc:"ISO 3166 code, two letters." example:"US"`
}

// address returns the empty address for an absent body.
func (b *addressBody) address() business.Address {
	if b == nil {
		return business.Address{}
	}
	return business.Address(*b)
}

type createLocationBody struct {
	Name         string                             `json:"name" minLength:"1" maxLength:"120" example:"Harbour"`
	Slug         string                             `json:"slug,omitempty" maxLength:"60" doc:"Slug of its pages. The default is derived from the name."`
	Zone         string                             `json:"zone,omitempty" maxLength:"64" doc:"Time zone. The default is the business's."`
	Currency     string                             `json:"currency,omitempty" maxLength:"3" doc:"Currency. The default is the business's."`
	TaxMode      business.TaxMode                   `json:"taxMode,omitempty" doc:"Tax mode. The default is exclusive."`
	TaxRateID    op.Nullable[uuid.UUID]             `json:"taxRateId,omitzero" doc:"Default tax rate of new offerings."`
	PriceDisplay op.Nullable[business.PriceDisplay] `json:"priceDisplay,omitzero" doc:"Price display in lists. Null follows the custom of the country."`
	Address      *addressBody                       `json:"address,omitempty"`
	Website      string                             `json:"website,omitempty" maxLength:"300" example:"https://harbour.example"`
	OtherSites   []string                           `json:"otherSites,omitempty" maxLength:"300" maxItems:"20" doc:"Further addresses of the studio's own website."`
	Reminders    *[]int                             `json:"reminders,omitempty" minimum:"15" maximum:"20160" maxItems:"4" doc:"Reminders in minutes before the start. The default is one day and two hours; empty for none."`
	Language     string                             `json:"language,omitempty" enum:"en,de,es,fr,it,nl,pt" doc:"Language of its pages, emails and embeds. The default is that of the business's first location, and English for the first."`
}

type updateLocationBody struct {
	Version        int64                              `json:"version" minimum:"1" doc:"Version of the location that was read."`
	Slug           *string                            `json:"slug,omitempty" minLength:"3" maxLength:"60" doc:"New slug. The old address redirects to it."`
	Name           *string                            `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Zone           *string                            `json:"zone,omitempty" maxLength:"64"`
	Currency       *string                            `json:"currency,omitempty" minLength:"3" maxLength:"3" doc:"Currency. It cannot change after the first payment."`
	TaxMode        *business.TaxMode                  `json:"taxMode,omitempty"`
	TaxRateID      op.Nullable[uuid.UUID]             `json:"taxRateId,omitzero" doc:"Default tax rate of new offerings; null for untaxed."`
	PriceDisplay   op.Nullable[business.PriceDisplay] `json:"priceDisplay,omitzero" doc:"Price display in lists. Null follows the custom of the country."`
	Address        *addressBody                       `json:"address,omitempty" doc:"Address. Replaces all of it: absent parts become empty."`
	Website        *string                            `json:"website,omitempty" maxLength:"300" doc:"Address of the studio's own website. Empty removes it."`
	OtherSites     *[]string                          `json:"otherSites,omitempty" maxLength:"300" maxItems:"20" doc:"Further addresses of the studio's own website. Replaces the whole list."`
	Language       *string                            `json:"language,omitempty" enum:"en,de,es,fr,it,nl,pt" doc:"Language of its pages, emails and embeds."`
	OtherLanguages *bool                              `json:"otherLanguages,omitempty" doc:"Whether pages and emails follow the reader's language."`
	DailyCap       op.Nullable[int]                   `json:"dailyCap,omitzero" minimum:"1" maximum:"10000" doc:"Maximum number of appointments and rentals a day; null for no limit."`
	RefundCap      *int64                             `json:"refundCap,omitempty" minimum:"0" maximum:"99999999" doc:"Maximum refund of one payment by the front desk, in minor units. Also requires business.manage."`
	Reminders      *[]int                             `json:"reminders,omitempty" minimum:"15" maximum:"20160" maxItems:"4" doc:"Reminders in minutes before the start. Replaces the whole list; empty for none."`
}

func (a *surface) locations() {
	declare(a, op.Spec{
		ID: "listLocations", Method: "GET", Path: "/businesses/{businessId}/locations", Tag: "locations", Compact: true, Feature: "location.view",
		Summary:     "List locations",
		Description: "Returns the locations visible to the caller, oldest first, without archived ones.",
	}, wire.Lists(a.Cursors, "locations", a.Business.Locations, showLocation))
	declare(a, op.Spec{
		ID: "createLocation", Method: "POST", Path: "/businesses/{businessId}/locations", Tag: "locations", Feature: "business.manage", Success: 201,
		Summary: "Create a location", Description: "Time zone and currency default to the business's.",
	}, a.createLocation)
	declare(a, op.Spec{
		ID: "getLocation", Method: "GET", Path: "/locations/{id}", Tag: "locations", Feature: "location.view",
		Summary: "Get a location", Description: "Returns a location, archived or not.",
	}, wire.AtLocation(a.Business.Location, showLocation))
	declare(a, op.Spec{
		ID: "updateLocation", Method: "PATCH", Path: "/locations/{id}", Tag: "locations", Feature: "location.manage", Versioned: true,
		Summary:     "Update a location",
		Description: "Changes the members present. A new time zone does not reschedule existing dates.",
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
