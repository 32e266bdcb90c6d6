// Package demo fills a development database with studios, through the same verbs that people use: it writes no row by
// itself. It does so with the clock three weeks back, so that the classes and bookings it makes reach into the past.
//
//	demo.go     what it needs, what it gives, and a studio from its first step to its last
//	plan.go     the studios, in data
//	studio.go   places, team, cards, classes, and customers who pay
//	engine.go   rules, hours, appointments and rentals, a course, a waitlist, a fee
//	money.go    money that went back, what the front desk may give, and the cash drawer
//	photos.go   photos of a studio, of what it sells and of its team
//	paint.go    what is to be seen on them
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"foyer/app/agreement"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/clock"
	"foyer/app/discount"
	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/sales"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/till"
	"foyer/app/waitlist"
	"foyer/billing"
	"foyer/billing/stripesim"
	"foyer/media"
	"foyer/policy"
)

// Services are the domains whose verbs the demo calls.
type Services struct {
	Identity     *identity.Service
	SigningIn    identity.Options // what Identity was made with
	Business     *business.Service
	Catalog      *catalog.Service
	Discount     *discount.Service
	Agreement    *agreement.Service
	Schedule     *schedule.Service
	Availability *availability.Service
	Booking      *booking.Service
	Waitlist     *waitlist.Service
	Billing      *billing.Service
	Checkout     *checkout.Service
	Sales        *sales.Service
	Till         *till.Service
	Media        *media.Service
}

// Demo makes the studios.
type Demo struct {
	Services
	DB      *pg.DB
	BaseURL string // as web.Options.BaseURL
	Clock   *clock.Moving
	Sim     *stripesim.Server
	Say     func(string) // tells a person what takes a while
}

// Business is a studio of the demo, as "foyer dev --json" prints it.
type Business struct {
	ID        string            `json:"id"`
	Name      string            `json:"name"`
	Slug      string            `json:"slug"`
	Locations []Location        `json:"locations"`
	People    map[string]Person `json:"people"`
	APIKey    string            `json:"apiKey"`
}

// Location is a location of a studio.
type Location struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Slug string `json:"slug"`
}

// Person is somebody with a session.
type Person struct {
	Email string `json:"email"`
	Token string `json:"token"`
}

// past is how far the demo reaches back.
const past = 21 * 24 * time.Hour

// Roles are the people every studio has, in the order they are shown: what Business.People calls them, and their role. One
// that may be limited to a location is: at the studio's first one.
var Roles = []struct {
	Name string
	Role policy.Role
}{
	{"owner", policy.Owner}, {"admin", policy.Admin}, {"manager", policy.Manager}, {"frontDesk", policy.FrontDesk},
	{"instructor", policy.Instructor}, {"accountant", policy.Accountant}, {"marketer", policy.Marketer},
	{"viewer", policy.Viewer}, {"customer", ""},
}

// Open makes the studios, or finds those that an earlier start remembered in the folder, and signs everybody in.
func (d Demo) Open(ctx context.Context, folder string) ([]Business, error) {
	file := filepath.Join(folder, "demo.json")
	out, err := d.remembered(ctx, file)
	if err != nil {
		return nil, err
	}
	if out == nil {
		d.Say("making two demo studios …")
		if out, err = d.make(ctx); err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
	}
	for i := range out {
		if err := d.signAllIn(ctx, &out[i]); err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
	}
	body, err := json.MarshalIndent(out, "", "\t")
	if err != nil {
		return nil, err
	}
	return out, os.WriteFile(file, body, 0o600)
}

// remembered reads what an earlier start made; nil when there was none, or when the database is another one by now.
func (d Demo) remembered(ctx context.Context, file string) ([]Business, error) {
	body, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Business
	if err := json.Unmarshal(body, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, b := range out {
		if _, err := d.Business.AuthenticateKey(ctx, b.APIKey); err != nil {
			return nil, nil
		}
	}
	return out, nil
}

func (d Demo) make(ctx context.Context) ([]Business, error) {
	d.Clock.Advance(-past)
	defer d.Clock.Advance(past)
	var aside errgroup.Group
	var out []Business
	for _, plan := range studios {
		b, err := d.studio(ctx, plan, aside.Go)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", plan.name, err), aside.Wait())
		}
		out = append(out, b)
	}
	return out, aside.Wait()
}

// signAllIn gives everybody whose token no longer works a new one.
func (d Demo) signAllIn(ctx context.Context, b *Business) error {
	for role, who := range b.People {
		if _, err := d.Identity.Authenticate(ctx, who.Token); err == nil {
			continue
		}
		token, err := d.SignIn(ctx, who.Email)
		if err != nil {
			return err
		}
		b.People[role] = Person{Email: who.Email, Token: token}
	}
	return nil
}

// SignIn asks for a code, reads the mail and sends the code back: what a person does, without the waiting.
func (d Demo) SignIn(ctx context.Context, email string) (string, error) {
	inbox := &letterbox{}
	options := d.SigningIn
	options.Mail, options.Limits = inbox, identity.Limits{PerAddress: 10_000, PerVisitor: 100_000}
	options.CodeMail = func(c identity.Code) mail.Message { return mail.Message{To: c.To, Subject: "code", Text: c.Code} }
	service := identity.New(options)
	challenge, err := service.Challenge(ctx, email, identity.Asker{Visitor: "demo"})
	if err != nil {
		return "", err
	}
	if err := service.MailCode(ctx, identity.CodeJob{Challenge: challenge}); err != nil {
		return "", err
	}
	in, err := service.Verify(ctx, identity.VerifyInput{Challenge: challenge, Code: inbox.text, Agent: "foyer dev"})
	return in.Token, err
}

// letterbox keeps the text of the last mail.
type letterbox struct{ text string }

func (l *letterbox) Send(_ context.Context, m mail.Message) error {
	l.text = m.Text
	return nil
}

// Actor signs a person in and returns what they may do in a business; uuid.Nil before there is one.
func (d Demo) Actor(ctx context.Context, email string, tenant uuid.UUID) (tenancy.Scope, error) {
	token, err := d.SignIn(ctx, email)
	if err != nil {
		return tenancy.Scope{}, err
	}
	p, err := d.Identity.Authenticate(ctx, token)
	if err != nil {
		return tenancy.Scope{}, err
	}
	sc := tenancy.Visitor(p, tenant, tenancy.SurfaceCLI)
	if tenant != uuid.Nil {
		sc.Grants, _, _, err = d.Business.Admit(ctx, p, tenant)
	}
	return sc, err
}

// named gives a person a name.
func (d Demo) named(ctx context.Context, email, name string) error {
	_, err := pg.InTx(ctx, d.DB, uuid.Nil, func(tx *pg.Tx) (identity.Person, error) {
		return identity.EnsurePersonTx(ctx, tx, email, name)
	})
	return err
}

// studio makes one studio with everything in it. What only computes runs aside: the rest waits for the database most of the time.
func (d Demo) studio(ctx context.Context, plan studioPlan, aside func(func() error)) (Business, error) {
	out := Business{People: map[string]Person{}}
	zone, err := civil.LoadZone(plan.zone)
	if err != nil {
		return out, err
	}
	address := func(role string) string { return role + "@" + plan.domain }
	if err := d.named(ctx, address("owner"), plan.owner); err != nil {
		return out, err
	}
	invite, err := identity.CreateInvite(ctx, d.DB, address("owner"), plan.name)
	if err != nil {
		return out, err
	}
	owner, err := d.Actor(ctx, address("owner"), uuid.Nil)
	if err != nil {
		return out, err
	}
	first := plan.locations[0]
	made, err := d.Business.Create(ctx, owner, business.CreateInput{
		InviteToken: invite.Token, Name: plan.name, Currency: plan.currency, Zone: plan.zone, Location: &first,
	})
	if err != nil {
		return out, err
	}
	if owner, err = d.Actor(ctx, address("owner"), made.Business.ID); err != nil {
		return out, err
	}
	s := seeding{Demo: d, plan: plan, zone: zone, owner: owner, address: address, out: &out}
	out.ID, out.Name, out.Slug = made.Business.ID.String(), made.Business.Name, made.Business.Slug
	out.People["owner"] = Person{Email: address("owner")}
	s.locations = []business.Location{*made.Location}
	if err := inOrder(ctx, s.places, s.team, s.cards, s.rules, s.classes, s.hours, s.services); err != nil {
		return out, err
	}
	aside(func() error { return s.photos(ctx) })
	return out, inOrder(ctx, s.customers, s.regret, s.appointments, s.crowd, s.moved, s.course, s.refunds, s.desk, s.key)
}

func inOrder(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}
