package catalog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/schedule"
	"foyer/app/view"
)

// seriesInputs are the fields of a series. The time of day is not "at", which selects the location.
var seriesInputs = []string{
	"freq", "every", "weekdays", "monthlyBy", "start", "time", "minutes", "until", "count", "except", "extraDates", "memberId", "spaceId",
	"capacity", "onlineCapacity", "scope", "from", "onBooked", "reason",
}

// seriesRow is the data of a series's form.
type seriesRow struct {
	schedule.Series
	New bool // only the first day is set
}

func rowOf(today civil.Date) seriesRow {
	return seriesRow{Series: schedule.Series{Rule: schedule.Rule{Freq: schedule.Weekly, Every: 1, Start: today}}, New: true}
}

// readSeries returns the new series in the form.
func readSeries(c *desk.Call) (schedule.CreateSeriesInput, error) {
	f := reader{Call: c}
	in := schedule.CreateSeriesInput{
		Rule: schedule.Rule{
			Freq: schedule.Freq(c.Value("freq")), Every: f.number("every"), Weekdays: weekdays(c), Minutes: f.number("minutes"),
			MonthlyBy: schedule.MonthlyBy(c.Value("monthlyBy")), Until: f.date("until"), Count: f.maybe("count"),
			Except: f.dates("except"), Extra: f.dates("extraDates"),
		},
		MemberID: reference(c, "memberId").Value, SpaceID: reference(c, "spaceId").Value, Capacity: f.maybe("capacity"),
		OnlineCapacity: f.maybe("onlineCapacity"), AllowConflicts: c.Ticked("allowConflicts"),
	}
	if at := f.clock("time"); at != nil {
		in.Rule.At = civil.Clock(*at)
	} else {
		f.checks.That(false, "time", c.UI.T("Enter a start time."))
	}
	if start := f.date("start"); start != nil {
		in.Rule.Start = *start
	}
	if in.Rule.Freq != "" && in.Rule.Freq != schedule.Weekly {
		in.Rule.Weekdays = nil // the boxes are of a weekly series
	}
	if in.Rule.Freq != schedule.Monthly {
		in.Rule.MonthlyBy = ""
	}
	return in, f.checks.Err()
}

// readChange returns the change of a series in the form: all fields shown; others are unchanged.
func readChange(c *desk.Call, was schedule.Series) (schedule.SeriesChange, error) {
	in, err := readSeries(c)
	rule := in.Rule
	change := schedule.SeriesChange{
		At: &rule.At, Minutes: &rule.Minutes, Except: &rule.Except, Extra: &rule.Extra, MemberID: optional(in.MemberID),
		SpaceID: optional(in.SpaceID), Capacity: in.Capacity, OnlineCapacity: in.OnlineCapacity,
	}
	if in.OnlineCapacity == nil && was.OnlineCapacity != was.Capacity { // an emptied field means all of them
		change.OnlineCapacity = cmp.Or(in.Capacity, &was.Capacity)
	}
	if rule.Minutes == 0 {
		change.Minutes = nil
	}
	if rule.Freq != was.Freq || max(1, rule.Every) != max(1, was.Every) || rule.MonthlyBy != was.MonthlyBy || !sameDays(rule.Weekdays, was.Weekdays) {
		change.Freq, change.Every, change.Weekdays = &rule.Freq, &rule.Every, rule.Weekdays
		if rule.Freq == schedule.Monthly {
			change.MonthlyBy = &rule.MonthlyBy
		}
		if rule.Start != was.Start && !rule.Start.IsZero() {
			change.Start = &rule.Start
		}
	}
	if !same(rule.Until, was.Until) || !same(rule.Count, was.Count) {
		change.End = &schedule.SeriesEnd{Until: rule.Until, Count: rule.Count}
	}
	return change, err
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func sameDays(a, b schedule.Weekdays) bool {
	x, y := slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(x, y)
}

func weekdays(c *desk.Call) schedule.Weekdays {
	var out schedule.Weekdays
	for _, v := range c.Values("weekdays") {
		if n, err := strconv.Atoi(v); err == nil {
			out = append(out, time.Weekday(n))
		}
	}
	return out
}

// dates returns the days in a text, separated by anything but digits and dashes.
func (f *reader) dates(name string) []civil.Date {
	var out []civil.Date
	for _, text := range strings.FieldsFunc(f.Value(name), func(r rune) bool { return r != '-' && (r < '0' || r > '9') }) {
		d, err := civil.ParseDate(text)
		f.checks.That(err == nil, name, f.UI.T("Enter dates such as 2026-12-24, one per line."))
		out = append(out, d)
	}
	return out
}

// seriesFault renames the fields of a refusal to those of the form, and lists the conflicts.
func seriesFault(sh ui.Shell, err error) error {
	f := fault.From(err)
	if f == nil {
		return err
	}
	if list := conflictsOf(f); len(list) > 0 {
		text := []string{sh.Refusal(f)}
		for _, x := range list[:min(len(list), 3)] {
			text = append(text, clash(sh, x))
		}
		return f.WithMessage(strings.Join(append(text, sh.T("Choose another instructor or room, or select “Allow double bookings”.")), " "))
	}
	if f.Kind == fault.Internal || len(f.Fields) == 0 {
		return err
	}
	return f.At(func(field string) string {
		name, _, _ := strings.Cut(field, "[")
		if name == "at" {
			return "time"
		}
		return name
	})
}

// conflictsOf returns the double bookings in a refusal.
func conflictsOf(f *fault.Error) []claim.ConflictDetail {
	list, _ := f.Details["conflicts"].([]claim.ConflictDetail)
	return list
}

// clash renders a double booking in one sentence.
func clash(sh ui.Shell, x claim.ConflictDetail) string {
	with := x.With
	if with == "" {
		with = sh.T("another booking")
	}
	if x.Reason == claim.BusySpace {
		return sh.T("On {when} the room is unavailable: {other}.", "when", sh.ShortWhen(x.StartsAt), "other", with)
	}
	return sh.T("On {when} the instructor is unavailable: {other}.", "when", sh.ShortWhen(x.StartsAt), "other", with)
}

// sentence renders a series: "Every Monday and Wednesday 9:00 – 10:00, until Sun, Dec 20".
func sentence(sh ui.Shell, r schedule.Rule) string {
	noon := func(d civil.Date) string { return sh.Date(view.Noon(d, sh.Zone)) }
	span := sh.Span(civil.Instant(r.Start, r.At, sh.Zone), r.Minutes)
	text := ""
	every := max(1, r.Every)
	switch daily := r.Freq == schedule.Daily || every == 1 && len(r.Weekdays) == 7; {
	case daily:
		text = sh.N(every, "Every day {span}", "Every {n} days {span}", "span", span)
	case r.Freq == schedule.Monthly:
		day := sh.T("on day {n}", "n", r.Start.Day)
		if r.MonthlyBy == schedule.ByWeekday {
			day = sh.T("on {weekday} number {n}", "weekday", sh.Lang().Weekday(view.Noon(r.Start, sh.Zone)), "n", (r.Start.Day-1)/7+1)
		}
		text = sh.N(every, "Every month {day} {span}", "Every {n} months {day} {span}", "day", day, "span", span)
	default:
		text = sh.N(every, "Every {days} {span}", "Every {n} weeks on {days} {span}", "days", dayList(sh, r.Weekdays), "span", span)
	}
	if r.Count != nil && *r.Count == 1 && len(r.Extra) == 0 {
		return sh.T("Once, {date} {span}", "date", noon(r.Start), "span", span)
	}
	switch {
	case r.Until != nil:
		text = sh.T("{rule}, until {date}", "rule", text, "date", noon(*r.Until))
	case r.Count != nil:
		text = sh.N(*r.Count, "{rule}, {n} date", "{rule}, {n} dates", "rule", text)
	}
	return text
}

// dayList renders "Monday, Wednesday and Friday", from Monday on.
func dayList(sh ui.Shell, days schedule.Weekdays) string {
	sorted := slices.Clone(days)
	slices.SortFunc(sorted, func(a, b time.Weekday) int { return int(a+6)%7 - int(b+6)%7 })
	var names []string
	for _, d := range sorted {
		names = append(names, weekday(sh, d))
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return sh.T("{list} and {last}", "list", strings.Join(names[:last], ", "), "last", names[last])
}

// weekday returns the name of a day: 4 January 1970 was a Sunday.
func weekday(sh ui.Shell, d time.Weekday) string {
	return sh.Lang().Weekday(time.Date(1970, time.January, 4+int(d), 12, 0, 0, 0, time.UTC))
}
