package booking

import (
	"foyer/app/schedule"
)

// Calendar is what package schedule asks of this one when dates are cancelled, moved or given to somebody else.
func (s *Service) Calendar() schedule.Bookings {
	return schedule.Bookings{
		BookedTx: BookedTx, CancelBookedTx: s.CancelBookedTx, MoveBookedTx: s.MoveBookedTx,
		RetimeBookedTx: RetimeBookedTx, RoundTx: RoundTx, NoticeTx: NoticeTx,
	}
}
