// Package files serves the file store: the sizes of photos publicly, and other files at signed addresses. Nothing
// else in the store can be reached, and no request needs the database.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/web"
	"foyer/media"
	"foyer/media/store"
)

// Signed opens files of signed addresses, for a store without a server of its own: store.Dir.
type Signed interface {
	OpenSigned(ctx context.Context, key string, query url.Values) (store.Signed, error)
}

// Options are the dependencies of the surface.
type Options struct {
	Store store.Store
	// Direct serves the sizes of photos from the store itself, at addresses that browsers can reach.
	Direct bool
}

// SignedRoot is where a folder's signed addresses are served.
const SignedRoot = media.Root + "files"

// Register adds the surface to the server.
func Register(s *web.Server, o Options) {
	f := &surface{o}
	s.ServesFiles(media.Root)
	if signed, ok := o.Store.(Signed); ok {
		s.App().Get(SignedRoot+"/*", f.signed(signed))
	}
	s.App().Get(media.Root+":business/:asset/:file", f.size)
}

type surface struct{ Options }

// The headers of everything in the store. A browser that opens a file runs nothing in it, and other sites may show
// photos.
const (
	policy  = "default-src 'none'; sandbox"
	forEver = "public, max-age=31536000, immutable"
	// directFor is the lifetime of the store's own address of a size; browsers request a new one after half of it.
	directFor   = time.Hour
	directCache = "public, max-age=1800"
)

// errDown is the answer while the store is down, with 503; the cause is for the log.
var errDown = fault.New(fault.Internal, "photos_unavailable", "This photo cannot be shown at the moment. Try again in a moment.").
	With("retryable", true).After(5)

func down(cause error) error { return fmt.Errorf("%w: %w", errDown, cause) }

// size serves a photo in one width: the same bytes for ever, so that it can be cached.
func (f *surface) size(c *fiber.Ctx) error {
	key, contentType, ok := media.SizeKey(c.Params("business"), c.Params("asset"), c.Params("file"))
	if !ok {
		return fault.Missing()
	}
	if f.Direct {
		address, err := f.Store.SignedURL(c.UserContext(), key, "", directFor)
		if err != nil {
			return down(err)
		}
		c.Set(fiber.HeaderCacheControl, directCache)
		return c.Redirect(address, fiber.StatusFound)
	}
	body, object, err := f.open(c.UserContext(), key)
	if errors.Is(err, store.ErrNotFound) {
		return fault.Missing()
	}
	if err != nil {
		return down(err)
	}
	c.Set(fiber.HeaderContentType, contentType)
	c.Set(fiber.HeaderCacheControl, forEver)
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set("Cross-Origin-Resource-Policy", "cross-origin")
	c.Response().SetBodyStream(body, int(object.Size)) // which closes it
	return nil
}

// open opens a file. That has the time of any request; to read the file has the time that a phone needs for it, which
// the server bounds.
func (f *surface) open(request context.Context, key string) (io.ReadCloser, store.Object, error) {
	ctx, end := context.WithCancel(context.WithoutCancel(request))
	opened := context.AfterFunc(request, end)
	body, object, err := f.Store.Get(ctx, key)
	if err == nil && !opened() {
		err = errors.Join(request.Err(), body.Close())
	}
	if err != nil {
		end()
		return nil, store.Object{}, err
	}
	return &answer{body, end}, object, nil
}

// answer is a file on its way.
type answer struct {
	io.ReadCloser
	end context.CancelFunc
}

func (a *answer) Close() error {
	defer a.end()
	return a.ReadCloser.Close()
}

// signed serves the file of a signed address. The refusal of another address gives no reason.
func (f *surface) signed(from Signed) fiber.Handler {
	return func(c *fiber.Ctx) error {
		key := strings.TrimPrefix(c.Path(), SignedRoot+"/")
		query, err := url.ParseQuery(string(c.Request().URI().QueryString()))
		if err != nil {
			return fault.Missing()
		}
		got, err := from.OpenSigned(c.UserContext(), key, query)
		if errors.Is(err, store.ErrUnsigned) || errors.Is(err, store.ErrNotFound) {
			return fault.Missing()
		}
		if err != nil {
			return down(err)
		}
		for name, values := range got.Header {
			c.Set(name, strings.Join(values, ", "))
		}
		c.Status(http.StatusOK).Response().SetBodyStream(got.Body, int(got.Object.Size))
		return nil
	}
}
