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

// Profile is the profile of the signed-in person.
type Profile struct {
	ID         uuid.UUID  `json:"id"`
	Email      string     `json:"email" doc:"Email address in lower case. It identifies the person."`
	Name       string     `json:"name" doc:"Name; empty until it is set."`
	Phone      string     `json:"phone" doc:"Phone number as entered; empty if there is none."`
	Locale     string     `json:"locale" doc:"Language tag; empty while unknown." example:"pt-BR"`
	Zone       string     `json:"zone" doc:"IANA time zone; empty until it is set." example:"Europe/Lisbon"`
	VerifiedAt *time.Time `json:"verifiedAt" doc:"When the person first signed in with a mailed code."`
	Version    int64      `json:"version"`
	CreatedAt  time.Time  `json:"createdAt"`
}

type profileBody struct {
	Version int64   `json:"version" minimum:"1" doc:"Version of the profile that was read."`
	Name    *string `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Phone   *string `json:"phone,omitempty" maxLength:"32" doc:"Phone number. Empty removes it." example:"+351 21 555 01 99"`
	Locale  *string `json:"locale,omitempty" maxLength:"35" doc:"Language of pages and emails, if the studio supports it. Empty for each studio's own language." example:"pt-BR"`
	Zone    *string `json:"zone,omitempty" maxLength:"64" doc:"Time zone. Empty removes it." example:"Europe/Lisbon"`
}

func (a *surface) profile() {
	op.Declare(a.Ops, op.Spec{
		ID: "getProfile", Method: "GET", Path: "/me/profile", Tag: "me", Compact: true,
		Summary: "Get own profile", Description: "Returns the signed-in person. API keys are refused.",
		Access: op.Session, Errors: []int{401, 403},
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Profile, error) {
		p, err := a.Identity.Profile(ctx, sc.Principal)
		return showProfile(p), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "updateProfile", Method: "PATCH", Path: "/me/profile", Tag: "me",
		Summary:     "Update own profile",
		Description: "Changes the members present. The email address cannot change: sign-in codes verify it.",
		Access:      op.Session, Versioned: true, Errors: []int{400, 401, 403, 409},
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
