package view

import "time"

// Order is what a customer is about to book or has booked, as the panel beside a step shows it.
type Order struct {
	Lines  []Line
	Bill   Bill
	Hold   *Hold
	Change string // address of the cart, while the order can be changed
}

// Line is one thing that is booked, or could be, as pages and letters show it.
type Line struct {
	Name    string
	Start   time.Time
	Minutes int
	Where   string       // and with whom
	Party   int          // how many people; told from two on
	Who     string       // whom it is for, when not the customer
	State   string       // "Requested", "Cancelled"; empty when it is simply booked, or about to be
	Terms   []string     // until when it can be cancelled and moved, a sentence each
	Dates   []CourseDate // of a course: all of them, or those that are spoken of; Start is the first or the next
}

// Bill is how a total comes about.
type Bill struct {
	Lines     []BillLine
	Total     Price
	Tenders   []BillLine // by what the total is paid when credit is one of them, or a part of it at the studio later; none otherwise
	Remaining *Price     // in a cart, what they leave; nil otherwise
	Deposit   bool       // what they leave is a deposit, or a part of it
}

// DueNow is what is left to pay of the total in a cart.
func (b Bill) DueNow() Price {
	if b.Remaining != nil {
		return *b.Remaining
	}
	return b.Total
}

// BillLine is a price, a tax ("Sales tax 8.25%"), a fee by its own name or a discount. Minor is negative for a discount.
type BillLine struct {
	Label  string
	Amount Price
	Small  bool // taxes, fees and what is contained in the total already
}

// Detail is where, for how many and for whom, on one line.
func (l Line) Detail(w Words) string { return Joined(" · ", l.Where, w.Several(l.Party), l.Who) }
