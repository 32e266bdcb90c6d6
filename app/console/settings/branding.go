package settings

import (
	"cmp"
	"context"
	"time"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
)

// looks mounts the branding of a location's booking pages and embeds.
func (s *screens) looks() {
	const path = "/settings/places/:location/look"
	s.Page("getTheme", path, s.showLook)
	s.Form("replaceTheme", path, desk.Form{Do: s.putLook, Show: s.showLook, Inputs: []string{"accent", "background", "type", "corners"}})
	s.File("getTheme", path+"/page", s.lookPage)
	s.File("getTheme", path+"/look.css", s.lookSheet)
	s.Page("getStylesheet", path+"/css", s.showSheet)
	s.Form("replaceStylesheet", path+"/css", desk.Form{Do: s.putSheet, Show: s.showSheet, Inputs: []string{"css"}})
}

func (s *screens) showLook(c *desk.Call) (ui.Screen, error) {
	l, err := s.place(c)
	if err != nil {
		return ui.Screen{}, err
	}
	screen := aPlace(c, l, "/look")
	screen.Step, screen.Script = "look", "catalog.js"
	screen.Body = lookBody(c, l)
	return screen, nil
}

func (s *screens) putLook(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	if c.Value("then") == "preview" { // without script
		c.UI.Posted = c.Inputs()
		screen, err := s.showLook(c)
		return desk.Done{Once: &screen}, err
	}
	_, err = s.Business.PutTheme(ctx, c.Scope, business.Theme{LocationID: id, Version: c.Version(), Branding: lookOf(c, business.Branding{})})
	return desk.Done{Said: c.UI.T("Branding saved.")}, err
}

// lookOf returns a branding with the typed values.
func lookOf(c *desk.Call, was business.Branding) business.Branding {
	return business.Branding{
		Accent: cmp.Or(c.Value("accent"), was.Accent), Background: cmp.Or(c.Value("background"), was.Background),
		Type: cmp.Or(c.Value("type"), was.Type), Corners: cmp.Or(c.Value("corners"), was.Corners),
	}
}

// lookAt returns the address of the page, or the stylesheet, of the typed branding.
func lookAt(c *desk.Call, l business.Location, rest string) string {
	look := lookOf(c, l.Branding)
	return of(c, l.ID, "/look"+rest, "accent", look.Accent, "background", look.Background, "type", look.Type, "corners", look.Corners)
}

// lookSheet sends the stylesheet of the typed branding.
func (s *screens) lookSheet(c *desk.Call) error {
	l, err := s.place(c)
	if err != nil {
		return err
	}
	return c.Sheet(view.Branding(lookOf(c, l.Branding)).CSS())
}

// lookPage sends the schedule of the location in the typed branding, for the frame beside the form.
func (s *screens) lookPage(c *desk.Call) error {
	l, err := s.place(c)
	if err != nil {
		return err
	}
	days, err := s.pictured(c, l)
	if err != nil {
		return err
	}
	sh := c.Shopfront(l, lookAt(c, l, "/look.css"))
	sh.Branding = view.Branding(lookOf(c, l.Branding))
	return c.Picture(view.SchedulePage(sh, view.Schedule{Days: days}))
}

// picturedDates is the number of dates in the preview; picturedDays the time in which they are searched.
const (
	picturedDates = 7
	picturedDays  = 14
)

// pictured returns the next dates of a location as its schedule lists them; examples for a location without dates.
func (s *screens) pictured(c *desk.Call, l business.Location) ([]view.Day, error) {
	now, zone := s.Clock.Now(), zoneOf(l)
	var list []agenda.Date
	if c.May("listBookings") {
		var err error
		list, err = s.Agenda.Dates(c.Context(), c.Scope, agenda.DatesInput{From: now, To: now.AddDate(0, 0, picturedDays), LocationID: l.ID})
		if err != nil {
			return nil, err
		}
	}
	var out []view.Day
	add := func(at time.Time, row view.Row) {
		if n := len(out); n == 0 || out[n-1].Date.In(zone).YearDay() != at.In(zone).YearDay() {
			out = append(out, view.Day{Date: at})
		}
		last := &out[len(out)-1]
		last.Rows = append(last.Rows, row)
	}
	n := 0
	for _, d := range list {
		if d.SeriesID == nil || n == picturedDates {
			continue
		}
		n++
		add(d.StartsAt, view.Row{
			Start: d.StartsAt, Minutes: int(d.EndsAt.Sub(d.StartsAt).Minutes()), Name: d.OfferingName, Who: d.Instructor, Where: d.Space,
			Spots: max(0, d.Capacity-d.Taken), Action: view.ActionBook,
		})
	}
	for i := 0; n == 0 && i < 3; i++ {
		at := now.Truncate(time.Hour).Add(time.Duration(20+i*22) * time.Hour)
		add(at, view.Row{
			Start: at, Minutes: 60, Name: c.UI.T("Example class"), Who: c.UI.T("Staff member"), Price: &view.Price{Minor: 2000, Currency: l.Currency},
			Spots: 3 + i, Action: view.ActionBook,
		})
	}
	return out, nil
}
