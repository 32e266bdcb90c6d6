package letters

import (
	"slices"
	"time"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/schedule"
	"foyer/app/view"
)

// Notice is notice.Options.Write.
func (w Letters) Notice(n notice.Notice) mail.Message {
	b := n.Booking
	from := w.studio(n.Locale, b.BusinessName, b.LocationName, b.Zone, n.Address, n.Accent)
	line := about(from.Words, b.OfferingName, b.StartsAt, b.EndsAt, b.Instructor,
		view.Joined(", ", b.Space, view.Elsewhere(b.BusinessName, b.LocationName)), from.Several(b.Party))
	line.Who = from.Attendee(b.Attendee)
	if n.Terms() {
		line.Terms = view.Deadlines(from.Words, nextOf(b, from.Now), n.CostBasis)
	}
	note := view.Notice{Line: together(from.Words, line, n.Who), Button: from.T("See the booking"), Link: w.booking(b.ID)}
	note.Title, note.Words = noticeWords(from, n)
	if n.Outstanding {
		note.Words, note.Agree = append(note.Words, from.T("{studio} asks you to agree to something before your visit.", "studio", b.BusinessName)), w.agreements(b.BusinessID)
	}
	switch {
	case n.Course || n.Several:
		note.Dates = standingDates(b)
	case b.Course() && n.Kind != booking.ToldReminder:
		note.Words = append(note.Words, from.T("This is about one date of your course. Its other dates stay as they are."))
	}
	events := noticeEvents(from.Words, n, note.Link)
	switch {
	case n.Kind == booking.ToldReminder || n.Kind == booking.ToldSubstituted || n.Kind == booking.ToldRoom || len(events) > 0 && !events[0].gone():
		note.Button, note.Map = from.T("Move or cancel"), view.MapOf(b.BusinessName, n.Address)
		if len(n.Who) > 1 || n.Several {
			note.Link = w.BaseURL + "/my"
		}
	}
	note.Add = Links(events, from.Now)
	m := letter(n.To, from, view.NoticeLetter(from, note))
	m.Files = Files(w.host(), events)
	return m
}

// together is a line about all who come: who has one name for each, "" is the customer.
func together(w view.Words, line view.Line, who []string) view.Line {
	if len(who) < 2 {
		return line
	}
	var list []view.Line
	for _, name := range who {
		line.Who = w.Attendee(name)
		list = append(list, line)
	}
	return view.Together(w, list)[0]
}

// noticeEvents are what a notice puts into a calendar, moves there, or takes out of it.
func noticeEvents(w view.Words, n notice.Notice, page string) []Event {
	b := n.Booking
	if !n.Course && !n.Several { // one date, whatever it belongs to
		b.Dates = nil
	}
	switch n.Kind {
	case booking.ToldBooked, booking.ToldApproved, booking.ToldMoved, booking.ToldRelocated:
		return StandingEvents(w, b, view.AddressLine(n.Address), page)
	case booking.ToldCancelled, booking.ToldStudioCancelled:
		return slices.DeleteFunc(EventsOf(b), func(e Event) bool { return e.State != b.State })
	}
	return nil
}

// nextOf is a booking as it can be cancelled: of a course the next date that is to come.
func nextOf(b booking.CustomerBooking, now time.Time) booking.Booking {
	if len(b.Dates) > 0 {
		b.StartsAt = booking.CourseListing(b.Dates, now).StartsAt
	}
	return b.Booking
}

// standingDates are the dates of a course that a letter about all of it names: those that stand as the booking does.
func standingDates(b booking.CustomerBooking) []view.CourseDate {
	var out []view.CourseDate
	for _, d := range b.Dates {
		if d.State == b.State {
			out = append(out, view.CourseDate{Start: d.StartsAt, Minutes: view.Minutes(d.StartsAt, d.EndsAt)})
		}
	}
	return out
}

// noticeWords is what a letter about a booking says.
func noticeWords(from view.From, n notice.Notice) (title string, words []string) {
	b := n.Booking
	money := func(amount int64) string { return from.Money(view.Price{Minor: amount, Currency: b.Currency}) }
	switch n.Kind {
	case booking.ToldReminder:
		title = from.SeeYou(b.StartsAt)
		if n.CostBasis.DueAmount > 0 && len(n.Who) < 2 { // what friends owe is told of each by their own bookings
			words = append(words, from.DueAtStudio(view.Price{Minor: n.CostBasis.DueAmount, Currency: b.Currency})+".")
		}
	case booking.ToldBooked:
		title = from.T("You’re booked")
		words = append(words, from.T("{studio} has booked this for you.", "studio", b.BusinessName))
		if n.AtStudioAmount > 0 {
			if n.Several {
				words = append(words, from.T("Price: {amount} each time, to be paid at the studio.", "amount", money(n.AtStudioAmount)))
			} else {
				words = append(words, from.T("Price: {amount}, to be paid at the studio.", "amount", money(n.AtStudioAmount)))
			}
		}
	case booking.ToldApproved:
		title = from.T("Your booking is confirmed")
		words = append(words, from.T("{studio} has said yes to your request.", "studio", b.BusinessName))
	case booking.ToldDeclined:
		title = from.T("Your request was declined")
		words = append(words, from.T("{studio} cannot take this booking.", "studio", b.BusinessName))
	case booking.ToldMoved:
		title = from.T("Your booking has moved")
		if n.WasAt != nil && !n.Several {
			words = append(words, from.T("Until now it was {when}.", "when", from.ShortWhen(*n.WasAt)))
		}
	case booking.ToldRelocated:
		title = from.T("Your booking is at another place")
		words = append(words, from.T("The time stays as it was."))
	case booking.ToldParty:
		title = from.T("Your booking has changed")
		words = append(words, from.N(b.Party, "It is for {n} person now.", "It is for {n} people now."))
		if n.MoreAmount > 0 {
			words = append(words, from.T("{amount} more is to be paid at the studio.", "amount", money(n.MoreAmount)))
		}
	case booking.ToldCancelled:
		title = from.T("Your booking is cancelled")
		if b.State == booking.LateCancelled {
			words = append(words, from.T("It was cancelled late."))
		}
	case booking.ToldStudioCancelled:
		title = from.T("The studio has cancelled")
		words = append(words, from.T("{studio} is sorry: this does not take place for you.", "studio", b.BusinessName))
	case booking.ToldSubstituted:
		title = from.T("Another instructor teaches")
		words = append(words, from.T("Your booking stays as it is."))
	case booking.ToldRoom:
		title = from.T("Your booking is in another room")
		words = append(words, from.T("The time stays as it was."))
	case booking.ToldRestored:
		title = from.T("It takes place after all")
		if b.Course() {
			words = append(words, from.T("Your place was cancelled with the date. Ask the studio for it if you would like to come."))
			break
		}
		words = append(words, from.T("Your booking was cancelled with the date. Book it again if you would like to come."))
	}
	if n.Kind == booking.ToldMoved && n.NewInstructor {
		words = append(words, from.T("Another instructor teaches."))
	}
	if n.Kind != booking.ToldRoom && n.NewRoom {
		words = append(words, from.T("It is in another room."))
	}
	if n.Words != "" {
		words = append(words, from.T("“{words}”", "words", n.Words))
	}
	switch {
	case n.RefundAmount > 0 && n.Held:
		words = append(words, from.Voided(money(n.RefundAmount)))
	case n.RefundAmount > 0:
		words = append(words, from.T("{amount} is on its way back to the card you paid with. Banks take up to ten days to show it.", "amount", money(n.RefundAmount)))
	}
	if n.DeskAmount > 0 {
		words = append(words, from.T("The studio gives your {amount} back at the desk.", "amount", money(n.DeskAmount)))
	}
	if n.CreditAmount > 0 {
		words = append(words, from.T("{amount} is yours again as credit with the studio.", "amount", money(n.CreditAmount)))
	}
	if n.FeeAmount > 0 {
		words = append(words, from.T("A fee of {amount} is due by the rules of your booking.", "amount", money(n.FeeAmount)))
	}
	return title, words
}

// Team is notice.Options.WriteTeam.
func (w Letters) Team(n notice.TeamNotice) mail.Message {
	from := w.studio(n.Locale, n.BusinessName, n.LocationName, n.Zone, n.Address, n.Accent)
	note := view.Notice{
		Title: from.T("You teach"), Line: about(from.Words, n.OfferingName, n.StartsAt, n.EndsAt, "", n.Space, ""), Words: []string{from.T("This date is yours now.")},
	}
	if n.What == schedule.NoticeTaken {
		note.Title, note.Words = from.T("You do not teach"), []string{from.T("Somebody else takes this date.")}
	}
	if len(n.Also) > 0 {
		note.Words = []string{from.T("These dates are yours now.")}
		if n.What == schedule.NoticeTaken {
			note.Words = []string{from.T("Somebody else takes these dates.")}
		}
		for _, d := range append([]notice.TeamNotice{n}, n.Also...) {
			note.Dates = append(note.Dates, view.CourseDate{Start: d.StartsAt, Minutes: view.Minutes(d.StartsAt, d.EndsAt)})
		}
	}
	return letter(n.To, from, view.NoticeLetter(from, note))
}

// about is what a letter is about: the instructor, the space and the party as far as they are known.
func about(w view.Words, name string, start, end time.Time, instructor, space, party string) view.Line {
	if instructor != "" {
		instructor = w.WhereWith("", instructor)
	}
	return view.Line{Name: name, Start: start, Minutes: view.Minutes(start, end), Where: view.Joined(", ", instructor, space, party)}
}

// studio is a studio that writes on the wall clock of one of its locations.
func (w Letters) studio(language, name, location, zone string, at business.Address, accent string) view.From {
	return view.From{
		Words: view.WordsAt(language, at.Country, civil.ZoneOrUTC(zone), w.Clock.Now()), Studio: name, Accent: accent,
		Foot: view.Joined(", ", view.Elsewhere(name, location), view.AddressLine(at)),
	}
}
