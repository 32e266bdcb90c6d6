package catalog

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/view"
)

var assignInputs = []string{"occurrenceIds", "memberId", "onBusy", "reason"}

// assignShown is the maximum number of dates on the page of instructors.
const assignShown = 60

// assigning is the page that assigns the instructor of dates.
type assigning struct {
	oneSeries
	Dates   []schedule.Occurrence
	Members []ui.Option
	All     bool // all dates are selected
}

func (s *screens) askInstructor(c *desk.Call) (ui.Screen, error) {
	one, err := s.theSeries(c)
	if err != nil {
		return ui.Screen{}, err
	}
	place := placeOf(c, one.LocationID)
	if place == nil {
		return ui.Screen{}, catalog.ErrLocationArchived
	}
	v := assigning{oneSeries: one, All: c.Value("all") != ""}
	err = desk.Together(
		func() (err error) {
			v.Dates, err = s.datesAhead(c, one)
			return err
		},
		func() error {
			l, err := s.choices(c, *place, one.Offering)
			v.Members = l.members()
			return err
		},
	)
	up := view.Link{Text: sentence(c.UI, one.Series.Rule), Href: one.path(c)}
	return ui.Screen{Title: c.UI.T("Assign instructor"), Lead: one.Name, Area: "catalog", Up: &up, Body: assignBody(c, v)}, err
}

// datesAhead returns the first upcoming dates of the series.
func (s *screens) datesAhead(c *desk.Call, v oneSeries) (out []schedule.Occurrence, err error) {
	in := schedule.OccurrencesInput{OfferingID: v.ID, From: s.Clock.Now(), Page: paging.In[paging.Moment]{Limit: paging.Max}}
	for {
		page, err := s.Schedule.Occurrences(c.Context(), c.Scope, in)
		if err != nil {
			return nil, err
		}
		for _, d := range page.Items {
			if d.SeriesID == v.Series.ID && d.State == schedule.Scheduled && d.StartsAt.After(s.Clock.Now()) {
				out = append(out, d)
			}
		}
		if page.Next == nil || len(out) >= assignShown {
			return out[:min(len(out), assignShown)], nil
		}
		in.Page.After = page.Next
	}
}

func (s *screens) assignInstructor(c *desk.Call, ctx context.Context) (desk.Done, error) {
	v, err := s.theSeries(c)
	if err != nil {
		return desk.Done{}, err
	}
	if c.UUID("memberId") == uuid.Nil {
		return desk.Done{}, fault.Invalid("memberId", c.UI.T("Choose an instructor."))
	}
	done, err := s.Schedule.Assign(ctx, c.Scope, schedule.AssignInput{
		OfferingID: v.ID, OccurrenceIDs: c.UUIDs("occurrenceIds"), MemberID: c.UUID("memberId"), OnBusy: schedule.OnBusy(c.Value("onBusy")),
		Reason: c.Value("reason"), Silent: schedule.SubstituteSilence{
			Customers: c.Silent("customers"), Original: c.Silent("team"), Substitute: c.Silent("team"),
		},
	})
	if err != nil {
		return desk.Done{}, assignFault(c.UI, err)
	}
	out := desk.Done{To: v.path(c), Said: assigned(c.UI, done)}
	if done.EditID != uuid.Nil {
		out.Undo = &ui.Undo{Action: undoPath(c, v.ID, schedule.Edit{ID: done.EditID, SeriesID: v.Series.ID})}
	}
	return out, nil
}

// assigned renders the number of dates assigned, and the dates that are not.
func assigned(sh ui.Shell, done schedule.Assigned) string {
	n := 0
	var busy []string
	for _, d := range done.Dates {
		switch d.Outcome {
		case schedule.AssignBusy:
			busy = append(busy, sh.ShortWhen(d.StartsAt))
		default:
			n++
		}
	}
	said := sh.N(n, "Assigned {who} to {n} date.", "Assigned {who} to {n} dates.", "who", done.Instructor)
	if len(busy) > 0 {
		said += " " + sh.N(len(busy), "{n} date is unchanged because the instructor is unavailable: {list}.",
			"{n} dates are unchanged because the instructor is unavailable: {list}.", "list", strings.Join(busy, "; "))
	}
	return said
}

// assignFault names the dates with conflicts of the instructor, at the choice of their handling.
func assignFault(sh ui.Shell, err error) error {
	f := fault.From(err)
	if f == nil {
		return err
	}
	list := conflictsOf(f)
	if len(list) == 0 {
		return f.At(func(field string) string {
			name, _, _ := strings.Cut(field, "[")
			return name
		})
	}
	var text []string
	for _, x := range list {
		text = append(text, clash(sh, x))
	}
	return fault.Invalid("onBusy", strings.Join(append(text, sh.T("Choose what to do with these dates.")), " "))
}
