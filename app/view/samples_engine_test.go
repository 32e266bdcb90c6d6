package view_test

import (
	"fmt"
	"time"

	"github.com/a-h/templ"

	"foyer/app/hosted/kit"
	"foyer/app/hosted/my"
	"foyer/app/hosted/waiting"
	"foyer/app/view"
)

// hostile is a name that tries to break out of a page, or to push it wide.
const hostile = `<script>alert(1)</script>"'&Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft`

func massage() view.Service {
	v := view.Service{
		Sum: usd(9000), Party: 1, Form: post("/harbour/massage"),
		About: view.About{Name: "Deep tissue massage", Minutes: 60, Price: price(9000),
			Text:   "Slow, firm pressure for shoulders and back.\n\nPlease come without having eaten for an hour.",
			Policy: []string{"Cancel until 24 hours before the start and the price is refunded. After that there is no refund, and you pay a late-cancellation fee of $15.00.", "Book at least 2 hours before the start."}},
		Times: view.Times{Choices: []view.Choice{
			{Name: "Length", Options: []view.ChoiceOption{
				{Text: "45 min", Note: "$70", Href: "/harbour/massage?minutes=45"}, {Text: "60 min", Note: "$90", Href: "/harbour/massage", Chosen: true},
				{Text: "90 min", Note: "$125", Href: "/harbour/massage?minutes=90"}}},
			{Name: "With", Options: []view.ChoiceOption{
				{Text: "Any instructor", Href: "/harbour/massage", Chosen: true}, {Text: "Ana Ruiz", Href: "/harbour/massage?with=1"},
				{Text: "Jo Park", Href: "/harbour/massage?with=2"}, {Text: "Maximiliane von und zu Wallenstein", Href: "/harbour/massage?with=3"}}},
		},
			Later: "/harbour/massage?after=1",
			Jump:  &view.Jump{Action: "/harbour/massage", From: now, Min: now, Hidden: []view.Param{{Name: "minutes", Value: "60"}}}},
	}
	for i := range 14 {
		v.Strip = append(v.Strip, view.StripDay{Date: at(20+i, 12, 0), Plain: true, Current: i == 0, Href: fmt.Sprint("/harbour/massage?from=", i)})
	}
	day := view.TimesDay{Date: at(20, 12, 0)}
	for m := 9 * 60; m < 19*60; m += 15 {
		if m%120 == 45 {
			continue
		}
		day.Times = append(day.Times, view.Time{Start: at(20, m/60, m%60), Action: view.ActionBook})
	}
	v.Days = []view.TimesDay{day, {Date: at(21, 12, 0), Times: []view.Time{{Start: at(21, 10, 0), Action: view.ActionBook}, {Start: at(21, 15, 30), Action: view.ActionBook}}}}
	return v
}

// picked is massage for a customer from the studio's website with a time.
func picked() view.Service {
	v := massage()
	v.Chosen = &view.Chosen{Start: at(20, 10, 30), Minutes: 60, Price: &v.Sum, Action: view.ActionBook, Form: post("/harbour/massage")}
	return v
}

func sauna() view.Service {
	v := massage()
	v.Name, v.Price, v.Sum, v.Each, v.Party, v.Minutes, v.Where = "Sauna by the sea", price(1500), usd(6000), true, 4, 120, "Sauna 1"
	v.Choices = []view.Choice{{Name: "People", Options: nil}}
	for n := 1; n <= 8; n++ {
		v.Choices[0].Options = append(v.Choices[0].Options, view.ChoiceOption{Text: fmt.Sprint(n), Href: fmt.Sprint("/harbour/sauna?party=", n), Chosen: n == 4})
	}
	for i := range v.Days[0].Times {
		v.Days[0].Times[i].Spots = i % 9
	}
	return v
}

func requests() view.Service {
	v := massage()
	v.NeedsApproval = true
	v.Trouble = &view.Trouble{Title: "This time is no longer available", Text: "Another customer was quicker, and nothing was booked."}
	v.Near = []view.Time{{Start: at(20, 10, 0)}, {Start: at(20, 10, 30)}, {Start: at(21, 9, 45)}}
	v.Name = hostile
	v.Selects = []view.Select{{Name: "with", Label: "With", Value: "", Options: []view.Option{{Value: "", Text: "Any instructor"}, {Value: "1", Text: hostile}}}}
	return v
}

func noTimes() view.Service {
	v := massage()
	v.Days, v.Later, v.Reset = nil, "", &view.Link{Text: "See times with anyone", Href: "/harbour/massage"}
	return v
}

func groups() []view.Group {
	next := at(20, 15, 30)
	return []view.Group{
		{Heading: "Massages", Rows: []view.GroupRow{
			{Name: "Deep tissue massage", Lengths: "45 to 90 min", Price: "from $70", Next: &next, Href: "/harbour/massage"},
			{Name: "Foot massage", Lengths: "30 min", Price: "$45", Href: "/harbour/foot"}}},
		{Heading: "Spaces", Rows: []view.GroupRow{{Name: "Sauna by the sea", Lengths: "2 h", Price: "$15 each", Href: "/harbour/sauna"}}},
	}
}

func details() my.Details {
	return my.Details{
		Line: view.Line{Name: "Deep tissue massage", Start: at(21, 10, 0), Minutes: 60, Where: "Studio A, with Ana Ruiz", State: "Confirmed",
			Terms: []string{"Free cancellation until Fri 20 Nov, 10:00; after that you lose $90.00 and pay a late-cancellation fee of $15.00.", "You can reschedule until Fri 20 Nov, 10:00."}},
		Stands:  view.StandsWell,
		Address: "12 Quay Street, 1100-148 Lisbon", Map: "https://maps.example.com/?q=12+Quay+Street",
		Calendar: view.Calendar{File: "/my/bookings/1/calendar.ics"}, Reschedule: "/my/bookings/1/move", Cancel: "/my/bookings/1/cancel", CancelWord: "Cancel", Receipt: "/receipt/abc", Again: "/harbour/massage",
	}
}

func asked() my.Details {
	v := details()
	v.Name, v.State, v.Stands, v.CancelWord, v.Calendar, v.Reschedule = hostile, "Requested", view.StandsRequested, "Withdraw", view.Calendar{}, ""
	v.Notes = []string{"Harbour Yoga answers every request by e-mail. $60.00 is authorized on your card: it is charged if the studio approves, and released if it declines."}
	v.Terms = []string{"Free to withdraw until the studio answers; once confirmed, free cancellation until Fri 20 Nov, 10:00; after that you lose $60.00."}
	return v
}

func over() my.Details {
	v := details()
	v.State, v.Stands, v.Terms, v.Calendar, v.Reschedule, v.Cancel = "Cancelled late", view.StandsOver, nil, view.Calendar{}, "", ""
	v.Trouble = &view.Trouble{Title: "This cannot be moved any more", Text: "Rescheduling was possible until Fri 20 Nov, 10:00."}
	return v
}

func cancelling() my.Change {
	return my.Change{
		Title: "Cancel this booking?", Line: view.Line{Name: "Deep tissue massage", Start: at(20, 18, 0), Minutes: 60, Where: "Studio A, with Ana Ruiz"},
		Points: []my.Outcome{
			{Label: "Not refunded", Amount: price(9000), Text: "The price was refundable until Thu 19 Nov, 18:00.", Bad: true},
			{Label: "Fee", Amount: price(1500), Text: "Payable to Harbour Yoga: cancelling has been late since Wed, Jun 10, 9:00 am.", Bad: true},
		},
		Form: post("/my/bookings/1/cancel"), Button: "Cancel booking", Keep: view.Link{Text: "Keep it", Href: "/my/bookings/1"},
	}
}

// cancellingSeveral is the same page for a booking that recurs.
func cancellingSeveral() my.Change {
	v := cancelling()
	v.Title, v.Button, v.Dates, v.Keep.Text = "Cancel these bookings?", "Cancel 3 bookings", weekly(3), "Keep them"
	v.Choices = []view.Choice{{Name: "Which ones?", Options: []view.ChoiceOption{
		{Text: "Only this one", Href: "/my/bookings/1/cancel?scope=this"}, {Text: "This and the later ones", Href: "/my/bookings/1/cancel?scope=following", Chosen: true},
		{Text: "All upcoming", Href: "/my/bookings/1/cancel?scope=all"},
	}}}
	return v
}

func moving() my.Change {
	v := cancelling()
	v.Title, v.To, v.Button = "Move to Monday?", &view.Line{Start: at(23, 10, 0), Minutes: 60, Where: "Studio A, with Ana Ruiz"}, "Move to Mon 23 Nov, 10:00"
	v.Points = []my.Outcome{{Label: "Cost", Text: "Nothing. Your payment carries over to the new time."}}
	v.Trouble = &view.Trouble{Title: "Something has changed", Text: "Nothing was done."}
	return v
}

func moveTimes() my.Reschedule {
	m := massage()
	v := my.Reschedule{Line: view.Line{Name: m.Name, Start: at(21, 10, 0), Minutes: 60, Where: "Studio A, with Ana Ruiz"}, Note: "It can be rescheduled until Fri 20 Nov, 10:00.",
		Times: view.Times{Choices: m.Choices[1:], Strip: m.Strip, Days: m.Days, Later: "/my/bookings/1/move?from=1", Jump: m.Jump}, Keep: view.Link{Text: "Keep the current time", Href: "/my/bookings/1"}}
	for _, d := range v.Days {
		for i := range d.Times {
			d.Times[i].Href = "/my/bookings/1/move?to=1"
		}
	}
	return v
}

func joining(signIn bool) waiting.Join {
	v := waiting.Join{
		Line: view.Line{Name: "Slow Burn", Start: at(20, 17, 30), Minutes: 60, Where: "Studio B, with Ana Ruiz"}, Price: price(2200), Form: post("/harbour/slow-burn/waitlist/1"),
		How: []string{"When a place is free and you are next, we keep it for you for 10 minutes and mail you. Without an answer the next in line is asked.",
			"Spots that open up are offered until Fri 20 Nov, 16:30.", "You can leave at any time, from every mail."},
		NeedsName: true, Back: view.Link{Text: "Other times", Href: "/harbour/slow-burn"}, Trouble: wrong("name"),
	}
	if signIn {
		v.SignIn, v.Trouble = &kit.SignIn{Form: post("/harbour/slow-burn/waitlist/1/sign-in")}, nil
	}
	return v
}

func waitingPlace() waiting.Entry {
	return waiting.Entry{
		Title: "You’re on the waitlist", Stands: view.StandsRequested,
		Line: view.Line{Name: "Slow Burn", Start: at(20, 17, 30), Minutes: 60, Where: "Studio B, with Ana Ruiz", State: "Number 2 in line"}, Lines: []string{"When a place is free and you are next, we keep it for you for 10 minutes and mail you."},
		Leave: post("/my/waitlist/1/leave"), Links: []view.Link{{Text: "Other times", Href: "/harbour/slow-burn"}, {Text: "My bookings", Href: "/my"}},
	}
}

func offered() waiting.Entry {
	v := waitingPlace()
	until := now.Add(8*time.Minute + 20*time.Second)
	v.Title, v.State, v.Price, v.Until, v.Name = "A spot is available for you", "", price(2200), &until, hostile
	v.Lines = []string{"Accept it in time, or it goes to the next person in line."}
	v.Accept, v.Take, v.Decline, v.Leave = post("/my/waitlist/1/accept"), "Accept spot", post("/my/waitlist/1/decline"), view.Form{}
	return v
}

func offerOver() waiting.Entry {
	v := waitingPlace()
	v.Title, v.State, v.Stands = "The offer has expired", "Missed", view.StandsOver
	v.Lines = []string{"The spot went to the next person in line. You are asked again when everybody else was."}
	return v
}

func notYours() waiting.Entry {
	v := offered()
	other := post("/my/waitlist/1/switch")
	v.Accept, v.Decline, v.Other, v.Name = view.Form{}, view.Form{}, &other, "Slow Burn"
	v.Trouble = &view.Trouble{Title: "This spot is held for another customer", Text: "You are signed in as ben@example.com. Sign in with the address that the e-mail was sent to."}
	return v
}

// engine is the gallery's part of appointments and rentals.
func engine() map[string]templ.Component {
	sh := harbour()
	noon := sh
	noon.Locale = "en-US"
	mixed := schedule()
	mixed.Groups, mixed.Walkin = groups(), &view.WalkinStatus{Open: true, Words: "7 spots free for walk-ins", Until: "until 21:00"}
	return map[string]templ.Component{
		"schedule-mixed":   view.SchedulePage(filled(sh), mixed),
		"schedule-times":   view.SchedulePage(sh, view.Schedule{Groups: groups(), Policy: "Choose what you would like to book.", Walkin: &view.WalkinStatus{Words: "Walk-ins are paused", Until: "until 14:30"}}),
		"service":          view.ServicePage(from(noon), massage()),
		"service-chosen":   view.ServicePage(from(noon), picked()),
		"service-party":    view.ServicePage(sh, sauna()),
		"service-taken":    view.ServicePage(sh, requests()),
		"service-no-times": view.ServicePage(sh, noTimes()),
		"booking":          my.BookingPage(sh, details()),
		"booking-asked":    my.BookingPage(from(noon), asked()),
		"booking-over":     my.BookingPage(sh, over()),
		"wait-join":        waiting.JoinPage(sh, joining(false)),
		"wait-sign-in":     waiting.JoinPage(noon, joining(true)),
		"wait-place":       waiting.EntryPage(sh, waitingPlace()),
		"wait-offer":       waiting.EntryPage(sh, offered()),
		"wait-over":        waiting.EntryPage(sh, offerOver()),
		"wait-other":       waiting.EntryPage(sh, notYours()),
		"cancel":           my.ChangePage(sh, cancelling()),
		"cancel-several":   my.ChangePage(sh, cancellingSeveral()),
		"move":             my.ReschedulePage(sh, moveTimes()),
		"move-to":          my.ChangePage(noon, moving()),
	}
}
