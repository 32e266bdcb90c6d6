package view

import "time"

// Order is the order of a customer, before or after booking, as the panel beside a step shows it.
type Order struct {
	Lines  []Line
	Bill   Bill
	Hold   *Hold
	Change string // address of the cart, while the order can be changed
}

// Line is one booking or bookable item, as pages and letters show it.
type Line struct {
	Name    string
	Start   time.Time // zero: something without a time
	Minutes int
	Where   string       // and the instructor
	Party   int          // number of people; shown from two on
	Who     string       // the attendee, if not the customer
	State   string       // "Requested", "Cancelled"; empty for a booked item or one in a cart
	Terms   []string     // deadlines to cancel and reschedule, a sentence each
	Dates   []CourseDate // of a course: all of them, or those concerned; Start is the first or the next
	Plan    string       // "Paid with 10-class pack: 1 credit"; of a sold plan until when it is valid; may be empty
	// Quantity is that of something without a time; 0 of a booking.
	Quantity int
}

// Bill is the composition of a total.
type Bill struct {
	Lines     []BillLine
	Total     Price
	Tenders   []BillLine // payment methods of the total, if one is credit or a part is due at the studio; otherwise none
	Remaining *Price     // in a cart, the total less Tenders; nil otherwise
	Deposit   bool       // Remaining is a deposit, or a part of it
}

// DueNow returns the part of a cart's total that is to be paid now.
func (b Bill) DueNow() Price {
	if b.Remaining != nil {
		return *b.Remaining
	}
	return b.Total
}

// InShort returns the amount that a folded order shows: what is to be paid now, or the total if tenders pay all of it.
func (b Bill) InShort() Price {
	if now := b.DueNow(); now.Minor > 0 {
		return now
	}
	return b.Total
}

// BillLine is a price, a tax ("Sales tax 8.25%"), a fee by its own name or a discount. Minor is negative for a
// discount.
type BillLine struct {
	Label  string
	Amount Price
	Small  bool // taxes, fees and amounts included in the total
}

// Detail returns the location, the number of people and the attendee on one line.
func (l Line) Detail(w Words) string {
	if l.Quantity > 1 {
		return w.T("Quantity: {n}", "n", l.Quantity)
	}
	return Joined(" · ", l.Where, w.Several(l.Party), l.Who)
}
