package waitlist

import (
	"foyer/app/booking"
	"foyer/app/schedule"
)

// Calendar is what package schedule asks of bookings and waitlists when dates are cancelled, moved or given to somebody else.
func Calendar(b *booking.Service) schedule.Bookings {
	c := b.Calendar()
	c.CloseWaitlistTx = CloseTx
	return c
}
