// Package demo fills a development database with studios, through the verbs of the product: it writes no row by
// itself. It starts with the clock eight weeks back, and runs day after day: every row has the day of its event.
//
//	demo.go        dependencies, results, and a studio from its first step to its last
//	plan.go        the studios, in data
//	people.go      the names of their customers
//	studio.go      locations, team, cards, classes
//	engine.go      rules, hours, appointments and rentals
//	goods.go       products and their stock
//	gift_cards.go  gift cards, sold and spent
//	plans.go       plans, sold and used
//	history.go     eight weeks, day by day: the clock goes back, and runs forward to now
//	habits.go      regular customers of classes
//	online.go      bookings and payments online
//	desk.go        sales at the desk, walk-ins, the cash drawer, a waitlist
//	trouble.go     late cancellations, refunds, a dispute
//	assistants.go  connected assistants, and what one of them changed
//	books.go       accounting: a connection to the simulated provider, with the documents of some days
//	photos.go      photos of a studio, of its offerings and its team
//	paint.go       the drawings of the photos
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"foyer/app/accounting/ledgersim"
	"foyer/app/assembly"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/clock"
	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/stripesim"
	"foyer/policy"
)

// Services are the domains with the verbs that the demo calls.
type Services struct {
	assembly.Services
	SigningIn identity.Options // options of Identity
}

// Demo makes the studios.
type Demo struct {
	Services
	DB      *pg.DB
	BaseURL string // as web.Options.BaseURL
	Clock   *clock.Adjustable
	Sim     *stripesim.Server
	Ledger  *ledgersim.Server // the accounting provider; optional: without it no studio is connected
	Say     func(string)      // prints a line before a long step

	// Analyze gathers statistics of the tables: they grow faster than autovacuum runs.
	Analyze func(context.Context) error
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

// Person is a person with a session.
type Person struct {
	Email string `json:"email"`
	Token string `json:"token"`
}

// Roles are the people of every studio, in the order they are shown: the name in Business.People, and the role. A
// role that may be limited to a location is limited to the studio's first one.
var Roles = []struct {
	Name string
	Role policy.Role
}{
	{"owner", policy.Owner}, {"admin", policy.Admin}, {"manager", policy.Manager}, {"frontDesk", policy.FrontDesk},
	{"instructor", policy.Instructor}, {"accountant", policy.Accountant}, {"marketer", policy.Marketer},
	{"viewer", policy.Viewer}, {"customer", ""},
}

// Open creates the studios, or finds those that an earlier start recorded in the folder, and signs all their people
// in.
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
	if err := os.WriteFile(file, body, 0o600); err != nil {
		return nil, err
	}
	if err := d.connectBooks(ctx, out); err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	return out, nil
}

// remembered returns the studios of an earlier start; nil if there was none, or if the database is another one by
// now.
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

func (d Demo) make(ctx context.Context) (out []Business, err error) {
	err = d.Sim.Aside(func() error {
		out, err = d.makeAside(ctx)
		return err
	})
	return out, err
}

func (d Demo) makeAside(ctx context.Context) ([]Business, error) {
	end := d.Clock.Now()
	first := end.Add(-past).Truncate(day24).Add(day24)
	t := &travel{clock: d.Clock}
	t.by(-past)
	defer t.back()
	all := make([]*seeding, len(studios))
	var aside errgroup.Group
	for i, plan := range studios {
		all[i] = &seeding{
			Demo: d, plan: plan, first: first, end: end, away: map[uuid.UUID]bool{}, ofGoods: map[uuid.UUID]bool{},
		}
	}
	err := together(all, func(s *seeding) error { return s.in(s.open(ctx, aside.Go)) })
	if err == nil {
		err = d.Analyze(ctx)
	}
	if err == nil {
		err = d.live(ctx, t, first, end, all)
	}
	t.back()
	if err == nil {
		err = together(all, func(s *seeding) error { return s.in(s.present(ctx)) })
	}
	if err = errors.Join(err, aside.Wait()); err != nil {
		return nil, err
	}
	out := make([]Business, len(all))
	for i, s := range all {
		out[i] = *s.out
	}
	return out, d.night(ctx, days)
}

// signAllIn gives every person with an invalid token a new one.
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

// SignIn requests a code, reads the mail and verifies the code: the steps of a person, without the waiting.
func (d Demo) SignIn(ctx context.Context, email string) (string, error) {
	inbox := &letterbox{}
	options := d.SigningIn
	options.Mail, options.Limits = inbox, identity.Limits{PerAddress: 10_000, PerVisitor: 100_000}
	options.CodeMail = func(c identity.Code) mail.Message { return mail.Message{To: c.To, Subject: "code", Text: c.Code} }
	service := identity.New(options)
	challenge, err := service.Challenge(ctx, email, identity.Origin{Visitor: "demo"})
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

// Actor signs a person in and returns their scope in a business; uuid.Nil before there is one.
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

// open creates a studio with everything before its first day. Pure computation runs aside, because the other steps
// mostly wait for the database.
func (s *seeding) open(ctx context.Context, aside func(func() error)) (err error) {
	d, plan := s.Demo, s.plan
	s.out = &Business{People: map[string]Person{}}
	if s.zone, err = civil.LoadZone(plan.zone); err != nil {
		return err
	}
	s.address = func(role string) string { return role + "@" + plan.domain }
	if err := d.named(ctx, s.address("owner"), plan.owner); err != nil {
		return err
	}
	invite, err := identity.CreateInvite(ctx, d.DB, s.address("owner"), plan.name)
	if err != nil {
		return err
	}
	owner, err := d.Actor(ctx, s.address("owner"), uuid.Nil)
	if err != nil {
		return err
	}
	first := plan.locations[0]
	made, err := d.Business.Create(ctx, owner, business.CreateInput{
		InviteToken: invite.Token, Name: plan.name, Currency: plan.currency, Zone: plan.zone, Location: &first,
	})
	if err != nil {
		return err
	}
	if s.owner, err = d.Actor(ctx, s.address("owner"), made.Business.ID); err != nil {
		return err
	}
	s.out.ID, s.out.Name, s.out.Slug = made.Business.ID.String(), made.Business.Name, made.Business.Slug
	s.out.People["owner"] = Person{Email: s.address("owner")}
	s.locations = []business.Location{*made.Location}
	err = inOrder(ctx, s.places, s.team, s.cards, s.rules, s.classes, s.hours, s.services, s.goods,
		s.plansOnSale, s.limit)
	if err != nil {
		return err
	}
	aside(func() error { return s.photos(ctx) })
	for n, name := range customerNames {
		s.regulars = append(s.regulars, &guest{name: name, email: s.customerEmail(n)})
	}
	s.out.People["customer"] = Person{Email: s.customerEmail(0)}
	if err := s.calendar(ctx); err != nil {
		return err
	}
	s.makeHabits()
	return s.joinAll(ctx, -1)
}

// in adds the studio to an error.
func (s *seeding) in(err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", s.plan.name, err)
	}
	return nil
}

// present adds the state of today, after the history.
func (s *seeding) present(ctx context.Context) error {
	return inOrder(ctx, s.sinceMorning, s.appointments, s.crowd, s.course, s.moved, s.inside, s.deskGoods, s.giftCards,
		s.members, s.key)
}

func (s *seeding) customerEmail(n int) string {
	first, _, _ := strings.Cut(strings.ToLower(customerNames[n]), " ")
	return first + "@customers." + s.plan.domain
}

func inOrder(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}
