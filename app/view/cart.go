package view

import "time"

// Cart is what a customer has chosen and not paid yet.
type Cart struct {
	Lines   []CartLine
	Bill    Bill
	Hold    *Hold
	Form    Form   // goes on, with the names of who is coming; not offered while a line is gone
	More    string // address of the schedule, to add another
	Ended   bool   // the hold ran out; Again takes the same spots once more when they are still free
	Again   Form
	Trouble *Trouble
}

// CartLine is one booking in the cart. Its name field posts as "who." and the ID.
type CartLine struct {
	ID string
	Line
	Each   *Price // what one of the party pays, when every one does
	Price  Price
	Was    *Price // what it cost when it was added, when that has changed since
	Gone   string // why it cannot be booked any more; empty when it can
	Others []Swap // other dates of the same class, for one that is gone
	Remove Form
}

// Swap is another date of the same class. Form puts it in the line's place.
type Swap struct {
	Start time.Time
	Spots int
	Form  Form
}

// detail is where it is and for how many, with what each of them pays. Who is coming stands in a field of its own.
func (l CartLine) detail(w Words) string {
	d := Line{Where: l.Where, Party: l.Party}.Detail()
	if l.Each == nil || l.Party < 2 {
		return d
	}
	return d + " × " + w.Money(*l.Each)
}
