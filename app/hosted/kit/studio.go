package kit

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/tenancy"
	"foyer/app/view"
)

// Studio is the business and the location of the pages shown.
type Studio struct {
	Business business.Business
	Location business.Location
	open     []business.Location // locations of the business
	Clock    *time.Location
}

// StudioOf reads a business and one of its locations, in any state: a receipt is shown after the studio has closed.
func (h *Site) StudioOf(c *fiber.Ctx, at Location) (*Studio, error) {
	return h.StudioAt(c.UserContext(), at)
}

// StudioAt is StudioOf for a read that others wait for, too.
func (h *Site) StudioAt(ctx context.Context, at Location) (*Studio, error) {
	return studioOf(business.StudioOf(ctx, h.DB.View(at.Tenant), at.Location))
}

// StudioIn is the studio of a read that is part of another one's trip.
func StudioIn(r *business.StudioRead) (*Studio, error) { return studioOf(r.Studio()) }

func studioOf(b business.Business, l business.Location, open []business.Location, err error) (*Studio, error) {
	if err != nil {
		return nil, err
	}
	zone, err := civil.LoadZone(l.Zone)
	return &Studio{Business: b, Location: l, open: open, Clock: zone}, err
}

// StudioPage is a page of a studio: its visitor and its shell.
type StudioPage struct {
	*Site
	Scope  tenancy.Scope
	Studio *Studio
	Shell  view.Shell
}

// PageIn reads the visitor of a studio's page, and the studio.
func (h *Site) PageIn(c *fiber.Ctx, at Location) (StudioPage, error) {
	sc, err := h.ScopeOf(c, at.Tenant)
	if err != nil {
		return StudioPage{}, err
	}
	s, err := h.StudioOf(c, at)
	if err != nil {
		return StudioPage{}, err
	}
	return h.Surround(c, sc, s), nil
}

// Surround returns a page of the studio with forms.
func (h *Site) Surround(c *fiber.Ctx, sc tenancy.Scope, s *Studio) StudioPage {
	sh := h.ShellOf(c, s, Carried(c, view.FieldRef))
	sh.CSRF = h.TokenOf(c)
	return StudioPage{h, sc, s, sh}
}

// Together runs independent reads concurrently and waits for all of them: the visitor waits for the slowest only.
func Together(reads ...func() error) error {
	errs := make([]error, len(reads))
	var all sync.WaitGroup
	for i, read := range reads[1:] {
		all.Go(func() { errs[i+1] = read() })
	}
	errs[0] = reads[0]()
	all.Wait()
	return errors.Join(errs...)
}

// Home returns the address of the location's schedule.
func (s *Studio) Home() string { return "/" + s.Location.Slug }

// Address returns the postal address on one line, with the location's name if it differs from the studio's.
func (s *Studio) Address() string {
	return view.Joined(", ", view.LocationSuffix(s.Business.Name, s.Location.Name), view.AddressLine(s.Location.Address))
}

// PublicShell returns the shell of a public page, as every visitor sees it: without the cart of this browser.
func (h *Site) PublicShell(c *fiber.Ctx, s *Studio, path string) view.Shell {
	sh := h.ShellOf(c, s, Carried(c, view.FieldRef))
	sh.Self = h.BaseURL + path
	sh.Location, sh.Locations = s.places()
	return sh
}

// places is the location of a page and the others of its business; nothing if there is only one.
func (s *Studio) places() (here *view.Location, others []view.Location) {
	if len(s.open) < 2 {
		return nil, nil
	}
	for _, l := range s.open {
		p := view.Location{Name: l.Name, Address: view.AddressLine(l.Address), Href: "/" + l.Slug}
		if l.ID == s.Location.ID {
			here = &p
		} else {
			others = append(others, p)
		}
	}
	return here, others
}

// ShellOf returns the shell of the studio's pages. ref is the customer's source, from the request or from their cart;
// it is validated here, at every rendering (E146). A page without it uses the browser's referrer (E144).
func (h *Site) ShellOf(c *fiber.Ctx, s *Studio, ref string) view.Shell {
	look := view.Branding(s.Location.Branding)
	language := s.Location.Speech.For(h.Speech(c))
	sh := InFrame(c, view.Shell{
		Words:        view.WordsAt(language, s.Location.Address.Country, s.Clock, h.Clock.Now()),
		Studio:       view.Studio{Name: s.Business.Name, Home: s.Home(), Address: s.Address()},
		Branding:     look,
		BrandingHref: look.Href(s.Location.Slug),
		Mine:         Query("/my", "at", s.Location.Slug),
		Languages:    languages(c, s.Location.Speech, language),
	})
	back := wayBack(cmp.Or(ref, c.Get(fiber.HeaderReferer)), append([]string{s.Location.Website}, s.Location.OtherSites...)...)
	if back == nil {
		return sh
	}
	sh.Ref = back.Href
	if !sh.Embed { // there the customer never left the site (E147); the receipt in their mail has the link back
		sh.Back = back
	}
	return sh
}
