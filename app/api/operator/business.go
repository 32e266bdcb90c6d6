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
	Slug            string           `json:"slug" doc:"First part of the address of its pages." example:"harbour-yoga"`
	Currency        string           `json:"currency" doc:"For new locations." example:"USD"`
	Zone            string           `json:"zone" doc:"For new locations." example:"America/New_York"`
	FeeMode         business.FeeMode `json:"feeMode" doc:"Who bears the platform fee."`
	FeePPM          int64            `json:"feePpm" doc:"The platform fee in parts per million of a card payment, 20000 is 2 %. Set by the platform."`
	SplitPPM        int64            `json:"splitPpm" doc:"The customer's share of the fee in parts per million where it is split, 500000 is half."`
	ClassWord       string           `json:"classWord" doc:"Heading for classes without one of their own."`
	AppointmentWord string           `json:"appointmentWord"`
	RentalWord      string           `json:"rentalWord"`
	Status          business.Status  `json:"status" doc:"Only an active business takes bookings."`
	ClosedAt        *time.Time       `json:"closedAt" doc:"Null unless it is closed."`
	ReturnUntil     *time.Time       `json:"returnUntil" doc:"Until then a closed business can return. Null: it is not closed, or cannot."`
	Version         int64            `json:"version"`
	CreatedAt       time.Time        `json:"createdAt"`
	UpdatedAt       time.Time        `json:"updatedAt"`
}

// OpenedBusiness is a new business with its first location.
type OpenedBusiness struct {
	Business
	Location op.Nullable[Location] `json:"location" doc:"The first location, if one was asked for."`
}

// Membership is a business that the caller belongs to.
type Membership struct {
	Business Business         `json:"business"`
	Roles    []RoleAssignment `json:"roles"`
	Features []string         `json:"features" doc:"Held somewhere in the business, in alphabetical order." example:"booking.view,location.view"`
}

// createBusinessBody requires nothing in its schema: who has no invite learns about that, and not about the rest (A31).
type createBusinessBody struct {
	InviteToken string             `json:"inviteToken,omitempty" maxLength:"200" doc:"From the invite link. Without a valid one the answer is 403."`
	Name        string             `json:"name,omitempty" maxLength:"120" doc:"Needed." example:"Harbour Yoga"`
	Slug        string             `json:"slug,omitempty" maxLength:"60" doc:"Made from the name when left out."`
	Currency    string             `json:"currency,omitempty" maxLength:"3" doc:"Needed, here or with the location." example:"USD"`
	Zone        string             `json:"zone,omitempty" maxLength:"64" doc:"Needed, here or with the location." example:"America/New_York"`
	Location    *firstLocationBody `json:"location,omitempty" doc:"The first location; more can be added later."`
	Teaches     bool               `json:"ownerTeaches,omitempty" doc:"The owner is an instructor: customers can book them."`
}

type firstLocationBody struct {
	Name     string           `json:"name,omitempty" maxLength:"120" doc:"Needed."`
	Slug     string           `json:"slug,omitempty" maxLength:"60"`
	Zone     string           `json:"zone,omitempty" maxLength:"64" doc:"The business's when left out."`
	Currency string           `json:"currency,omitempty" maxLength:"3" doc:"The business's when left out."`
	TaxMode  business.TaxMode `json:"taxMode,omitempty"`
	Address  *addressBody     `json:"address,omitempty"`
	Website  string           `json:"website,omitempty" maxLength:"300"`
}

type updateBusinessBody struct {
	Version         int64             `json:"version" minimum:"1" doc:"Of the business that was read."`
	Name            *string           `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Slug            *string           `json:"slug,omitempty" minLength:"3" maxLength:"60" doc:"The old address stays as a redirect."`
	Currency        *string           `json:"currency,omitempty" minLength:"3" maxLength:"3" doc:"For new locations; frozen after the first payment."`
	Zone            *string           `json:"zone,omitempty" maxLength:"64" doc:"For new locations."`
	FeeMode         *business.FeeMode `json:"feeMode,omitempty"`
	SplitPPM        *int64            `json:"splitPpm,omitempty" minimum:"0" maximum:"1000000" doc:"The customer's share of the fee where it is split. What is ordered already keeps its price."`
	ClassWord       *string           `json:"classWord,omitempty" minLength:"1" maxLength:"40"`
	AppointmentWord *string           `json:"appointmentWord,omitempty" minLength:"1" maxLength:"40"`
	RentalWord      *string           `json:"rentalWord,omitempty" minLength:"1" maxLength:"40"`
}

func (a *surface) businesses() {
	op.Declare(a.Ops, op.Spec{
		ID: "createBusiness", Method: "POST", Path: "/businesses", Tag: "business",
		Summary: "Open a business",
		Description: "The signed-in person becomes its owner. It takes an invite that was sent to this person's own address; " +
			"each works once. API keys are refused.",
		Access: op.Session, Success: 201, Frozen: true, Errors: []int{400, 401, 403, 409},
	}, a.createBusiness)
	op.Declare(a.Ops, op.Spec{
		ID: "listBusinesses", Method: "GET", Path: "/businesses", Tag: "business", Compact: true,
		Summary: "List own businesses", Description: "Businesses where the signed-in person has a role, in the order they were opened. API keys are refused.",
		Access: op.Session, Errors: []int{400, 401, 403},
	}, wire.Lists(a.Cursors, "businesses", a.Business.Mine, showMembership))
	declare(a, op.Spec{
		ID: "getBusiness", Method: "GET", Path: "/businesses/{businessId}", Tag: "business", Compact: true, Feature: "location.view",
		Summary: "Get a business", Description: "Everybody with a role in the business may see it.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Business, error) {
		b, err := a.Business.Get(ctx, sc)
		return showBusiness(b), err
	})
	declare(a, op.Spec{
		ID: "updateBusiness", Method: "PATCH", Path: "/businesses/{businessId}", Tag: "business", Feature: "business.manage", Versioned: true,
		Summary: "Change a business", Description: "Changes the members that are sent.",
	}, a.updateBusiness)
	declare(a, op.Spec{
		ID: "listFeatures", Method: "GET", Path: "/businesses/{businessId}/features", Tag: "business", Access: op.Member, Feature: "location.view",
		Summary:     "See features and roles",
		Description: "Every feature with the roles that have it, whether an API key may have it, and what the caller has of it.",
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

// FeatureTable is every feature, in the order of the published table (docs/roles.md). A65.
type FeatureTable struct {
	Features []Feature `json:"features"`
}

// Feature is a permission, who has it by role, and what the caller has of it.
type Feature struct {
	Name        string         `json:"name" example:"booking.manage"`
	Description string         `json:"description" doc:"What it lets somebody do."`
	Limit       string         `json:"limit" doc:"What its limited form allows; empty when it has none."`
	Own         string         `json:"own" doc:"What a person's own rows are; empty when no role has it for own rows."`
	Keys        policy.KeyRule `json:"keys" doc:"Whether an API key may have it: by default, if the person who makes the key has it, or never."`
	Roles       []RoleReach    `json:"roles" doc:"The roles that have it."`
	Held        HeldFeature    `json:"held"`
}

// RoleReach says how far a role reaches with a feature.
type RoleReach struct {
	Role    policy.Role `json:"role"`
	Reach   string      `json:"reach" enum:"own,location,all"`
	Limited bool        `json:"limited"`
}

// HeldFeature is what the caller has of a feature.
type HeldFeature struct {
	Everywhere bool        `json:"everywhere"`
	Locations  []uuid.UUID `json:"locations" doc:"Where, when not everywhere."`
	Own        bool        `json:"own" doc:"For own rows."`
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
