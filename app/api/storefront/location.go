package storefront

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// StorefrontLocation is the public view of a location.
type StorefrontLocation struct {
	ID              uuid.UUID             `json:"id"`
	Slug            string                `json:"slug"`
	Name            string                `json:"name"`
	BusinessName    string                `json:"businessName" doc:"Name of the studio, the merchant of record."`
	Zone            string                `json:"zone" doc:"Time zone of all times." example:"America/New_York"`
	Currency        string                `json:"currency"`
	TaxMode         business.TaxMode      `json:"taxMode" doc:"Whether tax is added at checkout or included in the listed price."`
	PriceDisplay    business.PriceDisplay `json:"priceDisplay" doc:"Price display in lists: in full, as fullPrice, or as price, with a note on the additions."`
	Address         wire.Address          `json:"address"`
	Website         string                `json:"website" doc:"Address of the studio's website; empty if there is none."`
	ClassWord       string                `json:"classWord" doc:"Heading for classes without a heading of their own."`
	AppointmentWord string                `json:"appointmentWord"`
	RentalWord      string                `json:"rentalWord"`
	Branding        PublicBranding        `json:"branding"`
	Hours           wire.Hours            `json:"hours"`
	Closures        []wire.PublicClosure  `json:"closures" doc:"Upcoming days on which it is closed or has special hours, soonest first."`
	Open            bool                  `json:"open" doc:"Whether bookings are accepted now. False while the studio has paused them."`
}

// PublicBranding is a theme without its version.
type PublicBranding struct {
	Accent     string `json:"accent" example:"#a4472b"`
	Background string `json:"background" enum:"paper,white,dark"`
	Type       string `json:"type" enum:"figtree,system"`
	Corners    string `json:"corners" enum:"square,soft,round,pill"`
}

// Listing is the public view of a published offering.
type Listing struct {
	ID              uuid.UUID         `json:"id"`
	LocationID      uuid.UUID         `json:"locationId"`
	Kind            catalog.Kind      `json:"kind"`
	Slug            string            `json:"slug"`
	Name            string            `json:"name"`
	Description     string            `json:"description" doc:"Description, plain text."`
	Word            string            `json:"word" doc:"Heading in lists."`
	DurationMinutes int               `json:"durationMinutes"`
	Price           int64             `json:"price" doc:"Price in minor units: 2200 is 22.00; 0 is free."`
	FullPrice       int64             `json:"fullPrice" doc:"Price by card in minor units, with tax and service fee, if the studio accepts cards."`
	Currency        string            `json:"currency" example:"USD"`
	Position        int               `json:"position" doc:"Sort order in lists, before the name."`
	Durations       []wire.Duration   `json:"durations" doc:"Lengths to choose from; the first one is the default. Empty if there is one length only."`
	Approval        bool              `json:"approval" doc:"Whether a booking is a request that the studio approves or declines."`
	Enrolment       catalog.Enrolment `json:"enrolment" doc:"Enrolment. series: a course; one booking covers all of its dates."`
	SoldAs          catalog.SoldAs    `json:"soldAs" doc:"Sales unit. space: a rental of the whole space."`
	NeedsMember     bool              `json:"needsMember" doc:"Whether a staff member attends the rental."`
	Walkins         bool              `json:"walkins" doc:"Whether it accepts walk-ins."`
}

// ListingDetails is a listing with its booking policy.
type ListingDetails struct {
	Listing
	Policy []string `json:"policy" doc:"Booking and cancellation policy, one English sentence each."`
	Course *Course  `json:"course,omitempty" doc:"The dates covered by enrolling now; for a course only."`
}

type listListingsIn struct {
	op.Page
	Kind    catalog.Kind `query:"kind"`
	Heading string       `query:"heading" maxLength:"60" doc:"Only listings under this heading, in singular or plural."`
}

func (a *surface) location() {
	op.Declare(a.Ops, op.Spec{
		ID: "getStorefrontLocation", Method: "GET", Path: "/storefront/locations/{id}", Tag: "storefront",
		Summary: "Get a storefront location",
		Description: "Returns name, address, branding and opening hours. Returns 404 for an archived location and for one " +
			"of a closed business.",
		Access: op.Public, Target: op.InLocation("id"), Rate: op.RateStorefront, Errors: []int{404},
	}, a.getStorefrontLocation)
	op.Declare(a.Ops, op.Spec{
		ID: "listListings", Method: "GET", Path: "/storefront/locations/{id}/offerings", Tag: "storefront",
		Summary: "List listings", Description: "Returns the published offerings of a location.",
		Access: op.Public, Target: op.InLocation("id"), Rate: op.RateStorefront, Frozen: true, Errors: []int{400, 404},
	}, a.listListings)
}

// openLocation returns the location of a call with its business. It finds no archived location and none of a closed
// business.
func (a *surface) openLocation(
	ctx context.Context, sc tenancy.Scope,
) (l business.Location, b business.Business, err error) {
	v := a.DB.View(sc.Tenant)
	if l, err = business.LocationOf(ctx, v, sc.Location); err != nil {
		return l, b, err
	}
	if b, err = business.BusinessOf(ctx, v); err != nil {
		return l, b, err
	}
	return l, b, fault.When(l.ArchivedAt != nil || b.Status == business.Closed, fault.Missing(), nil)
}

// getStorefrontLocation returns the public view of a location, by openLocation.
func (a *surface) getStorefrontLocation(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (StorefrontLocation,
	error) {
	l, b, err := a.openLocation(ctx, sc)
	if err != nil {
		return StorefrontLocation{}, err
	}
	v := a.DB.View(sc.Tenant)
	hours, err := business.HoursOf(ctx, v, l.ID)
	if err != nil {
		return StorefrontLocation{}, err
	}
	closures, err := wire.PublicClosures(ctx, v, l)
	return StorefrontLocation{
		ID: l.ID, Slug: l.Slug, Name: l.Name, BusinessName: b.Name, Zone: l.Zone, Currency: string(l.Currency),
		TaxMode: l.TaxMode, PriceDisplay: l.Display(), Address: wire.ShowAddress(l.Address), Website: l.Website, ClassWord: b.ClassWord,
		AppointmentWord: b.AppointmentWord, RentalWord: b.RentalWord,
		Branding: PublicBranding{
			Accent: l.Branding.Accent, Background: l.Branding.Background, Type: l.Branding.Type, Corners: l.Branding.Corners,
		},
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
		FullPrice: order.FullPriceOf(l.PriceAmount, 1, l.Pricing, l.Currency), Currency: string(l.Currency), Position: l.Position,
		Durations: wire.Show(l.Durations, wire.ShowDuration), Approval: l.Approval, Enrolment: l.Enrolment, SoldAs: l.SoldAs,
		NeedsMember: l.NeedsMember, Walkins: l.Walkins,
	}
}
