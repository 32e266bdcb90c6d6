package view

import "time"

// Cart is what a customer has chosen and not paid yet.
type Cart struct {
	Lines   []CartLine
	Bill    Bill
	Hold    *Hold
	Form    Form   // goes on, with the names of who is coming
	More    string // address of the schedule, to add another
	Ended   bool   // the hold ran out; Again takes the same spots once more when they are still free
	Again   Form
	Trouble *Trouble
}

// CartLine is one booking in the cart. Its name field posts as "who." and the ID.
type CartLine struct {
	ID      string
	Name    string
	Start   time.Time
	Minutes int
	Where   string
	Price   Price
	Who     string // the name given, empty for the customer themself
	Remove  Form
}
