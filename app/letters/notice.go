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
		view.Joined(", ", b.Space, view.LocationSuffix(b.BusinessName, b.LocationName)), from.Several(b.Party))
	line.Who = from.Attendee(b.Attendee)
	if n.CostBasis.Plan != "" {
		line.Plan = from.PaidByPlan(n.CostBasis.Plan, n.CostBasis.PlanCredits)
	}
	if n.Terms() {
		line.Terms = view.Deadlines(from.Words, nextOf(b, from.Now), n.CostBasis)
	}
	note := view.Notice{Line: together(from.Words, line, n.Who), Button: from.T("See the booking"), Link: w.booking(b.ID)}
	note.Title, note.Words = noticeWords(from, n)
	if n.Outstanding {
		note.Words, note.Agree = append(note.Words, from.T("{studio} requires your agreement before your visit.", "studio", b.BusinessName)), w.agreements(b.BusinessID)
	}
	switch {
	case n.Course || n.Several:
		note.Dates = standingDates(b)
	case b.Course() && n.Kind != booking.ToldReminder:
		note.Words = append(note.Words, from.T("This applies to one date of your course. The other dates have not changed."))
	}
	events := noticeEvents(from.Words, n, note.Link)
	switch {
	case n.Kind == booking.ToldReminder || n.Kind == booking.ToldSubstituted || n.Kind == booking.ToldRoom || len(events) > 0 && !events[0].gone():
		note.Button, note.Map = from.T("Reschedule or cancel"), view.MapOf(b.BusinessName, n.Address)
		if len(n.Who) > 1 || n.Several {
			note.Link = w.BaseURL + "/my"
		}
	}
	note.Add = Links(events, from.Now)
	m := letter(n.To, from, view.NoticeLetter(from, note))
	m.Files = Files(w.host(), events)
	return m
}

// together is a line about all attendees: who has one name for each, "" is the customer.
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

// noticeEvents are the events that a notice adds to a calendar, changes there, or removes.
func noticeEvents(w view.Words, n notice.Notice, page string) []Event {
	b := n.Booking
	if !n.Course && !n.Several { // one date, whatever it belongs to
		b.Dates = nil
	}
	switch n.Kind {
	case booking.ToldBooked, booking.ToldApproved, booking.ToldRescheduled, booking.ToldRelocated:
		return StandingEvents(w, b, view.AddressLine(n.Address), page)
	case booking.ToldCancelled, booking.ToldStudioCancelled:
		return slices.DeleteFunc(EventsOf(b), func(e Event) bool { return e.State != b.State })
	}
	return nil
}

// nextOf is a booking as it can be cancelled: of a course the next upcoming date.
func nextOf(b booking.CustomerBooking, now time.Time) booking.Booking {
	if len(b.Dates) > 0 {
		b.StartsAt = booking.CourseListing(b.Dates, now).StartsAt
	}
	return b.Booking
}

// standingDates are the dates of a course for a letter about all of it: those in the state of the booking.
func standingDates(b booking.CustomerBooking) []view.CourseDate {
	var out []view.CourseDate
	for _, d := range b.Dates {
		if d.State == b.State {
			out = append(out, view.CourseDate{Start: d.StartsAt, Minutes: view.Minutes(d.StartsAt, d.EndsAt)})
		}
	}
	return out
}

// noticeWords is the text of a letter about a booking.
func noticeWords(from view.From, n notice.Notice) (title string, words []string) {
	b := n.Booking
	money := func(amount int64) string { return from.Money(view.Price{Minor: amount, Currency: b.Currency}) }
	switch n.Kind {
	case booking.ToldReminder:
		title = from.SeeYou(b.StartsAt)
		if n.CostBasis.DueAmount > 0 && len(n.Who) < 2 { // the amounts due for friends are listed with their own bookings
			words = append(words, from.DueAtStudio(view.Price{Minor: n.CostBasis.DueAmount, Currency: b.Currency})+".")
		}
	case booking.ToldBooked:
		title = from.T("You’re booked")
		words = append(words, from.T("{studio} has booked this for you.", "studio", b.BusinessName))
		if n.AtStudioAmount > 0 {
			if n.Several {
				words = append(words, from.T("Price: {amount} each time, due at the studio.", "amount", money(n.AtStudioAmount)))
			} else {
				words = append(words, from.T("Price: {amount}, due at the studio.", "amount", money(n.AtStudioAmount)))
			}
		}
	case booking.ToldApproved:
		title = from.T("Your booking is confirmed")
		words = append(words, from.T("{studio} has approved your request.", "studio", b.BusinessName))
	case booking.ToldDeclined:
		title = from.T("Your request was declined")
		words = append(words, from.T("{studio} cannot take this booking.", "studio", b.BusinessName))
	case booking.ToldRescheduled:
		title = from.T("Your booking was rescheduled")
		if n.WasAt != nil && !n.Several {
			words = append(words, from.T("Previously: {when}.", "when", from.ShortWhen(*n.WasAt)))
		}
	case booking.ToldRelocated:
		title = from.T("Your booking has a new location")
		words = append(words, from.T("The time has not changed."))
	case booking.ToldParty:
		title = from.T("Your booking has changed")
		words = append(words, from.N(b.Party, "It is now for {n} person.", "It is now for {n} people."))
		if n.MoreAmount > 0 {
			words = append(words, from.T("An additional {amount} is due at the studio.", "amount", money(n.MoreAmount)))
		}
	case booking.ToldCancelled:
		title = from.T("Your booking is cancelled")
		if b.State == booking.LateCancelled {
			words = append(words, from.T("It was a late cancellation."))
		}
	case booking.ToldStudioCancelled:
		title = from.T("The studio cancelled your booking")
		words = append(words, from.T("{studio} is sorry: your booking has been cancelled.", "studio", b.BusinessName))
	case booking.ToldSubstituted:
		title = from.T("Your instructor has changed")
		words = append(words, from.T("Your booking is otherwise unchanged."))
	case booking.ToldRoom:
		title = from.T("Your room has changed")
		words = append(words, from.T("The time has not changed."))
	case booking.ToldRestored:
		title = from.T("Back on the schedule")
		if b.Course() {
			words = append(words, from.T("Your spot was cancelled with the date. To attend, contact the studio."))
			break
		}
		words = append(words, from.T("Your booking was cancelled with the date. To attend, book it again."))
	}
	if n.Kind == booking.ToldRescheduled && n.NewInstructor {
		words = append(words, from.T("The instructor has changed."))
	}
	if n.Kind != booking.ToldRoom && n.NewRoom {
		words = append(words, from.T("The room has changed."))
	}
	if n.Words != "" {
		words = append(words, from.T("“{words}”", "words", n.Words))
	}
	switch {
	case n.RefundAmount > 0 && n.Held:
		words = append(words, from.Voided(money(n.RefundAmount)))
	case n.RefundAmount > 0:
		words = append(words, from.T("A refund of {amount} to the card you paid with is on its way. Banks take up to ten days to show it.", "amount", money(n.RefundAmount)))
	}
	if n.DeskAmount > 0 {
		words = append(words, from.T("The studio refunds your {amount} at the desk.", "amount", money(n.DeskAmount)))
	}
	if n.CreditAmount > 0 {
		words = append(words, from.T("{amount} is refunded as account credit with the studio.", "amount", money(n.CreditAmount)))
	}
	if n.GiftCardAmount > 0 {
		words = append(words, from.T("{amount} is refunded to your gift card.", "amount", money(n.GiftCardAmount)))
	}
	if n.Plan != "" {
		words = append(words, from.CreditsBack(n.Plan, n.PlanCredits))
	}
	if n.LostPlan != "" {
		words = append(words, from.CreditsLost(n.LostPlan, n.LostCredits))
	}
	if n.FeeAmount > 0 {
		words = append(words, from.T("A fee of {amount} is due under your booking’s policy.", "amount", money(n.FeeAmount)))
	}
	return title, words
}

// Team is notice.Options.WriteTeam.
func (w Letters) Team(n notice.TeamNotice) mail.Message {
	from := w.studio(n.Locale, n.BusinessName, n.LocationName, n.Zone, n.Address, n.Accent)
	note := view.Notice{
		Title: from.T("You are scheduled to teach"), Line: about(from.Words, n.OfferingName, n.StartsAt, n.EndsAt, "", n.Space, ""), Words: []string{from.T("You are now the instructor for this date.")},
	}
	if n.What == schedule.NoticeUnassigned {
		note.Title, note.Words = from.T("You are no longer scheduled to teach"), []string{from.T("Another instructor teaches this date.")}
	}
	if len(n.Also) > 0 {
		note.Words = []string{from.T("You are now the instructor for these dates.")}
		if n.What == schedule.NoticeUnassigned {
			note.Words = []string{from.T("Another instructor teaches these dates.")}
		}
		for _, d := range append([]notice.TeamNotice{n}, n.Also...) {
			note.Dates = append(note.Dates, view.CourseDate{Start: d.StartsAt, Minutes: view.Minutes(d.StartsAt, d.EndsAt)})
		}
	}
	return letter(n.To, from, view.NoticeLetter(from, note))
}

// about is the subject of a letter: the instructor, the space and the party as far as they are known.
func about(w view.Words, name string, start, end time.Time, instructor, space, party string) view.Line {
	if instructor != "" {
		instructor = w.WhereWith("", instructor)
	}
	return view.Line{Name: name, Start: start, Minutes: view.Minutes(start, end), Where: view.Joined(", ", instructor, space, party)}
}

// studio is a studio as a sender, on the wall clock of one of its locations.
func (w Letters) studio(language, name, location, zone string, at business.Address, accent string) view.From {
	return view.From{
		Words: view.WordsAt(language, at.Country, civil.ZoneOrUTC(zone), w.Clock.Now()), Studio: name, Accent: accent,
		Foot: view.Joined(", ", view.LocationSuffix(name, location), view.AddressLine(at)),
	}
}
