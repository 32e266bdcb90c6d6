package letters

import (
	"fmt"

	"foyer/app/catalog"
	"foyer/app/mail"
	"foyer/app/view"
	"foyer/app/waitlist"
)

// Waitlist is waitlist.Options.WriteLetter.
func (w Letters) Waitlist(m waitlist.Letter) mail.Message {
	from := w.studio(m.Recipient.Locale, m.BusinessName, m.LocationName, m.Zone, m.Country)
	note := view.Notice{
		Line:   about(m.OfferingName, m.StartsAt, m.EndsAt, m.Instructor, m.Space, ""),
		Button: "See your place", Link: w.BaseURL + "/my/waitlist/" + m.Token,
	}
	if m.State.OnList() {
		note.Last = "You can leave the waitlist at any time on the same page."
	}
	note.Title, note.Words = waitWords(from, m)
	switch m.Letter {
	case waitlist.LetterOffered, waitlist.LetterFree:
		note.Button = "Take the place"
	case waitlist.LetterPromoted:
		note.Button, note.Link = "My bookings", w.BaseURL+"/my"
	}
	return letter(m.Recipient.Email, view.NoticeLetter(from, note))
}

// waitWords is what a letter about a waitlist says.
func waitWords(from view.From, m waitlist.Letter) (title string, words []string) {
	places := "A place"
	if m.Party > 1 {
		places = fmt.Sprintf("%d places", m.Party)
	}
	cost := ""
	if m.PriceAmount > 0 {
		cost = from.Money(view.Price{Minor: m.PriceAmount, Currency: m.Currency})
	}
	switch m.Letter {
	case waitlist.LetterJoined:
		words = append(words, joinedWords(m))
		if m.Position != nil {
			words = append(words, fmt.Sprintf("Your place in line: %d.", *m.Position))
		}
		return "You’re on the waitlist", words
	case waitlist.LetterOffered:
		words = append(words, places+" is kept for you until "+from.ShortWhen(*m.OfferUntil)+". Take it by then, or the next in line is asked.")
		if cost != "" {
			words = append(words, "Price: "+cost+".")
		}
		return "A place is free for you", words
	case waitlist.LetterFree:
		return "There is a free place", []string{"Everybody on the waitlist gets this letter. The first to take the place has it."}
	case waitlist.LetterPromoted:
		words = append(words, "You were next on the waitlist, so you’re booked.")
		if cost != "" {
			words = append(words, cost+" is due at the studio.")
		}
		if m.GraceUntil != nil {
			words = append(words, "If it does not suit you any more, cancel free of charge until "+from.ShortWhen(*m.GraceUntil)+".")
		}
		return "You’re booked", words
	case waitlist.LetterExpired:
		return "The place went to the next in line", []string{"The time for answering was over. You keep your place on the waitlist until everybody was asked, and are asked again then when a place is free."}
	}
	return "This class is cancelled", []string{"The waitlist is closed. You do not have to do anything."}
}

// joinedWords says how a free seat finds its next person.
func joinedWords(m waitlist.Letter) string {
	switch m.Mode {
	case catalog.WaitlistAuto:
		return "When a place becomes free and you are next, we book it for you and tell you."
	case catalog.WaitlistRace:
		return "When a place becomes free we tell everybody on the waitlist. The first to take it has it."
	}
	return "When a place becomes free and you are next, we keep it for you for a while and ask you."
}
