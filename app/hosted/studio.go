package hosted

import (
	"cmp"
	"errors"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/tenancy"
	"foyer/app/view"
)

// studio is the business and the location whose pages are shown.
type studio struct {
	Business business.Business
	Location business.Location
	open     []business.Location // of the business
	clock    *time.Location
}

// studioOf reads a business and one of its locations, in whatever state they are: a receipt is shown after the studio has closed.
func (h *site) studioOf(c *fiber.Ctx, at place) (*studio, error) {
	s := &studio{}
	var err error
	s.Business, s.Location, s.open, err = business.StudioOf(c.UserContext(), h.DB.View(at.tenant), at.location)
	if err != nil {
		return nil, err
	}
	s.clock, err = civil.LoadZone(s.Location.Zone)
	return s, err
}

// studioPage is a page of a studio: who looks at it, and what surrounds it.
type studioPage struct {
	*site
	Scope  tenancy.Scope
	Studio *studio
	Shell  view.Shell
}

// studioPage reads who looks at a page of a studio, and the studio.
func (h *site) studioPage(c *fiber.Ctx, at place) (studioPage, error) {
	sc, err := h.scope(c, at.tenant)
	if err != nil {
		return studioPage{}, err
	}
	s, err := h.studioOf(c, at)
	if err != nil {
		return studioPage{}, err
	}
	return h.surround(c, sc, s), nil
}

// surround puts the studio around a page with forms.
func (h *site) surround(c *fiber.Ctx, sc tenancy.Scope, s *studio) studioPage {
	sh := h.shell(c, s, carried(c, view.FieldRef))
	sh.CSRF = h.token(c)
	return studioPage{h, sc, s, sh}
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
	return view.Joined(", ", view.Elsewhere(s.Business.Name, s.Location.Name), view.AddressLine(s.Location.Address))
}

// publicShell is what surrounds a page that shows what everybody may see, and what this browser has in its cart there.
func (h *site) publicShell(c *fiber.Ctx, s *studio, path string) (sh view.Shell, cart checkout.Cart, err error) {
	sh = h.shell(c, s, carried(c, view.FieldRef))
	sh.Self = h.BaseURL + path
	sh.Here, sh.Places = s.places()
	cart, token, err := h.chosenAt(c, s)
	sh.Bar = barOf(sh.Words, cart, token)
	return sh, cart, err
}

// places is the location of a page and the others of its business; nothing where there is one only.
func (s *studio) places() (here *view.Place, others []view.Place) {
	if len(s.open) < 2 {
		return nil, nil
	}
	for _, l := range s.open {
		p := view.Place{Name: l.Name, Address: view.AddressLine(l.Address), Href: "/" + l.Slug}
		if l.ID == s.Location.ID {
			here = &p
		} else {
			others = append(others, p)
		}
	}
	return here, others
}

// shell is what surrounds a page of the studio. ref is where the customer says they came from, or what their cart
// remembers of it; it is judged here, at every print (E146). A page without it takes the browser's referrer (E144).
func (h *site) shell(c *fiber.Ctx, s *studio, ref string) view.Shell {
	look := view.Look(s.Location.Look)
	language := s.Location.Speech.For(h.wish(c))
	sh := inFrame(c, view.Shell{
		Words:     view.WordsAt(language, s.Location.Address.Country, s.clock, h.Clock.Now()),
		Studio:    view.Studio{Name: s.Business.Name, Home: s.home(), Address: s.address()},
		Look:      look,
		LookHref:  look.Href(s.Location.Slug),
		Mine:      query("/my", "at", s.Location.Slug),
		Languages: languages(c, s.Location.Speech, language),
	})
	back := wayBack(cmp.Or(ref, c.Get(fiber.HeaderReferer)), append([]string{s.Location.Website}, s.Location.OtherSites...)...)
	if back == nil {
		return sh
	}
	sh.Ref = back.Href
	if !sh.Embed { // there the customer never left the site (E147); the receipt in their mail knows the way
		sh.Back = back
	}
	return sh
}
