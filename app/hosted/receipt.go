package hosted

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/checkout"
	"foyer/app/fault"
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
	if !v.Off {
		v.Calendar = path + "/calendar.ics"
	}
	return show(c, sh, view.ReceiptPage(sh, v))
}

func receiptOf(w view.Words, r checkout.Receipt) view.Receipt {
	v := view.Receipt{
		Order: view.Order{Bill: billOf(r.Totals, len(r.Lines))}, Number: number(r.OrderID.String()), Made: r.CreatedAt,
		Address: addressLine(r.Address), Map: mapOf(r),
	}
	for _, l := range r.Lines {
		v.Order.Lines = append(v.Order.Lines, view.OrderLine{
			Name: l.Label, Start: l.StartsAt, Minutes: minutes(l.StartsAt, l.EndsAt), Where: whereWith(l.Space, l.Instructor), Who: l.Attendee,
		})
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
	}
	for _, back := range r.Refunds {
		v.Notes = append(v.Notes, refundNote(w, back, view.Price{Minor: back.Amount, Currency: r.Totals.Currency}))
	}
	return v
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

// sold names an order: by the class when it is one, else by how many.
func sold(lines []checkout.ReceiptLine) string {
	if len(lines) == 1 {
		return lines[0].Label
	}
	return classes(len(lines))
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
