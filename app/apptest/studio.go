package apptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Secret is the server's secret in tests.
var Secret = []byte("not a secret, but thirty-two bytes")

// People is the identity service of a world, with its mails. The subject of a code mail is the code.
type People struct {
	*identity.Service
	Mail *mail.Mailbox
	w    *World
}

// AtHome is the origin of sign-in requests in tests where it does not matter.
var AtHome = identity.Origin{Visitor: "192.0.2.1"}

// People returns the service; limits default to the product's own.
func (w *World) People(t testing.TB, limits ...identity.Limits) People {
	t.Helper()
	p := People{Mail: w.Mailbox(t), w: w}
	o := identity.Options{
		DB: w.DB, Pepper: Secret, Mail: p.Mail, CodeMail: Letters{}.Code,
	}
	if len(limits) > 0 {
		o.Limits = limits[0]
	}
	p.Service = identity.New(o)
	return p
}

// Mailbox returns a sender that stores its messages.
func (w *World) Mailbox(t testing.TB) *mail.Mailbox {
	t.Helper()
	box, err := mail.NewMailbox(w.Clock, "")
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// RequestCode requests a code and runs the job that mails it. The code is "" if none was mailed.
func (p People) RequestCode(t testing.TB, email string) (challenge uuid.UUID, code string) {
	t.Helper()
	return p.RequestCodeAs(t, email, AtHome)
}

// RequestCodeAs is Ask from another origin.
func (p People) RequestCodeAs(t testing.TB, email string, by identity.Origin) (challenge uuid.UUID, code string) {
	t.Helper()
	challenge, err := p.Challenge(t.Context(), email, by)
	if err != nil {
		t.Fatal(err)
	}
	address, _ := identity.ParseEmail(email)
	before := len(p.Mail.List(address))
	p.Deliver(t, challenge)
	if list := p.Mail.List(address); len(list) > before {
		code = list[0].Subject
	}
	return challenge, code
}

// Deliver runs the job that mails the code of a challenge.
func (p People) Deliver(t testing.TB, challenge uuid.UUID) {
	t.Helper()
	args := Value[[]byte](t, p.w, "select args from river.river_job where kind = 'identity.code' and args->>'challenge' = $1", challenge.String())
	var job identity.CodeJob
	if err := errors.Join(json.Unmarshal(args, &job), p.MailCode(t.Context(), job)); err != nil {
		t.Fatal(err)
	}
}

// SignIn signs an address in by a mailed code.
func (p People) SignIn(t testing.TB, email string) (identity.SignIn, tenancy.Principal) {
	t.Helper()
	challenge, code := p.RequestCode(t, email)
	in, err := p.Verify(t.Context(), identity.VerifyInput{Challenge: challenge, Code: code, Agent: "a test", By: AtHome})
	if err != nil {
		t.Fatal(err)
	}
	who, err := p.Authenticate(t.Context(), in.Token)
	if err != nil {
		t.Fatal(err)
	}
	return in, who
}

// Person creates a person with a verified address and without a session, faster than signing in.
func (w *World) Person(t testing.TB, email string) tenancy.Principal {
	t.Helper()
	ctx := t.Context()
	p, err := pg.InTx(ctx, w.DB, uuid.Nil, func(tx *pg.Tx) (identity.Person, error) {
		p, err := identity.EnsurePersonTx(ctx, tx, email, "")
		if err != nil {
			return p, err
		}
		_, err = tx.Exec(ctx, "update persons set verified_at = $2 where id = $1", p.ID, tx.Now())
		return p, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorPerson, ID: p.ID, Name: p.Name}, Email: p.Email}
}

// BusinessService is the business service of a world, with its mails.
type BusinessService struct {
	*business.Service
	Mail *mail.Mailbox
}

// Businesses returns the service. Its ports to other domains return "no" unless a change overrides it.
func (w *World) Businesses(t testing.TB, changes ...func(*business.Options)) BusinessService {
	t.Helper()
	h := BusinessService{Mail: w.Mailbox(t)}
	o := business.Options{
		DB: w.DB, Secret: Secret, Mail: h.Mail, InviteMail: Letters{}.TeamInvite,
	}
	o.Ports = business.Ports{
		HasDatesTx:       func(context.Context, *pg.Tx, uuid.UUID) (bool, error) { return false, nil },
		SpaceInUseTx:     func(context.Context, *pg.Tx, uuid.UUID) (bool, error) { return false, nil },
		ReplaceTaxRateTx: func(context.Context, *pg.Tx, uuid.UUID, uuid.UUID) error { return nil },
		EndAheadTx: func(context.Context, *pg.Tx, tenancy.Scope, business.CloseInput) (business.Ended, error) {
			return business.Ended{}, nil
		},
		ArchiveLocationTx: func(context.Context, *pg.Tx, tenancy.Scope, *business.ArchivePlan) (business.ArchivedContent, error) {
			return business.ArchivedContent{}, nil
		},
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

// StudioPlan is the input of Studio.
type StudioPlan struct {
	business.CreateInput
	Owner string // address
}

// Studio creates a studio: Harbour Yoga in New York, priced in dollars, unless a change overrides it. A second one
// gets an owner and addresses of its own.
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
	invite, err := identity.CreateInvite(t.Context(), w.DB, plan.Owner, "")
	if err != nil {
		t.Fatal(err)
	}
	plan.InviteToken = invite.Token
	made, err := w.Businesses(t).Create(t.Context(), tenancy.Scope{Principal: owner, Surface: tenancy.SurfaceAPI}, plan.CreateInput)
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
	grants, _, _, err := s.w.Businesses(t).Admit(t.Context(), p, s.Business.ID)
	if err != nil {
		t.Fatal(err)
	}
	return tenancy.Scope{Principal: p, Tenant: s.Business.ID, Grants: grants, Surface: tenancy.SurfaceAPI}
}

// Join puts a new person on the team and returns the scope they act in.
func (s Studio) Join(t testing.TB, email string, roles ...business.RoleAt) tenancy.Scope {
	t.Helper()
	who := s.w.Person(t, email)
	if _, err := s.w.Businesses(t).AddMember(t.Context(), s.Owner, business.AddMemberInput{Email: email, Bookable: true, Roles: roles}); err != nil {
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
	h := s.w.Businesses(t)
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

// Pause has the studio take no bookings.
func (s Studio) Pause(t testing.TB) {
	t.Helper()
	if _, err := s.w.Businesses(t).Pause(t.Context(), s.Owner); err != nil {
		t.Fatalf("apptest: pause: %v", err)
	}
}

// Resume undoes Pause or Close.
func (s Studio) Resume(t testing.TB) {
	t.Helper()
	if _, err := s.w.Businesses(t).Resume(t.Context(), s.Owner); err != nil {
		t.Fatalf("apptest: resume: %v", err)
	}
}

// Close ends the service of the studio; existing bookings are unchanged.
func (s Studio) Close(t testing.TB) {
	t.Helper()
	if _, err := s.w.Businesses(t).Close(t.Context(), s.Owner, business.CloseInput{}); err != nil {
		t.Fatalf("apptest: close: %v", err)
	}
}

// AddLocation adds a location in the studio's own zone and currency.
func (s Studio) AddLocation(t testing.TB, name string, changes ...func(*business.LocationInput)) business.Location {
	t.Helper()
	in := business.LocationInput{Name: name}
	for _, change := range changes {
		change(&in)
	}
	l, err := s.w.Businesses(t).CreateLocation(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatalf("apptest: location: %v", err)
	}
	return l
}

// SetCountry sets the country of the studio's location, by its two letters.
func (s Studio) SetCountry(t testing.TB, country string) {
	t.Helper()
	h := s.w.Businesses(t)
	l, err := h.Location(t.Context(), s.Owner, s.Location.ID)
	if err == nil {
		l.Address.Country = country
		_, err = h.UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{
			LocationID: l.ID, Version: l.Version, Address: &l.Address,
		})
	}
	if err != nil {
		t.Fatalf("apptest: country: %v", err)
	}
}

// AddSpace adds a space for twelve to the studio's location.
func (s Studio) AddSpace(t testing.TB, name string, changes ...func(*business.SpaceInput)) business.Space {
	t.Helper()
	in := business.SpaceInput{LocationID: s.Location.ID, Name: name, Capacity: 12}
	for _, change := range changes {
		change(&in)
	}
	space, err := s.w.Businesses(t).CreateSpace(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatalf("apptest: space: %v", err)
	}
	return space
}

// AddTaxRate adds a tax rate.
func (s Studio) AddTaxRate(t testing.TB, name string, ppm int) business.TaxRate {
	t.Helper()
	rate, err := s.w.Businesses(t).CreateTaxRate(t.Context(), s.Owner, business.TaxRateInput{Name: name, PPM: ppm})
	if err != nil {
		t.Fatalf("apptest: tax rate: %v", err)
	}
	return rate
}

// AddRevenueCategory adds a revenue category.
func (s Studio) AddRevenueCategory(t testing.TB, name string) business.RevenueCategory {
	t.Helper()
	c, err := s.w.Businesses(t).CreateRevenueCategory(t.Context(), s.Owner, business.RevenueCategoryInput{Name: name})
	if err != nil {
		t.Fatalf("apptest: revenue category: %v", err)
	}
	return c
}

// System is the scope of the system, with all permissions in the studio.
func (s Studio) System() tenancy.Scope { return tenancy.System(s.Business.ID, tenancy.SurfaceAPI) }

// Holding is the scope of a person with these features at one location only.
func (s Studio) Holding(location uuid.UUID, features ...tenancy.Feature) tenancy.Scope {
	return tenancy.Scope{
		Principal: tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorPerson, ID: pg.NewID(), Name: "Somebody"}},
		Tenant:    s.Business.ID,
		Grants:    tenancy.Grants{AtLocation: map[uuid.UUID]tenancy.FeatureSet{location: tenancy.NewFeatureSet(features...)}},
		Surface:   tenancy.SurfaceAPI,
	}
}

// AddInstructor adds a member that can be an instructor and has no access.
func (s Studio) AddInstructor(t testing.TB, name string) business.Member {
	t.Helper()
	m, err := s.w.Businesses(t).AddMember(t.Context(), s.Owner, business.AddMemberInput{
		Email: pg.NewID().String() + "@example.com", Name: name, Bookable: true,
	})
	if err != nil {
		t.Fatalf("apptest: instructor: %v", err)
	}
	return m
}

// OfferingRow is a row of offerings. Rows, and not verbs, so that a test may start from any state and any kind.
type OfferingRow struct {
	ID, Location               uuid.UUID
	Kind, Slug, Name, Heading  string
	State                      string
	Minutes                    int
	Price                      *int64 // minor units; nil only for a draft
	TaxRate, RevenueCategory   *uuid.UUID
	Capacity, Online, Position int
}

// AddOffering writes a published class of an hour for 22.00 with twelve seats, all of them online, unless a change
// overrides it.
func (s Studio) AddOffering(t testing.TB, changes ...func(*OfferingRow)) OfferingRow {
	t.Helper()
	price := int64(2200)
	o := OfferingRow{ID: pg.NewID(), Location: s.Location.ID, Kind: "class", Name: "Morning Yoga", State: "published",
		Minutes: 60, Price: &price, Capacity: 12, Online: 12}
	o.Slug = "offering-" + o.ID.String()[24:]
	for _, change := range changes {
		change(&o)
	}
	var published *time.Time
	if now := s.w.Clock.Now(); o.State == "published" {
		published = &now
	}
	s.w.SQL(t, `insert into offerings (id, business_id, location_id, kind, slug, name, heading, state, duration_minutes,
			price_amount, tax_rate_id, capacity, online_capacity, position, published_at, created_at, updated_at,
			revenue_category_id)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17)`,
		o.ID, s.Business.ID, o.Location, o.Kind, o.Slug, o.Name, o.Heading, o.State, o.Minutes, o.Price, o.TaxRate, o.Capacity,
		o.Online, o.Position, published, s.w.Clock.Now(), o.RevenueCategory)
	return o
}

// OccurrenceRow is a row of occurrences, on a series of its own with just this date.
type OccurrenceRow struct {
	ID, Series         uuid.UUID
	StartsAt           time.Time
	State              string
	Capacity, Online   int
	Taken, TakenOnline int
	Member, Space      *uuid.UUID
}

// AddOccurrence writes one date of an offering, with the offering's length and seats and without bookings, unless a
// change overrides it.
func (s Studio) AddOccurrence(t testing.TB, of OfferingRow, startsAt time.Time, changes ...func(*OccurrenceRow)) OccurrenceRow {
	t.Helper()
	o := OccurrenceRow{ID: pg.NewID(), Series: pg.NewID(), StartsAt: startsAt, State: "scheduled",
		Capacity: of.Capacity, Online: of.Online}
	for _, change := range changes {
		change(&o)
	}
	s.w.SQL(t, `with wall as (select $5::timestamptz at time zone l.zone as clock, l.zone from locations l where l.id = $3), made as (
			insert into series (id, business_id, location_id, offering_id, weekdays, starts_on, starts_at_minute, duration_minutes,
				max_count, except_dates, zone, capacity, online_capacity, materialized_to, created_at, updated_at)
			select $1, $2, $3, $4, (array['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'])[1 + extract(dow from clock)::int], clock::date,
				extract(hour from clock)::int * 60 + extract(minute from clock)::int, $6, 1, '[]', zone, $7, $8, clock::date, $9, $9
			from wall
		)
		insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
			member_id, space_id, state, capacity, online_capacity, taken, taken_online, created_at, updated_at)
		select $10, $2, $3, $4, $1, clock::date, clock::date, $5, $5::timestamptz + make_interval(mins => $6), $11, $12, $13, $7, $8,
			$14, $15, $9, $9 from wall`,
		o.Series, s.Business.ID, of.Location, of.ID, startsAt, of.Minutes, o.Capacity, o.Online, s.w.Clock.Now(), o.ID,
		o.Member, o.Space, o.State, o.Taken, o.TakenOnline)
	return o
}

// AddCourse writes a published class that is enrolled in as a course, and so many of its dates: the first two days
// ahead, the others a week after each other. The changes are made to the offering.
func (s Studio) AddCourse(t testing.TB, dates int, changes ...func(*OfferingRow)) (OfferingRow, []OccurrenceRow) {
	t.Helper()
	o := s.AddOffering(t, changes...)
	s.w.SQL(t, "update offerings set enrolment = 'series' where id = $1", o.ID)
	out := make([]OccurrenceRow, dates)
	for i := range out {
		out[i] = s.AddOccurrence(t, o, s.w.Clock.Now().Add(48*time.Hour).AddDate(0, 0, 7*i))
	}
	return o, out
}
