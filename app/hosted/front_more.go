package hosted

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/view"
)

// bookedByTime are the appointments and rentals of a location, with the next free time of each.
type bookedByTime struct {
	list []catalog.Listing
	next map[uuid.UUID]time.Time
}

// bookedByTime reads them in two trips, however many there are; in one where there are none.
func (h *site) bookedByTime(ctx context.Context, at place) (b bookedByTime, err error) {
	if b.list, err = catalog.ComputedOf(ctx, h.o.DB.View(at.tenant), at.location); err != nil || len(b.list) == 0 {
		return b, err
	}
	ids := make([]uuid.UUID, len(b.list))
	for i, l := range b.list {
		ids[i] = l.ID
	}
	b.next, err = h.Schedule.NextFree(ctx, at.tenant, ids)
	return b, err
}

// groups shows them under their headings, in the order of the first of each.
func (b bookedByTime) groups(w view.Words, home string) []view.Group {
	var out []view.Group
	at := map[string]int{}
	for _, l := range b.list {
		key := strings.ToLower(l.Word)
		i, known := at[key]
		if !known {
			i = len(out)
			at[key], out = i, append(out, view.Group{Heading: l.Word})
		}
		row := view.GroupRow{Name: l.Name, Lengths: lengthsOf(l), Price: priceOf(w, l), Href: home + "/" + l.Slug}
		if next, has := b.next[l.ID]; has {
			row.Next = &next
		}
		out[i].Rows = append(out[i].Rows, row)
	}
	return out
}

// lengthsOf is "60 min", or "45 to 90 min" where there is a choice.
func lengthsOf(l catalog.Listing) string {
	least, most := l.Lengths().Default(), l.Lengths().Default()
	for _, d := range l.Durations {
		least, most = min(least, d.Minutes), max(most, d.Minutes)
	}
	switch {
	case least == most:
		return view.Length(least)
	case most < 120:
		return strconv.Itoa(least) + " to " + view.Length(most)
	}
	return view.Length(least) + " to " + view.Length(most)
}

// priceOf is "$60", "from $45" where there is a choice, and "$15 each" where every person pays.
func priceOf(w view.Words, l catalog.Listing) string {
	least, _ := l.Lengths().Price(l.Lengths().Default(), 1)
	same := true
	for _, d := range l.Durations {
		same = same && d.PriceAmount == least
		least = min(least, d.PriceAmount)
	}
	words := w.MoneyShort(view.Price{Minor: least, Currency: l.Currency})
	if least > 0 && l.Kind == catalog.Rental && l.SoldAs == catalog.PerPerson {
		words += " each"
	}
	if !same {
		return "from " + words
	}
	return words
}

// doorOf is what the place says to who walks in now; nil where nobody can walk in, or where it is shut for now without an end.
func doorOf(w view.Words, in booking.Walkins) *view.Door {
	until := func(word string) string {
		if in.Until == nil {
			return ""
		}
		return word + " " + soon(w, *in.Until)
	}
	switch in.Hidden {
	case booking.WalkinsPaused:
		if in.Until == nil {
			return nil
		}
		return &view.Door{Words: "Walk-ins are paused", Until: until("until")}
	case "":
	default:
		return nil
	}
	switch in.State {
	case booking.WalkinOpen, booking.WalkinBusy:
		return &view.Door{Open: true, Words: "Walk in now: " + view.Counted(in.Spots, "spot", "spots") + " free", Until: until("Open until")}
	case booking.WalkinFull:
		return &view.Door{Words: "No spots for walk-ins right now", Until: until("Open until")}
	}
	if in.Until == nil {
		return nil
	}
	return &view.Door{Words: "Closed to walk-ins now", Until: until("Opens")}
}
