package letters

import (
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/mail"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// Waitlist is waitlist.Options.WriteLetter.
func (w Letters) Waitlist(m waitlist.Letter) mail.Message {
	from := w.studio(m.Recipient.Locale, m.BusinessName, m.LocationName, m.Zone, m.Address, m.Accent)
	note := view.Notice{
		Line:   about(from.Words, m.OfferingName, m.StartsAt, m.EndsAt, m.Instructor, m.Space, ""),
		Button: from.T("See your place"), Link: w.BaseURL + "/my/waitlist/" + m.Token,
	}
	if m.State.OnList() {
		note.Last = from.T("You can leave the waitlist at any time on the same page.")
	}
	note.Title, note.Words = waitWords(from, m)
	var events []Event
	switch m.Letter {
	case waitlist.LetterOffered, waitlist.LetterFree:
		note.Button = from.T("Take the place")
	case waitlist.LetterPromoted:
		note.Button, note.Link, note.Map = from.T("Move or cancel"), w.booking(m.Booking.ID), view.MapOf(m.BusinessName, m.Address)
		note.Terms = view.Deadlines(from.Words, m.Booking.Booking, m.CostBasis)
		events = StandingEvents(from.Words, m.Booking, view.AddressLine(m.Address), note.Link)
		note.Add = Links(events, from.Now)
	}
	out := letter(m.Recipient.Email, from, view.NoticeLetter(from, note))
	out.Files = Files(w.host(), events)
	return out
}

// waitWords is what a letter about a waitlist says.
func waitWords(from view.From, m waitlist.Letter) (title string, words []string) {
	cost := ""
	if m.PriceAmount > 0 {
		cost = from.Money(view.Price{Minor: checkout.FullPriceOf(m.PriceAmount, m.Party, m.Pricing, m.Currency), Currency: m.Currency})
	}
	switch m.Letter {
	case waitlist.LetterJoined:
		words = append(words, joinedWords(from, m))
		if m.Position != nil {
			words = append(words, from.T("Your place in line: {n}.", "n", *m.Position))
		}
		return from.T("You’re on the waitlist"), words
	case waitlist.LetterOffered:
		words = append(words, from.N(m.Party, "A place is kept for you until {when}. Take it by then, or the next in line is asked.",
			"{n} places are kept for you until {when}. Take them by then, or the next in line is asked.", "when", from.ShortWhen(*m.OfferUntil)))
		if cost != "" {
			words = append(words, from.T("Price: {amount}.", "amount", cost))
		}
		return from.T("A place is free for you"), words
	case waitlist.LetterFree:
		return from.T("There is a free place"), []string{from.T("Everybody on the waitlist gets this letter. The first to take the place has it.")}
	case waitlist.LetterPromoted:
		words = append(words, from.T("You were next on the waitlist, so you’re booked."))
		if cost != "" {
			words = append(words, from.T("{amount} is due at the studio.", "amount", cost))
		}
		return from.T("You’re booked"), words
	case waitlist.LetterExpired:
		return from.T("The place went to the next in line"), []string{from.T("The time for answering was over. You stay on the waitlist: when everybody else was asked and a place is free, we ask you again.")}
	}
	return from.T("This class is cancelled"), []string{from.T("The waitlist is closed. You do not have to do anything.")}
}

// joinedWords says how a free seat finds its next person.
func joinedWords(w view.From, m waitlist.Letter) string {
	switch m.Mode {
	case catalog.WaitlistAuto:
		return w.T("When a place becomes free and you are next, we book it for you and tell you.")
	case catalog.WaitlistRace:
		return w.T("When a place becomes free we tell everybody on the waitlist. The first to take it has it.")
	}
	return w.T("When a place becomes free and you are next, we keep it for you for a while and ask you.")
}
