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
	"foyer/policy"
)

// Business is a studio.
type Business struct {
	ID              uuid.UUID        `json:"id"`
	Name            string           `json:"name"`
	Slug            string           `json:"slug" doc:"First segment of the address of its pages." example:"harbour-yoga"`
	Currency        string           `json:"currency" doc:"Default currency of new locations." example:"USD"`
	Zone            string           `json:"zone" doc:"Default time zone of new locations." example:"America/New_York"`
	FeeMode         business.FeeMode `json:"feeMode" doc:"Payer of the platform fee."`
	FeePPM          int64            `json:"feePpm" doc:"Platform fee in parts per million of a card payment; 20000 is 2 %. Set by the platform."`
	SplitPPM        int64            `json:"splitPpm" doc:"The customer's share of a split fee in parts per million; 500000 is half."`
	ClassWord       string           `json:"classWord" doc:"Heading for classes without a heading of their own."`
	AppointmentWord string           `json:"appointmentWord"`
	RentalWord      string           `json:"rentalWord"`
	Status          business.Status  `json:"status" doc:"Status of the business. Only an active business accepts bookings."`
	ClosedAt        *time.Time       `json:"closedAt" doc:"When it was closed; null if it is open."`
	ReturnUntil     *time.Time       `json:"returnUntil" doc:"Until when a closed business can be reopened; null if it is open or cannot be reopened."`
	Version         int64            `json:"version"`
	CreatedAt       time.Time        `json:"createdAt"`
	UpdatedAt       time.Time        `json:"updatedAt"`
}

// OpenedBusiness is a new business with its first location.
type OpenedBusiness struct {
	Business
	Location op.Nullable[Location] `json:"location" doc:"The first location, if the request had one."`
}

// Membership is a business with a role of the caller.
type Membership struct {
	Business Business         `json:"business"`
	Roles    []RoleAssignment `json:"roles"`
	Features []string         `json:"features" doc:"Features held at any location of the business, in alphabetical order." example:"booking.view,location.view"`
}

// createBusinessBody requires nothing in its schema: a caller without an invite learns only of the missing invite
// (A31).
type createBusinessBody struct {
	InviteToken string             `json:"inviteToken,omitempty" maxLength:"200" doc:"Token of the invite link. Without a valid one the response is 403."`
	Name        string             `json:"name,omitempty" maxLength:"120" doc:"Name of the business. Required." example:"Harbour Yoga"`
	Slug        string             `json:"slug,omitempty" maxLength:"60" doc:"Slug of its pages. The default is derived from the name."`
	Currency    string             `json:"currency,omitempty" maxLength:"3" doc:"Currency. Required, unless the location has one." example:"USD"`
	Zone        string             `json:"zone,omitempty" maxLength:"64" doc:"Time zone. Required, unless the location has one." example:"America/New_York"`
	Location    *firstLocationBody `json:"location,omitempty" doc:"The first location. More can be added later."`
	Teaches     bool               `json:"ownerTeaches,omitempty" doc:"Whether the owner is an instructor customers can book."`
}

type firstLocationBody struct {
	Name     string           `json:"name,omitempty" maxLength:"120" doc:"Name of the location. Required."`
	Slug     string           `json:"slug,omitempty" maxLength:"60"`
	Zone     string           `json:"zone,omitempty" maxLength:"64" doc:"Time zone. The default is the business's."`
	Currency string           `json:"currency,omitempty" maxLength:"3" doc:"Currency. The default is the business's."`
	TaxMode  business.TaxMode `json:"taxMode,omitempty"`
	Address  *addressBody     `json:"address,omitempty"`
	Website  string           `json:"website,omitempty" maxLength:"300"`
}

type updateBusinessBody struct {
	Version         int64             `json:"version" minimum:"1" doc:"Version of the business that was read."`
	Name            *string           `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Slug            *string           `json:"slug,omitempty" minLength:"3" maxLength:"60" doc:"New slug. The old address redirects to it."`
	Currency        *string           `json:"currency,omitempty" minLength:"3" maxLength:"3" doc:"Default currency of new locations. It cannot change after the first payment."`
	Zone            *string           `json:"zone,omitempty" maxLength:"64" doc:"Default time zone of new locations."`
	FeeMode         *business.FeeMode `json:"feeMode,omitempty"`
	SplitPPM        *int64            `json:"splitPpm,omitempty" minimum:"0" maximum:"1000000" doc:"The customer's share of a split fee, in parts per million. Existing orders keep their price."`
	ClassWord       *string           `json:"classWord,omitempty" minLength:"1" maxLength:"40"`
	AppointmentWord *string           `json:"appointmentWord,omitempty" minLength:"1" maxLength:"40"`
	RentalWord      *string           `json:"rentalWord,omitempty" minLength:"1" maxLength:"40"`
}

func (a *surface) businesses() {
	op.Declare(a.Ops, op.Spec{
		ID: "createBusiness", Method: "POST", Path: "/businesses", Tag: "business",
		Summary: "Create a business",
		Description: "The signed-in person becomes its owner. Requires an invite sent to this person's own email address; " +
			"each invite works once. API keys are refused.",
		Access: op.Session, OneBusiness: true, Success: 201, Frozen: true, Errors: []int{400, 401, 403, 409},
	}, a.createBusiness)
	op.Declare(a.Ops, op.Spec{
		ID: "listBusinesses", Method: "GET", Path: "/businesses", Tag: "business", Compact: true,
		Summary:     "List own businesses",
		Description: "Returns the businesses in which the signed-in person has a role, oldest first. API keys are refused.",
		Access:      op.Session, OneBusiness: true, Errors: []int{400, 401, 403},
	}, wire.Lists(a.Cursors, "businesses", a.Business.Mine, showMembership))
	declare(a, op.Spec{
		ID: "getBusiness", Method: "GET", Path: "/businesses/{businessId}", Tag: "business", Feature: "location.view",
		Summary: "Get a business", Description: "Available to every role of the business.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Business, error) {
		b, err := a.Business.Get(ctx, sc)
		return showBusiness(b), err
	})
	declare(a, op.Spec{
		ID: "updateBusiness", Method: "PATCH", Path: "/businesses/{businessId}", Tag: "business", Feature: "business.manage", Versioned: true,
		Summary: "Update a business", Description: "Changes the members present.",
	}, a.updateBusiness)
	declare(a, op.Spec{
		ID: "listFeatures", Method: "GET", Path: "/businesses/{businessId}/features", Tag: "business", Access: op.Member, Feature: "location.view",
		Summary:     "List features and roles",
		Description: "Returns every feature with its roles, whether an API key can hold it, and the caller's own access.",
	}, a.listFeatures)
}

func (a *surface) createBusiness(ctx context.Context, sc tenancy.Scope, in *wire.Body[createBusinessBody]) (OpenedBusiness, error) {
	b := in.Body
	input := business.CreateInput{
		InviteToken: b.InviteToken, Name: b.Name, Slug: b.Slug, Currency: money.Currency(b.Currency), Zone: b.Zone,
		OwnerTeaches: b.Teaches,
	}
	if l := b.Location; l != nil {
		input.Location = &business.LocationInput{
			Name: l.Name, Slug: l.Slug, Zone: l.Zone, Currency: money.Currency(l.Currency), TaxMode: l.TaxMode,
			Address: l.Address.address(), Website: l.Website,
		}
	}
	made, err := a.Business.Create(ctx, sc, input)
	return OpenedBusiness{Business: showBusiness(made.Business), Location: wire.ShowOrNull(made.Location, showLocation)}, err
}

func (a *surface) updateBusiness(ctx context.Context, sc tenancy.Scope, in *wire.Body[updateBusinessBody]) (Business, error) {
	b := in.Body
	out, err := a.Business.Update(ctx, sc, business.UpdateInput{
		Version: b.Version, Name: b.Name, Slug: b.Slug, Currency: (*money.Currency)(b.Currency), Zone: b.Zone,
		FeeMode: b.FeeMode, SplitPPM: b.SplitPPM, ClassWord: b.ClassWord, AppointmentWord: b.AppointmentWord, RentalWord: b.RentalWord,
	})
	return showBusiness(out), err
}

func showBusiness(b business.Business) Business {
	return Business{
		ID: b.ID, Name: b.Name, Slug: b.Slug, Currency: string(b.Currency), Zone: b.Zone, FeeMode: b.FeeMode,
		FeePPM: b.FeePPM, SplitPPM: b.SplitPPM, ClassWord: b.ClassWord, AppointmentWord: b.AppointmentWord, RentalWord: b.RentalWord,
		Status: b.Status, ClosedAt: b.ClosedAt, ReturnUntil: b.ReturnUntil(), Version: b.Version, CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt,
	}
}

func showMembership(m business.Membership) Membership {
	return Membership{
		Business: showBusiness(m.Business), Roles: wire.Show(m.Roles, showRole),
		Features: wire.Show(m.Features, func(f tenancy.Feature) string { return string(f) }),
	}
}

// FeatureTable lists every feature, in the order of the published table (docs/roles.md). A65.
type FeatureTable struct {
	Features []Feature `json:"features"`
}

// Feature is a permission with the roles that have it and the caller's own access.
type Feature struct {
	Name        string         `json:"name" example:"booking.manage"`
	Description string         `json:"description" doc:"Description of the permission."`
	Limit       string         `json:"limit" doc:"Scope of its limited form; empty if there is none."`
	Own         string         `json:"own" doc:"Description of a person's own records; empty if no role has it for own records."`
	Keys        policy.KeyRule `json:"keys" doc:"Whether an API key can hold it: by default, if the creator of the key holds it, or never."`
	Roles       []RoleReach    `json:"roles" doc:"The roles with this feature."`
	Held        HeldFeature    `json:"held"`
}

// RoleReach is the scope of a feature in a role.
type RoleReach struct {
	Role    policy.Role `json:"role"`
	Reach   string      `json:"reach" enum:"own,location,all"`
	Limited bool        `json:"limited"`
}

// HeldFeature is the caller's access to a feature.
type HeldFeature struct {
	Everywhere bool        `json:"everywhere"`
	Locations  []uuid.UUID `json:"locations" doc:"Locations at which it is held, unless everywhere is true."`
	Own        bool        `json:"own" doc:"Whether it is held for own records."`
}

func (a *surface) listFeatures(_ context.Context, sc tenancy.Scope, _ *wire.Nothing) (FeatureTable, error) {
	return FeatureTable{Features: wire.Show(a.Business.Features(sc), showFeature)}, nil
}

func showFeature(f business.FeatureAccess) Feature {
	return Feature{
		Name: string(f.Feature), Description: f.Description.Description, Limit: f.Limit, Own: f.Own, Keys: f.Key,
		Roles: wire.Show(f.Roles, func(r business.RoleReach) RoleReach {
			return RoleReach{Role: r.Role, Reach: r.Reach.String(), Limited: r.Limited}
		}),
		Held: HeldFeature{Everywhere: f.Held.Everywhere, Locations: f.Held.Locations, Own: f.Held.Own},
	}
}
