package catalog

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/schedule"
	"foyer/app/view"
)

// newPage chooses a template, then a location if there are several, and then shows the form of a new offering.
func (s *screens) newPage(c *desk.Call) (ui.Screen, error) {
	screen := ui.Screen{Title: c.UI.T("New offering"), Area: "catalog", Step: "offering", Up: &view.Link{Text: c.UI.T("Catalog"), Href: c.To("/catalog")}}
	from, ok := starterOf(c.Query("from"))
	if !ok {
		screen.Lead, screen.Body = c.UI.T("Choose a template. You can change everything later."), startersBody(c)
		return screen, nil
	}
	place := placeNew(c)
	if place == nil {
		screen.Lead, screen.Body = c.UI.T("Set the location."), placesBody(c, from, mayMake(c))
		return screen, nil
	}
	at(c, place.ID)
	o := from.begun(c.UI.T(from.Name), place.ID, place.TaxRateID, place.Currency)
	l, err := s.choices(c, *place, o)
	if len(l.Spaces) == 1 && o.Kind == catalog.Rental {
		o.SpaceIDs = []uuid.UUID{l.Spaces[0].ID}
	}
	if len(l.Members) == 1 && o.Kind == catalog.Appointment {
		o.MemberIDs = []uuid.UUID{l.Members[0].ID}
	}
	screen.Lead = view.Joined(" · ", c.UI.T(from.Trade), place.Name)
	screen.Body = newBody(c, from, o, l, civil.LocalDate(s.Clock.Now(), c.Zone()))
	return screen, err
}

// mayMake returns the locations where the caller may add an offering.
func mayMake(c *desk.Call) []business.Location {
	var out []business.Location
	for _, l := range c.Workspace.Locations {
		if may(c, l.ID) {
			out = append(out, l)
		}
	}
	return out
}

// placeNew returns the location of the new offering: the chosen one, else the selected one, else the only one.
func placeNew(c *desk.Call) *business.Location {
	id, list := uuid.Nil, mayMake(c)
	if given, err := uuid.Parse(c.Query("place")); err == nil {
		id = given
	} else if c.Location != nil {
		id = c.LocationID()
	} else if len(list) == 1 {
		id = list[0].ID
	}
	if i := slices.IndexFunc(list, func(l business.Location) bool { return l.ID == id }); i >= 0 {
		return &list[i]
	}
	return nil
}

// create creates the offering, with its instructors and spaces, with weekly dates if filled in, and publishes it if
// that button was pressed. Each step is a verb of its own: completed ones stay, and the next page lists missing
// fields.
func (s *screens) create(c *desk.Call, ctx context.Context) (desk.Done, error) {
	from, ok := starterOf(c.Query("from"))
	place := placeNew(c)
	if !ok || place == nil {
		return desk.Done{}, fault.Missing()
	}
	in, err := read(c, from.Offering.Kind, place.Currency)
	in.LocationID = place.ID
	rule, weekly, ruleErr := s.firstDates(c, in)
	wants, wantsErr := readAsks(c, place.ID)
	if err := both(both(both(err, in.Validate()), ruleErr), wantsErr); err != nil {
		return desk.Done{}, err
	}
	o, err := s.Catalog.Create(ctx, c.Scope, in)
	if err != nil {
		return desk.Done{}, err
	}
	done := desk.Done{To: c.To("/catalog/" + o.ID.String())}
	for _, step := range []func() error{
		func() error {
			to, err := s.setUp(c, o, wants)
			if err == nil {
				_, err = s.link(c, ctx, o, to)
			}
			return err
		},
		func() error {
			if !weekly {
				return nil
			}
			rule.OfferingID = o.ID
			_, err := s.Schedule.CreateSeries(ctx, c.Scope, rule)
			return err
		},
		func() error {
			if c.Value("then") != "publish" {
				return nil
			}
			_, err := s.Catalog.Publish(ctx, c.Scope, o.ID)
			return err
		},
	} {
		if err := step(); err != nil {
			why, isRefusal := told(c.UI, err)
			if !isRefusal {
				return desk.Done{}, err
			}
			done.Said, done.Bad = c.UI.T("Saved {name} as a draft. {why}", "name", o.Name, "why", why), true
			if lacks, err := s.Catalog.Missing(c.Context(), c.Scope, o.ID); err == nil && len(lacks) > 0 {
				done.Said = c.UI.T("Saved {name} as a draft.", "name", o.Name) // its page has the reasons and links
			}
			return done, nil
		}
	}
	if c.Value("then") == "publish" {
		done.Said = c.UI.T("Published {name} to your booking page.", "name", o.Name)
	} else {
		done.Said = c.UI.T("Saved {name} as a draft.", "name", o.Name)
	}
	return done, nil
}

// firstDates returns the series in the form; false if none of it is filled in.
func (s *screens) firstDates(c *desk.Call, in catalog.CreateInput) (schedule.CreateSeriesInput, bool, error) {
	if in.Kind != catalog.Class || len(c.Values("weekdays")) == 0 && c.Value("at") == "" {
		return schedule.CreateSeriesInput{}, false, nil
	}
	out, err := readSeries(c)
	out.Capacity, out.OnlineCapacity = nil, nil // the offering's
	return out, true, both(err, out.Validate())
}

// both joins two refusals, so that all fields can be corrected at once. An error that is no refusal comes first.
func both(a, b error) error {
	x, y := fault.From(a), fault.From(b)
	switch {
	case a == nil:
		return b
	case b == nil || x == nil || x.Kind != fault.Validation:
		return a
	case y == nil || y.Kind != fault.Validation:
		return b
	}
	for _, f := range y.Fields {
		if !slices.ContainsFunc(x.Fields, func(g fault.Field) bool { return g.Field == f.Field }) {
			x = x.And(f.Field, f.Message)
		}
	}
	return x
}

// link sets the instructors and spaces of an offering, if they changed.
func (s *screens) link(c *desk.Call, ctx context.Context, o catalog.Offering, to linked) (catalog.Offering, error) {
	if o.Kind == catalog.Class {
		return o, nil
	}
	var err error
	if ids := ordered(o.SpaceIDs, to.Spaces); !slices.Equal(ids, o.SpaceIDs) {
		if o, err = s.Catalog.PutSpaces(ctx, c.Scope, catalog.PutLinksInput{ID: o.ID, Links: ids}); err != nil {
			return o, err
		}
	}
	ids := ordered(o.MemberIDs, to.Members)
	if o.Kind == catalog.Rental && !o.NeedsMember {
		ids = nil // it has no instructor
	}
	if !slices.Equal(ids, o.MemberIDs) {
		o, err = s.Catalog.PutStaff(ctx, c.Scope, catalog.PutLinksInput{ID: o.ID, Links: ids})
	}
	return o, err
}
