package view

import (
	"time"

	"foyer/app/walkin"
)

// DoorOf is what the place says to who walks in now; nil where nobody can walk in, or where it is shut for now without an end.
func DoorOf(w Words, in walkin.Walkins) *Door {
	switch in.Hidden {
	case walkin.Paused:
		if in.Until == nil {
			return nil
		}
		return &Door{Words: "Walk-ins are paused", Until: w.until("until", in.Until)}
	case "":
	default:
		return nil
	}
	switch in.State {
	case walkin.Open, walkin.Busy:
		return &Door{Open: true, Words: "Walk in now: " + spotsFree(in.Spots), Until: w.until("Open until", in.Until)}
	case walkin.Full:
		return &Door{Words: noSpots, Until: w.until("Open until", in.Until)}
	}
	if in.Until == nil {
		return nil
	}
	return &Door{Words: "Closed to walk-ins now", Until: w.until("Opens", in.Until)}
}

const noSpots = "No spots for walk-ins right now"

// spotsFree is "1 spot free" or "7 spots free".
func spotsFree(n int) string { return Counted(n, "spot", "spots") + " free" }

// until is "Open until 9:00 pm"; empty when the end is not known.
func (w Words) until(word string, t *time.Time) string {
	if t == nil {
		return ""
	}
	return word + " " + w.Soon(*t)
}
