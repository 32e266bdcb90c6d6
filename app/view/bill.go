package view

import (
	"foyer/app/order"
	"foyer/billing/tender"
)

// BillOf returns the lines that make up a total: the listed prices, plans, discounts, taxes by their names, and the
// service fee as its own line (A28). The text for the first line is given.
func BillOf(w Words, t order.Totals, what string) Bill {
	amount := func(minor int64) Price { return Price{Minor: minor, Currency: t.Currency} }
	bill := Bill{Lines: []BillLine{{Label: what, Amount: amount(t.SubtotalAmount)}}, Total: TotalOf(t)}
	if t.PlanAmount > 0 {
		bill.Lines = append(bill.Lines, BillLine{Label: w.T("Paid with plans"), Amount: amount(-t.PlanAmount)})
	}
	for _, d := range t.Discounts {
		label := d.Name
		if d.Code != "" {
			label = w.T("{discount} (code {code})", "discount", d.Name, "code", d.Code)
		}
		bill.Lines = append(bill.Lines, BillLine{Label: label, Amount: amount(-d.Amount)})
	}
	included := t.TaxMode == "inclusive"
	fee := BillLine{Label: w.T("Service fee"), Amount: amount(t.ServiceFeeAmount), Small: true}
	if included && t.ServiceFeeAmount != 0 { // includes the tax below
		bill.Lines = append(bill.Lines, fee)
	}
	for _, tax := range t.Taxes {
		label := w.T("{tax} {rate}", "tax", tax.Name, "rate", w.Lang().Percent(tax.PPM))
		if included {
			label = w.T("Includes {tax}", "tax", label)
		}
		bill.Lines = append(bill.Lines, BillLine{Label: label, Amount: amount(tax.Amount), Small: true})
	}
	if !included && t.ServiceFeeAmount != 0 {
		bill.Lines = append(bill.Lines, fee)
	}
	if t.DueLaterAmount > 0 {
		bill.Tenders = append(bill.Tenders, BillLine{Label: w.T("Due at the studio"), Amount: amount(-t.DueLaterAmount)})
	}
	for _, p := range t.Prepaid {
		label := w.T("Your credit")
		if p.Kind == tender.GiftCard {
			label = w.GiftCardNamed(p.Label)
		}
		bill.Tenders = append(bill.Tenders, BillLine{Label: label, Amount: amount(-p.Amount)})
	}
	if len(bill.Tenders) > 0 {
		left := amount(t.DueNow())
		bill.Remaining, bill.Deposit = &left, t.DueLaterAmount > 0
	}
	return bill
}

// TotalOf returns the total to pay.
func TotalOf(t order.Totals) Price {
	return Price{Minor: t.TotalAmount, Currency: t.Currency}
}

// aCourse is a kind of its own for CountOf.
const aCourse order.Kind = "course"

// KindOf returns the kind under which CountOf counts an item: a course is a kind of its own.
func KindOf(kind order.Kind, course bool) order.Kind {
	if course {
		return aCourse
	}
	return kind
}

// CountOf counts items: "2 classes", "1 appointment", "3 bookings" when there are several kinds, and "3 items" when one
// of them has no seat. kind returns the kind of the i-th item. Seats with the same result of the last function count
// once: "1 class, 2 people".
func (w Words) CountOf(n int, kind func(i int) order.Kind, what func(i int) any) string {
	of, things, items := order.Class, map[any]bool{}, false
	for i := range n {
		things[what(i)] = true
		k := kind(i)
		items = items || !k.Seat() && k != aCourse
		if i == 0 {
			of = k
		} else if k != of {
			of = order.Rental
		}
	}
	if items {
		return w.N(n, "{n} item", "{n} items")
	}
	if len(things) < n {
		return w.T("{things}, {people}", "things", w.things(len(things), of), "people", w.People(n))
	}
	return w.things(len(things), of)
}

// things counts n items of a kind.
func (w Words) things(n int, of order.Kind) string {
	switch of {
	case order.Class:
		return w.N(n, "{n} class", "{n} classes")
	case order.Appointment:
		return w.N(n, "{n} appointment", "{n} appointments")
	case aCourse:
		return w.N(n, "{n} course", "{n} courses")
	}
	return w.N(n, "{n} booking", "{n} bookings")
}
