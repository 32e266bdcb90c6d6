package waitlist

import (
	"testing"

	"pgregory.net/rapid"

	"foyer/app/catalog"
	"foyer/app/pg"
)

// A round assigns no more seats than there are, in the order of the list: an entry left out although a later one got
// seats had an obstacle, or a larger party than the available seats.
func TestDeal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]catalog.WaitlistMode{
			catalog.WaitlistOff, catalog.WaitlistAuto, catalog.WaitlistOffer, catalog.WaitlistRace,
		}).Draw(t, "mode")
		seats := rapid.IntRange(0, 12).Draw(t, "seats")
		line := make([]candidate, rapid.IntRange(0, 12).Draw(t, "waiting"))
		for i := range line {
			line[i] = candidate{
				ID: pg.NewID(), CustomerID: pg.NewID(), Party: rapid.IntRange(1, 4).Draw(t, "party"),
				Obstacle: rapid.SampledFrom([]obstacle{"", "", "", obstacleBooked, obstacleHeld, obstacleOverlaps}).Draw(t, "obstacle"),
			}
		}
		turns, left := deal(mode, seats, line)
		verdicts := map[candidate]verdict{}
		given := 0
		for i, u := range turns {
			if u.Why == "" || verdicts[u.candidate] != "" {
				t.Fatalf("turn %d: no reason, or the second for one entry", i)
			}
			verdicts[u.candidate] = u.Verdict
			if u.Verdict == verdictGive {
				given += u.Party
			}
		}
		if given+left != seats || left < 0 {
			t.Fatalf("%d of %d seats given, %d left", given, seats, left)
		}
		free := seats
		for _, c := range line {
			want := verdict("")
			switch fits := c.Party <= free; {
			case c.Obstacle == obstacleBooked:
				want = verdictClose
			case mode == catalog.WaitlistOff || !fits:
			case c.Obstacle == obstacleHeld, c.Obstacle == obstacleOverlaps && mode == catalog.WaitlistAuto:
				want = verdictPass
			case mode == catalog.WaitlistRace:
				want = verdictTell
			default:
				want = verdictGive
				free -= c.Party
			}
			if verdicts[c] != want {
				t.Fatalf("%s: %+v gets %q, want %q", mode, c, verdicts[c], want)
			}
		}
	})
}

// Reordering an entry changes its position and leaves the others in their order, with distinct ranks.
func TestRerank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "waiting")
		line := make([]ranked, n)
		for i := range line {
			line[i] = ranked{ID: pg.NewID(), Rank: int64(i+1) * rapid.SampledFrom([]int64{1, rankSpace}).Draw(t, "space")}
			if i > 0 && line[i].Rank <= line[i-1].Rank {
				line[i].Rank = line[i-1].Rank + 1
			}
		}
		from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
		if from == to {
			return
		}
		rank := map[ranked]int64{}
		for _, x := range line {
			rank[ranked{ID: x.ID}] = x.Rank
		}
		for _, x := range rerank(line, from, to) {
			rank[ranked{ID: x.ID}] = x.Rank
		}
		moved := line[from]
		want := append(append([]ranked{}, line[:from]...), line[from+1:]...)
		want = append(want[:to], append([]ranked{moved}, want[to:]...)...)
		for i := 1; i < n; i++ {
			if rank[ranked{ID: want[i-1].ID}] >= rank[ranked{ID: want[i].ID}] {
				t.Fatalf("from %d to %d: places %d and %d have ranks %v", from, to, i, i+1, rank)
			}
		}
	})
}
