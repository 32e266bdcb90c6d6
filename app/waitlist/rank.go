package waitlist

import (
	"context"
	"fmt"
	"slices"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

// Reorder changes the position of an entry among the waiting ones; 1 is first, and a number beyond the end is the
// last position. It needs booking.manage at the location, or for the caller's own occurrence. Errors: Validation on
// position; not found; ErrHasSeat; ErrNotWaiting with details.state for an entry that does not wait right now.
func (s *Service) Reorder(ctx context.Context, sc tenancy.Scope, in EntryInput, position int) (StudioEntry, error) {
	if position < 1 {
		return StudioEntry{}, fault.Invalid("position", "Use 1 or more.")
	}
	return s.managed(ctx, sc, in, func(r *listRound, w Entry) error {
		if w.State != Waiting {
			return w.notWaiting()
		}
		line, err := ranks(ctx, r.tx, r.d.ID)
		if err != nil {
			return err
		}
		from := slices.IndexFunc(line, func(x ranked) bool { return x.ID == w.ID })
		to := min(position, len(line)) - 1
		if from == to {
			return nil
		}
		if err := setRanks(ctx, r.tx, rerank(line, from, to)); err != nil {
			return err
		}
		return remark(ctx, r.tx, r.sc, w.ID, Waiting, in.because(fmt.Sprintf("moved from place %d to %d by the studio", from+1, to+1)))
	})
}

// rerank shifts one of a line from an index to another and returns the ranks that change: its own, or all of them
// when there is no number between its new neighbours.
func rerank(line []ranked, from, to int) []ranked {
	moved := line[from]
	rest := slices.Delete(slices.Clone(line), from, from+1)
	low, high := rest[0].Rank-2*rankSpace, rest[len(rest)-1].Rank+2*rankSpace
	if to > 0 {
		low = rest[to-1].Rank
	}
	if to < len(rest) {
		high = rest[to].Rank
	}
	if high-low >= 2 {
		moved.Rank = low + (high-low)/2
		return []ranked{moved}
	}
	rest = slices.Insert(rest, to, moved)
	for i := range rest {
		rest[i].Rank = int64(i+1) * rankSpace
	}
	return rest
}
