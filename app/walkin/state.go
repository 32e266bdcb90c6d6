package walkin

import (
	"slices"
	"strings"
	"time"
)

// LiveOf computes the walk-in state now. slugs are listings: only rooms that host one of those count, each once; none
// of them counts all. Those that take no walk-ins are left out. It returns ErrUnknownListing when none remains. E62
// to E69.
func LiveOf(f Facts, slugs []string, now time.Time) (Walkins, error) {
	offers, found := f.listed(slugs)
	if len(slugs) > 0 && len(offers) == 0 {
		return Walkins{}, ErrUnknownListing
	}
	w := Walkins{State: Closed, Slugs: found, Rooms: []Spots{}}
	d := f.door(now)
	total, closes := 0, time.Time{}
	for i, r := range f.Rooms {
		spots, hosts := d.bestOf(offers, i)
		if !hosts {
			continue
		}
		row := Spots{SpaceID: r.ID, Name: r.Name, Capacity: spots.capacity, Inside: r.inside(d.start), Spots: spots.free}
		w.Rooms = append(w.Rooms, row)
		if spots.open {
			total += row.Capacity
			w.Spots += row.Spots
			closes = later(closes, spots.closes)
		}
	}
	w.Hidden, w.Until = f.hidden(w.Rooms, now)
	switch {
	case w.Hidden != "":
		w.close()
	case total == 0:
		w.Until = d.opens(w.Rooms)
	default:
		w.Until = &closes
		w.Level = level(w.Spots, total)
		w.State = stateOf(w.Level)
	}
	return w, nil
}

// listed are the offers with these slugs, in their order, and the slugs that there are; all offers without any.
func (f *Facts) listed(slugs []string) (offers []Listing, found []string) {
	found = []string{}
	if len(slugs) == 0 {
		return f.Offers, found
	}
	for _, slug := range slugs {
		i := slices.IndexFunc(f.Offers, func(o Listing) bool { return o.Slug == slug })
		if i >= 0 && !slices.Contains(found, slug) {
			offers, found = append(offers, f.Offers[i]), append(found, slug)
		}
	}
	return offers, found
}

// Slugs parses a comma-separated list of listings.
func Slugs(list string) []string {
	var out []string
	for slug := range strings.SplitSeq(list, ",") {
		if slug = strings.TrimSpace(slug); slug != "" {
			out = append(out, slug)
		}
	}
	return out
}

// hidden returns the reason for hiding walk-ins, and its end if that is known.
func (f *Facts) hidden(rooms []Spots, now time.Time) (Hidden, *time.Time) {
	switch {
	case f.Off:
		return Off, nil
	case f.Paused:
		return Paused, nil
	case f.PausedUntil != nil && now.Before(*f.PausedUntil):
		return Paused, f.PausedUntil
	case len(rooms) == 0:
		return NoCapacity, nil
	}
	return "", nil
}

// shut is hidden as a refusal at the desk; nil when walk-ins are accepted.
func (f *Facts) shut(now time.Time) error {
	switch hidden, until := f.hidden([]Spots{{}}, now); {
	case hidden == Off:
		return ErrOff
	case hidden == Paused && until != nil:
		return ErrPaused.With("until", until.UTC())
	case hidden == Paused:
		return ErrPaused.WithMessage("The studio is not taking bookings right now.")
	}
	return nil
}

// close removes all seats: hidden walk-ins have none.
func (w *Walkins) close() {
	w.Spots = 0
	for i := range w.Rooms {
		w.Rooms[i].Spots = 0
	}
}

// level is the band of a share of free seats. E63.
func level(free, of int) Level {
	switch {
	case free*2 > of:
		return Plenty
	case free*5 > of:
		return FillingUp
	case free > 0:
		return NearlyFull
	}
	return LevelFull
}

func stateOf(l Level) State {
	switch l {
	case LevelFull:
		return Full
	case NearlyFull:
		return Busy
	}
	return Open
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
