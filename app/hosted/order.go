package hosted

import (
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/view"
)

// orderOf is the panel beside a step of the checkout.
func (b *basket) orderOf(hold *view.Hold) *view.Order {
	o := &view.Order{Bill: billOf(b.Cart.Totals, counted(b.Cart.Lines)), Hold: hold, Change: b.path("")}
	for _, l := range b.Cart.Lines {
		line := view.OrderLine{
			Name: l.Name, Start: l.StartsAt, Minutes: minutes(l.StartsAt, l.EndsAt), Where: whereOf(l), Party: l.Party, Who: l.Attendee,
			Dates: courseDates(l),
		}
		if t, known := b.terms[l.OfferingID]; known {
			line.Terms = deadlinesOf(b.Shell.Words, t, l.StartsAt, b.Cart.Totals.Currency)
		}
		o.Lines = append(o.Lines, line)
	}
	return o
}

// know reads what the customer should know of what is in the cart before they pay.
func (b *basket) know(c *fiber.Ctx) (err error) {
	offerings := make([]uuid.UUID, len(b.Cart.Lines))
	for i, l := range b.Cart.Lines {
		offerings[i] = l.OfferingID
	}
	b.terms, err = catalog.TermsOf(c.UserContext(), b.o.DB.View(b.Scope.Tenant), offerings)
	return err
}

// asks tells whether the studio has the last word about something in the cart, and about all of it.
func (b *basket) asks() (some, all bool) {
	all = len(b.Cart.Lines) > 0
	for _, l := range b.Cart.Lines {
		asks := b.terms[l.OfferingID].Approval
		some, all = some || asks, all && asks
	}
	return some, all
}

// counted counts the lines of a cart.
func counted(lines []checkout.Line) string {
	return countOf(len(lines), func(i int) catalog.Kind { return kindOf(lines[i].Kind, lines[i].Course) })
}

// aCourse counts as a kind of its own, where things are counted.
const aCourse catalog.Kind = "course"

func kindOf(kind catalog.Kind, course bool) catalog.Kind {
	if course {
		return aCourse
	}
	return kind
}

// countOf counts what is sold: "2 classes", "1 appointment", and "3 bookings" when they are of several kinds.
func countOf(n int, kind func(i int) catalog.Kind) string {
	words := map[catalog.Kind][2]string{
		catalog.Class: {"class", "classes"}, catalog.Appointment: {"appointment", "appointments"}, catalog.Rental: {"booking", "bookings"},
		aCourse: {"course", "courses"},
	}
	of := catalog.Class
	for i := range n {
		if k := kind(i); i == 0 || k == of {
			of = k
		} else {
			of = catalog.Rental
			break
		}
	}
	return view.Counted(n, words[of][0], words[of][1])
}

// whereOf is where a line of the cart takes place, and with whom. Who gives an appointment is settled when it is held.
func whereOf(l checkout.Line) string {
	if l.Kind == catalog.Appointment && l.Instructor == "" && l.Slot != nil && l.Slot.MemberID == nil {
		return whereWith(l.Space, "whoever is free")
	}
	return whereWith(l.Space, l.Instructor)
}

func minutes(start, end time.Time) int { return int(end.Sub(start) / time.Minute) }

// whereWith is the room and who teaches there: "Studio A, with Ana Ruiz".
func whereWith(space, instructor string) string {
	switch {
	case instructor == "":
		return space
	case space == "":
		return "With " + instructor
	}
	return space + ", with " + instructor
}

// billOf is how a total comes about: what was listed, taxes by their names, and the service fee as its own line. A28.
func billOf(t checkout.Totals, what string) view.Bill {
	amount := func(minor int64) view.Price { return view.Price{Minor: minor, Currency: t.Currency} }
	bill := view.Bill{Lines: []view.BillLine{{Label: what, Amount: amount(t.SubtotalAmount)}}, Total: total(t)}
	included := t.TaxMode == "inclusive"
	fee := view.BillLine{Label: "Service fee", Amount: amount(t.ServiceFeeAmount), Small: true}
	if included && t.ServiceFeeAmount != 0 { // the tax below is inside it, too
		bill.Lines = append(bill.Lines, fee)
	}
	for _, tax := range t.Taxes {
		label := tax.Name + " " + percent(tax.PPM)
		if included {
			label = "Includes " + label
		}
		bill.Lines = append(bill.Lines, view.BillLine{Label: label, Amount: amount(tax.Amount), Small: true})
	}
	if !included && t.ServiceFeeAmount != 0 {
		bill.Lines = append(bill.Lines, fee)
	}
	return bill
}

func total(t checkout.Totals) view.Price {
	return view.Price{Minor: t.TotalAmount, Currency: t.Currency}
}

// percent writes parts per million: 82500 is "8.25%".
func percent(ppm int64) string {
	return strings.TrimSuffix(strconv.FormatFloat(float64(ppm)/10_000, 'f', -1, 64), ".") + "%"
}

// holdOf is the seats that are kept for the cart; nil when none are. extend is offered while it can be used.
func holdOf(c checkout.Cart, extend view.Form) *view.Hold {
	if c.Hold == nil {
		return nil
	}
	h := &view.Hold{Until: c.Hold.ExpiresAt}
	if !c.Hold.Extended {
		h.Extend = extend
	}
	return h
}
