package view

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"foyer/app/catalog"
	"foyer/app/schedule"
	"foyer/app/walkin"
)

// What embed.templ shows. Every address is absolute: a fragment lives on somebody else's website.

// EmbedDay is one day of a fragment; days without rows are left out.
type EmbedDay struct {
	Date time.Time
	Rows []EmbedRow
}

// EmbedRow is one date in a fragment. Href is where it is booked.
type EmbedRow struct {
	Row
	Page string // address of the listing
	Cost string // Price in words, when it was written before
	Full bool
}

// EmbedRowOf is a date without its addresses. A full date reads Waitlist (E47), also in the last hour, when its page says
// that the list is closed; only where there is no list at all it reads Full.
func EmbedRowOf(x schedule.PublicOccurrence, p schedule.Location) EmbedRow {
	r := EmbedRow{Row: RowOf(x, p), Full: x.Full()}
	if r.Action == ActionFull && !x.NeverWaits {
		r.Action = ActionWaitlist
	}
	return r
}

// EmbedTimeOf is a computed time without its address: it is free, or it would not be there. shared tells that people share
// the space, so that the seats that are left count.
func EmbedTimeOf(x schedule.PublicOccurrence, p schedule.Location, shared bool) EmbedRow {
	r := EmbedRow{Row: Row{Start: x.StartsAt, Minutes: x.Minutes(), Name: x.Name, Price: PriceAt(x, p), Action: ActionOf(x)}}
	if shared {
		r.Spots = x.Spots
	}
	return r
}

func (r EmbedRow) cost(w Words) string {
	if r.Cost == "" && r.Price != nil {
		return w.MoneyShort(*r.Price)
	}
	return r.Cost
}

// spots is what the span of that name says: how many are left when they are few, and that none is.
func (r EmbedRow) spots(w Words) string {
	switch {
	case r.Full && r.Action != ActionFull:
		return w.Action(ActionFull)
	case r.Action == ActionBook:
		return w.SpotsLeft(r.Spots)
	}
	return ""
}

// note is spots where there is no label: it says what the link is for, when that is not booking (E60).
func (r EmbedRow) note(w Words) string {
	if r.Action != ActionBook {
		return w.Action(r.Action)
	}
	return w.SpotsLeft(r.Spots)
}

// named is what the link of a row is called, for who hears links without their rows: "Book Slow Burn, Today 17:30".
func (r EmbedRow) named(w Words) string {
	return w.T("{action} {what}, {when}", "action", w.Action(r.Action), "what", plain(r.Name), "when", w.dayAndTime(r.Start))
}

// dated is what the link of a time is called: "Today 17:30, 2 spots left".
func (r EmbedRow) dated(w Words) string {
	return Joined(" ", w.dayAndTime(r.Start), r.note(w))
}

// EmbedList is what can be booked. Kind is that of all items, or "group".
type EmbedList struct {
	Kind  string
	Items []EmbedItem
}

// EmbedItem is one listing. What has nothing to say is empty, and left out.
type EmbedItem struct {
	Name, Page          string
	Next, Length, Price string
	Mode                string // of a room
	Text                string
}

// teaserMost is how much of a description a list shows, in characters (E38).
const teaserMost = 160

// EmbedItemOf is a listing without its address and its next time.
func EmbedItemOf(w Words, l catalog.Listing) EmbedItem {
	it := EmbedItem{Name: l.Name, Length: w.LengthsOf(l), Text: Teaser(l.Description, teaserMost)}
	it.Price = w.priceRange(choicesOf(l), l.Pricing, l.Currency, false)
	if l.Kind == catalog.Rental {
		it.Mode = w.T("whole space")
		if l.SoldAs == catalog.PerPerson {
			it.Mode = w.T("per person")
		}
	}
	return it
}

// embedSpan is a span with its hook, and what stands between it and the one before.
type embedSpan struct{ gap, hook, text string }

// meta are the spans that have something to say, in their order (E36, E37, E39).
func (it EmbedItem) meta() []embedSpan {
	spans := []embedSpan{{" ", "next", it.Next}, {" ", "duration", it.Length}, {" ", "price", it.Price}, {" ", "mode", it.Mode}}
	spans = slices.DeleteFunc(spans, func(s embedSpan) bool { return s.text == "" })
	if len(spans) > 0 {
		spans[0].gap = ""
	}
	return spans
}

// EmbedTimes are the times of one listing.
type EmbedTimes struct {
	Name, Price, Length string
	Page                string    // address of the listing: the form goes there
	Min                 time.Time // today
	From                time.Time // the day that was asked for; zero without
	Days                []EmbedDay
	Later               string // address of the next page; empty on the last
}

// EmbedTimesOf is the head of a page of times, without its addresses and its days.
func EmbedTimesOf(w Words, t schedule.Times) EmbedTimes {
	choices := t.Lengths
	if len(choices) == 0 {
		choices = []catalog.Duration{{Minutes: t.Head.DurationMinutes, PriceAmount: t.Head.PriceAmount}}
	}
	each := t.Head.Kind.ByTheHead(t.Head.SoldAs)
	return EmbedTimes{
		Name: t.Head.OfferingName, Length: w.lengthRange(choices), Price: w.priceRange(choices, t.Head.Pricing, t.Location.Currency, each),
		Min: Noon(t.Location.Today, t.Location.Loc),
	}
}

// EmbedWalkins is what the door says.
type EmbedWalkins struct {
	State, Level  string // Level is empty when closed
	Spots         int
	Label, Detail string
	Book          string // where its link leads
	Target        string // "", "_self" or "_blank"
}

// EmbedWalkinsOf is what the door says, without addresses. It holds no "now" and nothing that counts down: while nothing
// has changed, not a byte of it has (E132).
func EmbedWalkinsOf(w Words, in walkin.Walkins) EmbedWalkins {
	v := EmbedWalkins{State: string(in.State), Level: string(in.Level), Spots: in.Spots}
	switch in.State {
	case walkin.Open:
		v.Label, v.Detail = w.T("Walk in now"), w.spotsFree(in.Spots)
	case walkin.Busy:
		v.Label, v.Detail = w.T("Nearly full"), w.spotsFree(in.Spots)
	case walkin.Full:
		v.Label, v.Detail = w.C("walk-ins", "Full"), w.noSpots()
	default:
		v.Label = w.C("walk-ins", "Closed")
		if in.Until != nil {
			v.Detail = w.T("Opens {when}", "when", w.Soon(*in.Until))
		}
		return v
	}
	if in.Until != nil {
		v.Detail = w.T("{spots}, open until {when}", "spots", v.Detail, "when", w.Soon(*in.Until))
	}
	return v
}

// Teaser is the beginning of a text in one line: whole words, at most so many characters with the dots that say that more
// follows. A word that alone is too long is cut, and not inside a character with its accents.
func Teaser(text string, most int) string {
	line := strings.Join(strings.Fields(plain(text)), " ")
	runes := []rune(line)
	if len(runes) <= most {
		return line
	}
	end := most - 1 // the dots are one
	for end > 0 && (joins(runes[end]) || runes[end-1] == zeroWidthJoiner) {
		end--
	}
	cut := string(runes[:end])
	if runes[end] != ' ' {
		if space := strings.LastIndexByte(cut, ' '); space > 0 {
			cut = cut[:space]
		}
	}
	return strings.TrimRight(cut, " ,;:.–-") + "…"
}

const zeroWidthJoiner = '\u200d'

// joins reports whether a character belongs to the one before it.
func joins(r rune) bool { return unicode.Is(unicode.M, r) || r == zeroWidthJoiner }

// plain is a studio's text without the characters that have no place in HTML: controls, and code points that are no
// characters.
func plain(s string) string {
	if strings.IndexFunc(s, unprintable) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unprintable(r) {
			return ' '
		}
		return r
	}, s)
}

func unprintable(r rune) bool {
	return unicode.IsControl(r) || r == utf8.RuneError || r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef
}
