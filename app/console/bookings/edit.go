package bookings

import (
	"context"
	"errors"

	"foyer/app/booking"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
)

func (s *screens) askEdit(c *desk.Call) (ui.Screen, error) {
	b, err := s.find(c)
	return ui.Screen{Title: c.UI.T("Edit booking"), Lead: when(c, b), Area: "bookings", Up: up(c, b), Body: editBody(c, b), Sheet: true}, err
}

func (s *screens) edit(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("booking")
	if err != nil {
		return desk.Done{}, err
	}
	note := c.Value("note")
	in := booking.EditInput{
		BookingID: id, Version: c.Version(), Note: &note, Difference: booking.Difference(c.Value("difference")), Reason: c.Value("reason"),
	}
	if asked := c.Inputs(); asked.Has("attendee") { // a past booking has the note only
		attendee := c.Value("attendee")
		in.Attendee = &attendee
		party, ok := c.Number("party")
		if !ok {
			return desk.Done{}, fault.Invalid("party", "Use 1 to 1000.")
		}
		in.Party = &party
	}
	b, err := s.Booking.Edit(ctx, c.Scope, in)
	if err != nil {
		return desk.Done{}, dearer(c, err)
	}
	return desk.Done{To: c.To(path(b, "")), Said: c.UI.T("Saved the booking of {name}.", "name", who(c.UI, b))}, nil
}

// dearer renders the price difference of a larger party, if the verb needs a choice for it.
func dearer(c *desk.Call, err error) error {
	f := fault.From(err)
	if !errors.Is(err, booking.ErrPriceDifference) {
		return err
	}
	more, _ := f.Details["difference"].(int64)
	cur, _ := f.Details["currency"].(string)
	return f.WithMessage(c.UI.T("More people cost {amount} more. Choose below how to handle the price difference.", "amount", c.UI.Cash(more, money.Currency(cur))))
}

// differences returns the choices for a price difference.
func differences(c *desk.Call) []ui.Option {
	sh := c.UI
	list := []ui.Option{
		{Value: string(booking.DifferenceRefuse), Text: sh.T("Show the amount first"), Hint: sh.T("Nothing is saved until you see the amount.")},
		{Value: string(booking.DifferenceLater), Text: sh.T("Due at the studio"), Hint: sh.T("No card is charged. The customer is notified.")},
	}
	if mayOverride(c) {
		list = append(list, ui.Option{Value: string(booking.DifferenceWaive), Text: sh.T("Waive the difference"), Hint: sh.T("The price does not change. Requires a reason.")})
	}
	return list
}
