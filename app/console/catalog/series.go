package catalog

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/view"
)

// series mounts the screens of a class's dates.
func (s *screens) series(d *desk.Desk) {
	const path = "/catalog/:offering/series"
	d.Page("listSeries", path, s.listSeries)
	d.Page("createSeries", path+"/new", s.newSeries)
	d.Form("createSeries", path+"/new", desk.Form{Do: s.makeSeries, Show: s.newSeries, Inputs: seriesInputs})
	d.Page("updateSeries", path+"/:series", s.editSeries)
	d.Page("updateSeries", path+"/:series/plan", s.planSeries)
	d.Form("updateSeries", path+"/:series/plan", desk.Form{Do: s.changeSeries, Show: s.planSeries, Inputs: seriesInputs})
	d.Page("endSeries", path+"/:series/end", s.askEnd)
	d.Form("endSeries", path+"/:series/end", desk.Form{Do: s.endSeries, Show: s.askEnd})
	d.Form("undoSeriesEdit", path+"/:series/edits/:edit/undo", desk.Form{Do: s.undoEdit})
	d.Page("assignInstructor", path+"/:series/instructor", s.askInstructor)
	d.Form("assignInstructor", path+"/:series/instructor", desk.Form{Do: s.assignInstructor, Show: s.askInstructor, Inputs: assignInputs})
}

// seriesList are the series of a class.
type seriesList struct {
	catalog.Offering
	Now, Ended []schedule.Series
	Undoable   []schedule.Edit // can be undone now
	May        bool
}

func (s *screens) listSeries(c *desk.Call) (ui.Screen, error) {
	o, err := s.found(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := seriesList{Offering: o, May: may(c, o.LocationID) && o.State != catalog.Archived}
	var page paging.Page[schedule.Series, schedule.SeriesKey]
	err = desk.Together(
		func() (err error) {
			in := schedule.SeriesOfInput{OfferingID: o.ID, Page: paging.In[schedule.SeriesKey]{Limit: paging.Max}}
			page, err = s.Schedule.SeriesOf(c.Context(), c.Scope, in)
			return err
		},
		func() error {
			if !v.May {
				return nil
			}
			edits, err := s.Schedule.Edits(c.Context(), c.Scope, schedule.EditsInput{OfferingID: o.ID, Undoable: true})
			v.Undoable = edits.Items
			return err
		},
	)
	today := civil.LocalDate(s.Clock.Now(), c.UI.Zone)
	for _, x := range page.Items {
		if over(x, today) {
			v.Ended = append(v.Ended, x)
		} else {
			v.Now = append(v.Now, x)
		}
	}
	screen := s.about(c, o, "series")
	screen.Body = seriesBody(c, v)
	if v.May && o.Kind == catalog.Class {
		screen.Acts = ui.Go(c.To("/catalog/"+o.ID.String()+"/series/new"), ui.Button{Text: c.UI.T("New series"), Icon: "plus"})
	}
	return screen, err
}

// over reports whether a series has no date from a day on.
func over(x schedule.Series, today civil.Date) bool {
	for range x.Rule.Dates(today, today.AddDays(schedule.StartMaxDays)) {
		return false
	}
	return true
}

func (s *screens) newSeries(c *desk.Call) (ui.Screen, error) {
	o, err := s.found(c)
	if err != nil {
		return ui.Screen{}, err
	}
	place := placeOf(c, o.LocationID)
	if place == nil {
		return ui.Screen{}, catalog.ErrLocationArchived
	}
	l, err := s.choices(c, *place, o)
	screen := ui.Screen{Title: c.UI.T("New series"), Lead: o.Name, Area: "catalog", Up: seriesUp(c, o)}
	screen.Body = newSeriesBody(c, o, rowOf(civil.LocalDate(s.Clock.Now(), c.UI.Zone)), l)
	return screen, err
}

func seriesUp(c *desk.Call, o catalog.Offering) *view.Link {
	return &view.Link{Text: o.Name, Href: c.To("/catalog/" + o.ID.String() + "/series")}
}

func (s *screens) makeSeries(c *desk.Call, ctx context.Context) (desk.Done, error) {
	o, err := s.found(c)
	if err != nil {
		return desk.Done{}, err
	}
	in, err := readSeries(c)
	in.OfferingID = o.ID
	if err := both(err, seriesFault(c.UI, in.Validate())); err != nil {
		return desk.Done{}, err
	}
	made, err := s.Schedule.CreateSeries(ctx, c.Scope, in)
	if err != nil {
		return desk.Done{}, seriesFault(c.UI, err)
	}
	said := c.UI.N(len(made.First.Dates), "Added {n} date: {rule}.", "Added {n} dates: {rule}.", "rule", sentence(c.UI, made.Rule))
	return desk.Done{To: seriesUp(c, o).Href, Said: said}, nil
}

// oneSeries is a series with its class.
type oneSeries struct {
	catalog.Offering
	Series schedule.Series
	Edits  []schedule.Edit
	Next   []agenda.Date // to change single dates
}

// oneDates is the number of dates that the editor links to, and oneSpan the time in which they are searched.
const (
	oneDates = 8
	oneSpan  = 45 * 24 * time.Hour
)

// next returns the next dates of the series.
func (s *screens) next(c *desk.Call, v oneSeries) ([]agenda.Date, error) {
	if !c.May("listBookings") {
		return nil, nil
	}
	now := s.Clock.Now()
	list, err := s.Agenda.Dates(c.Context(), c.Scope, agenda.DatesInput{From: now, To: now.Add(oneSpan), OfferingID: v.ID})
	list = slices.DeleteFunc(list, func(d agenda.Date) bool { return d.SeriesID == nil || *d.SeriesID != v.Series.ID })
	return list[:min(len(list), oneDates)], err
}

func (v oneSeries) path(c *desk.Call) string {
	return c.To("/catalog/" + v.ID.String() + "/series/" + v.Series.ID.String())
}

// theSeries reads the series of the address.
func (s *screens) theSeries(c *desk.Call) (v oneSeries, err error) {
	if v.Offering, err = s.found(c); err != nil {
		return v, err
	}
	id, err := c.ID("series")
	if err != nil {
		return v, err
	}
	in := schedule.SeriesOfInput{OfferingID: v.ID, Page: paging.In[schedule.SeriesKey]{Limit: paging.Max}}
	for {
		page, err := s.Schedule.SeriesOf(c.Context(), c.Scope, in)
		if err != nil {
			return v, err
		}
		if i := slices.IndexFunc(page.Items, func(x schedule.Series) bool { return x.ID == id }); i >= 0 {
			v.Series = page.Items[i]
			return v, nil
		}
		if page.Next == nil {
			return v, fault.Missing()
		}
		in.Page.After = page.Next
	}
}

func (s *screens) editSeries(c *desk.Call) (ui.Screen, error) {
	v, err := s.theSeries(c)
	if err != nil {
		return ui.Screen{}, err
	}
	return s.seriesForm(c, v)
}

// seriesForm is the editor: its form shows the plan.
func (s *screens) seriesForm(c *desk.Call, v oneSeries) (ui.Screen, error) {
	place := placeOf(c, v.LocationID)
	if place == nil {
		return ui.Screen{}, catalog.ErrLocationArchived
	}
	var l choices
	err := desk.Together(
		func() (err error) {
			l, err = s.choices(c, *place, v.Offering)
			return err
		},
		func() error {
			page, err := s.Schedule.Edits(c.Context(), c.Scope, schedule.EditsInput{OfferingID: v.ID, SeriesID: v.Series.ID})
			v.Edits = page.Items
			return err
		},
		func() (err error) {
			v.Next, err = s.next(c, v)
			return err
		},
	)
	today := civil.LocalDate(s.Clock.Now(), c.UI.Zone)
	return ui.Screen{
		Title: sentence(c.UI, v.Series.Rule), Lead: v.Name, Area: "catalog", Up: seriesUp(c, v.Offering),
		Body: editSeriesBody(c, v, l, today), Acts: editSeriesActs(c, v, over(v.Series, today)),
	}, err
}

// change returns the change in the form.
func (v oneSeries) change(c *desk.Call) (schedule.EditSeriesInput, error) {
	change, err := readChange(c, v.Series)
	f := reader{Call: c}
	in := schedule.EditSeriesInput{
		OfferingID: v.ID, SeriesID: v.Series.ID, Version: c.Version(), Scope: schedule.EditScope(c.Value("scope")), Change: change,
		OnBooked: schedule.OnBooked(c.Value("onBooked")), AllowConflicts: c.Ticked("allowConflicts"), Silent: c.Silent("notify"), Reason: c.Value("reason"),
	}
	if in.Scope == schedule.ScopeFollowing {
		in.From = f.date("from")
	}
	return in, both(err, f.checks.Err())
}

// planSeries shows the plan of a change. A refusal shows the form again, with the reason.
func (s *screens) planSeries(c *desk.Call) (ui.Screen, error) {
	v, err := s.theSeries(c)
	if err != nil {
		return ui.Screen{}, err
	}
	in, err := v.change(c)
	var done schedule.Edited
	if err == nil {
		done, err = desk.Quote(c, "updateSeries", func(ctx context.Context) (schedule.Edited, error) { return s.Schedule.EditSeries(ctx, c.Scope, in) })
	}
	if err != nil {
		if !c.Refused(seriesFault(c.UI, err), seriesInputs) {
			return ui.Screen{}, err
		}
		return s.seriesForm(c, v)
	}
	up := view.Link{Text: c.UI.T("Back to the form"), Href: v.path(c)}
	return ui.Screen{
		Title: c.UI.T("Review changes"), Lead: v.Name + " · " + sentence(c.UI, done.Rule), Area: "catalog", Up: &up,
		Body: planBody(c, done.Plan, v.path(c)+"/plan", v.path(c), c.UI.T("Change dates")),
	}, nil
}

func (s *screens) changeSeries(c *desk.Call, ctx context.Context) (desk.Done, error) {
	v, err := s.theSeries(c)
	if err != nil {
		return desk.Done{}, err
	}
	in, err := v.change(c)
	if err != nil {
		return desk.Done{}, err
	}
	done, err := desk.Redeem(c, ctx, "updateSeries", func(ctx context.Context) (schedule.Edited, error) { return s.Schedule.EditSeries(ctx, c.Scope, in) })
	if err != nil {
		return desk.Done{}, seriesFault(c.UI, err)
	}
	return s.edited(c, v, done, c.UI.T("Changed: {rule}.", "rule", sentence(c.UI, done.Rule))), nil
}

// edited redirects to the list of series, with an undo of the edit.
func (s *screens) edited(c *desk.Call, v oneSeries, done schedule.Edited, said string) desk.Done {
	out := desk.Done{To: seriesUp(c, v.Offering).Href, Said: said}
	if done.EditID != uuid.Nil && done.Plan.Undoable {
		out.Undo = &ui.Undo{Action: undoPath(c, v.ID, schedule.Edit{ID: done.EditID, SeriesID: v.Series.ID})}
	}
	return out
}

// undoPath returns the address to undo an edit; for a split, at the original series.
func undoPath(c *desk.Call, offering uuid.UUID, e schedule.Edit) string {
	return c.To("/catalog/" + offering.String() + "/series/" + e.SeriesID.String() + "/edits/" + e.ID.String() + "/undo")
}

// ending is the page that ends a series.
type ending struct {
	oneSeries
	EndsOn  civil.Date
	Plan    *schedule.Plan // nil: refused
	Refused string
}

// end returns the input of the page: without a day, the series ends today.
func (v oneSeries) end(c *desk.Call, today civil.Date) schedule.EndSeriesInput {
	in := schedule.EndSeriesInput{
		OfferingID: v.ID, SeriesID: v.Series.ID, EndsOn: today, OnBooked: schedule.OnBooked(c.Value("onBooked")),
		Silent: c.Silent("notify"), Reason: c.Value("reason"),
	}
	if d, err := civil.ParseDate(c.Value("endsOn")); err == nil {
		in.EndsOn = d
	}
	return in
}

func (s *screens) askEnd(c *desk.Call) (ui.Screen, error) {
	one, err := s.theSeries(c)
	if err != nil {
		return ui.Screen{}, err
	}
	in := one.end(c, civil.LocalDate(s.Clock.Now(), c.UI.Zone))
	v := ending{oneSeries: one, EndsOn: in.EndsOn}
	done, err := desk.Quote(c, "endSeries", func(ctx context.Context) (schedule.Edited, error) { return s.Schedule.EndSeries(ctx, c.Scope, in) })
	switch why, refused := told(c.UI, err); {
	case err == nil:
		v.Plan = &done.Plan
	case refused && errors.Is(err, schedule.ErrDatesBooked):
		v.Refused = c.UI.T("There are bookings after that day. Choose what happens to them.")
	case refused:
		v.Refused = why
	default:
		return ui.Screen{}, err
	}
	up := view.Link{Text: sentence(c.UI, one.Series.Rule), Href: one.path(c)}
	return ui.Screen{Title: c.UI.T("End series"), Lead: one.Name, Area: "catalog", Up: &up, Body: endBody(c, v)}, nil
}

func (s *screens) endSeries(c *desk.Call, ctx context.Context) (desk.Done, error) {
	v, err := s.theSeries(c)
	if err != nil {
		return desk.Done{}, err
	}
	in := v.end(c, civil.LocalDate(s.Clock.Now(), c.UI.Zone))
	done, err := desk.Redeem(c, ctx, "endSeries", func(ctx context.Context) (schedule.Edited, error) { return s.Schedule.EndSeries(ctx, c.Scope, in) })
	if err != nil {
		return desk.Done{}, err
	}
	return s.edited(c, v, done, c.UI.T("The series ends on {date}.", "date", c.UI.Date(view.Noon(in.EndsOn, c.UI.Zone)))), nil
}

func (s *screens) undoEdit(c *desk.Call, ctx context.Context) (desk.Done, error) {
	var ids [3]uuid.UUID
	for i, name := range []string{"offering", "series", "edit"} {
		id, err := c.ID(name)
		if err != nil {
			return desk.Done{}, err
		}
		ids[i] = id
	}
	_, err := s.Schedule.UndoEdit(ctx, c.Scope, schedule.UndoEditInput{OfferingID: ids[0], SeriesID: ids[1], EditID: ids[2]})
	return desk.Done{To: c.To("/catalog/" + ids[0].String() + "/series"), Said: c.UI.T("Undid the change to the series.")}, err
}
