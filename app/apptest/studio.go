package apptest

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// House is the business service of a world, with what it mails.
type House struct {
	*business.Service
	Mail *mail.Mailbox
}

// House makes the service. Its questions to other domains are answered with "no" unless a change says otherwise.
func (w *World) House(t testing.TB, changes ...func(*business.Options)) House {
	t.Helper()
	h := House{Mail: w.Mailbox(t)}
	o := business.Options{
		DB: w.DB, Secret: Secret, Mail: h.Mail,
		InviteMail: func(i business.TeamInvite) mail.Message {
			return mail.Message{To: i.To, Subject: i.Business, Text: i.Name + " " + i.Locale + " " + i.Slug}
		},
		SpaceInUseTx:   func(context.Context, *pg.Tx, uuid.UUID) (bool, error) { return false, nil },
		TaxRateMovedTx: func(context.Context, *pg.Tx, uuid.UUID, uuid.UUID) error { return nil },
	}
	for _, change := range changes {
		change(&o)
	}
	h.Service = business.New(o)
	return h
}

// Studio is a business with one location, opened by its owner with an invite.
type Studio struct {
	w        *World
	Business business.Business
	Location business.Location
	Owner    tenancy.Scope
}

// StudioPlan is what a studio is opened with.
type StudioPlan struct {
	business.CreateInput
	Owner string // address
}

// Studio opens a studio: Harbour Yoga in New York, priced in dollars, unless a change says otherwise. A second one gets
// an owner and addresses of its own.
func (w *World) Studio(t testing.TB, changes ...func(*StudioPlan)) Studio {
	t.Helper()
	plan := StudioPlan{
		CreateInput: business.CreateInput{
			Name: "Harbour Yoga", Currency: "USD", Zone: "America/New_York",
			Location: &business.LocationInput{Name: "Harbour"},
		},
		Owner: fmt.Sprintf("owner-%s@example.com", pg.NewID().String()[24:]),
	}
	for _, change := range changes {
		change(&plan)
	}
	owner := w.Person(t, plan.Owner)
	invite, err := w.People(t).CreateInvite(t.Context(), plan.Owner, "")
	if err != nil {
		t.Fatal(err)
	}
	plan.InviteToken = invite.Token
	made, err := w.House(t).Create(t.Context(), tenancy.Scope{Principal: owner, Surface: tenancy.SurfaceAPI}, plan.CreateInput)
	if err != nil {
		t.Fatalf("apptest: studio: %v", err)
	}
	s := Studio{w: w, Business: made.Business}
	if made.Location != nil {
		s.Location = *made.Location
	}
	s.Owner = s.Scope(t, owner)
	return s
}

// Scope admits a principal to the studio, as a request would.
func (s Studio) Scope(t testing.TB, p tenancy.Principal) tenancy.Scope {
	t.Helper()
	grants, _, _, err := s.w.House(t).Admit(t.Context(), p, s.Business.ID)
	if err != nil {
		t.Fatal(err)
	}
	return tenancy.Scope{Principal: p, Tenant: s.Business.ID, Grants: grants, Surface: tenancy.SurfaceAPI}
}

// Join puts a new person on the team and returns the scope they act in.
func (s Studio) Join(t testing.TB, email string, roles ...business.RoleAt) tenancy.Scope {
	t.Helper()
	who := s.w.Person(t, email)
	if _, err := s.w.House(t).AddMember(t.Context(), s.Owner, business.AddMemberInput{Email: email, Bookable: true, Roles: roles}); err != nil {
		t.Fatalf("apptest: join: %v", err)
	}
	return s.Scope(t, who)
}

// Everywhere is a role in the whole business.
func Everywhere(role policy.Role) business.RoleAt { return business.RoleAt{Role: role} }

// At is a role at one location.
func At(role policy.Role, location uuid.UUID) business.RoleAt {
	return business.RoleAt{Role: role, LocationID: &location}
}

// Key makes an API key of the owner's and returns the scope it acts in.
func (s Studio) Key(t testing.TB, features ...tenancy.Feature) (key string, sc tenancy.Scope) {
	t.Helper()
	h := s.w.House(t)
	made, err := h.CreateKey(t.Context(), s.Owner, business.CreateKeyInput{Features: features})
	if err != nil {
		t.Fatalf("apptest: key: %v", err)
	}
	p, err := h.AuthenticateKey(t.Context(), made.Key)
	if err != nil {
		t.Fatal(err)
	}
	return made.Key, s.Scope(t, p)
}

// AddLocation adds a location in the studio's own zone and currency.
func (s Studio) AddLocation(t testing.TB, name string, changes ...func(*business.LocationInput)) business.Location {
	t.Helper()
	in := business.LocationInput{Name: name}
	for _, change := range changes {
		change(&in)
	}
	l, err := s.w.House(t).CreateLocation(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatalf("apptest: location: %v", err)
	}
	return l
}

// AddSpace adds a space for twelve to the studio's location.
func (s Studio) AddSpace(t testing.TB, name string, changes ...func(*business.SpaceInput)) business.Space {
	t.Helper()
	in := business.SpaceInput{LocationID: s.Location.ID, Name: name, Capacity: 12}
	for _, change := range changes {
		change(&in)
	}
	space, err := s.w.House(t).CreateSpace(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatalf("apptest: space: %v", err)
	}
	return space
}

// AddTaxRate adds a tax rate.
func (s Studio) AddTaxRate(t testing.TB, name string, ppm int) business.TaxRate {
	t.Helper()
	rate, err := s.w.House(t).CreateTaxRate(t.Context(), s.Owner, business.TaxRateInput{Name: name, PPM: ppm})
	if err != nil {
		t.Fatalf("apptest: tax rate: %v", err)
	}
	return rate
}
