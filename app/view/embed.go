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

// The data of embed.templ. Every address is absolute, because a fragment is part of another website.

// EmbedDay is one day of a fragment. Days without rows are left out.
type EmbedDay struct {
	Date time.Time
	Rows []EmbedRow
}

// EmbedRow is one date in a fragment. Href is the address to book it.
type EmbedRow struct {
	Row
	Page string // address of the listing
	Cost string // Price in words, if already formatted
	Full bool
}

// EmbedRowOf returns a date without its addresses. A full date reads Waitlist (E47), also in the last hour, when its
// page shows the list as closed. It reads Full only if there is no waitlist at all.
func EmbedRowOf(x schedule.PublicOccurrence, p schedule.Location) EmbedRow {
	r := EmbedRow{Row: RowOf(x, PriceAt(x, p)), Full: x.Full()}
	if r.Action == ActionFull && !x.NeverWaits {
		r.Action = ActionWaitlist
	}
	return r
}

// EmbedTimeOf returns a computed time without its address. A computed time is always free. shared reports whether
// customers share the space, so that the free seats count.
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

// spots is the text of the span of that name: the number of free spots when they are few, or that none is free.
func (r EmbedRow) spots(w Words) string {
	switch {
	case r.Full && r.Action != ActionFull:
		return w.Action(ActionFull)
	case r.Action == ActionBook:
		return w.SpotsLeft(r.Spots)
	}
	return ""
}

// note is spots for a row without a label. It names the purpose of the link if that is not booking (E60).
func (r EmbedRow) note(w Words) string {
	if r.Action != ActionBook {
		return w.Action(r.Action)
	}
	return w.SpotsLeft(r.Spots)
}

// named is the accessible name of a row's link, for screen readers: "Book Slow Burn, Today 17:30".
func (r EmbedRow) named(w Words) string {
	return w.T("{action} {what}, {when}", "action", w.Action(r.Action), "what", plain(r.Name), "when", w.dayAndTime(r.Start))
}

// dated is the text of a time's link: "Today 17:30, 2 spots left".
func (r EmbedRow) dated(w Words) string {
	return Joined(" ", w.dayAndTime(r.Start), r.note(w))
}

// EmbedList is a list of bookable items. Kind is the kind of all items, or "group".
type EmbedList struct {
	Kind  string
	Items []EmbedItem
}

// EmbedItem is one listing. Empty fields are left out.
type EmbedItem struct {
	Name, Page          string
	Next, Length, Price string
	Mode                string // for a room
	Text                string
}

// teaserMost is the length of a description in a list, in characters (E38).
const teaserMost = 160

// EmbedItemOf returns a listing without its address and its next time.
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

// embedSpan is a span with its hook, and the separator before it.
type embedSpan struct{ gap, hook, text string }

// meta returns the spans that are not empty, in their order (E36, E37, E39).
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
	Page                string    // address of the listing: target of the form
	Min                 time.Time // today
	From                time.Time // the requested day, or zero
	Days                []EmbedDay
	Later               string // address of the next page; empty on the last
}

// EmbedTimesOf returns the head of a page of times, without its addresses and its days.
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

// EmbedWalkins is the walk-in status of a location.
type EmbedWalkins struct {
	State, Level  string // Level is empty when closed
	Spots         int
	Label, Detail string
	Book          string // target of its link
	Target        string // "", "_self" or "_blank"
}

// EmbedWalkinsOf returns the walk-in status, without addresses. It contains no "now" and no countdown: while the
// status is the same, so is every byte (E132).
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

// Teaser returns the beginning of a text on one line: whole words, at most the given number of characters including
// the ellipsis for omitted text. A single word that is too long is cut, but never between a character and its
// combining marks.
func Teaser(text string, most int) string {
	line := strings.Join(strings.Fields(plain(text)), " ")
	runes := []rune(line)
	if len(runes) <= most {
		return line
	}
	end := most - 1 // the ellipsis is one
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

// plain is a studio's text without characters that HTML does not allow: controls and noncharacters.
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
