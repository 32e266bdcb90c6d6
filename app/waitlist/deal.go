package waitlist

import (
	"github.com/google/uuid"

	"foyer/app/catalog"
)

// obstacle is why an entry cannot have a seat although there is one; empty when it can.
type obstacle string

const (
	obstacleBooked   obstacle = "booked"   // they have a booking there: there is no reason to wait
	obstacleHeld     obstacle = "held"     // they are booking it themselves right now
	obstacleOverlaps obstacle = "overlaps" // they have another booking at that time
)

// candidate is a waiting entry as a round sees it.
type candidate struct {
	ID         uuid.UUID
	CustomerID uuid.UUID
	Party      int
	Obstacle   obstacle
}

// verdict is the result of a round for an entry.
type verdict string

const (
	verdictGive  verdict = "give"  // offer it seats, or book them
	verdictTell  verdict = "tell"  // that there are seats; the first to accept wins
	verdictPass  verdict = "pass"  // leave it out this time, and write down why
	verdictClose verdict = "close" // there is no reason to wait
)

// turn is a verdict about one entry.
type turn struct {
	candidate
	Verdict verdict
	Why     string
}

// deal assigns available seats to the entries in their order: each entry whose party fits the remaining seats gets
// them. An entry that does not fit stays and waits for more seats. It returns the turn of each entry, in order, and
// the number of unassigned seats.
func deal(mode catalog.WaitlistMode, seats int, line []candidate) (turns []turn, left int) {
	left = seats
	for _, c := range line {
		switch {
		case c.Obstacle == obstacleBooked:
			turns = append(turns, turn{c, verdictClose, "booked already"})
		case left < c.Party || mode == catalog.WaitlistOff:
			continue
		case c.Obstacle == obstacleHeld:
			turns = append(turns, turn{c, verdictPass, "passed over: this customer is booking a seat here right now"})
		case mode == catalog.WaitlistRace:
			turns = append(turns, turn{c, verdictTell, "told that there is room"})
		case c.Obstacle == obstacleOverlaps && mode == catalog.WaitlistAuto:
			turns = append(turns, turn{c, verdictPass, "passed over: booked elsewhere at the same time"})
		default:
			turns = append(turns, turn{c, verdictGive, "first in line for whom there was room"})
			left -= c.Party
		}
	}
	return turns, left
}
