package schedule

import (
	"foyer/app/civil"
)

// Match is match, for the dates that booked names as booked.
func Match(old []civil.Date, booked map[civil.Date]bool, dates []civil.Date, reachDays int) []int {
	list := make([]matchable, len(old))
	for i, d := range old {
		list[i] = matchable{d, booked[d]}
	}
	return match(list, dates, reachDays)
}
