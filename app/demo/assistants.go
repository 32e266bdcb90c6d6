package demo

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"foyer/app/catalog"
	"foyer/app/crm"
	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/oauth"
	"foyer/app/tenancy"
)

// assisted are the days of the history on which the owner's assistant changes something. On the first of them the
// assistants are connected.
var assisted = []int{41, 47, 54}

// connected is an assistant with its tokens.
type connected struct {
	client oauth.Client
	tokens oauth.Tokens
}

// assist has the owner's assistant make its n-th change. Before the first one, the owner connects it, and the front
// desk connects one that is never used.
func (s *seeding) assist(ctx context.Context, n int) (err error) {
	if n == 0 {
		s.claude, err = s.connect(ctx, "owner", "Claude", "https://claude.ai/api/mcp/auth_callback")
		if err == nil {
			_, err = s.connect(ctx, "frontdesk", "ChatGPT", "https://chatgpt.com/connector_platform_oauth_redirect")
		}
	} else {
		s.claude.tokens, err = s.OAuth.Refresh(ctx, s.claude.client, s.claude.tokens.Refresh) // access lasts an hour
	}
	if err != nil {
		return fmt.Errorf("an assistant: %w", err)
	}
	sc, err := s.assistant(ctx, s.claude.tokens.Access)
	if err != nil {
		return fmt.Errorf("an assistant: %w", err)
	}
	changes := []func(context.Context, tenancy.Scope) error{s.friends, s.describe, s.enter}
	return changes[n](tenancy.Acting(ctx, sc), sc)
}

// connect has a person of the studio allow an assistant: what happens between its first request and its tokens.
func (s *seeding) connect(ctx context.Context, role, name, redirect string) (c connected, err error) {
	const visitor = "demo"
	person, err := s.Actor(ctx, s.address(role), s.owner.Tenant)
	if err != nil {
		return c, err
	}
	made, err := s.OAuth.RegisterClient(ctx, visitor, oauth.Registration{
		Name: name, RedirectURIs: []string{redirect}, AuthMethod: string(oauth.AuthNone),
	})
	if err != nil {
		return c, err
	}
	verifier := rand.Text() + rand.Text()
	sum := sha256.Sum256([]byte(verifier))
	request, err := s.OAuth.Check(ctx, visitor, s.BaseURL, oauth.Request{
		ClientID: made.ClientID, RedirectURI: redirect, ResponseType: "code", Method: "S256",
		Challenge: base64.RawURLEncoding.EncodeToString(sum[:]), Resource: s.BaseURL + oauth.ResourcePath,
	})
	if err != nil {
		return c, err
	}
	code, err := s.OAuth.Allow(tenancy.Acting(ctx, person), person, s.owner.Tenant, request)
	if err != nil {
		return c, err
	}
	c.client = made.Client
	c.tokens, err = s.OAuth.Redeem(ctx, c.client, code, redirect, verifier)
	return c, err
}

// assistant returns the scope of an access token, as a call of a tool gets it. That counts as a use.
func (s *seeding) assistant(ctx context.Context, access string) (tenancy.Scope, error) {
	home, hash, ok := oauth.IsAccess(access)
	if !ok {
		return tenancy.Scope{}, identity.ErrSession
	}
	v := s.DB.View(home)
	b := v.Batch()
	who := oauth.QueueCaller(b, v, hash)
	if err := b.Send(ctx); err != nil {
		return tenancy.Scope{}, err
	}
	caller, err := who()
	if err != nil {
		return tenancy.Scope{}, err
	}
	sc := tenancy.Visitor(caller.Principal, home, tenancy.SurfaceAssistant)
	sc.Grants = caller.Grants
	return sc, nil
}

// friends creates a promo code.
func (s *seeding) friends(ctx context.Context, sc tenancy.Scope) error {
	_, err := s.Discount.Create(ctx, sc, discount.CreateInput{Name: "Bring a friend", Code: "FRIEND", PPM: 100_000})
	return err
}

// describe says more about the first class.
func (s *seeding) describe(ctx context.Context, sc tenancy.Scope) error {
	o, err := s.Catalog.Get(ctx, sc, s.offerings[0])
	if err != nil {
		return err
	}
	about := o.Description + " Please be there ten minutes early."
	_, err = s.Catalog.Update(ctx, sc, catalog.UpdateInput{ID: o.ID, Version: o.Version, Description: &about})
	return err
}

// phones are numbers that nobody has, by country.
var phones = map[string]string{"US": "+1 212 555 0142", "GB": "+44 113 496 0142"}

// enter adds the telephone number of the newest customer.
func (s *seeding) enter(ctx context.Context, sc tenancy.Scope) error {
	page, err := s.CRM.List(ctx, sc, crm.ListInput{Limit: 1})
	if err != nil || len(page.Customers) == 0 {
		return fault.When(err == nil, fault.Missing(), err)
	}
	c, phone := page.Customers[0], phones[s.plan.country]
	_, err = s.CRM.Update(ctx, sc, crm.UpdateInput{ID: c.ID, Version: c.Version, Phone: &phone})
	return err
}
