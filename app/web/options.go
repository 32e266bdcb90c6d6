package web

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Options are everything web is told. build.go fills them.
type Options struct {
	BaseURL string // "https://book.example.org", no trailing slash; decides Secure cookies and HSTS
	Build   string // v of every answer: digits, or "dev" (A14)
	Secret  []byte // at least 32 bytes; cursors and form tokens are signed with keys derived from it
	Clock   clock.Clock
	Log     *slog.Logger

	Gate  Gate
	Known func(tenancy.Feature) bool // tells whether a feature exists
	// Hit counts a call in a window that all processes share: pg.DB.Hit.
	Hit     func(ctx context.Context, bucket string, max int, window time.Duration) (pg.Hits, error)
	Limits  Limits
	Proxies Proxies // DefaultProxies when nil

	Tags    []Tag  // of the document; an operation names one
	License string // SPDX identifier shown in the document

	// ErrorPage renders a refusal for a person, on paths that are not the API's. Without it everything is JSON.
	ErrorPage func(c *fiber.Ctx, status int, f *fault.Error) error
	// OnUndeclared is told when an operation answers a status that it does not list. Tests fail on it.
	OnUndeclared func(operation string, status int, err error)

	ReadTimeout  time.Duration // a whole request; 60 s when zero
	WriteTimeout time.Duration // a whole answer; 60 s when zero
	IdleTimeout  time.Duration // a kept connection; 75 s when zero
}

var buildNumber = regexp.MustCompile(`^(\d+|dev)$`)

// check fills in defaults and panics on options that cannot work: they come from the program, not from a person.
func (o *Options) check() {
	must := func(ok bool, format string, args ...any) {
		if !ok {
			panic("web: options: " + fmt.Sprintf(format, args...))
		}
	}
	base, err := url.Parse(o.BaseURL)
	must(err == nil && base.Host != "" && (base.Scheme == "https" || base.Scheme == "http"), "BaseURL %q", o.BaseURL)
	must(!strings.HasSuffix(o.BaseURL, "/"), "BaseURL %q ends in a slash", o.BaseURL)
	must(buildNumber.MatchString(o.Build), "Build %q is neither digits nor dev", o.Build)
	must(len(o.Secret) >= 32, "Secret is shorter than 32 bytes")
	must(o.Clock != nil && o.Log != nil && o.Known != nil && o.Hit != nil, "Clock, Log, Known and Hit are needed")
	must(o.Gate.Authenticate != nil && o.Gate.Admit != nil && o.Gate.Locate != nil, "Gate is incomplete")
	o.Limits.fillDefaults()
	if o.Proxies == nil {
		o.Proxies = DefaultProxies()
	}
	o.ReadTimeout = cmp.Or(o.ReadTimeout, time.Minute)
	o.WriteTimeout = cmp.Or(o.WriteTimeout, time.Minute)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 75*time.Second)
}

// originOf is the scheme and host of an address, as browsers send it in Origin.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// https tells whether the deployment is reached over TLS.
func (o *Options) https() bool { return strings.HasPrefix(o.BaseURL, "https://") }
