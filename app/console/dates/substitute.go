package dates

import (
	"context"
	"slices"

	"foyer/app/agenda"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/schedule"
)

// standIn is the plan of a substitution.
type standIn struct {
	asking
	Notices   int
	Conflicts int
	Name      string // of the substitute
}

func substituteInput(c *desk.Call, d agenda.Date) schedule.SubstituteInput {
	return schedule.SubstituteInput{
		OfferingID: d.OfferingID, OccurrenceID: d.ID, MemberID: c.UUID("memberId"), Override: c.Ticked("override"), Reason: c.Value("reason"),
		Silent: schedule.SubstituteSilence{Customers: c.Silent("customers"), Original: c.Silent("original"), Substitute: c.Silent("substitute")},
	}
}

func (s *screens) naming(c *desk.Call, d agenda.Date) func(ctx context.Context) (standIn, error) {
	return func(ctx context.Context) (standIn, error) {
		done, err := s.Schedule.Substitute(ctx, c.Scope, substituteInput(c, d))
		return standIn{Notices: done.Notices, Conflicts: len(done.Conflicts), Name: done.Instructor}, err
	}
}

func (s *screens) askSubstitute(c *desk.Call) (ui.Screen, error) {
	d, err := s.date(c)
	if err != nil {
		return ui.Screen{}, err
	}
	team, err := s.team(c)
	if err != nil {
		return ui.Screen{}, err
	}
	team = slices.DeleteFunc(team, func(o ui.Option) bool { return o.Value == idOr(d.MemberID) })
	i := standIn{}
	if c.Value("memberId") != "" {
		i, err = desk.Quote(c, "substituteOccurrence", s.naming(c, d))
		i.Planned = err == nil
	}
	i.Date, i.Members, i.Path = d, append([]ui.Option{{Text: c.UI.T("Choose an instructor")}}, team...), "substitute"
	i.keep(c)
	if err := i.refusal(c, err); err != nil {
		return ui.Screen{}, err
	}
	return ui.Screen{Title: c.UI.T("Assign a substitute"), Lead: lead(c, d), Area: "calendar", Up: up(c, d), Body: substituteBody(c, i), Sheet: true}, nil
}

func (s *screens) substitute(c *desk.Call, ctx context.Context) (desk.Done, error) {
	d, err := s.date(c)
	if err != nil {
		return desk.Done{}, err
	}
	i, err := desk.Redeem(c, ctx, "substituteOccurrence", s.naming(c, d))
	return desk.Done{To: home(c, d), Said: c.UI.T("Assigned {who} to {name} on {when}.", "who", i.Name, "name", d.OfferingName, "when", c.UI.ShortWhen(d.StartsAt))}, err
}
