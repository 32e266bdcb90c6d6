package my

import (
	"time"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/hosted/kit"
	"foyer/app/schedule"
	"foyer/app/view"
)

// moveView is the page of the times to reschedule a booking to.
func (b *myBooking) moveView(p catalog.Page, w kit.Wish, t schedule.Times, in schedule.TimesInput, tr *view.Trouble) Reschedule {
	path := b.path("/move")
	w.Minutes, w.Party = 0, 0 // they stay as they are
	v := Reschedule{Line: view.LineOf(b.Shell.Words, b.CustomerBooking), Trouble: tr, Keep: view.Link{Text: b.Shell.T("Keep the current time"), Href: b.path("")}}
	if a, may := b.CustomerMay(booking.ActReschedule, b.Shell.Now); may {
		v.Note = b.Shell.UntilWhen(b.StartsAt, a.Until, "It can be rescheduled until {when}.", "It can be rescheduled until it begins.")
	}
	if b.Kind == catalog.Class {
		v.Times = kit.TimesOf(b.Studio, w, path, t, func(x schedule.PublicOccurrence) (view.Time, bool) {
			free := x.ID != b.OccurrenceID && x.Spots >= b.Party // neither its own date, nor one without room for its party
			return view.Time{Start: x.StartsAt, Spots: x.Spots, Action: view.ActionBook, Href: kit.Query(path, fieldTo, x.ID.String())}, free
		})
		return v
	}
	v.Times = kit.TimesOf(b.Studio, w, path, t, func(x schedule.PublicOccurrence) (view.Time, bool) {
		to := w.Href(path, fieldTo, x.StartsAt.Format(time.RFC3339))
		return view.Time{Start: x.StartsAt, Spots: kit.SpotsOf(p, x), Action: view.ActionBook, Href: to}, !x.StartsAt.Equal(b.StartsAt)
	})
	from := ""
	if !in.From.IsZero() {
		from = in.From.String()
	}
	kit.Chooser{Words: b.Shell.Words, Path: path, Page: p, Wish: w, From: from, View: &v.Times}.Assignment()
	return v
}
