package embed

import (
	"time"

	"foyer/app/view"
	"foyer/app/walkin"
)

// row is a date; changes are its differences from a plain one.
func (s specimens) row(day int, clock time.Duration, name string, changes ...func(*view.EmbedRow)) view.EmbedRow {
	r := view.EmbedRow{Row: view.Row{
		Start: specimenDay.AddDate(0, 0, day).Add(clock), Minutes: 60, Name: name, Who: "Ana Ruiz",
		Price: &view.Price{Minor: 2200, Currency: "USD"}, Spots: 9, Action: view.ActionBook, Href: s.home.listing("book"),
	}, Page: s.home.listing("listing")}
	for _, change := range changes {
		change(&r)
	}
	return r
}

// clockAt is a time of day.
func clockAt(hour, minute int) time.Duration {
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
}

func withFew(r *view.EmbedRow) { r.Spots = 3 }
func unnamed(r *view.EmbedRow) { r.Who = "" }
func forFree(r *view.EmbedRow) { r.Price = &view.Price{Currency: "USD"} }
func notNow(r *view.EmbedRow)  { r.Action = view.ActionDetails }

func fullUp(r *view.EmbedRow) {
	r.Spots, r.Full, r.Action = 0, true, view.ActionWaitlist
}

func fullForGood(r *view.EmbedRow) {
	r.Spots, r.Full, r.Action = 0, true, view.ActionFull
}

func ledBy(name string, minutes int) func(*view.EmbedRow) {
	return func(r *view.EmbedRow) { r.Who, r.Minutes = name, minutes }
}

func (s specimens) day(n int, rows ...view.EmbedRow) view.EmbedDay {
	return view.EmbedDay{Date: specimenDay.AddDate(0, 0, n).Add(12 * time.Hour), Rows: rows}
}

func (s specimens) schedules() []view.State {
	of := func(title, text string, days ...view.EmbedDay) view.State {
		return view.State{Title: title, Text: text, Fragment: view.EmbedScheduleFragment(s.words(), days)}
	}
	rtl := of("Right to left", "A page that reads from right to left, with names in Hebrew.",
		s.day(0, s.row(0, clockAt(7, 0), "יוגה לזריחה", ledBy("נועה לוי", 60)), s.row(0, clockAt(18, 0), "פילאטיס", ledBy("דן כהן", 45), fullUp)))
	rtl.Dir = "rtl"
	return []view.State{
		of("Dates", "With room, with few spots left, full with a waitlist and without one, free, and with nobody named yet.",
			s.day(0, s.row(0, clockAt(6, 30), "Sunrise Vinyasa", withFew), s.row(0, clockAt(12, 15), "Lunch Flow", ledBy("Sam Okafor", 45)), s.row(0, clockAt(17, 30), "Slow Burn", fullUp)),
			s.day(1, s.row(1, clockAt(9, 0), "Open House", forFree, unnamed), s.row(1, clockAt(10, 0), "Beginners", ledBy("Jo Park", 90), fullForGood)),
			s.day(3, s.row(3, clockAt(6, 30), "Sunrise Vinyasa"))),
		of("No bookings right now", "The studio cannot take bookings: links read Details and carry no time.",
			s.day(0, s.row(0, clockAt(6, 30), "Sunrise Vinyasa", notNow), s.row(0, clockAt(17, 30), "Slow Burn", fullUp, notNow))),
		of("Long names", "Names of classes and people that do not fit in one line, and a word that does not fit at all.",
			s.day(0,
				s.row(0, clockAt(12, 15), "Reformer Basics for people who have never seen a reformer before, slowly", ledBy("Maximiliane Wolkenstein-Oberhuber", 120)),
				s.row(0, clockAt(17, 30), "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk", withFew))),
		rtl,
		of("Nothing in 14 days", "One paragraph, and no list."),
	}
}

// times are pages of one listing.
func (s specimens) times() []view.State {
	of := func(title, text string, v view.EmbedTimes) view.State {
		v.Page, v.Min = s.home.listing("listing"), specimenDay
		return view.State{Title: title, Text: text, Fragment: view.EmbedTimesFragment(s.words(), v)}
	}
	massage := view.EmbedTimes{Name: "Deep Tissue Massage", Price: "from $80", Length: "60 to 90 min"}
	some, last, asked, shut, long := massage, massage, massage, massage, massage
	some.Later = s.home.listing("later")
	some.Days = []view.EmbedDay{
		s.day(0, s.row(0, clockAt(9, 0), ""), s.row(0, clockAt(10, 30), "", withFew), s.row(0, clockAt(12, 0), "", fullUp), s.row(0, clockAt(13, 15), ""), s.row(0, clockAt(14, 30), "", fullForGood)),
		s.day(1, s.row(1, clockAt(9, 0), ""), s.row(1, clockAt(16, 0), "", withFew)),
	}
	last.Days = []view.EmbedDay{s.day(8, s.row(8, clockAt(18, 0), "", withFew))}
	asked.From = specimenDay.AddDate(0, 1, 0)
	shut.Days = []view.EmbedDay{s.day(0, s.row(0, clockAt(9, 0), "", notNow), s.row(0, clockAt(10, 30), "", notNow))}
	long.Name = "Deep Tissue Massage for shoulders that have sat at desks for longer than anybody should"
	long.Days = []view.EmbedDay{s.day(0, s.row(0, clockAt(9, 0), "", withFew), s.row(0, clockAt(10, 30), "", withFew), s.row(0, clockAt(12, 0), "", withFew))}
	rtl := of("Right to left", "", view.EmbedTimes{Name: "עיסוי", Price: "$80", Length: "60 min", Days: some.Days, Later: some.Later})
	rtl.Dir = "rtl"
	return []view.State{
		of("Times, and more later", "Today and tomorrow, with room, few spots, full with a waitlist and without one.", some),
		of("The last page", "No link to later times.", last),
		of("No times in these days", "One paragraph and the form, which keeps the date that was asked for.", asked),
		of("No bookings right now", "Links read Details.", shut),
		of("A long name", "", long),
		rtl,
	}
}

// walkins are the states of the walk-in status.
func (s specimens) walkins() []view.State {
	until, opens := specimenDay.Add(clockAt(21, 0)), specimenDay.AddDate(0, 0, 1).Add(clockAt(6, 0))
	of := func(title, text string, in walkin.Walkins) view.State {
		v := view.EmbedWalkinsOf(s.words(), in)
		v.Book = string(s.home)
		return view.State{Title: title, Text: text, Fragment: view.EmbedWalkinsFragment(s.words(), v)}
	}
	return []view.State{
		of("Open", "Plenty of room.", walkin.Walkins{State: walkin.Open, Level: "plenty", Spots: 12, Until: &until}),
		of("Open, filling up", "The level says more than the state.", walkin.Walkins{State: walkin.Open, Level: "filling_up", Spots: 5, Until: &until}),
		of("Busy", "", walkin.Walkins{State: walkin.Busy, Level: "nearly_full", Spots: 1, Until: &until}),
		of("Full", "", walkin.Walkins{State: walkin.Full, Level: "full", Until: &until}),
		of("Closed, opens again", "", walkin.Walkins{State: walkin.Closed, Until: &opens}),
		of("Closed", "Nobody knows until when.", walkin.Walkins{State: walkin.Closed}),
	}
}
