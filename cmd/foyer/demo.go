package main

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

	"foyer/app/business"
	"foyer/app/clock"
	"foyer/app/identity"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/stripesim"
	"foyer/policy"
)

// demo fills a development database with studios, through the same verbs that people use. It does so with the clock
// three weeks back, so that the classes and bookings it makes reach into the past.
type demo struct {
	x     *product
	clock *clock.Moving
	sim   *stripesim.Server
	say   func(string)
}

// demoPast is how far the demo reaches back.
const demoPast = 21 * 24 * time.Hour

// demoRoles are the people every demo studio has, in the order they are shown. A role that may be limited to a location
// is: at the studio's first one.
var demoRoles = []struct {
	json string // the name in the JSON of "foyer dev --json"
	role policy.Role
}{
	{"owner", policy.Owner}, {"admin", policy.Admin}, {"manager", policy.Manager}, {"frontDesk", policy.FrontDesk},
	{"instructor", policy.Instructor}, {"accountant", policy.Accountant}, {"marketer", policy.Marketer},
	{"viewer", policy.Viewer}, {"customer", ""},
}

// open makes the studios, or finds those of an earlier start, and signs everybody in.
func (d demo) open(ctx context.Context, c Config) ([]readyBusiness, error) {
	file := filepath.Join(c.DataDir, "demo.json")
	out, err := d.remembered(ctx, file)
	if err != nil {
		return nil, err
	}
	if out == nil {
		d.say("making two demo studios …")
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
func (d demo) remembered(ctx context.Context, file string) ([]readyBusiness, error) {
	body, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []readyBusiness
	if err := json.Unmarshal(body, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, b := range out {
		if _, err := d.x.business.AuthenticateKey(ctx, b.APIKey); err != nil {
			return nil, nil
		}
	}
	return out, nil
}

func (d demo) make(ctx context.Context) ([]readyBusiness, error) {
	d.clock.Advance(-demoPast)
	defer d.clock.Advance(demoPast)
	var out []readyBusiness
	for _, plan := range demoStudios {
		b, err := d.studio(ctx, plan)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plan.name, err)
		}
		out = append(out, b)
	}
	return out, nil
}

// signAllIn gives everybody whose token no longer works a new one.
func (d demo) signAllIn(ctx context.Context, b *readyBusiness) error {
	for role, who := range b.People {
		if _, err := d.x.identity.Authenticate(ctx, who.Token); err == nil {
			continue
		}
		token, err := d.signIn(ctx, who.Email)
		if err != nil {
			return err
		}
		b.People[role] = readyPerson{Email: who.Email, Token: token}
	}
	return nil
}

// signIn asks for a code, reads the mail and sends the code back: what a person does, without the waiting.
func (d demo) signIn(ctx context.Context, email string) (string, error) {
	inbox := &letterbox{}
	options := d.x.signingIn
	options.Mail, options.Limits = inbox, identity.Limits{PerAddress: 10_000, PerVisitor: 100_000}
	options.CodeMail = func(c identity.Code) mail.Message { return mail.Message{To: c.To, Subject: "code", Text: c.Code} }
	service := identity.New(options)
	challenge, err := service.Challenge(ctx, email, "demo")
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

// actor signs a person in and returns what they may do in a business; uuid.Nil before there is one.
func (d demo) actor(ctx context.Context, email string, tenant uuid.UUID) (tenancy.Scope, error) {
	token, err := d.signIn(ctx, email)
	if err != nil {
		return tenancy.Scope{}, err
	}
	p, err := d.x.identity.Authenticate(ctx, token)
	if err != nil {
		return tenancy.Scope{}, err
	}
	sc := tenancy.Visitor(p, tenant, tenancy.SurfaceCLI)
	if tenant != uuid.Nil {
		sc.Grants, _, _, err = d.x.business.Admit(ctx, p, tenant)
	}
	return sc, err
}

// named gives a person a name.
func (d demo) named(ctx context.Context, email, name string) error {
	_, err := pg.InTx(ctx, d.x.db, uuid.Nil, func(tx *pg.Tx) (identity.Person, error) {
		return identity.EnsurePersonTx(ctx, tx, email, name)
	})
	return err
}

// studio makes one studio with everything in it.
func (d demo) studio(ctx context.Context, plan demoStudio) (readyBusiness, error) {
	out := readyBusiness{People: map[string]readyPerson{}}
	address := func(role string) string { return role + "@" + plan.domain }
	if err := d.named(ctx, address("owner"), plan.owner); err != nil {
		return out, err
	}
	invite, err := identity.CreateInvite(ctx, d.x.db, address("owner"), plan.name)
	if err != nil {
		return out, err
	}
	owner, err := d.actor(ctx, address("owner"), uuid.Nil)
	if err != nil {
		return out, err
	}
	first := plan.locations[0]
	made, err := d.x.business.Create(ctx, owner, business.CreateInput{
		InviteToken: invite.Token, Name: plan.name, Currency: plan.currency, Zone: plan.zone, Location: &first,
	})
	if err != nil {
		return out, err
	}
	if owner, err = d.actor(ctx, address("owner"), made.Business.ID); err != nil {
		return out, err
	}
	s := seeding{demo: d, plan: plan, owner: owner, address: address, out: &out}
	out.ID, out.Slug = made.Business.ID.String(), made.Business.Slug
	out.People["owner"] = readyPerson{Email: address("owner")}
	s.locations = []business.Location{*made.Location}
	for _, step := range []func(context.Context) error{
		s.places, s.team, s.cards, s.rules, s.classes, s.hours, s.services, s.customers, s.regret, s.appointments, s.crowd, s.moved, s.course, s.key,
	} {
		if err := step(ctx); err != nil {
			return out, err
		}
	}
	return out, nil
}
