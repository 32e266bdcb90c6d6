package kit

import (
	"errors"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/view"
	"foyer/app/words"
)

// NotOffered is the error for a date that is no longer offered.
var NotOffered = TroubleText("This cannot be booked", "This date is not offered any more. Other times are below.")

// Trouble is the error of a form before its translation into the customer's language. The zero value is none.
type Trouble func(w view.Words) *view.Trouble

// In translates the error; nil without one.
func (t Trouble) In(w view.Words) *view.Trouble {
	if t == nil {
		return nil
	}
	return t(w)
}

// TroubleText returns an error with a title and a text.
func TroubleText(title, text words.Text) Trouble {
	return func(w view.Words) *view.Trouble { return &view.Trouble{Title: w.T(title), Text: w.T(text)} }
}

// Cannot returns an error for an item that cannot be booked, with the reason of the domain.
func Cannot(err error) Trouble {
	return func(w view.Words) *view.Trouble {
		return &view.Trouble{Title: w.T("This cannot be booked"), Text: w.Refusal(fault.From(err))}
	}
}

var justTaken = TroubleText("This time is no longer available", "Another customer was quicker, and nothing was booked.")

// RefusedTime returns the reason that a time is unavailable, for the page it was chosen on.
func RefusedTime(err error) (Trouble, bool) {
	f := fault.From(err)
	switch {
	case f == nil:
		return nil, false
	case f.Kind == fault.NotFound, f.Kind == fault.Validation:
		return NotOffered, true
	case errors.Is(err, claim.ErrStaffBusy), errors.Is(err, claim.ErrSpaceBusy), errors.Is(err, availability.ErrFull),
		errors.Is(err, availability.ErrClosed), errors.Is(err, booking.ErrFull):
		return justTaken, true
	case errors.Is(err, availability.ErrPartySize), errors.Is(err, availability.ErrTooLate), errors.Is(err, availability.ErrTooEarly), errors.Is(err, availability.ErrPaused),
		errors.Is(err, checkout.ErrCartFull), errors.Is(err, booking.ErrNotBookable):
		return Cannot(err), true
	}
	return nil, false
}
