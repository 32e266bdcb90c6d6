package dates

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/schedule"
	"foyer/app/view"
)

// wall is the format of the browser's field for a day and a time.
const wall = "2006-01-02T15:04"

// asking is a change of a date on its page: the input and its plan.
type asking struct {
	agenda.Date
	Path    string
	Planned bool // there is a change, and Plan is its effect
	Plan    schedule.Plan
	Wrong   bool // the change was refused: the shell has the reason
	Fields  []view.Param
	Members []ui.Option
	Spaces  []ui.Option
}

// editInput reads a change of the date: of its time (reschedule) or of any other field (edit). asked is false without
// a change.
func editInput(c *desk.Call, d agenda.Date, path string) (in schedule.EditDateInput, asked bool, err error) {
	in = schedule.EditDateInput{
		OfferingID: d.OfferingID, OccurrenceID: d.ID, Version: c.Version(), AllowConflicts: c.Ticked("allowConflicts"),
		Silent: c.Silent("notify"), Reason: c.Value("reason"),
	}
	if path == "move" {
		at := c.Value("startsAt")
		if at == "" || at == d.StartsAt.In(c.UI.Zone).Format(wall) {
			return in, false, nil
		}
		start, err := onWall(at, c.UI.Zone)
		in.StartsAt = &start
		return in, true, err
	}
	var checks fault.Checks
	number := func(name string, now int) *int {
		if c.Value(name) == "" {
			return nil
		}
		n, ok := c.Number(name)
		checks.That(ok, name, "Enter a whole number.")
		if n == now {
			return nil
		}
		asked = true
		return &n
	}
	in.Minutes = number("minutes", int(d.EndsAt.Sub(d.StartsAt).Minutes()))
	in.Capacity = number("capacity", d.Capacity)
	switch all := d.OnlineCapacity == d.Capacity; {
	case all: // the field was empty
		in.OnlineCapacity = number("onlineCapacity", -1)
	case c.Inputs().Has("onlineCapacity") && c.Value("onlineCapacity") == "": // it was emptied
		in.OnlineCapacity, asked = cmp.Or(in.Capacity, &d.Capacity), true
	default:
		in.OnlineCapacity = number("onlineCapacity", d.OnlineCapacity)
	}
	choose := func(name string, now *uuid.UUID) (f patch.Field[uuid.UUID]) {
		if !c.Inputs().Has(name) || c.Value(name) == idOr(now) {
			return f
		}
		asked = true
		if id := c.UUID(name); id != uuid.Nil {
			return patch.Some(id)
		}
		return patch.None[uuid.UUID]()
	}
	in.MemberID, in.SpaceID = choose("memberId", d.MemberID), choose("spaceId", d.SpaceID)
	return in, asked, checks.Err()
}

// onWall returns the instant of a wall-clock time. A time skipped by a clock change is an error.
func onWall(text string, zone *time.Location) (time.Time, error) {
	t, err := time.Parse(wall, text)
	if err != nil {
		return t, fault.Invalid("startsAt", "Enter a day and a time.")
	}
	unix, gap := civil.Resolve(civil.DateOf(t), civil.NewClock(t.Hour(), t.Minute()), zone)
	if gap {
		return t, fault.Invalid("startsAt", "The clocks go forward that day, and this time is skipped. Choose another one.")
	}
	return time.Unix(unix, 0).UTC(), nil
}

// askEdit is the page of a change: fields, and the plan of a change.
func (s *screens) askEdit(path string) desk.Page {
	return func(c *desk.Call) (ui.Screen, error) {
		d, err := s.date(c)
		if err != nil {
			return ui.Screen{}, err
		}
		a := asking{Date: d, Path: path}
		if path == "edit" {
			if a.Members, a.Spaces, err = s.choices(c, d); err != nil {
				return ui.Screen{}, err
			}
		}
		in, asked, err := editInput(c, d, path)
		if err == nil && asked {
			if in.Version == 0 {
				in.Version = d.Version
			}
			err = a.rehearse(c, "updateOccurrence", func(ctx context.Context) (schedule.Plan, error) {
				done, err := s.Schedule.EditDate(ctx, c.Scope, in)
				return done.Plan, err
			})
		}
		if err := a.refusal(c, err); err != nil {
			return ui.Screen{}, err
		}
		title := c.UI.T("Reschedule this date")
		if path == "edit" {
			title = c.UI.T("Edit this date")
		}
		return ui.Screen{Title: title, Lead: lead(c, d), Area: "calendar", Up: up(c, d), Body: editBody(c, a), Sheet: true}, nil
	}
}

// rehearse fills in the plan.
func (a *asking) rehearse(c *desk.Call, op string, verb func(ctx context.Context) (schedule.Plan, error)) error {
	var err error
	a.Plan, err = desk.Quote(c, op, verb)
	a.Planned = err == nil
	a.keep(c)
	return err
}

// keep takes the fields of the quote.
func (a *asking) keep(c *desk.Call) {
	for name, values := range c.Inputs() {
		if name != "at" {
			for _, v := range values {
				a.Fields = append(a.Fields, view.Param{Name: name, Value: v})
			}
		}
	}
}

// refusal shows a refusal on the page; an error that is about more than the change is returned. A returned form has
// its refusal already.
func (a *asking) refusal(c *desk.Call, err error) error {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Conflict && f.Kind != fault.Validation {
		return err
	}
	a.Wrong = true
	if c.UI.Trouble == nil {
		c.UI.Trouble = &view.Trouble{Title: c.UI.T("This change is not possible"), Fields: f.Fields}
		if len(f.Fields) == 0 {
			c.UI.Trouble.Text = c.UI.Refusal(f)
		}
	}
	return nil
}

func (s *screens) edit(path string) func(c *desk.Call, ctx context.Context) (desk.Done, error) {
	return func(c *desk.Call, ctx context.Context) (desk.Done, error) {
		d, err := s.date(c)
		if err != nil {
			return desk.Done{}, err
		}
		in, _, err := editInput(c, d, path)
		if err != nil {
			return desk.Done{}, err
		}
		done, err := desk.Redeem(c, ctx, "updateOccurrence", func(ctx context.Context) (schedule.EditedDate, error) {
			return s.Schedule.EditDate(ctx, c.Scope, in)
		})
		if err != nil {
			return desk.Done{}, err
		}
		said := c.UI.T("Changed {name}.", "name", d.OfferingName)
		if path == "move" {
			said = c.UI.T("Rescheduled {name} to {when}.", "name", d.OfferingName, "when", c.UI.ShortWhen(done.StartsAt))
		}
		out := desk.Done{To: home(c, d), Said: said}
		if done.Plan.Undoable {
			out.Undo = &ui.Undo{Action: home(c, d, "undo-edit"), Fields: []view.Param{
				{Name: "edit", Value: done.EditID.String()}, {Name: "series", Value: done.SeriesID.String()},
			}}
		}
		return out, nil
	}
}

func (s *screens) undoEdit(c *desk.Call, ctx context.Context) (desk.Done, error) {
	d, err := s.date(c)
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Schedule.UndoEdit(ctx, c.Scope, schedule.UndoEditInput{OfferingID: d.OfferingID, SeriesID: c.UUID("series"), EditID: c.UUID("edit")})
	return desk.Done{Said: c.UI.T("Undid the change to {name}.", "name", d.OfferingName)}, err
}

// choices returns the possible instructors and spaces of a date.
func (s *screens) choices(c *desk.Call, d agenda.Date) (members, spaces []ui.Option, err error) {
	members = []ui.Option{{Text: c.UI.T("No instructor")}}
	spaces = []ui.Option{{Text: c.UI.T("No room")}}
	err = desk.Together(
		func() error {
			team, err := s.team(c)
			members = append(members, team...)
			return err
		},
		func() error {
			page, err := s.Business.Spaces(c.Context(), c.Scope, d.LocationID, paging.In[uuid.UUID]{Limit: paging.Max})
			for _, e := range page.Items {
				spaces = append(spaces, ui.Option{Value: e.ID.String(), Text: e.Name})
			}
			return err
		},
	)
	return members, spaces, err
}

// team returns the instructors of the location.
func (s *screens) team(c *desk.Call) (out []ui.Option, err error) {
	page, err := s.Business.Members(c.Context(), c.Scope, paging.In[uuid.UUID]{Limit: paging.Max})
	for _, m := range page.Items {
		if gives(m) {
			out = append(out, ui.Option{Value: m.ID.String(), Text: m.Name})
		}
	}
	return out, err
}

func gives(m business.Member) bool { return m.Active && m.Bookable }

func digits(n int) string { return strconv.Itoa(n) }
