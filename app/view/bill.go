package view

import (
	"strconv"
	"strings"

	"foyer/app/catalog"
	"foyer/app/checkout"
)

// BillOf is how a total comes about: what was listed, taxes by their names, and the service fee as its own line. A28.
func BillOf(t checkout.Totals, what string) Bill {
	amount := func(minor int64) Price { return Price{Minor: minor, Currency: t.Currency} }
	bill := Bill{Lines: []BillLine{{Label: what, Amount: amount(t.SubtotalAmount)}}, Total: TotalOf(t)}
	included := t.TaxMode == "inclusive"
	fee := BillLine{Label: "Service fee", Amount: amount(t.ServiceFeeAmount), Small: true}
	if included && t.ServiceFeeAmount != 0 { // the tax below is inside it, too
		bill.Lines = append(bill.Lines, fee)
	}
	for _, tax := range t.Taxes {
		label := tax.Name + " " + percent(tax.PPM)
		if included {
			label = "Includes " + label
		}
		bill.Lines = append(bill.Lines, BillLine{Label: label, Amount: amount(tax.Amount), Small: true})
	}
	if !included && t.ServiceFeeAmount != 0 {
		bill.Lines = append(bill.Lines, fee)
	}
	return bill
}

// TotalOf is what there is to pay.
func TotalOf(t checkout.Totals) Price {
	return Price{Minor: t.TotalAmount, Currency: t.Currency}
}

// percent writes parts per million: 82500 is "8.25%".
func percent(ppm int64) string {
	return strings.TrimSuffix(strconv.FormatFloat(float64(ppm)/10_000, 'f', -1, 64), ".") + "%"
}

// aCourse counts as a kind of its own, where things are counted.
const aCourse catalog.Kind = "course"

// KindOf is what something counts as in CountOf.
func KindOf(kind catalog.Kind, course bool) catalog.Kind {
	if course {
		return aCourse
	}
	return kind
}

// CountOf counts what is sold: "2 classes", "1 appointment", and "3 bookings" when they are of several kinds. What several of the n
// seats are for, as what says it, counts once: "1 class, 2 people".
func CountOf(n int, kind func(i int) catalog.Kind, what func(i int) any) string {
	words := map[catalog.Kind][2]string{
		catalog.Class: {"class", "classes"}, catalog.Appointment: {"appointment", "appointments"}, catalog.Rental: {"booking", "bookings"},
		aCourse: {"course", "courses"},
	}
	of, things := catalog.Class, map[any]bool{}
	for i := range n {
		things[what(i)] = true
		if k := kind(i); i == 0 {
			of = k
		} else if k != of {
			of = catalog.Rental
		}
	}
	counted := Counted(len(things), words[of][0], words[of][1])
	if len(things) < n {
		counted += ", " + People(n)
	}
	return counted
}
