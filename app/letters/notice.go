package letters

import (
	"strconv"
	"time"

	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/schedule"
	"foyer/app/view"
)

// Notice is notice.Options.Write.
func (w Letters) Notice(n notice.Notice) mail.Message {
	b := n.Booking
	from := w.studio(n.Locale, b.BusinessName, b.LocationName, b.Zone, n.Country)
	note := view.Notice{
		Line: about(b.OfferingName, b.StartsAt, b.EndsAt, b.Instructor,
			view.Joined(", ", b.Space, view.Elsewhere(b.BusinessName, b.LocationName)), view.Several(b.Party)),
		Button: "See the booking", Link: w.BaseURL + "/my/bookings/" + b.ID.String(),
	}
	note.Who = b.Attendee
	note.Title, note.Words = noticeWords(from, n)
	if n.Terms() {
		note.Terms = view.Deadlines(from.Words, nextOf(b, from.Now), n.Stake)
	}
	switch {
	case n.Course || n.Several:
		note.Dates = standingDates(b)
	case b.Course():
		note.Words = append(note.Words, "This is about one date of your course. Its other dates stay as they are.")
	}
	return letter(n.To, view.NoticeLetter(from, note))
}

// nextOf is a booking as it can be cancelled: of a course the next date that is to come.
func nextOf(b booking.CustomerBooking, now time.Time) booking.Booking {
	if len(b.Dates) > 0 {
		b.StartsAt = booking.StandsFor(b.Dates, now).StartsAt
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
	switch n.What {
	case booking.ToldBooked:
		title = "You’re booked"
		words = append(words, b.BusinessName+" has booked this for you.")
		if b.PriceAmount > 0 && b.OrderID == nil {
			if n.Several {
				words = append(words, "Price: "+money(b.PriceAmount)+" each time, to be paid at the studio.")
			} else {
				words = append(words, "Price: "+money(b.PriceAmount)+", to be paid at the studio.")
			}
		}
	case booking.ToldApproved:
		title = "Your booking is confirmed"
		words = append(words, b.BusinessName+" has said yes to your request.")
	case booking.ToldDeclined:
		title = "Your request was declined"
		words = append(words, b.BusinessName+" cannot take this booking.")
	case booking.ToldMoved:
		title = "Your booking has moved"
		if n.WasAt != nil && !n.Several {
			words = append(words, "It was "+from.ShortWhen(*n.WasAt)+" before.")
		}
	case booking.ToldRelocated:
		title = "Your booking is at another place"
		words = append(words, "The time stays as it was.")
	case booking.ToldParty:
		title = "Your booking has changed"
		words = append(words, "How many you are now: "+strconv.Itoa(b.Party)+".")
		if n.MoreAmount > 0 {
			words = append(words, money(n.MoreAmount)+" more is to be paid at the studio.")
		}
	case booking.ToldCancelled:
		title = "Your booking is cancelled"
		if b.State == booking.LateCancelled {
			words = append(words, "It was cancelled late.")
		}
	case booking.ToldStudioCancelled:
		title = "The studio has cancelled"
		words = append(words, b.BusinessName+" is sorry: this does not take place for you.")
	case booking.ToldSubstituted:
		title = "Somebody else teaches"
		words = append(words, "Your booking stays as it is.")
	case booking.ToldRestored:
		title = "It takes place after all"
		if b.Course() {
			words = append(words, "Your place was cancelled with the date. Ask the studio for it if you would like to come.")
			break
		}
		words = append(words, "Your booking was cancelled with the date. Book it again if you would like to come.")
	}
	if n.Words != "" {
		words = append(words, "“"+n.Words+"”")
	}
	if n.BackAmount > 0 {
		words = append(words, money(n.BackAmount)+" is on its way back to the card you paid with. Banks take up to ten days to show it.")
	}
	if n.FeeAmount > 0 {
		words = append(words, "A fee of "+money(n.FeeAmount)+" is due by the rules of your booking.")
	}
	return title, words
}

// Team is notice.Options.WriteTeam.
func (w Letters) Team(n notice.TeamNotice) mail.Message {
	from := w.studio(n.Locale, n.BusinessName, n.LocationName, n.Zone, n.Country)
	note := view.Notice{
		Title: "You teach", Line: about(n.OfferingName, n.StartsAt, n.EndsAt, "", n.Space, ""), Words: []string{"This date is yours now."},
	}
	if n.What == schedule.NoticeTaken {
		note.Title, note.Words = "You do not teach", []string{"Somebody else takes this date."}
	}
	return letter(n.To, view.NoticeLetter(from, note))
}

// about is what a letter is about: the instructor, the space and the party as far as they are known.
func about(name string, start, end time.Time, instructor, space, party string) view.Line {
	if instructor != "" {
		instructor = "With " + instructor
	}
	return view.Line{Name: name, Start: start, Minutes: view.Minutes(start, end), Where: view.Joined(", ", instructor, space, party)}
}

// studio is a studio that writes on the wall clock of one of its locations.
func (w Letters) studio(language, business, location, zone, country string) view.From {
	return view.From{
		Words: view.WordsAt(language, country, civil.ZoneOrUTC(zone), w.Clock.Now()), Studio: business, Foot: view.Joined(", ", business, location),
	}
}
