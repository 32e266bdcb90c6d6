// Package search is the search across screens, customers, offerings, and the dates of the next days.
package search

import (
	"slices"
	"time"

	"foyer/app/agenda"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/names"
	"foyer/app/view"
)

type screens struct{ *desk.Desk }

// Register mounts the screen.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getBusiness", "/search", s.search)
}

// group holds the hits of one kind.
type group struct {
	Title string
	Hits  []hit
}

type hit struct{ Text, More, Href string }

// each is the maximum number of hits of a kind, and ahead the time in which dates are searched.
const (
	each  = 5
	ahead = 14 * 24 * time.Hour
)

func (s *screens) search(c *desk.Call) (ui.Screen, error) {
	q := c.Value("q")
	sh := c.UI
	var people, offerings, dates []hit
	if q != "" {
		err := desk.Together(
			func() error {
				if !c.May("listCustomers") {
					return nil
				}
				page, err := s.CRM.List(c.Context(), c.Scope, crm.ListInput{Query: q, Limit: each})
				for _, p := range page.Customers {
					people = append(people, hit{ui.Who(sh, "", p.Name, p.Email), p.Email, c.To("/customers/" + p.ID.String())})
				}
				return err
			},
			func() error {
				list, err := s.Catalog.OfferingNames(c.Context(), c.Scope, catalog.OfferingNamesInput{Query: q, Limit: each})
				for _, o := range list {
					offerings = append(offerings, hit{o.Name, o.LocationName, c.To("/catalog/" + o.ID.String())})
				}
				return err
			},
			func() error {
				if !c.May("listBookings") {
					return nil
				}
				now := s.Clock.Now()
				list, err := s.Agenda.Dates(c.Context(), c.Scope, agenda.DatesInput{From: now, To: now.Add(ahead), LocationID: c.LocationID()})
				for _, d := range list {
					if len(dates) < each && fits(q, d.OfferingName, d.Instructor, d.Customer) {
						dates = append(dates, hit{d.OfferingName, view.Joined(" · ", sh.ShortWhen(d.StartsAt), d.Instructor, d.Customer), c.To("/dates/" + d.ID.String())})
					}
				}
				return err
			},
		)
		if err != nil {
			return ui.Screen{}, err
		}
	}
	var found []group
	for _, g := range []group{{sh.T("Screens"), pages(sh, q)}, {sh.T("Customers"), people}, {sh.T("Catalog"), offerings}, {sh.T("Dates"), dates}} {
		if len(g.Hits) > 0 {
			found = append(found, g)
		}
	}
	part := hits(c, q, found)
	return ui.Screen{Title: sh.T("Search"), Body: body(c, part), Frame: "found", Part: part}, nil
}

// pages returns the screens of the rail and of the New menu.
func pages(sh ui.Shell, q string) []hit {
	var out []hit
	for _, e := range append(append([]ui.Entry{}, sh.Rail...), sh.Makes...) {
		if q == "" || fits(q, e.Text) {
			out = append(out, hit{e.Text, "", e.Href})
		}
	}
	return out
}

// fits reports whether the query begins a word of one of the texts.
func fits(q string, texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return names.Begins(text, q) })
}
