package mcp

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/fault"
	"foyer/app/mcp/bridge"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/app/web/op"
)

// Path is the address of the protocol.
const Path = "/mcp"

// resourceMetadata is the path of the OAuth metadata of Path.
const resourceMetadata = "/.well-known/oauth-protected-resource" + Path

// Caller is the owner of a credential.
type Caller struct {
	tenancy.Principal
	// Grants are what the caller holds in its businesses, taken together: tools that need more are not listed.
	Grants tenancy.Grants
	// Holds reads the grants. It is called if they are needed, which they are not for a call of a tool; nil if Grants
	// are complete.
	Holds func(ctx context.Context) (tenancy.Grants, error)
}

// Options are the dependencies of the surface.
type Options struct {
	// Caller verifies a credential. pin is the location of the address, or uuid.Nil. It returns an unauthorized fault
	// for a credential that is not valid here, and a not found one for a location that is not the caller's.
	Caller func(ctx context.Context, bearer string, pin uuid.UUID) (Caller, error)
	Log    *slog.Logger
	Build  string // of the program, for logs; the tools have a version of their own
}

// Register mounts the surface.
func Register(s *web.Server, o Options) {
	m := &surface{Options: o, web: s}
	m.servers = sync.OnceValues(m.build)
	handler := sdk.NewStreamableHTTPHandler(m.serverFor, &sdk.StreamableHTTPOptions{
		Stateless: true, Logger: o.Log, MaxRequestBodyBytes: op.MaxBody, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // it refuses a proxy on this machine; see checkHost
	})
	b := bridge.New(splicing(handler), o.Log)
	s.App().Post(Path, m.answer, b.Serve)
	s.App().Get(Path, b.Serve) // 405
	s.App().Delete(Path, b.Serve)
	m.discovery()
}

type surface struct {
	Options
	web     *web.Server
	servers func() (servers, error)
	recent  recent
}

// admitted is the caller of a request, as the protocol's handler gets it.
type admitted struct {
	Caller
	bearer  string
	visitor string
	pin     uuid.UUID
	compact bool

	lost   bool    // the operation found no valid credential any more
	pieces []piece // of the answer
	known  bool    // Grants are complete
}

// know completes the grants of a caller. Its only error is op.ErrInternal.
func (m *surface) know(ctx context.Context, a *admitted) (err error) {
	if a.known || a.Holds == nil {
		return nil
	}
	if a.Grants, err = a.Holds(ctx); err != nil {
		m.Log.Error("internal error", "route", Path, "request_id", op.RequestID(ctx), "error", err)
		return op.ErrInternal
	}
	a.known = true
	return nil
}

type admittedKey struct{}

func admittedOf(ctx context.Context) *admitted {
	a, _ := ctx.Value(admittedKey{}).(*admitted)
	return a
}

// answer lets a request in, or refuses it with the envelope.
func (m *surface) answer(c *fiber.Ctx) error {
	a, err := m.admit(c)
	if err == nil {
		if err := c.Next(); err != nil || !a.lost {
			return err
		}
		m.recent.forget(credentialOf(a.bearer, a.pin))
		err = op.ErrUnauthorized
	}
	f := fault.From(err)
	if f == nil || f.Kind == fault.Internal {
		m.Log.Error("internal error", "route", Path, "request_id", op.RequestID(c.UserContext()), "error", err)
		f = op.ErrInternal
	}
	op.Refuse(f).Send(c)
	if f.Kind == fault.Unauthorized {
		m.challenge(c)
	}
	return nil
}

// admit verifies the host, the origin and the credential of a request. A40, A41.
func (m *surface) admit(c *fiber.Ctx) (*admitted, error) {
	if err := m.checkHost(c); err != nil {
		return nil, err
	}
	if bridge.ForeignOrigin(c, m.web.Origin()) {
		return nil, fault.New(fault.Forbidden, "origin", "Pages of other websites cannot use this address.")
	}
	a := &admitted{visitor: m.web.Visitor(c), compact: c.Query("tools") == "compact"}
	if pin := c.Query("locationId"); pin != "" {
		var err error
		if a.pin, err = uuid.Parse(pin); err != nil {
			return nil, fault.Missing()
		}
	}
	body := bytes.TrimLeft(c.Request().Body(), " \t\r\n")
	if len(body) > 0 && body[0] == '[' {
		// Older revisions had batches: a megabyte of them would list all tools ten thousand times.
		return nil, fault.Invalid("body", "is a batch: send one message in a request")
	}
	scheme, token, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	if strings.EqualFold(scheme, "bearer") {
		a.bearer = strings.TrimSpace(token)
	}
	if a.bearer == "" {
		return nil, op.ErrUnauthorized
	}
	var err error
	a.Caller, err = m.caller(c.UserContext(), a.bearer, a.pin, bytes.Contains(body, []byte(`"tools/call"`)))
	c.SetUserContext(context.WithValue(c.UserContext(), admittedKey{}, a))
	return a, err
}

// challenge names the metadata of this resource in an answer to a request without a valid credential (RFC 9728), and
// whether there was one (RFC 6750). A40.
func (m *surface) challenge(c *fiber.Ctx) {
	value := `Bearer resource_metadata="` + m.web.Base() + resourceMetadata + `"`
	if c.Get(fiber.HeaderAuthorization) != "" {
		value += `, error="invalid_token"`
	}
	c.Set(fiber.HeaderWWWAuthenticate, value)
}

// servers are the two lists of tools.
type servers struct{ full, compact *sdk.Server }

// serverFor returns the server of a request; nil, which is 400, only if the tools cannot be made.
func (m *surface) serverFor(r *http.Request) *sdk.Server {
	both, err := m.servers()
	if err != nil {
		m.Log.Error("the tools cannot be made", "error", err)
		return nil
	}
	if a := admittedOf(r.Context()); a != nil && a.compact {
		return both.compact
	}
	return both.full
}
