package hosted

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/billing"
)

// readReceipt reads the receipt that the path names.
func (h *site) readReceipt(c *fiber.Ctx) (checkout.Receipt, error) {
	token := c.Params("token")
	tenant, found, err := h.Checkout.FindReceipt(c.UserContext(), token)
	if err == nil && !found {
		err = fault.Missing()
	}
	if err != nil {
		return checkout.Receipt{}, err
	}
	return h.Checkout.Receipt(c.UserContext(), tenancy.Visitor(tenancy.Principal{}, tenant, tenancy.SurfaceHosted), token)
}

// receipt shows what was booked and paid to whoever has its address. A215.
func (h *site) receipt(c *fiber.Ctx) error {
	r, err := h.readReceipt(c)
	if err != nil {
		return err
	}
	s, err := h.studioOf(c, place{r.BusinessID, r.LocationID})
	if err != nil {
		return err
	}
	ref := c.Query(view.FieldRef)
	if ref == "" {
		ref = r.Ref
	}
	sh := h.shell(c, s, ref)
	path := "/receipt/" + c.Params("token")
	sh.Self = h.o.BaseURL + path
	v := receiptOf(sh.Words, r)
	if slices.ContainsFunc(r.Lines, func(l checkout.ReceiptLine) bool { return l.State == booking.Confirmed }) && !v.Off {
		v.Calendar = path + "/calendar.ics"
	}
	return show(c, sh, view.ReceiptPage(sh, v))
}

func receiptOf(w view.Words, r checkout.Receipt) view.Receipt {
	v := view.Receipt{
		Order:  view.Order{Bill: billOf(r.Totals, countSold(r.Lines))},
		Number: number(r.OrderID.String()), Made: r.CreatedAt, Address: addressLine(r.Address), Map: mapOf(r),
	}
	for _, l := range r.Lines {
		v.Order.Lines = append(v.Order.Lines, receiptLine(w, l, r.Totals.Currency))
	}
	if r.Card != nil {
		v.PaidWith = cardName(r.Card.Brand) + " ending " + r.Card.Last4
	}
	if r.Test {
		v.Notes = append(v.Notes, "This was a test payment. No money moved.")
	}
	if r.State == checkout.OrderRefunded {
		v.Off, v.Title = true, "This was not booked"
		v.Notes = append(v.Notes, "Your payment came when the spots were gone, so all of it goes back to your card.")
	} else {
		v.Off, v.Asked, v.Title = standing(r)
	}
	if v.Asked {
		v.Notes = append(v.Notes, askedNote(r.BusinessName))
	}
	for _, back := range r.Refunds {
		v.Notes = append(v.Notes, refundNote(w, back, view.Price{Minor: back.Amount, Currency: r.Totals.Currency}))
	}
	return v
}

// askedNote says what happens to a request.
func askedNote(business string) string {
	return business + " answers every request by mail. If they say no, all that you paid comes back."
}

func receiptLine(w view.Words, l checkout.ReceiptLine, cur money.Currency) view.OrderLine {
	out := view.OrderLine{
		Name: l.Label, Start: l.StartsAt, Minutes: minutes(l.StartsAt, l.EndsAt), Where: whereWith(l.Space, l.Instructor), Party: l.Party,
		Who: l.Attendee, State: stateOf(l.State), Dates: bookedDates(l.Dates, l.State),
	}
	b := booking.Booking{State: l.State, Rules: l.Rules, StartsAt: l.StartsAt, Currency: cur}
	if len(l.Dates) > 0 {
		b.CourseFrom, b.StartsAt = &l.StartsAt, booking.StandsFor(l.Dates, w.Now).StartsAt
	}
	out.Terms = deadlines(w, b)
	return out
}

// standing tells whether nothing of a receipt stands any more, whether all that stands waits for the studio, and what the
// page is called when it is not simply booked.
func standing(r checkout.Receipt) (off, asked bool, title string) {
	off, asked = true, true
	gone := map[booking.State]int{}
	for _, l := range r.Lines {
		switch l.State {
		case booking.Cancelled, booking.LateCancelled, booking.StudioCancelled, booking.Declined, booking.Expired:
			gone[l.State]++
		case booking.Requested:
			off = false
		default:
			off, asked = false, false
		}
	}
	switch n := len(r.Lines); {
	case off && n > 0 && gone[booking.Declined] == n:
		return true, false, "Your request was declined"
	case off && n > 0 && gone[booking.StudioCancelled] == n:
		return true, false, "The studio cancelled this"
	case off:
		return true, false, "This booking was cancelled"
	case asked:
		return false, true, "Your request is sent"
	}
	return false, false, ""
}

func refundNote(w view.Words, r checkout.ReceiptRefund, amount view.Price) string {
	what := w.Money(amount)
	switch r.State {
	case billing.RequestSucceeded:
		return what + " went back to your card on " + w.Date(r.At) + ". Banks take up to ten days to show it."
	case billing.RequestFailed, billing.RequestCanceled:
		return what + " could not be sent back to your card. The studio will get in touch."
	}
	return what + " is on its way back to your card."
}

// sold names an order: by its name when it is one thing, else by how many.
func sold(lines []checkout.ReceiptLine) string {
	if len(lines) == 1 {
		return lines[0].Label
	}
	return countSold(lines)
}

func countSold(lines []checkout.ReceiptLine) string {
	return countOf(len(lines), func(i int) catalog.Kind { return kindOf(lines[i].Kind, len(lines[i].Dates) > 0) })
}

// number is what a customer reads out on the phone: the end of the order's id, where the randomness is.
func number(order string) string {
	return "No. " + strings.ToUpper(order[len(order)-8:])
}

func cardName(brand string) string {
	switch brand {
	case "":
		return "Card"
	case "amex":
		return "American Express"
	}
	return strings.ToUpper(brand[:1]) + strings.ReplaceAll(brand[1:], "_", " ")
}

// mapOf is the address of a map of the place; empty when it is not known well enough to find.
func mapOf(r checkout.Receipt) string {
	if r.Address.Street == "" || r.Address.City == "" {
		return ""
	}
	where := r.BusinessName + ", " + addressLine(r.Address) + ", " + r.Address.Country
	return "https://www.openstreetmap.org/search?" + url.Values{"query": {strings.TrimSuffix(where, ", ")}}.Encode()
}
