package letters

import (
	"foyer/app/catalog"
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// Waitlist is waitlist.Options.WriteLetter.
func (w Letters) Waitlist(m waitlist.Letter) mail.Message {
	from := w.studio(m.Recipient.Locale, m.BusinessName, m.LocationName, m.Zone, m.Address, m.Accent)
	note := view.Notice{
		Line:   about(from.Words, m.OfferingName, m.StartsAt, m.EndsAt, m.Instructor, m.Space, ""),
		Button: from.T("See waitlist entry"), Link: w.BaseURL + "/my/waitlist/" + m.Token,
	}
	if m.State.OnList() {
		note.Last = from.T("You can leave the waitlist at any time on the same page.")
	}
	note.Title, note.Words = waitWords(from, m)
	var events []Event
	switch m.Letter {
	case waitlist.LetterOffered, waitlist.LetterFree:
		note.Button = from.T("Accept spot")
	case waitlist.LetterPromoted:
		note.Button, note.Link, note.Map = from.T("Reschedule or cancel"), w.booking(m.Booking.ID), view.MapOf(m.BusinessName, m.Address)
		note.Terms = view.Deadlines(from.Words, m.Booking.Booking, m.CostBasis)
		events = StandingEvents(from.Words, m.Booking, view.AddressLine(m.Address), note.Link)
		note.Add = Links(events, from.Now)
	}
	out := letter(m.Recipient.Email, from, view.NoticeLetter(from, note))
	out.Files = Files(w.host(), events)
	return out
}

// waitWords is the text of a letter about a waitlist.
func waitWords(from view.From, m waitlist.Letter) (title string, words []string) {
	cost := ""
	if m.PriceAmount > 0 {
		cost = from.Money(view.Price{Minor: order.FullPriceOf(m.PriceAmount, m.Party, m.Pricing, m.Currency), Currency: m.Currency})
	}
	switch m.Letter {
	case waitlist.LetterJoined:
		words = append(words, joinedWords(from, m))
		if m.Position != nil {
			words = append(words, from.T("Your position in line: {n}.", "n", *m.Position))
		}
		return from.T("You’re on the waitlist"), words
	case waitlist.LetterOffered:
		words = append(words, from.N(m.Party, "A spot is held for you until {when}. Accept it by then, or it goes to the next person in line.",
			"{n} spots are held for you until {when}. Accept them by then, or they go to the next person in line.", "when", from.ShortWhen(*m.OfferUntil)))
		if cost != "" {
			words = append(words, from.T("Price: {amount}.", "amount", cost))
		}
		return from.T("A spot is available for you"), words
	case waitlist.LetterFree:
		return from.T("A spot is available"), []string{from.T("Everyone on the waitlist gets this e-mail. The first to accept the spot gets it.")}
	case waitlist.LetterPromoted:
		words = append(words, from.T("You were next on the waitlist, so you’re booked."))
		if cost != "" {
			words = append(words, from.T("{amount} is due at the studio.", "amount", cost))
		}
		return from.T("You’re booked"), words
	case waitlist.LetterExpired:
		return from.T("The spot went to the next person in line"), []string{from.T("The offer has expired. You stay on the waitlist: if a spot is still available after everyone else has had an offer, we offer it to you again.")}
	}
	return from.T("This class is cancelled"), []string{from.T("The waitlist is closed. You do not have to do anything.")}
}

// joinedWords explains how a free seat is offered.
func joinedWords(w view.From, m waitlist.Letter) string {
	switch m.Mode {
	case catalog.WaitlistAuto:
		return w.T("When a spot opens up and you are next in line, we book it for you and let you know.")
	case catalog.WaitlistRace:
		return w.T("When a spot opens up, we notify everyone on the waitlist. The first to accept it gets it.")
	}
	return w.T("When a spot opens up and you are next in line, we hold it for you for a while and let you know.")
}
