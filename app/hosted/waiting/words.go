package waiting

import (
	"foyer/app/booking"
	"foyer/app/hosted/kit"
	"foyer/app/order"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// page is the state of the entry in words, with its actions.
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
		v.Title, v.State = w.Shell.T("This has begun"), w.Shell.C("state", "Started")
		v.Lines = []string{w.Shell.T("The waitlist is closed.")}
	case w.Acceptable:
		w.offered(&v)
	case w.State == waitlist.Waiting:
		v.Title, v.Stands, v.State = w.Shell.T("You’re on the waitlist"), view.StandsRequested, w.Shell.C("state", "Waiting")
		if w.Position != nil {
			v.State = w.Shell.T("Number {n} in line", "n", *w.Position)
		}
		v.Lines = []string{w.Shell.T(waitingWords[w.Mode]), w.Shell.T(offersUntil, "when", w.Shell.ShortWhen(w.OffersUntil))}
		v.Leave = kit.FormTo(w.path("/leave"))
	case w.State.OnList():
		v.Title, v.State = w.Shell.T("The offer has expired"), w.Shell.C("state", "Expired")
		v.Lines = []string{w.Shell.T("The spot went to the next person in line. If one is still available after everyone else has had an offer, we offer it to you again.")}
		v.Leave = kit.FormTo(w.path("/leave"))
	default:
		w.over(&v)
	}
	return v
}

// offered is an entry with an offer.
func (w *entry) offered(v *Entry) {
	v.Accept, v.Take, v.Links = kit.FormTo(w.path("/accept")), w.Shell.T("Accept spot"), v.Links[:1]
	if w.PriceAmount > 0 {
		v.Price = &view.Price{Minor: order.FullPriceOf(w.PriceAmount, w.Party, w.Pricing, w.Currency), Currency: w.Currency}
		v.Take = w.Shell.T("Accept spot and pay")
	}
	if w.State == waitlist.Offered {
		v.Title, v.Until = w.Shell.T("A spot is available for you"), w.OfferUntil
		v.Lines = []string{w.Shell.T("Accept it in time, or it goes to the next person in line.")}
		v.Decline = kit.FormTo(w.path("/decline"))
		return
	}
	v.Title = w.Shell.T("A spot is available")
	v.Lines = []string{w.Shell.T("Everyone on the waitlist was notified. The first to accept it gets it.")}
	v.Leave = kit.FormTo(w.path("/leave"))
}

// promoted is an entry that became a booking.
func (w *entry) promoted(v *Entry) {
	own := view.Link{Text: w.Shell.T("My bookings"), Href: "/my"}
	if w.BookingID != nil {
		own = view.Link{Text: w.Shell.T("See the booking"), Href: "/my/bookings/" + w.BookingID.String()}
	}
	switch w.BookingState {
	case booking.Held:
		v.Title, v.Stands, v.State = w.Shell.T("Your spot is held"), view.StandsRequested, w.Shell.C("state", "Not booked yet")
		v.Lines = []string{w.Shell.T("We hold it for ten minutes. Finish booking in that time.")}
		v.Accept, v.Take = kit.FormTo(w.path("/accept")), w.Shell.T("Continue")
	case booking.Expired:
		v.Title, v.State = w.Shell.T("Your spot was released"), w.Shell.T("Not booked")
		v.Lines = []string{w.Shell.T("You accepted it but did not finish booking in time, so we released it. Nothing was charged.")}
	case booking.Confirmed, booking.Requested, booking.CheckedIn, booking.Completed:
		v.Title, v.Stands, v.State, v.Links = w.Shell.T("You’re booked"), view.StandsWell, w.Shell.C("state", "Booked"), []view.Link{own}
	default:
		v.Title, v.State, v.Links = w.Shell.T("You had a spot"), w.Shell.StateOf(w.BookingState), []view.Link{own}
	}
}

// over is an entry that is closed.
func (w *entry) over(v *Entry) {
	switch w.State {
	case waitlist.Declined:
		v.Title, v.State = w.Shell.T("You declined the spot"), w.Shell.C("state", "Declined")
		v.Lines = []string{w.Shell.T("The spot went to the next person in line, and you are off the waitlist.")}
	case waitlist.Left:
		v.Title, v.State = w.Shell.T("You’ve left the waitlist"), w.Shell.C("state", "Left")
		v.Lines = []string{w.Shell.T("You will get no more e-mails about this class.")}
	default:
		v.Title, v.State = w.Shell.T("The waitlist is closed"), w.Shell.C("state", "Closed")
		v.Lines = []string{w.Shell.T("No spot opened up in time.")}
	}
}
