package business

import (
	"fmt"
	"slices"

	"foyer/app/fault"
)

// Bounds of a location's reminders: their number, and the minutes before the start of a booking.
const (
	MaxReminders       = 4
	MinReminderMinutes = 15
	MaxReminderMinutes = 14 * 24 * 60
)

// usualReminders returns the reminders of a new location: a day and two hours before.
func usualReminders() []int { return []int{1440, 120} }

// checkReminders checks a list of minutes, removes duplicates and sorts it in descending order.
func checkReminders(c *fault.Checks, field string, list *[]int) {
	if list == nil {
		return
	}
	if len(*list) > MaxReminders {
		c.That(false, field, fmt.Sprintf("Enter at most %d reminders.", MaxReminders))
		return
	}
	kept := slices.Clone(*list)
	for i, minutes := range kept {
		c.That(MinReminderMinutes <= minutes && minutes <= MaxReminderMinutes, fmt.Sprintf("%s[%d]", field, i),
			fmt.Sprintf("Use %d to %d minutes before the start.", MinReminderMinutes, MaxReminderMinutes))
	}
	slices.SortFunc(kept, func(a, b int) int { return b - a })
	kept = slices.Compact(kept)
	if kept == nil {
		kept = []int{}
	}
	*list = kept
}
