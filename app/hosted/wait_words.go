package hosted

import (
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// page is what the place has become, in words, with what can be said to it.
func (w *entry) page() view.WaitPlace {
	class := view.Link{Text: "Other times", Href: "/" + w.LocationSlug + "/" + w.OfferingSlug}
	mine := view.Link{Text: "My bookings", Href: "/my"}
	v := view.WaitPlace{Stands: view.StandsOver, Links: []view.Link{class, mine}, Line: view.Line{
		Name: w.OfferingName, Start: w.StartsAt, Minutes: view.Minutes(w.StartsAt, w.EndsAt), Where: w.Shell.WhereWith(w.Space, w.Instructor),
		Party: w.Party, Who: w.Attendee,
	}}
	switch now := w.Shell.Now; {
	case w.Cancelled:
		v.Title, v.State = "This class is cancelled", "Cancelled by the studio"
		v.Lines = []string{"The waitlist is closed. You do not have to do anything."}
	case w.State == waitlist.Promoted:
		w.promoted(&v)
	case !now.Before(w.StartsAt):
		v.Title, v.State = "This has begun", "Over"
		v.Lines = []string{"The waitlist is closed."}
	case w.Acceptable:
		w.offered(&v)
	case w.State == waitlist.Waiting:
		v.Title, v.Stands, v.State = "You’re on the waitlist", view.StandsAsked, "Waiting"
		if w.Position != nil {
			v.State = ordinal(*w.Position) + " in line"
		}
		v.Lines = []string{waitingWords[w.Mode], "Nobody is asked after " + w.Shell.ShortWhen(w.AsksUntil) + "."}
		v.Leave = formTo(w.path("/leave"))
	case w.State.OnList():
		v.Title, v.State = "The time for answering is over", "Missed"
		v.Lines = []string{"The place went to the next in line. You are asked again when everybody else was, and a place is free then."}
		v.Leave = formTo(w.path("/leave"))
	default:
		w.over(&v)
	}
	return v
}

// waitingWords say what happens next.
var waitingWords = map[catalog.WaitlistMode]string{
	catalog.WaitlistAuto:  "When a place is free and you are next, we book it for you and mail you.",
	catalog.WaitlistOffer: "When a place is free and you are next, we keep it for you for a while and mail you.",
	catalog.WaitlistRace:  "When a place is free, everybody on the list gets a mail. The first to take it has it.",
}

// offered is a place that can be taken now.
func (w *entry) offered(v *view.WaitPlace) {
	v.Accept, v.Take, v.Links = formTo(w.path("/accept")), "Take the place", v.Links[:1]
	if w.PriceAmount > 0 {
		v.Price = &view.Price{Minor: w.PriceAmount, Currency: w.Currency}
		v.Take = "Take the place and pay"
	}
	if w.State == waitlist.Offered {
		v.Title, v.Until = "A place is free for you", w.OfferUntil
		v.Lines = []string{"Take it in time, or the next in line is asked."}
		v.Decline = formTo(w.path("/decline"))
		return
	}
	v.Title = "There is a free place"
	v.Lines = []string{"Everybody on the waitlist was told. The first to take it has it."}
	v.Leave = formTo(w.path("/leave"))
}

// promoted is a place that became a booking.
func (w *entry) promoted(v *view.WaitPlace) {
	own := view.Link{Text: "My bookings", Href: "/my"}
	if w.BookingID != nil {
		own = view.Link{Text: "See the booking", Href: "/my/bookings/" + w.BookingID.String()}
	}
	switch w.BookingState {
	case booking.Held:
		v.Title, v.Stands, v.State = "The place is yours", view.StandsAsked, "Not booked yet"
		v.Lines = []string{"We keep it for ten minutes. Go on to book it."}
		v.Accept, v.Take = formTo(w.path("/accept")), "Go on"
	case booking.Expired:
		v.Title, v.State = "The place is gone", "Not booked"
		v.Lines = []string{"You took it and did not finish in time, so we let it go. Nothing was charged."}
	case booking.Confirmed, booking.Requested, booking.CheckedIn, booking.Completed:
		v.Title, v.Stands, v.State, v.Links = "You’re booked", view.StandsWell, "Booked", []view.Link{own}
		if w.GraceUntil != nil && w.Shell.Now.Before(*w.GraceUntil) {
			v.Lines = []string{"If it does not suit you any more, cancel free of charge until " + w.Shell.Soon(*w.GraceUntil) + "."}
		}
	default:
		v.Title, v.State, v.Links = "You had a place", w.Shell.StateOf(w.BookingState), []view.Link{own}
	}
}

// over is a place that nothing can become of any more.
func (w *entry) over(v *view.WaitPlace) {
	switch w.State {
	case waitlist.Declined:
		v.Title, v.State = "You said no", "Declined"
		v.Lines = []string{"The place went to the next in line, and you are off the list."}
	case waitlist.Left:
		v.Title, v.State = "You’ve left the waitlist", "Left"
		v.Lines = []string{"Nobody will ask you about this class any more."}
	default:
		v.Title, v.State = "The waitlist is closed", "Closed"
		v.Lines = []string{"No place became free in time."}
	}
}
