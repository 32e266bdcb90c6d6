package settings

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/view"
)

// hours mounts the opening week of a location.
func (s *screens) hours() {
	s.Page("getHours", "/settings/places/:location/hours", s.showHours)
	s.Form("replaceHours", "/settings/places/:location/hours", desk.Form{Do: s.changeHours, Show: s.showHours})
}

func (s *screens) showHours(c *desk.Call) (ui.Screen, error) {
	l, err := s.place(c)
	if err != nil {
		return ui.Screen{}, err
	}
	h, err := s.Business.Hours(c.Context(), c.Scope, l.ID)
	if err != nil {
		return ui.Screen{}, err
	}
	screen := aPlace(c, l, "/hours")
	screen.Step = "hours"
	f := weekForm{
		Action: of(c, l.ID, "/hours"), Week: h.Intervals, Zone: zoneOf(l), May: l.ArchivedAt == nil && c.MayAt("replaceHours", l.ID),
		Empty: c.UI.T("The location is closed all week."), Alike: len(h.Intervals) == 0,
	}
	if f.May && f.Alike {
		f.Mine, err = s.lacksHours(c)
	}
	screen.Body = weekBody(c, f)
	return screen, err
}

// lacksHours reports whether the caller is an instructor without hours of their own: they can copy those of the
// location.
func (s *screens) lacksHours(c *desk.Call) (bool, error) {
	if c.Workspace.Member == uuid.Nil {
		return false, nil
	}
	m, err := s.Business.Member(c.Context(), c.Scope, c.Workspace.Member)
	if err != nil || !m.Bookable || !m.Active {
		return false, err
	}
	h, err := s.Availability.MemberHours(c.Context(), c.Scope, m.ID)
	return len(h.Locations) == 0, err
}

func (s *screens) changeHours(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	before, err := s.Business.Hours(c.Context(), c.Scope, id)
	if err != nil {
		return desk.Done{}, err
	}
	week, names, err := readWeek(c)
	if err != nil {
		return desk.Done{}, err
	}
	if _, err = s.Business.PutHours(ctx, c.Scope, business.Hours{LocationID: id, Intervals: week}); err != nil {
		return desk.Done{}, at(err, names.field)
	}
	done := desk.Done{Said: c.UI.T("The hours are saved."), Undo: undoWeek(of(c, id, "/hours"), before.Intervals), To: c.NextStep("hours")}
	if !c.Ticked("mine") {
		return done, nil
	}
	if lacks, err := s.lacksHours(c); err != nil || !lacks {
		return done, err
	}
	_, err = s.Availability.PutMemberHours(ctx, c.Scope, availability.MemberHours{
		MemberID: c.Workspace.Member, Locations: []availability.LocationHours{{LocationID: id, Intervals: week}},
	})
	return done, err
}

// weekForm is a week of hours to edit.
type weekForm struct {
	Action string
	Week   []business.Interval
	Zone   *time.Location
	May    bool
	Empty  string       // meaning of an empty week
	Kept   []view.Param // hidden fields
	Alike  bool         // several days can get the same hours at once
	Mine   bool         // the caller is an instructor without hours
}

// days returns the inputs of a week: every interval of a day, and an empty one.
func (f weekForm) days(sh ui.Shell) []ui.WeekDay {
	out := make([]ui.WeekDay, 0, 7)
	for _, day := range sh.Lang().Week() {
		d := ui.WeekDay{Name: weekday(sh, day)}
		for _, v := range f.Week {
			if v.Weekday == day {
				d.Spans = append(d.Spans, spanOf(day, len(d.Spans), v.Opens, v.Closes))
			}
		}
		d.Spans = append(d.Spans, spanOf(day, len(d.Spans), -1, -1))
		for sh.Posted.Has(opensName(day, len(d.Spans))) {
			d.Spans = append(d.Spans, spanOf(day, len(d.Spans), -1, -1))
		}
		out = append(out, d)
	}
	return out
}

// weekday is the name of a day.
func weekday(sh ui.Shell, day time.Weekday) string {
	return sh.Lang().Title(sh.Lang().Weekday(civil.NewDate(2024, time.September, 1).AddDays(int(day)).Utc())) // a Sunday
}

func opensName(day time.Weekday, n int) string  { return fmt.Sprintf("opens-%d-%d", day, n) }
func closesName(day time.Weekday, n int) string { return fmt.Sprintf("closes-%d-%d", day, n) }

func spanOf(day time.Weekday, n, opens, closes int) ui.WeekSpan {
	return ui.WeekSpan{OpensName: opensName(day, n), ClosesName: closesName(day, n), Opens: wall(opens), Closes: wall(closes)}
}

// wall formats a minute of the day for an input of a time; midnight at the end of a day is 00:00 there.
func wall(minutes int) string {
	if minutes < 0 {
		return ""
	}
	return civil.Clock(minutes % (24 * 60)).String()
}

// weekNames are the names of the inputs of a week's intervals, without "opens" and "closes".
type weekNames []string

var lastIndex = regexp.MustCompile(`\[(\d+)\]\.(weekday|opens|closes)$`)

// field returns the input of a field of the verb.
func (n weekNames) field(field string) string {
	m := lastIndex.FindStringSubmatch(field)
	if m == nil {
		return field
	}
	i, err := strconv.Atoi(m[1])
	if err != nil || i >= len(n) {
		return field
	}
	if m[2] == "closes" {
		return "closes" + n[i]
	}
	return "opens" + n[i]
}

// readWeek reads the inputs of a week. An end at 00:00 is the end of the day.
func readWeek(c *desk.Call) (week []business.Interval, names weekNames, err error) {
	typed := c.Inputs()
	var wrong fault.Checks
	if typed.Has("weekdays") {
		return alike(c)
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		for n := 0; typed.Has(opensName(day, n)); n++ {
			from, to := c.Value(opensName(day, n)), c.Value(closesName(day, n))
			if from == "" && to == "" {
				continue
			}
			opens, opensWell := minute(from)
			closes, closesWell := minute(to)
			wrong.That(opensWell, opensName(day, n), "Enter an opening time, such as 9:00.")
			wrong.That(closesWell, closesName(day, n), "Enter a closing time, such as 17:00.")
			if closesWell && closes == 0 {
				closes = 24 * 60
			}
			week = append(week, business.Interval{Weekday: day, Opens: opens, Closes: closes})
			names = append(names, fmt.Sprintf("-%d-%d", day, n))
		}
	}
	return week, names, wrong.Err()
}

// alike returns the same hours for each of the selected days.
func alike(c *desk.Call) (week []business.Interval, names weekNames, err error) {
	var wrong fault.Checks
	opens, opensWell := minute(c.Value("opens"))
	closes, closesWell := minute(c.Value("closes"))
	wrong.That(opensWell, "opens", "Enter an opening time, such as 9:00.")
	wrong.That(closesWell, "closes", "Enter a closing time, such as 17:00.")
	if closesWell && closes == 0 {
		closes = 24 * 60
	}
	for _, v := range c.Values("weekdays") {
		if n, err := strconv.Atoi(v); err == nil && n >= 0 && n < 7 {
			week, names = append(week, business.Interval{Weekday: time.Weekday(n), Opens: opens, Closes: closes}), append(names, "")
		}
	}
	return week, names, wrong.Err()
}

// weekdays returns the days to select, from the first weekday of the country on.
func weekdays(sh ui.Shell) (options []ui.Option, all []string) {
	for _, day := range sh.Lang().Week() {
		options, all = append(options, ui.Option{Value: strconv.Itoa(int(day)), Text: weekday(sh, day)}), append(all, strconv.Itoa(int(day)))
	}
	return options, all
}

func minute(text string) (int, bool) {
	if len(text) > len("15:04") {
		text = text[:len("15:04")]
	}
	clock, err := civil.ParseClock(text)
	return int(clock), err == nil
}

// undoWeek returns the form that restores a week.
func undoWeek(action string, week []business.Interval, kept ...view.Param) *ui.Undo {
	fields := kept
	n := map[time.Weekday]int{}
	for _, v := range week {
		fields = append(fields, view.Param{Name: opensName(v.Weekday, n[v.Weekday]), Value: wall(v.Opens)},
			view.Param{Name: closesName(v.Weekday, n[v.Weekday]), Value: wall(v.Closes)})
		n[v.Weekday]++
	}
	return &ui.Undo{Action: action, Fields: fields}
}

// zoneNote renders the time zone of the hours, and the effect of clock changes.
func zoneNote(sh ui.Shell, zone *time.Location) string {
	text := sh.T("Times are in {zone}.", "zone", zone.String())
	_, change := sh.Now.In(zone).ZoneBounds()
	if change.IsZero() {
		return text
	}
	_, before := change.Add(-time.Second).In(zone).Zone()
	_, after := change.In(zone).Zone()
	day := sh.Day(change.Add(-time.Second))
	switch {
	case after > before:
		return view.Joined(" ", text, sh.T("Clocks go forward on {day}. The hours stay the same in local time.", "day", day))
	case after < before:
		return view.Joined(" ", text, sh.T("Clocks go back on {day}. The hours stay the same in local time.", "day", day))
	}
	return text
}

func zoneOf(l business.Location) *time.Location { return civil.ZoneOrUTC(l.Zone) }

// placeName returns the name of a location visible to the caller; empty for another.
func placeName(c *desk.Call, id uuid.UUID) string {
	for _, l := range c.Workspace.Locations {
		if l.ID == id {
			return l.Name
		}
	}
	return ""
}

// weekLines renders a week, for members without the right to change it.
func weekLines(sh ui.Shell, week []business.Interval) []ui.Fact {
	var out []ui.Fact
	for _, day := range sh.Lang().Week() {
		text := ""
		for _, v := range week {
			if v.Weekday == day {
				text = view.Joined(", ", text, wall(v.Opens)+"–"+wall(v.Closes))
			}
		}
		if text == "" {
			text = sh.T("Closed")
		}
		out = append(out, ui.Fact{Name: weekday(sh, day), Text: text})
	}
	return out
}
