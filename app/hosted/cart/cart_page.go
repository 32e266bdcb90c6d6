package cart

import (
	"time"

	"foyer/app/view"
)

// Cart is what a customer has chosen and not paid yet.
type Cart struct {
	Lines   []CartLine
	Aside   []CartLine // what cannot be booked as it was chosen: the total is without it, and Form goes on without it
	Bill    view.Bill
	Code    CartCode
	Hold    *view.Hold
	Form    view.Form // goes on, with the names of who is coming; not offered when all is set aside
	More    string    // address of the schedule, to add another
	Ended   bool      // the hold ran out; Again takes the same spots once more when they are still free
	Again   view.Form
	Trouble *view.Trouble
}

// CartCode is the code of a discount: one that the cart has, or the field for one. Apply posts it as "code".
type CartCode struct {
	Code    string // that the cart has; empty: none
	Problem string // why it takes nothing off; empty when it does
	Open    bool   // the field is shown: what was Typed was refused just now
	Typed   string
	Apply   view.Form // not offered when nothing can be booked
	Remove  view.Form
}

// With is what was typed, with the forms that it can be sent by again.
func (v CartCode) With(forms CartCode) CartCode {
	v.Apply, v.Remove = forms.Apply, forms.Remove
	return v
}

// CartLine is one booking in the cart. Its name field posts as "who." and the ID.
type CartLine struct {
	ID string
	view.Line
	Same   bool        // for the same as the line above it, for somebody else
	Guest  string      // how somebody is called for whom no name is given
	Each   *view.Price // what one of the party pays, when every one does
	Price  view.Price
	Was    *view.Price // what it cost when it was added, when that has changed since
	Gone   string      // why it is set aside; empty when it is not
	Keep   view.Form   // takes it at the price of today, for one that is set aside because it costs more
	Others []Swap      // other dates of the same class, for one that is gone
	Remove view.Form
}

// Swap is another date of the same class. Form puts it in the line's place.
type Swap struct {
	Start time.Time
	Spots int
	Form  view.Form
}

// button says what Form does.
func (v Cart) button(w view.Words) string {
	if len(v.Aside) > 0 {
		return w.T("Continue without what is set aside")
	}
	return w.C("button", "Continue")
}

// asideHint says what becomes of what is set aside.
func (v Cart) asideHint(w view.Words) string {
	if len(v.Lines) == 0 {
		return w.T("Nothing in your cart can be booked as it is.")
	}
	return w.T("Not part of your booking now, and not in the total. It leaves your cart when you continue.")
}

// hint says what an empty name means.
func (l CartLine) hint(w view.Words) string {
	if l.Guest != "" {
		return w.T("Without a name it says {guest}.", "guest", l.Guest)
	}
	if l.Same {
		return ""
	}
	return w.T("Leave it empty when it is you.")
}

// detail is where it is and for how many, with what each of them pays. Who is coming stands in a field of its own.
func (l CartLine) detail(w view.Words) string {
	d := view.Line{Where: l.Where, Party: l.Party}.Detail(w)
	if l.Each == nil || l.Party < 2 {
		return d
	}
	return d + " × " + w.Money(*l.Each)
}
