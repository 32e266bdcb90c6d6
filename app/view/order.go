package view

import (
	"strings"
	"time"
)

// Order is what a customer is about to book or has booked, as the panel beside a step shows it.
type Order struct {
	Lines  []OrderLine
	Bill   Bill
	Hold   *Hold
	Change string // address of the cart, while the order can be changed
}

// OrderLine is one booking of an order.
type OrderLine struct {
	Name    string
	Start   time.Time
	Minutes int
	Where   string
	Who     string // whom it is for, when not the customer
}

// Bill is how a total comes about.
type Bill struct {
	Lines []BillLine
	Total Price
}

// BillLine is a price, a tax ("Sales tax 8.25%"), a fee by its own name or a discount. Minor is negative for a discount.
type BillLine struct {
	Label  string
	Amount Price
	Small  bool // taxes, fees and what is contained in the total already
}

func (l OrderLine) detail() string {
	var parts []string
	for _, p := range []string{l.Where, l.Who} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, " · ")
}
