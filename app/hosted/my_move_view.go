package hosted

import (
	"time"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/schedule"
	"foyer/app/view"
)

// moveView is the page of the times that a booking can be moved to.
func (b *myBooking) moveView(p catalog.Page, w wish, t schedule.Times, in schedule.TimesInput, tr *view.Trouble) view.Move {
	path := b.path("/move")
	w.Minutes, w.Party = 0, 0 // they stay as they are
	zone := b.Studio.clock
	v := view.Move{
		Name: b.OfferingName, Start: b.StartsAt, Minutes: b.minutes(), Detail: b.detail(), Trouble: tr,
		Keep: view.Link{Text: "Keep it as it is", Href: b.path("")},
		Jump: &view.Jump{Action: path, From: view.Noon(first(t), zone), Min: view.Noon(t.Place.Today, zone)},
	}
	if a, may := b.CustomerMay(booking.ActReschedule, b.Shell.Now); may {
		v.Note = "It can be moved until " + view.InstantIn(b.Shell.Words, b.StartsAt, a.Until) + "."
	}
	if b.Kind != catalog.Class {
		var service view.Service
		service.Jump = v.Jump
		from := ""
		if !in.From.IsZero() {
			from = in.From.String()
		}
		chooser{b.Shell.Words, path, p, w, from, &service}.whom()
		v.Choices, v.Selects = service.Choices, service.Selects
		v.Strip = days(b.Studio, w, path, t)
	}
	shown, rest := t.Screen()
	for _, d := range shown {
		day := view.TimesDay{Date: view.Noon(d.Date, zone)}
		for _, x := range d.Occurrences {
			if b.open(x) {
				day.Times = append(day.Times, view.Time{Start: x.StartsAt, Spots: b.spots(p, x), Action: view.ActionBook, Href: b.toward(w, path, x)})
			}
		}
		if len(day.Times) > 0 {
			v.Days = append(v.Days, day)
		}
	}
	switch {
	case len(rest) > 0:
		v.Later = w.href(path, "from", rest[0].Date.String())
	case t.Next != nil:
		v.Later = w.href(path, "after", t.Next.Format(time.RFC3339))
	}
	return v
}

// open tells whether the booking could go there: not to where it is, and not to a date without room for its party.
func (b *myBooking) open(x schedule.PublicOccurrence) bool {
	if b.Kind == catalog.Class {
		return x.ID != b.OccurrenceID && x.Spots >= b.Party
	}
	return !x.StartsAt.Equal(b.StartsAt)
}

func (b *myBooking) spots(p catalog.Page, x schedule.PublicOccurrence) int {
	if b.Kind == catalog.Class {
		return x.Spots
	}
	return spotsOf(p, x)
}

// toward is the address that asks whether to move there.
func (b *myBooking) toward(w wish, path string, x schedule.PublicOccurrence) string {
	if b.Kind == catalog.Class {
		return query(path, fieldTo, x.ID.String())
	}
	return w.href(path, fieldTo, x.StartsAt.Format(time.RFC3339))
}
