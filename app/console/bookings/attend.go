package bookings

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/words"
)

// mark is a change of a booking's attendance, and its undo.
type mark struct {
	op, path string
	do       func(c *desk.Call, ctx context.Context) (desk.Done, error)
}

func (s *screens) attendance() []mark {
	one := func(op, path, back string, said words.Text, verb func(context.Context, tenancy.Scope, uuid.UUID) (booking.StudioBooking, error)) mark {
		return mark{op, path, func(c *desk.Call, ctx context.Context) (desk.Done, error) {
			id, err := c.ID("booking")
			if err != nil {
				return desk.Done{}, err
			}
			b, err := verb(ctx, c.Scope, id)
			if err != nil {
				return desk.Done{}, err
			}
			return desk.Done{Said: c.UI.T(said, "name", who(c.UI, b)), Undo: &ui.Undo{Action: c.To("/bookings/" + id.String() + back)}}, nil
		}}
	}
	return []mark{
		one("checkInBooking", "/check-in", "/undo-check-in", "Checked in {name}.", s.Booking.CheckIn),
		one("undoCheckIn", "/undo-check-in", "/check-in", "Check-in undone for {name}.", s.Booking.UndoCheckIn),
		one("markNoShow", "/no-show", "/undo-no-show", "Marked {name} as a no-show.", s.Booking.NoShow),
		one("undoNoShow", "/undo-no-show", "/no-show", "No-show undone for {name}.", s.Booking.UndoNoShow),
	}
}

// askApprove shows the effects of an approval. A full date needs the right to override rules.
func (s *screens) askApprove(c *desk.Call) (ui.Screen, error) {
	b, err := s.find(c)
	sh := c.UI
	return ui.Screen{
		Title: sh.T("Approve request"), Lead: when(c, b), Area: "bookings", Up: up(c, b), Body: approveBody(c, b), Sheet: true,
	}, err
}

func (s *screens) approve(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("booking")
	if err != nil {
		return desk.Done{}, err
	}
	b, err := s.Booking.Approve(ctx, c.Scope, booking.ApproveInput{BookingID: id, Override: c.Ticked("override"), Reason: c.Value("reason")})
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: c.To(path(b, "")), Said: c.UI.T("{name} is booked and gets an e-mail.", "name", who(c.UI, b))}, nil
}

func (s *screens) askDecline(c *desk.Call) (ui.Screen, error) {
	b, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	m, err := s.Orders.MoneyOf(c.Context(), c.Scope.Tenant, b.Booking)
	return ui.Screen{
		Title: c.UI.T("Decline request"), Lead: when(c, b), Area: "bookings", Up: up(c, b), Body: declineBody(c, b, m), Sheet: true,
	}, err
}

func (s *screens) decline(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("booking")
	if err != nil {
		return desk.Done{}, err
	}
	b, err := s.Booking.Decline(ctx, c.Scope, booking.DeclineInput{BookingID: id, Reason: c.Value("reason")})
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: c.To(path(b, "")), Said: c.UI.T("Declined the request from {name}.", "name", who(c.UI, b))}, nil
}

// when renders a booking's item and time, in one line.
func when(c *desk.Call, b booking.StudioBooking) string {
	return view.Joined(" · ", b.OfferingName, wordsAt(c, b.Zone).When(b.StartsAt, int(b.EndsAt.Sub(b.StartsAt).Minutes())))
}
