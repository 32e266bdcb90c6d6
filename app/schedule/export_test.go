package schedule

// Match is match, for the dates that booked names as booked.
func Match(old []Date, booked map[Date]bool, dates []Date, reachDays int) []int {
	list := make([]matchable, len(old))
	for i, d := range old {
		list[i] = matchable{d, booked[d]}
	}
	return match(list, dates, reachDays)
}
