package waiting

import (
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/hosted/kit"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// page is what the place has become, in words, with what can be said to it.
func (w *entry) page() Entry {
	class := view.Link{Text: w.Shell.T("Other times"), Href: "/" + w.LocationSlug + "/" + w.OfferingSlug}
	mine := view.Link{Text: w.Shell.T("My bookings"), Href: "/my"}
	v := Entry{Stands: view.StandsOver, Links: []view.Link{class, mine}, Line: view.Line{
		Name: w.OfferingName, Start: w.StartsAt, Minutes: view.Minutes(w.StartsAt, w.EndsAt), Where: w.Shell.WhereWith(w.Space, w.Instructor),
		Party: w.Party, Who: w.Attendee,
	}}
	switch now := w.Shell.Now; {
	case w.Cancelled:
		v.Title, v.State = w.Shell.T("This class is cancelled"), w.Shell.T("Cancelled by the studio")
		v.Lines = []string{w.Shell.T("The waitlist is closed. You do not have to do anything.")}
	case w.State == waitlist.Promoted:
		w.promoted(&v)
	case !now.Before(w.StartsAt):
		v.Title, v.State = w.Shell.T("This has begun"), w.Shell.C("state", "Over")
		v.Lines = []string{w.Shell.T("The waitlist is closed.")}
	case w.Acceptable:
		w.offered(&v)
	case w.State == waitlist.Waiting:
		v.Title, v.Stands, v.State = w.Shell.T("You’re on the waitlist"), view.StandsAsked, w.Shell.C("state", "Waiting")
		if w.Position != nil {
			v.State = w.Shell.T("Number {n} in line", "n", *w.Position)
		}
		v.Lines = []string{w.Shell.T(waitingWords[w.Mode]), w.Shell.T(askedUntil, "when", w.Shell.ShortWhen(w.AsksUntil))}
		v.Leave = kit.FormTo(w.path("/leave"))
	case w.State.OnList():
		v.Title, v.State = w.Shell.T("The time for answering is over"), w.Shell.C("state", "Missed")
		v.Lines = []string{w.Shell.T("The place went to the next in line. If one is still free when everybody else has been asked, we ask you again.")}
		v.Leave = kit.FormTo(w.path("/leave"))
	default:
		w.over(&v)
	}
	return v
}

// offered is a place that can be taken now.
func (w *entry) offered(v *Entry) {
	v.Accept, v.Take, v.Links = kit.FormTo(w.path("/accept")), w.Shell.T("Take the place"), v.Links[:1]
	if w.PriceAmount > 0 {
		v.Price = &view.Price{Minor: checkout.FullPriceOf(w.PriceAmount, w.Party, w.Pricing, w.Currency), Currency: w.Currency}
		v.Take = w.Shell.T("Take the place and pay")
	}
	if w.State == waitlist.Offered {
		v.Title, v.Until = w.Shell.T("A place is free for you"), w.OfferUntil
		v.Lines = []string{w.Shell.T("Take it in time, or the next in line is asked.")}
		v.Decline = kit.FormTo(w.path("/decline"))
		return
	}
	v.Title = w.Shell.T("There is a free place")
	v.Lines = []string{w.Shell.T("Everybody on the waitlist was told. The first to take it has it.")}
	v.Leave = kit.FormTo(w.path("/leave"))
}

// promoted is a place that became a booking.
func (w *entry) promoted(v *Entry) {
	own := view.Link{Text: w.Shell.T("My bookings"), Href: "/my"}
	if w.BookingID != nil {
		own = view.Link{Text: w.Shell.T("See the booking"), Href: "/my/bookings/" + w.BookingID.String()}
	}
	switch w.BookingState {
	case booking.Held:
		v.Title, v.Stands, v.State = w.Shell.T("The place is yours"), view.StandsAsked, w.Shell.C("state", "Not booked yet")
		v.Lines = []string{w.Shell.T("We keep it for ten minutes. Go on to book it.")}
		v.Accept, v.Take = kit.FormTo(w.path("/accept")), w.Shell.T("Go on")
	case booking.Expired:
		v.Title, v.State = w.Shell.T("The place is gone"), w.Shell.T("Not booked")
		v.Lines = []string{w.Shell.T("You took it and did not finish in time, so we let it go. Nothing was charged.")}
	case booking.Confirmed, booking.Requested, booking.CheckedIn, booking.Completed:
		v.Title, v.Stands, v.State, v.Links = w.Shell.T("You’re booked"), view.StandsWell, w.Shell.C("state", "Booked"), []view.Link{own}
	default:
		v.Title, v.State, v.Links = w.Shell.T("You had a place"), w.Shell.StateOf(w.BookingState), []view.Link{own}
	}
}

// over is a place that nothing can become of any more.
func (w *entry) over(v *Entry) {
	switch w.State {
	case waitlist.Declined:
		v.Title, v.State = w.Shell.T("You said no"), w.Shell.C("state", "Declined")
		v.Lines = []string{w.Shell.T("The place went to the next in line, and you are off the list.")}
	case waitlist.Left:
		v.Title, v.State = w.Shell.T("You’ve left the waitlist"), w.Shell.C("state", "Left")
		v.Lines = []string{w.Shell.T("You get no more mails about this class.")}
	default:
		v.Title, v.State = w.Shell.T("The waitlist is closed"), w.Shell.C("state", "Closed")
		v.Lines = []string{w.Shell.T("No place became free in time.")}
	}
}
