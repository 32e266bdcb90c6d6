package storefront

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// StorefrontLocation is what the public sees of a location.
type StorefrontLocation struct {
	ID              uuid.UUID             `json:"id"`
	Slug            string                `json:"slug"`
	Name            string                `json:"name"`
	BusinessName    string                `json:"businessName" doc:"The studio: the merchant of record."`
	Zone            string                `json:"zone" doc:"The wall clock of all times." example:"America/New_York"`
	Currency        string                `json:"currency"`
	TaxMode         business.TaxMode      `json:"taxMode" doc:"Whether tax is added at the checkout or inside the listed price."`
	PriceDisplay    business.PriceDisplay `json:"priceDisplay" doc:"How lists show prices: in full, fullPrice, or as price, with what is added said beside it."`
	Address         wire.Address          `json:"address"`
	Website         string                `json:"website" doc:"Empty when the studio has none."`
	ClassWord       string                `json:"classWord" doc:"Heading for classes without one of their own."`
	AppointmentWord string                `json:"appointmentWord"`
	RentalWord      string                `json:"rentalWord"`
	Look            PublicBranding        `json:"look"`
	Hours           wire.Hours            `json:"hours"`
	Closures        []wire.PublicClosure  `json:"closures" doc:"Days ahead on which it is closed or has other hours, the next ones first."`
	Open            bool                  `json:"open" doc:"Whether bookings are taken at the moment: false while the studio pauses them."`
}

// PublicBranding is a theme without its version.
type PublicBranding struct {
	Accent     string `json:"accent" example:"#a4472b"`
	Background string `json:"ground" enum:"paper,white,dark"`
	Type       string `json:"type" enum:"figtree,system"`
	Corners    string `json:"corners" enum:"square,soft,round,pill"`
}

// Listing is what the public sees of a published offering.
type Listing struct {
	ID              uuid.UUID         `json:"id"`
	LocationID      uuid.UUID         `json:"locationId"`
	Kind            catalog.Kind      `json:"kind"`
	Slug            string            `json:"slug"`
	Name            string            `json:"name"`
	Description     string            `json:"description" doc:"Plain text."`
	Word            string            `json:"word" doc:"What it is listed under."`
	DurationMinutes int               `json:"durationMinutes"`
	Price           int64             `json:"price" doc:"Minor units: 2200 is 22.00. 0 is free."`
	FullPrice       int64             `json:"fullPrice" doc:"What one pays for it by card where the studio takes cards: with tax and service fee. Minor units."`
	Currency        string            `json:"currency" example:"USD"`
	Position        int               `json:"position" doc:"Order in lists, before the name."`
	Durations       []wire.Duration   `json:"durations" doc:"Lengths to choose from, the first one is the default. None: the one length."`
	Approval        bool              `json:"approval" doc:"A booking is a request that the studio answers."`
	Enrolment       catalog.Enrolment `json:"enrolment" doc:"Series: a course, one booking is for all its dates."`
	SoldAs          catalog.SoldAs    `json:"soldAs" doc:"Space: a rental of the whole space."`
	NeedsMember     bool              `json:"needsMember" doc:"A rental that somebody of the studio attends."`
	Walkins         bool              `json:"walkins" doc:"Takes people at the door."`
}

// ListingDetails is a listing with the rules of booking it.
type ListingDetails struct {
	Listing
	Policy []string `json:"policy" doc:"The rules of booking and cancelling in plain words, one sentence each."`
	Course *Course  `json:"course,omitempty" doc:"What joining a course is for; of courses only."`
}

type listListingsIn struct {
	op.Page
	Kind    catalog.Kind `query:"kind"`
	Heading string       `query:"heading" maxLength:"60" doc:"What they are listed under, in singular or plural."`
}

func (a *surface) location() {
	op.Declare(a.Ops, op.Spec{
		ID: "getStorefrontLocation", Method: "GET", Path: "/storefront/locations/{id}", Tag: "storefront",
		Summary: "See a location", Description: "Name, address, look and opening hours. One that is archived, or of a closed business, is not found.",
		Access: op.Public, Target: op.InLocation("id"), Rate: op.RateStorefront, Errors: []int{404},
	}, a.getStorefrontLocation)
	op.Declare(a.Ops, op.Spec{
		ID: "listListings", Method: "GET", Path: "/storefront/locations/{id}/offerings", Tag: "storefront", Compact: true,
		Summary: "List what is on offer", Description: "The published offerings of a location.",
		Access: op.Public, Target: op.InLocation("id"), Rate: op.RateStorefront, Frozen: true, Errors: []int{400, 404},
	}, a.listListings)
}

// getStorefrontLocation reads what the public sees: nothing of a location that is archived or whose business is closed.
func (a *surface) getStorefrontLocation(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (StorefrontLocation, error) {
	v := a.DB.View(sc.Tenant)
	l, err := business.LocationOf(ctx, v, sc.Location)
	if err != nil {
		return StorefrontLocation{}, err
	}
	b, err := business.BusinessOf(ctx, v)
	if err != nil {
		return StorefrontLocation{}, err
	}
	if l.ArchivedAt != nil || b.Status == business.Closed {
		return StorefrontLocation{}, fault.Missing()
	}
	hours, err := business.HoursOf(ctx, v, l.ID)
	if err != nil {
		return StorefrontLocation{}, err
	}
	closures, err := wire.PublicClosures(ctx, v, l)
	return StorefrontLocation{
		ID: l.ID, Slug: l.Slug, Name: l.Name, BusinessName: b.Name, Zone: l.Zone, Currency: string(l.Currency),
		TaxMode: l.TaxMode, PriceDisplay: l.Display(), Address: wire.ShowAddress(l.Address), Website: l.Website, ClassWord: b.ClassWord,
		AppointmentWord: b.AppointmentWord, RentalWord: b.RentalWord,
		Look:  PublicBranding{Accent: l.Branding.Accent, Background: l.Branding.Background, Type: l.Branding.Type, Corners: l.Branding.Corners},
		Hours: wire.ShowHours(hours), Closures: closures, Open: b.Status == business.Active,
	}, err
}

func (a *surface) listListings(ctx context.Context, sc tenancy.Scope, in *listListingsIn) (op.List[Listing], error) {
	list := op.ListKey("listings", sc.Location, in.Kind, in.Heading)
	page, err := wire.In[catalog.Key](a.Cursors, sc, list, in.Page)
	if err != nil {
		return op.List[Listing]{}, err
	}
	listings, err := a.Catalog.Listed(ctx, sc.Tenant, catalog.ListedInput{
		LocationID: sc.Location, Kind: in.Kind, Heading: in.Heading, Page: page,
	})
	return wire.List(a.Cursors, sc, list, listings, showListing), err
}

func (a *surface) getListing(ctx context.Context, sc tenancy.Scope, in *ListingPath) (ListingDetails, error) {
	l, err := a.Catalog.PublicOffering(ctx, sc.Tenant, in.OfferingID)
	if err != nil {
		return ListingDetails{}, err
	}
	v := a.DB.View(sc.Tenant)
	rules, err := catalog.RulesOf(ctx, v, []uuid.UUID{l.ID})
	out := ListingDetails{Listing: showListing(l), Policy: wire.Words(rules[l.ID], l.Kind, l.Enrolment == catalog.BySeries, l.Currency)}
	if err != nil || l.Enrolment != catalog.BySeries {
		return out, err
	}
	c, err := schedule.CourseInShort(ctx, v, l.ID)
	out.Course = wire.OrNil(&c, showCourse)
	return out, err
}

func showListing(l catalog.Listing) Listing {
	return Listing{
		ID: l.ID, LocationID: l.LocationID, Kind: l.Kind, Slug: l.Slug, Name: l.Name, Description: l.Description,
		Word: l.Word, DurationMinutes: l.DurationMinutes, Price: l.PriceAmount,
		FullPrice: checkout.FullPriceOf(l.PriceAmount, 1, l.Pricing, l.Currency), Currency: string(l.Currency), Position: l.Position,
		Durations: wire.Show(l.Durations, wire.ShowDuration), Approval: l.Approval, Enrolment: l.Enrolment, SoldAs: l.SoldAs,
		NeedsMember: l.NeedsMember, Walkins: l.Walkins,
	}
}
