package oauth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// AuthMethod is how a client proves itself when it asks for tokens.
type AuthMethod string

// The methods.
const (
	AuthNone  AuthMethod = "none"
	AuthBasic AuthMethod = "client_secret_basic"
	AuthPost  AuthMethod = "client_secret_post"
)

// AuthMethods lists them.
func AuthMethods() []string { return []string{string(AuthNone), string(AuthBasic), string(AuthPost)} }

// Client is a program that asks to be connected.
type Client struct {
	ID           uuid.UUID
	ClientID     string // ours, or the address of its document
	Kind         ClientKind
	Name         string
	RedirectURIs []string `db:"redirect_uris"`
	AuthMethod   AuthMethod
	SecretHash   []byte // nil for a public client
	FreshUntil   *time.Time
}

// ClientKind is where a client's metadata are from.
type ClientKind string

// The kinds.
const (
	ClientRegistered ClientKind = "registered"
	ClientDocument   ClientKind = "document"
)

// Limits of a client's metadata.
const (
	maxClientName = 80
	maxRedirects  = 20
	maxURI        = 500
)

// Limits of a visitor, in an hour.
const (
	registrationsAnHour = 20
	fetchesAnHour       = 20
)

// ErrTooMany refuses a visitor who registers, or names, too many clients.
var ErrTooMany = fault.New(fault.TooMany, "", "Too many clients. Try again later.")

// ErrUnknownClient is returned for a client that is not registered, or without a usable metadata document.
var ErrUnknownClient = fault.New(fault.NotFound, "unknown_client", "This client is not known here.")

// Client returns the client with an id. The document of a client that has one is fetched again when it is no longer
// fresh. Errors: ErrUnknownClient, with the reason for its developer; ErrTooMany.
func (s *Service) Client(ctx context.Context, visitor, id string) (Client, error) {
	if id == "" || len(id) > maxURI || !utf8.ValidString(id) || strings.ContainsRune(id, 0) {
		return Client{}, ErrUnknownClient
	}
	c, found, err := clientByID(ctx, s.db.View(uuid.Nil), id)
	if err != nil {
		return c, err
	}
	document := strings.HasPrefix(id, "https://")
	switch {
	case !found && !document:
		return c, ErrUnknownClient
	case found && (!document || s.db.Clock().Now().Before(*c.FreshUntil)):
		return c, nil
	}
	if err := s.allow(ctx, "fetch", visitor, fetchesAnHour); err != nil {
		return Client{}, err
	}
	return s.fetchClient(ctx, id)
}

// Registration is the metadata with which a client registers, as far as they matter here. RFC 7591.
type Registration struct {
	Name         string
	RedirectURIs []string
	AuthMethod   string // empty: client_secret_basic
}

// Registered is a new client with its secret, which is shown once and empty for a public client.
type Registered struct {
	Client
	Secret string
	At     time.Time
}

// RegisterClient registers a client. Errors: Refusal, ErrTooMany.
func (s *Service) RegisterClient(ctx context.Context, visitor string, in Registration) (out Registered, err error) {
	if err := s.allow(ctx, "register", visitor, registrationsAnHour); err != nil {
		return out, err
	}
	method := AuthMethod(in.AuthMethod)
	switch method {
	case "":
		method = AuthBasic
	case AuthNone, AuthBasic, AuthPost:
	default:
		return out, refuse(invalidMetadata, "token_endpoint_auth_method is one of "+strings.Join(AuthMethods(), ", "))
	}
	c, err := newClient(ClientRegistered, text(clientKind, 16), in.Name, in.RedirectURIs)
	if err != nil {
		return out, err
	}
	c.AuthMethod = method
	if method != AuthNone {
		out.Secret = text(secretKind, secretBytes)
		c.SecretHash = hashOf(out.Secret)
	}
	out.Client = c
	return out, pg.Do(ctx, s.db, uuid.Nil, func(tx *pg.Tx) error {
		out.At = tx.Now()
		return insertClient(ctx, tx, c)
	})
}

// text returns random bytes as the text of a kind.
func text(k kind, bytes int) string {
	raw := make([]byte, bytes)
	rand.Read(raw)
	return string(k) + base64.RawURLEncoding.EncodeToString(raw)
}

// newClient checks the metadata that every client has.
func newClient(k ClientKind, id, name string, redirects []string) (Client, error) {
	c := Client{ID: pg.NewID(), ClientID: id, Kind: k, AuthMethod: AuthNone, RedirectURIs: redirects}
	if len(redirects) == 0 || len(redirects) > maxRedirects {
		return c, refuse(invalidRedirect, "redirect_uris has 1 to 20 addresses")
	}
	for _, uri := range redirects {
		if !validRedirect(uri) {
			return c, refuse(invalidRedirect,
				"A redirect URI is https, or http on this computer (localhost, 127.0.0.1, [::1]), "+
					"at most 500 characters, without user, fragment or wildcard")
		}
	}
	c.Name = names.Clean(name)
	if !printable(c.Name) {
		return c, refuse(invalidMetadata, "client_name has characters that cannot be shown")
	}
	if r := []rune(c.Name); len(r) > maxClientName {
		c.Name = string(r[:maxClientName-1]) + "…"
	}
	if c.Name == "" {
		c.Name = RedirectHost(redirects[0])
	}
	return c, nil
}

func printable(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// appSchemes are the schemes of desktop programs that have no redirect on this computer. An address with one of them
// is delivered by the operating system to a program that the person installed; other schemes are refused.
var appSchemes = []string{"cursor", "vscode", "vscode-insiders"}

// validRedirect reports whether an address may get codes.
func validRedirect(uri string) bool {
	if len(uri) > maxURI || strings.Contains(uri, "*") || strings.ContainsFunc(uri, func(r rune) bool {
		return r <= ' ' ||
			r > '~'
	}) {
		return false
	}
	u, err := url.Parse(uri)
	if err != nil || u.User != nil || strings.Contains(uri, "#") || u.Opaque != "" || u.Hostname() == "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && IsLocal(u.Hostname()) || slices.Contains(appSchemes, u.Scheme)
}

// IsLocal reports whether a host is a name or an address of this computer.
func IsLocal(host string) bool {
	a, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && a.IsLoopback()
}

// Allows reports whether the client may send people to an address after consent: one of its addresses to the byte. On
// the person's own computer the port may differ, because it is chosen anew each time (RFC 8252).
func (c Client) Allows(uri string) bool {
	if slices.Contains(c.RedirectURIs, uri) {
		return validRedirect(uri)
	}
	if !validRedirect(uri) {
		return false
	}
	anyPort := withoutPort(uri)
	return anyPort != "" && slices.ContainsFunc(c.RedirectURIs,
		func(known string) bool { return withoutPort(known) == anyPort })
}

// withoutPort returns an address on this computer without its port; empty for any other address.
func withoutPort(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "http" || !IsLocal(u.Hostname()) {
		return ""
	}
	before, after, _ := strings.Cut(uri, u.Host)
	return before + u.Hostname() + after
}

// RedirectHost is the name of the place that an address sends people to, for people: a host, or the scheme of a
// program.
func RedirectHost(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	if slices.Contains(appSchemes, u.Scheme) {
		return u.Scheme
	}
	return u.Hostname()
}

// Local reports whether an address is on the person's own computer: any program there may ask in any name.
func Local(uri string) bool {
	u, err := url.Parse(uri)
	return err == nil && (u.Scheme == "http" || slices.Contains(appSchemes, u.Scheme))
}

// Authenticate returns the client that asks for tokens. A client with a secret must send it; other errors are those of
// Client. Errors: Refusal invalid_client.
func (s *Service) Authenticate(ctx context.Context, visitor, id, secret string) (Client, error) {
	c, err := s.Client(ctx, visitor, id)
	if fault.IsKind(err, fault.NotFound) {
		return c, refuse(InvalidClient, "The client is not known here.")
	}
	if err != nil {
		return c, err
	}
	if c.SecretHash != nil && subtle.ConstantTimeCompare(c.SecretHash, hashOf(secret)) == 0 {
		return Client{}, refuse(InvalidClient, "The client's secret is missing or wrong.")
	}
	return c, nil
}

// allow counts a call of a visitor in the hour. A network with many addresses has as many calls as several visitors.
func (s *Service) allow(ctx context.Context, what, visitor string, most int) error {
	windows := map[string]int{visitor: most}
	if network, wide := tenancy.Network(visitor); wide {
		windows[network] = most * tenancy.WideAllowance
	}
	for of, most := range windows {
		sum := sha256.Sum256([]byte(of))
		hits, err := s.db.Hit(ctx, "oauth."+what+":"+hex.EncodeToString(sum[:16]), most, time.Hour)
		if err != nil {
			return err
		}
		if !hits.Allowed {
			return ErrTooMany.After(int(hits.ResetAt.Sub(s.db.Clock().Now())/time.Second) + 1)
		}
	}
	return nil
}
