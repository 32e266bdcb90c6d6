// Package server serves the addresses of package oauth that programs call: the two metadata documents, registration,
// tokens and revocation. Their answers are those of the RFCs, and not the envelope of the API. The pages for people are
// in hosted/connect.
package server

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"foyer/app/fault"
	"foyer/app/oauth"
	"foyer/app/web"
	"foyer/app/web/op"
)

// Addresses.
const (
	MetadataPath  = "/.well-known/oauth-authorization-server"
	ResourcePath  = "/.well-known/oauth-protected-resource"
	AuthorizePath = "/oauth/authorize"
	tokenPath     = "/oauth/token"
	registerPath  = "/oauth/register"
	revokePath    = "/oauth/revoke"
	docsPath      = "/docs/api"
)

// Options are the dependencies of the surface.
type Options struct {
	OAuth *oauth.Service
	Log   *slog.Logger
}

type surface struct {
	Options
	web *web.Server
}

// Register mounts the surface. It panics when an option is missing.
func Register(s *web.Server, o Options) {
	if o.OAuth == nil || o.Log == nil {
		panic("oauth: an option is missing")
	}
	x := &surface{o, s}
	x.document(MetadataPath, metadataOf(s.Base()))
	resource := &oauthex.ProtectedResourceMetadata{
		Resource: s.Base() + oauth.ResourcePath, AuthorizationServers: []string{s.Base()},
		ScopesSupported:        []string{oauth.Scope},
		BearerMethodsSupported: []string{"header"}, ResourceName: "Foyer", ResourceDocumentation: s.Base() + docsPath,
	}
	x.document(ResourcePath, resource)
	x.document(ResourcePath+oauth.ResourcePath, resource)
	x.post(registerPath, x.register)
	x.post(tokenPath, x.token)
	x.post(revokePath, x.revoke)
}

// metadata is the document of RFC 8414, with the members of RFC 9207 and of client id metadata documents. (The type of
// oauthex has an empty jwks_uri, which clients refuse: our tokens are not signed.)
type metadata struct {
	Issuer                 string   `json:"issuer"`
	AuthorizationEndpoint  string   `json:"authorization_endpoint"`
	TokenEndpoint          string   `json:"token_endpoint"`
	RegistrationEndpoint   string   `json:"registration_endpoint"`
	RevocationEndpoint     string   `json:"revocation_endpoint"`
	Scopes                 []string `json:"scopes_supported"`
	ResponseTypes          []string `json:"response_types_supported"`
	ResponseModes          []string `json:"response_modes_supported"`
	GrantTypes             []string `json:"grant_types_supported"`
	ChallengeMethods       []string `json:"code_challenge_methods_supported"`
	TokenAuthMethods       []string `json:"token_endpoint_auth_methods_supported"`
	RevocationAuthMethods  []string `json:"revocation_endpoint_auth_methods_supported"`
	Documentation          string   `json:"service_documentation"`
	Iss                    bool     `json:"authorization_response_iss_parameter_supported"`
	ClientMetadataDocument bool     `json:"client_id_metadata_document_supported"`
}

// metadataOf is the document of a server. A8.
func metadataOf(base string) metadata {
	return metadata{
		Issuer: base, AuthorizationEndpoint: base + AuthorizePath, TokenEndpoint: base + tokenPath,
		RegistrationEndpoint: base + registerPath, RevocationEndpoint: base + revokePath,
		Scopes: []string{oauth.Scope}, ResponseTypes: []string{"code"}, ResponseModes: []string{"query"},
		GrantTypes: []string{"authorization_code", "refresh_token"}, ChallengeMethods: []string{"S256"},
		TokenAuthMethods: oauth.AuthMethods(), RevocationAuthMethods: oauth.AuthMethods(), Documentation: base + docsPath,
		Iss: true, ClientMetadataDocument: true,
	}
}

// document serves a public document. A8, A12.
func (x *surface) document(path string, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	cached, err := web.NewCached(op.JSONType, body, web.Header{Name: fiber.HeaderAccessControlAllowOrigin, Value: "*"})
	if err != nil {
		panic(err)
	}
	x.web.App().Get(path, func(c *fiber.Ctx) error { return cached.Send(c, "public, max-age=3600") })
	x.preflight(path, "GET")
}

// shared lets scripts of any website read an answer: none of these addresses looks at a cookie, and an assistant can
// run in a browser.
func shared(c *fiber.Ctx) { c.Set(fiber.HeaderAccessControlAllowOrigin, "*") }

func (x *surface) preflight(path, method string) {
	x.web.App().Options(path, func(c *fiber.Ctx) error {
		shared(c)
		c.Set(fiber.HeaderAccessControlAllowMethods, method)
		c.Set(fiber.HeaderAccessControlAllowHeaders, "Authorization, Content-Type, MCP-Protocol-Version")
		c.Set(fiber.HeaderAccessControlMaxAge, "86400")
		return c.SendStatus(http.StatusNoContent)
	})
}

// post mounts an address whose answer is JSON and never stored.
func (x *surface) post(path string, run func(c *fiber.Ctx) (status int, body any, err error)) {
	x.preflight(path, "POST")
	x.web.App().Post(path, func(c *fiber.Ctx) error {
		shared(c)
		c.Set(fiber.HeaderCacheControl, "no-store")
		err := x.web.Limiter.Allow(c.UserContext(), op.RateStorefront, x.web.Visitor(c))
		var status int
		var body any
		if err == nil {
			status, body, err = run(c)
		}
		if err != nil {
			return x.refuse(c, err)
		}
		if body == nil {
			return c.Status(status).Send(nil)
		}
		return c.Status(status).JSON(body)
	})
}

// refuse answers with an error of the RFCs.
func (x *surface) refuse(c *fiber.Ctx, err error) error {
	answer := struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}{"server_error", "Something went wrong on our side. Try again."}
	status := http.StatusInternalServerError
	var refusal *oauth.Refusal
	f := fault.From(err)
	switch {
	case errors.As(err, &refusal):
		answer.Error, answer.Description, status = refusal.Code, refusal.Description, http.StatusBadRequest
		if refusal.Code == oauth.InvalidClient {
			status = http.StatusUnauthorized
			if c.Get(fiber.HeaderAuthorization) != "" {
				c.Set(fiber.HeaderWWWAuthenticate, `Basic realm="foyer"`)
			}
		}
	case f != nil && f.Kind == fault.TooMany:
		answer.Error, answer.Description, status = "temporarily_unavailable", f.Message, http.StatusTooManyRequests
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(f.RetryAfter))
	default:
		x.Log.Error("internal error", "route", c.Route().Path, "request_id", op.RequestID(c.UserContext()), "error", err)
	}
	return c.Status(status).JSON(answer)
}

// maxMetadata bounds the body of a registration.
const maxMetadata = 64 << 10

// registration is the metadata of a client as it registers. Members that do not matter here are ignored, as RFC 7591
// says.
type registration struct {
	RedirectURIs []string `json:"redirect_uris"`
	ClientName   string   `json:"client_name"`
	AuthMethod   string   `json:"token_endpoint_auth_method"`
}

// register registers a client. RFC 7591.
func (x *surface) register(c *fiber.Ctx) (int, any, error) {
	if media(c) != fiber.MIMEApplicationJSON || len(c.Body()) > maxMetadata {
		return 0, nil, &oauth.Refusal{Code: oauth.InvalidRequest, Description: "The body is JSON of at most 64 KB."}
	}
	var in registration
	if err := json.Unmarshal(c.Body(), &in); err != nil {
		return 0, nil, &oauth.Refusal{
			Code: "invalid_client_metadata", Description: "The body is a JSON object with the members of RFC 7591.",
		}
	}
	out, err := x.OAuth.RegisterClient(c.UserContext(), x.web.Visitor(c), oauth.Registration{
		Name: in.ClientName, RedirectURIs: in.RedirectURIs, AuthMethod: in.AuthMethod,
	})
	if err != nil {
		return 0, nil, err
	}
	answer := &oauthex.ClientRegistrationResponse{
		ClientRegistrationMetadata: oauthex.ClientRegistrationMetadata{
			RedirectURIs: out.RedirectURIs, ClientName: out.Name, TokenEndpointAuthMethod: string(out.AuthMethod),
			GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}, Scope: oauth.Scope,
		},
		ClientID: out.ClientID, ClientSecret: out.Secret, ClientIDIssuedAt: out.At,
	}
	if out.Secret == "" {
		return http.StatusCreated, answer, nil
	}
	// RFC 7591 requires client_secret_expires_at beside a secret, 0 for never; the type leaves a zero out.
	return http.StatusCreated, struct {
		*alias
		IssuedAt  int64 `json:"client_id_issued_at"`
		ExpiresAt int64 `json:"client_secret_expires_at"`
	}{(*alias)(answer), out.At.Unix(), 0}, nil
}

// alias is the response without its method, which would hide the members beside it.
type alias oauthex.ClientRegistrationResponse

func media(c *fiber.Ctx) string {
	m, _, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	return m
}

// form is the body of a request for tokens: each parameter once.
func form(c *fiber.Ctx) (url.Values, error) {
	if media(c) != fiber.MIMEApplicationForm {
		return nil, &oauth.Refusal{Code: oauth.InvalidRequest, Description: "The body is application/x-www-form-urlencoded."}
	}
	values := url.Values{}
	for key, value := range c.Request().PostArgs().All() {
		if values.Has(string(key)) {
			return nil, &oauth.Refusal{Code: oauth.InvalidRequest, Description: "A parameter is given twice."}
		}
		values.Set(string(key), string(value))
	}
	return values, nil
}

// client authenticates the client of a request: by the header, or by parameters.
func (x *surface) client(c *fiber.Ctx, in url.Values) (oauth.Client, error) {
	id, secret := in.Get("client_id"), in.Get("client_secret")
	if scheme, rest, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " "); strings.EqualFold(scheme, "basic") {
		named, proven, ok := basic(rest)
		if !ok || in.Has("client_secret") || id != "" && id != named {
			return oauth.Client{}, &oauth.Refusal{
				Code: oauth.InvalidRequest, Description: "The client proves itself in one way: by the header or by parameters.",
			}
		}
		id, secret = named, proven
	}
	return x.OAuth.Authenticate(c.UserContext(), x.web.Visitor(c), id, secret)
}

// basic reads credentials, each of them form-encoded (RFC 6749, 2.3.1).
func basic(encoded string) (id, secret string, ok bool) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	if err != nil {
		return "", "", false
	}
	id, secret, ok = strings.Cut(string(raw), ":")
	id, errID := url.QueryUnescape(id)
	secret, errSecret := url.QueryUnescape(secret)
	return id, secret, ok && errID == nil && errSecret == nil
}

// token exchanges a code or a refresh token. RFC 6749, 7636, 8707.
func (x *surface) token(c *fiber.Ctx) (int, any, error) {
	in, err := form(c)
	if err != nil {
		return 0, nil, err
	}
	client, err := x.client(c, in)
	if err != nil {
		return 0, nil, err
	}
	if err := oauth.CheckResource(in.Get("resource"), x.web.Base()); err != nil {
		return 0, nil, err
	}
	var t oauth.Tokens
	switch in.Get("grant_type") {
	case "authorization_code":
		t, err = x.OAuth.Redeem(c.UserContext(), client, in.Get("code"), in.Get("redirect_uri"), in.Get("code_verifier"))
	case "refresh_token":
		t, err = x.OAuth.Refresh(c.UserContext(), client, in.Get("refresh_token"))
	default:
		err = &oauth.Refusal{
			Code: "unsupported_grant_type", Description: "grant_type is authorization_code or refresh_token.",
		}
	}
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, struct {
		AccessToken  string `json:"access_token"`
		TokenType    string `json:"token_type"`
		ExpiresIn    int64  `json:"expires_in"`
		RefreshToken string `json:"refresh_token"`
		Scope        string `json:"scope"`
	}{t.Access, "Bearer", int64(t.ExpiresIn.Seconds()), t.Refresh, oauth.Scope}, nil
}

// revoke ends a token. RFC 7009.
func (x *surface) revoke(c *fiber.Ctx) (int, any, error) {
	in, err := form(c)
	if err != nil {
		return 0, nil, err
	}
	client, err := x.client(c, in)
	if err != nil {
		return 0, nil, err
	}
	if in.Get("token") == "" {
		return 0, nil, &oauth.Refusal{Code: oauth.InvalidRequest, Description: "token is missing."}
	}
	return http.StatusOK, nil, x.OAuth.Revoke(c.UserContext(), client, in.Get("token"))
}
