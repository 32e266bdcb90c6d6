package schedule

import (
	"math"

	"foyer/app/civil"
)

// When a rule changes, the written dates keep their ids as far as there are dates for them: a customer's link, a
// booking and a waitlist entry refer to the id. The matching of old and new dates is decided here, in this order:
//
//  1. A date that the new rule has, too, stays.
//  2. The others are rescheduled to free dates, in their order and never past each other, by at most reachDays (a week
//     less a day; for monthly rules four weeks less a day): first so that as few dates with bookings as possible are
//     left over, then as few dates as possible, then by as few days as possible. Of two equal ways, the one with
//     earlier dates is chosen.
//
// So a class that changes from Monday to Tuesday keeps every id, and one that changes from twice a week to once keeps
// the ids of one day and loses the other's.

// matchable is a written date that may be rescheduled.
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

// pairs finds the cheapest way to match the old dates to new ones without two passing each other: the table holds the
// costs of the first i old and j new dates.
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

// left returns the cost of leaving a date over.
func left(m matchable) int64 {
	if m.booked {
		return costBooked
	}
	return costDate
}
