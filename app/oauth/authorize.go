package oauth

import (
	"context"
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Request is an authorization request: the parameters with which a client sends a person here. RFC 6749, 7636, 8707.
type Request struct {
	ClientID     string `json:"client_id"`
	RedirectURI  string `json:"redirect_uri,omitempty"`
	ResponseType string `json:"response_type,omitempty"`
	Challenge    string `json:"code_challenge,omitempty"`
	Method       string `json:"code_challenge_method,omitempty"`
	Resource     string `json:"resource,omitempty"`
	State        string `json:"state,omitempty"`
}

// Pending is a request that was checked, with its client.
type Pending struct {
	Request
	Client Client
}

// ErrRedirect is returned for a request whose answer nobody may get: it names no address of the client. It is shown to
// the person, and never sent on.
var ErrRedirect = fault.New(fault.Validation, "redirect_uri", "This client may not send you to that address.")

const maxState = 2048

// Check checks a request. base is the address of this server. With ErrUnknownClient, ErrRedirect and ErrTooMany the
// person stays here; a Refusal is the client's to read, at the address of the Pending that is returned beside it.
func (s *Service) Check(ctx context.Context, visitor, base string, r Request) (p Pending, err error) {
	p.Request = r
	if p.Client, err = s.Client(ctx, visitor, r.ClientID); err != nil {
		return p, err
	}
	if r.RedirectURI == "" && len(p.Client.RedirectURIs) == 1 {
		p.RedirectURI = p.Client.RedirectURIs[0]
	}
	if !p.Client.Allows(p.RedirectURI) {
		return p, ErrRedirect
	}
	switch {
	case len(r.State) > maxState:
		p.State = ""
		return p, refuse(InvalidRequest, "state is at most 2048 characters")
	case r.ResponseType != "code":
		return p, refuse("unsupported_response_type", "response_type is code")
	case r.Challenge == "":
		return p, refuse(InvalidRequest, "code_challenge is missing: PKCE is required")
	case r.Method != "S256":
		return p, refuse(InvalidRequest, "code_challenge_method is S256")
	case !isS256(r.Challenge):
		return p, refuse(InvalidRequest, "code_challenge is 43 characters of base64url")
	}
	return p, CheckResource(r.Resource, base)
}

func isS256(challenge string) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(challenge)
	return err == nil && len(raw) == secretBytes
}

// CheckResource refuses a resource indicator (RFC 8707) that names something else than POST /mcp, whatever its query. A
// client that sends none means the only resource there is. base is the address of this server.
func CheckResource(resource, base string) error {
	before, _, _ := strings.Cut(resource, "?")
	if resource == "" || strings.TrimSuffix(before, "/") == base+ResourcePath {
		return nil
	}
	return refuse(InvalidTarget, "resource is "+base+ResourcePath)
}

// Answer returns the address with the answer to a request: its parameters, with state and issuer (RFC 9207).
func (p Pending) Answer(issuer string, params url.Values) string {
	params.Set("iss", issuer)
	if p.State != "" {
		params.Set("state", p.State)
	}
	sep := "?"
	if strings.Contains(p.RedirectURI, "?") {
		sep = "&"
	}
	return p.RedirectURI + sep + params.Encode()
}

// Refuse returns the address that tells the client of a refusal.
func (p Pending) Refuse(issuer string, r *Refusal) string {
	return p.Answer(issuer, url.Values{"error": {r.Code}, "error_description": {r.Description}})
}

// Allow records that a person allows a checked request for a business, and returns the code for the client.
// Errors: identity.ErrSignIn, fault.Missing for a business in which the person has no role.
func (s *Service) Allow(ctx context.Context, sc tenancy.Scope, business uuid.UUID, p Pending) (code string, err error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return "", err
	}
	_, _, member, err := s.business.Admit(ctx, sc.Principal, business)
	if err != nil || !member {
		return "", fault.When(!member, fault.Missing(), err)
	}
	code = codeKind.random(business)
	return code, pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return insertCode(ctx, tx, person, code, p) })
}
