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
	return ui.Screen{Title: c.UI.T("Edit the booking"), Lead: when(c, b), Area: "bookings", Up: up(c, b), Body: editBody(c, b), Sheet: true}, err
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
	if asked := c.Asked(); asked.Has("attendee") { // of a booking that is over there is the note only
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
	return desk.Done{To: c.To(path(b, "")), Said: c.UI.T("The booking of {name} is saved.", "name", who(c.UI, b))}, nil
}

// dearer says by how much a larger party costs more, where the verb asks what becomes of that.
func dearer(c *desk.Call, err error) error {
	f := fault.From(err)
	if !errors.Is(err, booking.ErrPriceDifference) {
		return err
	}
	more, _ := f.Details["difference"].(int64)
	cur, _ := f.Details["currency"].(string)
	return f.WithMessage(c.UI.T("More people cost {amount} more than what was sold. Say below what becomes of it.", "amount", c.UI.Cash(more, money.Currency(cur))))
}

// differences are what can become of what more people cost more.
func differences(c *desk.Call) []ui.Option {
	sh := c.UI
	list := []ui.Option{
		{Value: string(booking.DifferenceRefuse), Text: sh.T("Ask me first"), Hint: sh.T("Nothing is saved before you know the amount.")},
		{Value: string(booking.DifferenceLater), Text: sh.T("To be paid at the studio"), Hint: sh.T("No card is charged. The customer is told.")},
	}
	if mayOverride(c) {
		list = append(list, ui.Option{Value: string(booking.DifferenceWaive), Text: sh.T("Waive it"), Hint: sh.T("The price stays. Needs a reason.")})
	}
	return list
}
