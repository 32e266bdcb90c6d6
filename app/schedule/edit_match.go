package schedule

import (
	"math"

	"foyer/app/civil"
)

// When a rule changes, the dates that are written keep their ids as far as there are dates for them: a customer's link, a
// booking and a place on a waitlist hold on to the id. Which date becomes which is decided here, in this order:
//
//  1. A date that the new rule gives, too, stays where it is.
//  2. The others move to dates that nobody has, in their order and never past each other, by at most reachDays (a week
//     less a day; for monthly rules four weeks less a day): first so that as few dates with bookings as possible are
//     left over, then as few dates as possible, then so that they move by as few days as possible. Of two ways that are
//     as good, dates move back rather than forward.
//
// So a class that goes from Monday to Tuesday keeps every id, and one that goes from twice a week to once keeps the ids
// of one day and loses the other's.

// matchable is a written date that may move.
type matchable struct {
	date   civil.Date
	booked bool
}

// The costs of leaving a date over are so far apart that no number of lesser ones adds up to a greater one.
const (
	costDay    = 1
	costDate   = 1 << 20
	costBooked = 1 << 40
)

// match returns for each of the old dates the index of the new date it becomes, or -1 when there is none. Both are in
// order, the new ones each once.
func match(old []matchable, dates []civil.Date, reachDays int) []int {
	to := make([]int, len(old))
	at := make(map[civil.Date]int, len(dates))
	for i, d := range dates {
		at[d] = i
	}
	taken := make([]bool, len(dates))
	var restOld, restNew []int
	for i, o := range old {
		n, same := at[o.date]
		if same && !taken[n] {
			to[i], taken[n] = n, true
			continue
		}
		to[i] = -1
		restOld = append(restOld, i)
	}
	for n := range dates {
		if !taken[n] {
			restNew = append(restNew, n)
		}
	}
	for _, p := range pairs(old, dates, restOld, restNew, reachDays) {
		to[p[0]] = p[1]
	}
	return to
}

// pairs finds the cheapest way to move the old dates to new ones without two passing each other: the table holds what the
// first i old and j new dates cost.
func pairs(old []matchable, dates []civil.Date, is, js []int, reachDays int) [][2]int {
	if len(is) == 0 || len(js) == 0 {
		return nil
	}
	cost := make([][]int64, len(is)+1)
	for i := range cost {
		cost[i] = make([]int64, len(js)+1)
		if i > 0 {
			cost[i][0] = cost[i-1][0] + left(old[is[i-1]])
		}
	}
	move := func(i, j int) int64 {
		days := old[is[i-1]].date.DaysUntil(dates[js[j-1]])
		if days < -reachDays || days > reachDays {
			return math.MaxInt64 / 4
		}
		return cost[i-1][j-1] + costDay*int64(max(days, -days))
	}
	for i := 1; i <= len(is); i++ {
		for j := 1; j <= len(js); j++ {
			cost[i][j] = min(cost[i][j-1], cost[i-1][j]+left(old[is[i-1]]), move(i, j))
		}
	}
	var out [][2]int
	for i, j := len(is), len(js); i > 0 && j > 0; {
		switch cost[i][j] {
		case cost[i][j-1]:
			j--
		case move(i, j):
			out = append(out, [2]int{is[i-1], js[j-1]})
			i, j = i-1, j-1
		default:
			i--
		}
	}
	return out
}

// left is what it costs that a date is left over.
func left(m matchable) int64 {
	if m.booked {
		return costBooked
	}
	return costDate
}
