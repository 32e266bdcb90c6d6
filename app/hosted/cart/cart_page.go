package cart

import (
	"slices"
	"time"

	"foyer/app/view"
)

// Cart has the items that a customer has chosen and not paid yet.
type Cart struct {
	Lines   []CartLine
	Aside   []CartLine // items that cannot be booked as chosen: not in the total, and dropped by Form
	Bill    view.Bill
	Code    CartCode
	Hold    *view.Hold
	Note    string    // about a plan among the items; may be empty
	Form    view.Form // goes on, with the attendees' names; not offered when all is set aside
	More    string    // address of the schedule, to add another
	Ended   bool      // the hold expired; Again holds the same spots once more if they are still free
	Again   view.Form
	Trouble *view.Trouble
}

// CartCode is the discount code of a cart, or the field for one. Apply posts it as "code".
type CartCode struct {
	Code    string // of the cart; empty: none
	Problem string // why it has no effect; empty when it has one
	Open    bool   // the field is shown: the code in Typed was just refused
	Typed   string
	Apply   view.Form // not offered when nothing can be booked
	Remove  view.Form
}

// With returns the entered code, with forms to submit it again.
func (v CartCode) With(forms CartCode) CartCode {
	v.Apply, v.Remove = forms.Apply, forms.Remove
	return v
}

// CartLine is one booking in the cart. Its name field posts as "who." and the ID.
type CartLine struct {
	ID string
	view.Line
	Same   bool        // same item as the line above, for another attendee
	Guest  string      // the name of an unnamed attendee
	Each   *view.Price // price per person, when every person pays
	Price  view.Price
	Was    *view.Price // the price when it was added, if that has changed since
	Gone   string      // why it is set aside; empty when it is not
	Keep   view.Form   // accepts the current price, for a line set aside because it costs more
	Others []Swap      // other dates of the same class, for a line set aside
	Remove view.Form
	Pays   *SeatPlan // what pays for it, while it is held; nil: its price alone can
}

// Swap is another date of the same class. Form replaces the line with it.
type Swap struct {
	Start time.Time
	Spots int
	Form  view.Form
}

// button is the text of Form's button.
func (v Cart) button(w view.Words) string {
	if len(v.Aside) > 0 {
		return w.T("Continue without these items")
	}
	return w.C("button", "Continue")
}

// asideHint explains how Form handles the items set aside.
func (v Cart) asideHint(w view.Words) string {
	if len(v.Lines) == 0 {
		return w.T("No item in your cart can be booked as it is.")
	}
	return w.T("Not part of your booking, and not in the total. These items are removed when you continue.")
}

// hint explains the meaning of an empty name.
func (l CartLine) hint(w view.Words) string {
	if l.Guest != "" {
		return w.T("Without a name, it shows {guest}.", "guest", l.Guest)
	}
	if l.Same {
		return ""
	}
	return w.T("Leave empty if it is you.")
}

// detail is the location and the number of people, with the price per person, or a quantity. The attendee has a field
// of its own.
func (l CartLine) detail(w view.Words) string {
	d := view.Line{Where: l.Where, Party: l.Party, Quantity: l.Quantity}.Detail(w)
	if l.Each == nil || l.Party < 2 {
		return d
	}
	return d + " × " + w.Money(*l.Each)
}

// title is "Your booking"; of things without a time alone, "Your order".
func (v Cart) title(w view.Words) string {
	if v.timed() {
		return w.T("Your booking")
	}
	return w.T("Your order")
}

// timed reports whether the cart is empty, or has a thing with a time.
func (v Cart) timed() bool {
	all := slices.Concat(v.Lines, v.Aside)
	return len(all) == 0 || slices.ContainsFunc(all, func(l CartLine) bool { return !l.Start.IsZero() })
}

// stillFree and gone are about what a hold that has expired has released; others leads to other things.
func (v Cart) stillFree(w view.Words) string {
	if v.timed() {
		return w.T("Your spots were released, and they are still available. Hold them again to continue.")
	}
	return w.T("Your items were released, and they are still available. Hold them again to continue.")
}

func (v Cart) gone(w view.Words) string {
	if v.timed() {
		return w.T("Your spots were released and are no longer available. Nothing was charged.")
	}
	return w.T("Your items were released and are no longer available. Nothing was charged.")
}

func (v Cart) others(w view.Words) string {
	if v.timed() {
		return w.T("Choose another time")
	}
	return w.T("See what’s on")
}
