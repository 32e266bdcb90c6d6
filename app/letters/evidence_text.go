package letters

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fees"
	"foyer/app/sales"
	"foyer/app/view"
	"foyer/billing"
	"foyer/billing/processor"
)

// EvidenceText returns the evidence for a dispute, from the product's own records: a draft, for the studio to edit
// and submit. It is in English, read by banks worldwide, on the wall clock of the location, with years and the name
// of the clock, because a bank has neither. A line without facts is left out. It is a pure function.
func EvidenceText(c sales.DisputeFacts) processor.Evidence {
	if len(c.Bookings) == 0 {
		return processor.Evidence{}
	}
	p := evidenceText{DisputeFacts: c, words: view.WordsAt("en", c.Receipt.Address.Country, civil.ZoneOrUTC(c.Receipt.Zone), c.Dispute.HappenedAt)}
	return processor.Evidence{
		Product: p.product(), CustomerName: c.Receipt.CustomerName, CustomerEmail: c.Email, CustomerIP: p.address(), ServiceDate: p.dates(),
		Attendance: p.attendance(), Policy: p.policy(), Refusal: p.refusal(), Other: p.other(),
	}
}

type evidenceText struct {
	sales.DisputeFacts
	words view.Words
}

// lines puts each non-empty sentence on a line of its own.
func lines(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), "\n")
}

func (p evidenceText) date(t time.Time) string { return t.In(p.words.Zone).Format("2 January 2006") }

func (p evidenceText) clock(t time.Time) string {
	return t.In(p.words.Zone).Format("2 January 2006, 15:04")
}

func (p evidenceText) span(from, to time.Time) string {
	return p.clock(from) + " to " + to.In(p.words.Zone).Format("15:04") + " (" + p.words.Zone.String() + ")"
}

// kinds are the names of kinds in a sentence.
var kinds = map[catalog.Kind]string{catalog.Class: "a class", catalog.Appointment: "an appointment", catalog.Rental: "the use of a room"}

// product is the items sold: each line of the order with its time, location and people.
func (p evidenceText) product() string {
	var out []string
	for _, l := range p.Receipt.Lines {
		what := l.Label + ": " + kinds[l.OfferingKind]
		switch l.Fee {
		case fees.NoShow:
			what = "The fee for not coming to " + l.Label
		case fees.LateCancel:
			what = "The fee for cancelling " + l.Label + " late"
		}
		if l.StartsAt.IsZero() {
			out = append(out, fmt.Sprintf("%s: %d", l.Label, l.Quantity))
			continue
		}
		if len(l.Dates) > 1 {
			what += fmt.Sprintf(" of %d dates", len(l.Dates))
		}
		what += ", " + p.span(l.StartsAt, l.EndsAt)
		if l.Instructor != "" {
			what += ", with " + l.Instructor
		}
		if l.Party > 1 {
			what += fmt.Sprintf(", for %d people", l.Party)
		}
		if l.Attendee != "" {
			what += ", for " + l.Attendee
		}
		out = append(out, what)
	}
	r := p.Receipt
	return lines(append(out, "Sold by "+view.Joined(", ", r.BusinessName, view.LocationSuffix(r.BusinessName, r.LocationName), view.AddressLine(r.Address)))...)
}

// datesMost is the number of dates listed one by one.
const datesMost = 12

// dates are the days of the service, "2026-06-12".
func (p evidenceText) dates() string {
	var out []string
	for _, b := range p.Bookings {
		day := b.StartsAt.In(p.words.Zone).Format(time.DateOnly)
		if !slices.Contains(out, day) {
			out = append(out, day)
		}
	}
	if n := len(out); n > datesMost {
		return fmt.Sprintf("%s to %s, %d dates", out[0], out[n-1], n)
	}
	return strings.Join(out, ", ")
}

// address is the IP address from which the customer agreed when they bought this.
func (p evidenceText) address() (ip string) {
	for _, a := range p.Agreed {
		if a.With && a.Source == agreement.SourceCheckout && a.IP != "" {
			ip = a.IP
		}
	}
	return ip
}

// happened is a change of a booking in words; changes without meaning for a bank are left out.
var happened = map[booking.Transition]string{
	booking.TransitionConfirm:      "booked by the customer",
	booking.TransitionRetake:       "booked by the customer",
	booking.TransitionRequest:      "asked for by the customer",
	booking.TransitionBook:         "booked by the studio for the customer",
	booking.TransitionPromote:      "given to the customer from the waitlist",
	booking.TransitionApprove:      "the studio said yes",
	booking.TransitionDecline:      "the studio said no",
	booking.TransitionReschedule:   "moved to another time",
	booking.TransitionRetime:       "the date itself was moved",
	booking.TransitionRelocate:     "the date itself was moved to another place",
	booking.TransitionCancel:       "cancelled for the customer, in time",
	booking.TransitionCancelLate:   "cancelled for the customer, late",
	booking.TransitionStudioCancel: "cancelled by the studio",
	booking.TransitionCheckIn:      "checked in by the studio: {who} was there",
	booking.TransitionUndoCheckIn:  "the check-in was taken back",
	booking.TransitionNoShow:       "marked by the studio: {who} did not come",
	booking.TransitionUndoNoShow:   "that {who} did not come was taken back",
}

// who is the attendee of a booking.
func who(b booking.Story) string {
	if b.Attendee != "" {
		return b.Attendee
	}
	return "the customer"
}

// attendance is the outcome of each booking, and its time.
func (p evidenceText) attendance() string {
	var out []string
	for _, b := range p.Bookings {
		facts := p.facts(b)
		if len(facts) == 0 {
			continue
		}
		out = append(out, b.OfferingName+", "+p.span(b.StartsAt, b.EndsAt)+":")
		for _, f := range facts {
			out = append(out, "- "+p.clock(f.at)+": "+f.what)
		}
	}
	return lines(out...)
}

// fact is an event in the history of a booking.
type fact struct {
	at   time.Time
	what string
}

// facts are the events of a booking, the first one first.
func (p evidenceText) facts(b booking.Story) (out []fact) {
	for _, c := range b.Changes {
		what := strings.ReplaceAll(happened[c.Transition], "{who}", who(b))
		if what == "" {
			continue
		}
		if c.FromStart != nil {
			what += ", from " + p.clock(*c.FromStart)
		}
		out = append(out, fact{c.At, what})
	}
	for _, r := range p.Reminded {
		if r.BookingID == b.ID {
			out = append(out, fact{r.MailedAt, "a reminder was mailed to the customer"})
		}
	}
	slices.SortStableFunc(out, func(a, b fact) int { return a.at.Compare(b.at) })
	return out
}

// refusal is the reason for not refunding, as far as it follows from the events.
func (p evidenceText) refusal() string {
	var out []string
	for _, b := range p.Bookings {
		what := b.OfferingName + ", " + p.span(b.StartsAt, b.EndsAt)
		switch b.State {
		case booking.CheckedIn, booking.Completed:
			out = append(out, what+": "+who(b)+" was there.")
		case booking.NoShow:
			out = append(out, what+": the place was kept for "+who(b)+", who did not come.")
		case booking.LateCancelled:
			out = append(out, what+": it was cancelled late.")
		case booking.Confirmed:
			if b.StartsAt.After(p.Now) {
				out = append(out, what+": it is to take place, and the place is kept for "+who(b)+".")
			}
		}
	}
	for _, r := range p.Receipt.Refunds {
		if r.State == billing.RequestSucceeded {
			amount := p.words.Money(view.Price{Minor: r.Amount, Currency: p.Receipt.Totals.Currency})
			out = append(out, amount+" was refunded on "+p.date(r.At)+".")
		}
	}
	return lines(out...)
}

// ways are the ways a document was shown.
var ways = map[agreement.Shown]string{
	agreement.ShownCheckbox: "by ticking a box beside it", agreement.ShownFull: "after it was shown in full",
}

// other is the agreements accepted, and the payment methods.
func (p evidenceText) other() string {
	var out []string
	if card := p.Receipt.Card; card != nil {
		paid := "Paid by card"
		if card.Last4 != "" {
			paid = view.Joined(" ", "Paid with the card", card.Brand, "ending in", card.Last4)
		}
		out = append(out, paid+" on "+p.clock(card.PaidAt)+" ("+p.words.Zone.String()+").")
	}
	for _, a := range p.Agreed {
		said := "Agreed to “" + a.Document + "” (copy " + fmt.Sprint(a.Number) + ") on " + p.clock(a.AgreedAt)
		switch {
		case a.Shown != nil && ways[*a.Shown] != "":
			said += ", " + ways[*a.Shown]
		case a.Source == agreement.SourceStaff:
			said += ", on paper"
		}
		if a.IP != "" {
			said += ", from " + a.IP
		}
		if a.Attendee != nil && *a.Attendee != "" {
			said += ", for " + *a.Attendee
		}
		out = append(out, said+fmt.Sprintf(". SHA-256 of what was shown: %x", a.SHA256))
	}
	return lines(out...)
}
