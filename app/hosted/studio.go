package hosted

import (
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/schedule"
	"foyer/app/view"
)

// studio is the business and the location whose pages are shown.
type studio struct {
	Business business.Business
	Location business.Location
	clock    *time.Location
}

// studioOf reads a business and one of its locations, both at the same time, in whatever state they are: a receipt is
// shown after the studio has closed.
func (h *site) studioOf(c *fiber.Ctx, at place) (*studio, error) {
	s, ctx := &studio{}, c.UserContext()
	err := together(
		func() (err error) { s.Business, err = business.BusinessOf(ctx, h.o.DB.View(at.tenant)); return err },
		func() (err error) {
			s.Location, err = business.LocationOf(ctx, h.o.DB.View(at.tenant), at.location)
			return err
		},
	)
	if err != nil {
		return nil, err
	}
	s.clock, err = schedule.LoadZone(s.Location.Zone)
	return s, err
}

// together runs reads that do not need each other and waits for all of them: the visitor waits for the slowest only.
func together(reads ...func() error) error {
	errs := make([]error, len(reads))
	var all sync.WaitGroup
	for i, read := range reads[1:] {
		all.Go(func() { errs[i+1] = read() })
	}
	errs[0] = reads[0]()
	all.Wait()
	return errors.Join(errs...)
}

// home is the address of the location's schedule.
func (s *studio) home() string { return "/" + s.Location.Slug }

// address is where the location is, in one line, with its name where that says more than the studio's.
func (s *studio) address() string {
	line := addressLine(s.Location.Address)
	switch {
	case s.Location.Name == s.Business.Name:
		return line
	case line == "":
		return s.Location.Name
	}
	return s.Location.Name + ", " + line
}

// cityFirst lists the countries whose addresses say "Brooklyn, NY 11201"; elsewhere it is "10115 Berlin".
const cityFirst = "US CA GB IE AU NZ IN BR MX"

// addressLine is an address in one line, in the order of its country.
func addressLine(a business.Address) string {
	parts := []string{a.Street, strings.TrimSpace(a.PostalCode + " " + a.City), a.Region}
	if a.Country != "" && strings.Contains(cityFirst, a.Country) {
		parts = []string{a.Street, a.City, strings.TrimSpace(a.Region + " " + a.PostalCode)}
	}
	var kept []string
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ", ")
}

// lookOf is the location's look in the words of package view.
func lookOf(l business.Look) view.Look {
	return view.Look{Accent: l.Accent, Ground: l.Ground, Type: l.Type, Corners: l.Corners}
}

// wordsAt is how a place writes times and money: on its own wall clock, in the order of its country.
func wordsAt(country string, zone *time.Location, now time.Time) view.Words {
	locale := "en"
	if country != "" {
		locale = "en-" + country
	}
	return view.Words{Locale: locale, Zone: zone, Now: now}
}

// shell is what surrounds a page of the studio. ref is where the customer says they came from, or what their cart
// remembers of it; it is judged here, at every print (E146). A page without it takes the browser's referrer (E144).
func (h *site) shell(c *fiber.Ctx, s *studio, ref string) view.Shell {
	look := lookOf(s.Location.Look)
	sh := view.Shell{
		Words:    wordsAt(s.Location.Address.Country, s.clock, h.o.Clock.Now()),
		Studio:   view.Studio{Name: s.Business.Name, Home: s.home(), Address: s.address()},
		Look:     look,
		LookHref: look.Href(s.Location.Slug),
		Mine:     query("/my", "at", s.Location.Slug),
		Embed:    embedded(c),
	}
	if sh.Embed { // the customer never left the site (E147)
		return sh
	}
	if ref == "" {
		ref = c.Get(fiber.HeaderReferer)
	}
	if sh.Back = wayBack(ref, s.Location.Website); sh.Back != nil {
		sh.Ref = sh.Back.Href
	}
	return sh
}
