package me

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/identity"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Profile is the signed-in person.
type Profile struct {
	ID         uuid.UUID  `json:"id"`
	Email      string     `json:"email" doc:"In lower case: it is what a person is known by."`
	Name       string     `json:"name" doc:"Empty until the person said it."`
	Phone      string     `json:"phone" doc:"As the person wrote it; empty when not given."`
	Locale     string     `json:"locale" doc:"Language tag; empty until it is known." example:"pt-BR"`
	Zone       string     `json:"zone" doc:"Time zone of the IANA list; empty until chosen." example:"Europe/Lisbon"`
	VerifiedAt *time.Time `json:"verifiedAt" doc:"When a mailed code first came back."`
	Version    int64      `json:"version"`
	CreatedAt  time.Time  `json:"createdAt"`
}

type profileBody struct {
	Version int64   `json:"version" minimum:"1" doc:"Of the profile that was read."`
	Name    *string `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Phone   *string `json:"phone,omitempty" maxLength:"32" doc:"Empty takes it away." example:"+351 21 555 01 99"`
	Locale  *string `json:"locale,omitempty" maxLength:"35" doc:"Of pages and mails, where a studio speaks it. Empty: as each studio writes." example:"pt-BR"`
	Zone    *string `json:"zone,omitempty" maxLength:"64" doc:"Empty takes it away." example:"Europe/Lisbon"`
}

func (a *surface) profile() {
	op.Declare(a.Ops, op.Spec{
		ID: "getProfile", Method: "GET", Path: "/me/profile", Tag: "me", Compact: true,
		Summary: "Get own profile", Description: "The signed-in person. API keys are refused.",
		Access: op.Session, Errors: []int{401, 403},
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Profile, error) {
		p, err := a.Identity.Profile(ctx, sc.Principal)
		return showProfile(p), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "updateProfile", Method: "PATCH", Path: "/me/profile", Tag: "me",
		Summary: "Change own profile", Description: "Changes the members that are sent. The address stays: it is what the codes prove.",
		Access: op.Session, Versioned: true, Errors: []int{400, 401, 403, 409},
	}, a.updateProfile)
}

func (a *surface) updateProfile(ctx context.Context, sc tenancy.Scope, in *wire.Body[profileBody]) (Profile, error) {
	p, err := a.Identity.UpdateProfile(ctx, sc.Principal, identity.ProfileInput(in.Body))
	return showProfile(p), err
}

func showProfile(p identity.Person) Profile {
	return Profile{
		ID: p.ID, Email: p.Email, Name: p.Name, Phone: p.Phone, Locale: p.Locale, Zone: p.Zone,
		VerifiedAt: p.VerifiedAt, Version: p.Version, CreatedAt: p.CreatedAt,
	}
}
