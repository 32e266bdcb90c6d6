package dates

import (
	"context"

	"foyer/app/agenda"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/schedule"
)

// ending is a verb that cancels or restores a date.
type ending func(ctx context.Context, in schedule.CancelDateInput) (schedule.ChangedDate, error)

func cancelInput(c *desk.Call, d agenda.Date) schedule.CancelDateInput {
	return schedule.CancelDateInput{OfferingID: d.OfferingID, OccurrenceID: d.ID, Reason: c.Value("reason"), Silent: c.Silent("notify")}
}

// askEnd is the page of cancelling or restoring: its effects, and the form.
func (s *screens) askEnd(c *desk.Call, op, path, title string, verb ending) (ui.Screen, error) {
	d, err := s.date(c)
	if err != nil {
		return ui.Screen{}, err
	}
	a := asking{Date: d, Path: path}
	err = a.rehearse(c, op, func(ctx context.Context) (schedule.Plan, error) {
		done, err := verb(ctx, cancelInput(c, d))
		return done.Plan, err
	})
	if err := a.refusal(c, err); err != nil {
		return ui.Screen{}, err
	}
	return ui.Screen{Title: title, Lead: lead(c, d), Area: "calendar", Up: up(c, d), Body: endBody(c, a), Sheet: true}, nil
}

func (s *screens) cancelling(c *desk.Call) ending {
	return func(ctx context.Context, in schedule.CancelDateInput) (schedule.ChangedDate, error) {
		return s.Schedule.CancelDate(ctx, c.Scope, in)
	}
}

func (s *screens) restoring(c *desk.Call) ending {
	return func(ctx context.Context, in schedule.CancelDateInput) (schedule.ChangedDate, error) {
		return s.Schedule.RestoreDate(ctx, c.Scope, in)
	}
}

func (s *screens) askCancel(c *desk.Call) (ui.Screen, error) {
	return s.askEnd(c, "cancelOccurrence", "cancel", c.UI.T("Cancel this date"), s.cancelling(c))
}

func (s *screens) askRestore(c *desk.Call) (ui.Screen, error) {
	return s.askEnd(c, "restoreOccurrence", "restore", c.UI.T("Restore this date"), s.restoring(c))
}

func (s *screens) cancel(c *desk.Call, ctx context.Context) (desk.Done, error) {
	d, err := s.end(c, ctx, "cancelOccurrence", s.cancelling(c))
	return desk.Done{To: home(c, d), Said: c.UI.T("Cancelled {name} on {when}.", "name", d.OfferingName, "when", c.UI.ShortWhen(d.StartsAt))}, err
}

func (s *screens) restore(c *desk.Call, ctx context.Context) (desk.Done, error) {
	d, err := s.end(c, ctx, "restoreOccurrence", s.restoring(c))
	return desk.Done{To: home(c, d), Said: c.UI.T("Restored {name} on {when}.", "name", d.OfferingName, "when", c.UI.ShortWhen(d.StartsAt))}, err
}

func (s *screens) end(c *desk.Call, ctx context.Context, op string, verb ending) (agenda.Date, error) {
	d, err := s.date(c)
	if err != nil {
		return d, err
	}
	_, err = desk.Redeem(c, ctx, op, func(ctx context.Context) (schedule.ChangedDate, error) {
		return verb(ctx, cancelInput(c, d))
	})
	return d, err
}
