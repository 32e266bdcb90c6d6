package booking

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/tenancy"
	"foyer/policy"
)

// Change is one change of a booking, as it was written down.
type Change struct {
	ID        uuid.UUID
	Move      Move
	From      State // empty for the first
	To        State
	Words     string    // that somebody gave for it; may be empty
	FromStart time.Time // of a booking that was moved: when it would have begun; zero otherwise
	Actor     tenancy.Actor
	Surface   tenancy.Surface
	At        time.Time
}

// A move is kept with its name first, then the start that a moved booking had, then the words that were given for it:
// "rescheduled from 2026-06-12T13:00:00Z: her bus is late".
const (
	keptFrom  = " from "
	keptWords = ": "
)

func keptMove(move Move, words string) string {
	if words == "" {
		return string(move)
	}
	return string(move) + keptWords + words
}

func keptMoved(move Move, from time.Time, words string) string {
	return keptMove(move+Move(keptFrom+from.UTC().Format(time.RFC3339)), words)
}

// readMove reads what keptMove and keptMoved write.
func readMove(kept string) (move Move, from time.Time, words string) {
	name, words, _ := strings.Cut(kept, keptWords)
	name, start, moved := strings.Cut(name, keptFrom)
	if moved {
		from, _ = time.Parse(time.RFC3339, start) // zero when it is none
	}
	return Move(name), from, words
}

// History returns all changes of a booking, the first one first. It needs booking.view at the booking's location, or for
// the caller's own sessions when this is one. An unknown id is not found.
func (s *Service) History(ctx context.Context, sc tenancy.Scope, id uuid.UUID) ([]Change, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return nil, err
	}
	v := s.db.View(sc.Tenant)
	e, own, err := find(ctx, v, sc.Person(), id)
	if err != nil {
		return nil, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, e.LocationID, own); err != nil {
		return nil, err
	}
	return history(ctx, v, id)
}
