package hosted

import (
	"strconv"
	"strings"
	"time"

	"foyer/app/checkout"
	"foyer/app/view"
)

// orderOf is the panel beside a step of the checkout.
func (b *basket) orderOf(hold *view.Hold) *view.Order {
	o := &view.Order{Bill: billOf(b.Cart.Totals, len(b.Cart.Lines)), Hold: hold, Change: b.path("")}
	for _, l := range b.Cart.Lines {
		o.Lines = append(o.Lines, view.OrderLine{
			Name: l.Name, Start: l.StartsAt, Minutes: minutes(l.StartsAt, l.EndsAt), Where: whereWith(l.Space, l.Instructor), Who: l.Attendee,
		})
	}
	return o
}

// classes counts what is sold.
func classes(n int) string { return view.Counted(n, "class", "classes") }

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
func billOf(t checkout.Totals, n int) view.Bill {
	amount := func(minor int64) view.Price { return view.Price{Minor: minor, Currency: t.Currency} }
	bill := view.Bill{Lines: []view.BillLine{{Label: classes(n), Amount: amount(t.SubtotalAmount)}}, Total: total(t)}
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
