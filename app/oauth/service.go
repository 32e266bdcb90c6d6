package oauth

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// ResourcePath is the path of the only resource that tokens are for.
const ResourcePath = "/mcp"

// Scope is the only scope: what the person may do in the business.
const Scope = "operator"

// Lifetimes.
const (
	CodeLife    = time.Minute
	AccessLife  = time.Hour
	RefreshLife = 90 * 24 * time.Hour // from its last use
	// grace is the time in which a refresh token that comes again gets the same answer again.
	grace = 10 * time.Second
)

// Options are the dependencies of a Service. All are required, except those marked optional.
type Options struct {
	DB       *pg.DB
	Business *business.Service
	Secret   []byte // at least 32 bytes; of the tokens that follow a refresh token
	// Fetch gets the metadata documents of clients; optional: over the internet, from public addresses only.
	Fetch http.RoundTripper
}

// Service has the verbs of the authorization server. It is safe for concurrent use.
type Service struct {
	db       *pg.DB
	business *business.Service
	secret   []byte
	fetch    *http.Client
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.Business == nil || len(o.Secret) < sha256.Size {
		panic("oauth: an option is missing")
	}
	if o.Fetch == nil {
		o.Fetch = publicOnly()
	}
	return &Service{db: o.DB, business: o.Business, secret: o.Secret, fetch: &http.Client{
		Transport: o.Fetch, Timeout: fetchTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// tidyEvery is the interval of Tidy, in real time.
const tidyEvery = time.Hour

// Register adds the sweep of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) { jobs.Sweep(r, "oauth.tidy", tidyEvery, s.Tidy) }

// Refusal is an error of OAuth: a code of RFC 6749, 7591, 7009 or 8707, with a description for the client's developer.
type Refusal struct {
	Code        string
	Description string
}

func (r *Refusal) Error() string { return r.Code + ": " + r.Description }

// The refusals that callers tell apart.
const (
	InvalidClient   = "invalid_client"
	InvalidGrant    = "invalid_grant"
	InvalidRequest  = "invalid_request"
	InvalidTarget   = "invalid_target"
	AccessDenied    = "access_denied"
	invalidMetadata = "invalid_client_metadata"
	invalidRedirect = "invalid_redirect_uri"
)

func refuse(code, description string) error { return &Refusal{code, description} }

// kind is the kind of a secret, and the prefix of its text: scanners of leaked secrets find it by that.
type kind string

const (
	codeKind     kind = "fac_"
	accessKind   kind = "fat_"
	refreshKind  kind = "frt_"
	clientKind   kind = "fcl_"
	secretKind   kind = "fcs_"
	secretBytes       = 32
	refusedGrant      = "The code or token is not valid, has expired, was used before or belongs to another client."
)

// secretOf returns the text of a secret of a business: its id and the given bytes.
func (k kind) secretOf(business uuid.UUID, secret []byte) string {
	return string(k) + base64.RawURLEncoding.EncodeToString(append(business[:], secret...))
}

// random returns a new secret of a business.
func (k kind) random(business uuid.UUID) string {
	var secret [secretBytes]byte
	rand.Read(secret[:])
	return k.secretOf(business, secret[:])
}

// parse returns the business and the hash of a secret's text. ok is false for text that cannot be one of this kind, so
// that no query is needed.
func (k kind) parse(text string) (business uuid.UUID, hash []byte, ok bool) {
	encoded, ok := strings.CutPrefix(text, string(k))
	if !ok {
		return business, nil, false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil || len(raw) != len(business)+secretBytes {
		return business, nil, false
	}
	copy(business[:], raw)
	return business, hashOf(text), business != uuid.Nil
}

func hashOf(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// successor returns the token of a kind that follows a refresh token. It depends on that token only, so that an answer
// that was lost can be given again without having stored it.
func (s *Service) successor(k kind, business uuid.UUID, refresh string) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(k))
	mac.Write([]byte(refresh))
	return k.secretOf(business, mac.Sum(nil))
}

// IsAccess returns the business and the hash of a bearer token if it may be an access token.
func IsAccess(bearer string) (business uuid.UUID, hash []byte, ok bool) {
	return accessKind.parse(bearer)
}

// Tidy is the sweep oauth.tidy: it deletes codes, tokens and clients that are of no use any more, and ends connections
// without a token that is still good.
func (s *Service) Tidy(ctx context.Context) error {
	return cmp.Or(s.tidyCodes(ctx), s.tidyTokens(ctx), s.tidyClients(ctx))
}
