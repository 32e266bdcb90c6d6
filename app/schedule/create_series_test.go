package schedule_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

func TestCreateSeries(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Minutes, o.Online = 75, 10 })
	mia, hall := s.AddInstructor(t, "Mia").ID, s.AddSpace(t, "Hall", holds(20)).ID
	rule := schedule.Rule{
		Weekdays: []time.Weekday{time.Thursday, time.Monday}, Start: apptest.Day("2026-06-11"), At: apptest.WallClock("09:30"),
		Except: []civil.Date{apptest.Day("2026-07-02")},
	}
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: rule, MemberID: &mia, SpaceID: &hall})
	if made.Rule.Minutes != 75 || made.Capacity != 12 || made.OnlineCapacity != 10 || made.Zone != "America/New_York" ||
		made.Instructor != "Mia" || made.Space != "Hall" || made.Version != 1 {
		t.Errorf("taken over from the offering: %+v", made)
	}
	page, err := s.SeriesOf(t.Context(), s.System(), schedule.SeriesOfInput{OfferingID: o.ID})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d series, %v", len(page.Items), err)
	}
	if diff := cmp.Diff(made, page.Items[0]); diff != "" {
		t.Error("read back:", diff)
	}

	starts := s.starts(t, made.ID)
	if len(starts) != 51 { // 26 Mondays and 26 Thursdays in 26 weeks, but one
		t.Errorf("%d dates", len(starts))
	}
	for _, want := range []string{"2026-06-11T13:30:00Z", "2026-06-15T13:30:00Z", "2026-10-29T13:30:00Z", "2026-11-02T14:30:00Z"} {
		if !slices.ContainsFunc(starts, apptest.Instant(want).Equal) {
			t.Errorf("nothing at %s", want)
		}
	}
	if slices.ContainsFunc(starts, apptest.Instant("2026-07-02T13:30:00Z").Equal) {
		t.Error("the date that was left out is there")
	}
	dates, err := s.Occurrences(t.Context(), s.System(), schedule.OccurrencesInput{OfferingID: o.ID, Page: paging.In[paging.Moment]{Limit: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if d := dates.Items[0]; d.LocalDate != apptest.Day("2026-06-11") || d.EndsAt.Sub(d.StartsAt) != 75*time.Minute || d.Capacity != 12 ||
		d.OnlineCapacity != 10 || *d.MemberID != mia || d.Instructor != "Mia" || *d.SpaceID != hall || d.SeriesID != made.ID {
		t.Errorf("first date %+v", d)
	}
}

// Both sides of every kind of change: a shown time stays, a skipped time is later by the gap, a repeated time is the
// first one.
func TestCreateSeriesAcrossClockChanges(t *testing.T) {
	w := apptest.Open(t)
	for _, c := range []struct {
		zone, start, at string
		want            string // instants of the date and of the ones a week before and after it
	}{
		{"America/New_York", "2026-03-01", "02:30", "2026-03-01T07:30:00Z 2026-03-08T07:30:00Z 2026-03-15T06:30:00Z"},    // gap
		{"America/New_York", "2026-10-25", "01:30", "2026-10-25T05:30:00Z 2026-11-01T05:30:00Z 2026-11-08T06:30:00Z"},    // fold
		{"Europe/London", "2026-03-22", "01:30", "2026-03-22T01:30:00Z 2026-03-29T01:30:00Z 2026-04-05T00:30:00Z"},       // gap
		{"Europe/London", "2026-10-18", "01:30", "2026-10-18T00:30:00Z 2026-10-25T00:30:00Z 2026-11-01T01:30:00Z"},       // fold
		{"Australia/Sydney", "2026-09-27", "02:30", "2026-09-26T16:30:00Z 2026-10-03T16:30:00Z 2026-10-10T15:30:00Z"},    // gap
		{"Australia/Sydney", "2026-03-29", "02:30", "2026-03-28T15:30:00Z 2026-04-04T15:30:00Z 2026-04-11T16:30:00Z"},    // fold
		{"Australia/Lord_Howe", "2026-09-27", "02:15", "2026-09-26T15:45:00Z 2026-10-03T15:45:00Z 2026-10-10T15:15:00Z"}, // gap of 30 minutes
		{"Australia/Lord_Howe", "2026-03-29", "01:45", "2026-03-28T14:45:00Z 2026-04-04T14:45:00Z 2026-04-11T15:15:00Z"}, // fold of 30 minutes
		{"America/Santiago", "2026-08-30", "00:30", "2026-08-30T04:30:00Z 2026-09-06T04:30:00Z 2026-09-13T03:30:00Z"},    // gap at midnight
		{"America/Santiago", "2026-03-28", "23:30", "2026-03-29T02:30:00Z 2026-04-05T02:30:00Z 2026-04-12T03:30:00Z"},    // fold before midnight
		{"Africa/Casablanca", "2026-03-15", "02:30", "2026-03-15T02:30:00Z 2026-03-22T02:30:00Z 2026-03-29T01:30:00Z"},   // gap after Ramadan
		{"Africa/Casablanca", "2026-02-08", "02:30", "2026-02-08T01:30:00Z 2026-02-15T01:30:00Z 2026-02-22T02:30:00Z"},   // fold before Ramadan
	} {
		t.Run(c.zone+" "+c.start, func(t *testing.T) {
			s := openIn(t, w, in(c.zone))
			s.w.Clock.Set(apptest.Instant(c.start+"T12:00:00Z").AddDate(0, 0, -7))
			start := apptest.Day(c.start)
			o := s.AddOffering(t)
			made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: schedule.Rule{
				Weekdays: []time.Weekday{start.Weekday()}, Start: start, At: apptest.WallClock(c.at), Count: ptr(3),
			}})
			var got string
			for _, x := range s.starts(t, made.ID) {
				got += " " + x.UTC().Format(time.RFC3339)
			}
			if got != " "+c.want {
				t.Errorf("at%s\nnot %s", got, c.want)
			}
			local := apptest.Values[time.Time](t, s.w, "select local_date from occurrences where series_id = $1 order by starts_at", made.ID)
			for i, d := range local {
				if want := start.AddDays(7 * i).String(); d.Format(time.DateOnly) != want {
					t.Errorf("date %d is %s, want %s", i, d.Format(time.DateOnly), want)
				}
			}
		})
	}
}

func TestCreateSeriesSeats(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 20, 15 })
	all := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 12, 12 })
	small := s.AddSpace(t, "Small", holds(8)).ID
	for name, c := range map[string]struct {
		in               schedule.CreateSeriesInput
		capacity, online int
		wrong            string
	}{
		"the offering's":                  {schedule.CreateSeriesInput{}, 20, 15, ""},
		"cut to the space":                {schedule.CreateSeriesInput{SpaceID: &small}, 8, 8, ""},
		"own":                             {schedule.CreateSeriesInput{Capacity: ptr(30), OnlineCapacity: ptr(30)}, 30, 30, ""},
		"own, online cut":                 {schedule.CreateSeriesInput{Capacity: ptr(10)}, 10, 10, ""},
		"own, all online":                 {schedule.CreateSeriesInput{OfferingID: all.ID, Capacity: ptr(30)}, 30, 30, ""},
		"all online, cut to the space":    {schedule.CreateSeriesInput{OfferingID: all.ID, SpaceID: &small}, 8, 8, ""},
		"none online":                     {schedule.CreateSeriesInput{OnlineCapacity: ptr(0)}, 20, 0, ""},
		"as many as the space holds":      {schedule.CreateSeriesInput{SpaceID: &small, Capacity: ptr(8), OnlineCapacity: ptr(3)}, 8, 3, ""},
		"more than the space holds":       {schedule.CreateSeriesInput{SpaceID: &small, Capacity: ptr(9)}, 0, 0, "capacity"},
		"more online than seats":          {schedule.CreateSeriesInput{Capacity: ptr(5), OnlineCapacity: ptr(6)}, 0, 0, "onlineCapacity"},
		"more online than the space":      {schedule.CreateSeriesInput{SpaceID: &small, OnlineCapacity: ptr(9)}, 0, 0, "onlineCapacity"},
		"no seats, less than none online": {schedule.CreateSeriesInput{Capacity: ptr(0), OnlineCapacity: ptr(-1)}, 0, 0, "capacity onlineCapacity"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.in.OfferingID == uuid.Nil {
				c.in.OfferingID = o.ID
			}
			c.in.Rule, c.in.AllowConflicts = wednesdays(), true // one room at one time
			made, err := s.CreateSeries(t.Context(), s.System(), c.in)
			if c.wrong != "" {
				if apptest.Wrong(err) != c.wrong {
					t.Errorf("named %q, want %q (%v)", apptest.Wrong(err), c.wrong, err)
				}
				return
			}
			if err != nil || made.Capacity != c.capacity || made.OnlineCapacity != c.online {
				t.Errorf("%d and %d, want %d and %d (%v)", made.Capacity, made.OnlineCapacity, c.capacity, c.online, err)
			}
		})
	}
}

func TestCreateSeriesRefuses(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	o := s.AddOffering(t)
	left, closed := s.AddInstructor(t, "Left").ID, s.AddSpace(t, "Closed", holds(9)).ID
	s.w.SQL(t, "update members set deactivated_at = now() where id = $1", left)
	s.w.SQL(t, "update spaces set archived_at = now() where id = $1", closed)
	foreign, room, unknown := theirs.AddInstructor(t, "Theirs").ID, theirs.AddSpace(t, "Theirs", holds(9)).ID, pg.NewID()
	next := s.AddLocation(t, "next").ID
	nextRoom := s.AddSpace(t, "Next door", holds(9)).ID
	s.w.SQL(t, "update spaces set location_id = $1 where id = $2", next, nextRoom)

	type input = schedule.CreateSeriesInput
	for name, c := range map[string]struct {
		want string
		but  func(*input)
	}{
		"no day": {"weekdays", func(in *input) { in.Rule.Weekdays = nil }},
		"past":   {"start", func(in *input) { in.Rule.Start = apptest.Day("2026-06-09") }},
		"far":    {"start", func(in *input) { in.Rule.Start = apptest.Day("2028-06-11") }},
		"no date": {"weekdays", func(in *input) {
			in.Rule.Until = ptr(apptest.Day("2026-06-14"))
			in.Rule.Weekdays = []time.Weekday{time.Monday}
		}},
		"all left out":      {"weekdays", func(in *input) { in.Rule.Count = ptr(1); in.Rule.Except = dates("2026-06-10") }},
		"two ends":          {"count", func(in *input) { in.Rule.Until, in.Rule.Count = ptr(apptest.Day("2026-07-01")), ptr(3) }},
		"length and clock":  {"at minutes", func(in *input) { in.Rule.Minutes, in.Rule.At = 3, 1440 }},
		"a member who left": {"memberId", func(in *input) { in.MemberID = &left }},
		"a foreign member":  {"memberId", func(in *input) { in.MemberID = &foreign }},
		"nobody":            {"memberId", func(in *input) { in.MemberID = &unknown }},
		"a closed space":    {"spaceId", func(in *input) { in.SpaceID = &closed }},
		"a foreign space":   {"spaceId", func(in *input) { in.SpaceID = &room }},
		"another place's":   {"spaceId", func(in *input) { in.SpaceID = &nextRoom }},
		"all at once": {"capacity memberId spaceId start", func(in *input) {
			in.Rule.Start, in.MemberID, in.SpaceID, in.Capacity = apptest.Day("2020-01-01"), &left, &closed, ptr(20_000)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			in := input{OfferingID: o.ID, Rule: wednesdays()}
			c.but(&in)
			_, err := s.CreateSeries(t.Context(), s.System(), in)
			if name == "all at once" { // problems found without the database come first
				if apptest.Wrong(err) != "capacity" {
					t.Errorf("named %q", apptest.Wrong(err))
				}
				in.Capacity = nil
				_, err = s.CreateSeries(t.Context(), s.System(), in)
				c.want = "memberId spaceId start"
			}
			if apptest.Wrong(err) != c.want {
				t.Errorf("named %q, want %q (%v)", apptest.Wrong(err), c.want, err)
			}
		})
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from series"); n != 0 {
		t.Errorf("%d series after refusals", n)
	}
}

func TestCreateSeriesConflicts(t *testing.T) {
	s := open(t)
	try := func(o apptest.OfferingRow) error {
		_, err := s.CreateSeries(t.Context(), s.System(), schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
		return err
	}
	apptest.Is(t, try(s.AddOffering(t, func(o *apptest.OfferingRow) { o.Kind = "rental" })), schedule.ErrNotAClass)
	apptest.Is(t, try(s.AddOffering(t, func(o *apptest.OfferingRow) { o.State = "archived" })), catalog.ErrArchived)
	o := s.AddOffering(t)
	s.w.SQL(t, "update locations set archived_at = now()")
	apptest.Is(t, try(o), catalog.ErrLocationArchived)
}

// A47: a foreign offering is not found, a known one at another location is forbidden.
func TestSeriesWhoMay(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	mine, foreign := s.AddOffering(t), theirs.AddOffering(t)
	series := s.series(t, schedule.CreateSeriesInput{OfferingID: mine.ID, Rule: wednesdays()})
	elsewhere := s.Holding(s.AddLocation(t, "elsewhere").ID, policy.LocationView, policy.CatalogManage)
	viewer := s.Holding(s.Location.ID, policy.LocationView)
	for _, offering := range []uuid.UUID{foreign.ID, pg.NewID()} {
		_, err := s.CreateSeries(t.Context(), s.System(), schedule.CreateSeriesInput{OfferingID: offering, Rule: wednesdays()})
		apptest.Refused(t, err, fault.NotFound)
		_, err = s.SeriesOf(t.Context(), s.System(), schedule.SeriesOfInput{OfferingID: offering})
		apptest.Refused(t, err, fault.NotFound)
		_, err = s.Occurrences(t.Context(), s.System(), schedule.OccurrencesInput{OfferingID: offering})
		apptest.Refused(t, err, fault.NotFound)
		// a series is found under its own offering only
		_, err = s.EndSeries(t.Context(), s.System(), schedule.EndSeriesInput{OfferingID: offering, SeriesID: series.ID, EndsOn: apptest.Day("2026-07-01")})
		apptest.Refused(t, err, fault.NotFound)
	}
	_, err := s.Occurrences(t.Context(), s.System(), schedule.OccurrencesInput{LocationID: theirs.Location.ID})
	apptest.Refused(t, err, fault.NotFound)
	for _, sc := range []struct {
		name  string
		write bool
	}{{"elsewhere", false}, {"viewer", true}} {
		scope := elsewhere
		if sc.write {
			scope = viewer
		}
		_, err := s.CreateSeries(t.Context(), scope, schedule.CreateSeriesInput{OfferingID: mine.ID, Rule: wednesdays()})
		apptest.Refused(t, err, fault.Forbidden)
		_, err = s.EndSeries(t.Context(), scope, schedule.EndSeriesInput{OfferingID: mine.ID, SeriesID: series.ID, EndsOn: apptest.Day("2026-07-01")})
		apptest.Refused(t, err, fault.Forbidden)
		_, err = s.SeriesOf(t.Context(), scope, schedule.SeriesOfInput{OfferingID: mine.ID})
		if sc.write != (err == nil) {
			t.Errorf("%s reads series: %v", sc.name, err)
		}
		_, err = s.Occurrences(t.Context(), scope, schedule.OccurrencesInput{OfferingID: mine.ID})
		if sc.write != (err == nil) {
			t.Errorf("%s reads dates: %v", sc.name, err)
		}
	}
}

// A repeated request gets the same series, and its dates are written once.
func TestCreateSeriesAgain(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	claim := pg.Claim{Key: [32]byte{1}}
	var made [2]schedule.NewSeries
	for i := range made {
		var err error
		made[i], err = s.CreateSeries(pg.WithClaim(t.Context(), claim), s.System(), schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
		if err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(made[0], made[1]); diff != "" {
		t.Error(diff)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from occurrences"); n != 27 {
		t.Errorf("%d dates", n)
	}
	if body, err := json.Marshal(made[0]); err != nil {
		t.Errorf("%s, %v", body, err)
	}
}

func TestSeriesOfWalk(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	want := map[uuid.UUID]bool{}
	add := func(start string) uuid.UUID {
		return s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Start, r.Count = apptest.Day(start), ptr(1) })}).ID
	}
	for range 3 {
		for _, start := range []string{"2026-06-24", "2026-06-10", "2026-06-17"} {
			want[add(start)] = true
		}
	}
	var after *schedule.SeriesKey
	for {
		page, err := s.SeriesOf(t.Context(), s.System(), schedule.SeriesOfInput{OfferingID: o.ID, Page: paging.In[schedule.SeriesKey]{After: after, Limit: 2}})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range page.Items {
			delete(want, x.ID)
		}
		if after = page.Next; after == nil {
			break
		}
		add("2026-06-17") // A94
	}
	if len(want) != 0 {
		t.Errorf("%d series never came", len(want))
	}
}
