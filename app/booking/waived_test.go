package booking_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/policy"
)

// TestWaivedReturnsTheDeposit: a non-refundable deposit is refunded with the whole price when the studio waives the
// policy's consequences.
func TestWaivedReturnsTheDeposit(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.Deposit = catalog.DepositRules{Percent: 30, NonRefundable: true} })
	o := d.class(t, 2)
	var asked []booking.Refund
	s := booking.New(booking.Options{DB: d.w.DB})
	s.Connect(booking.Ports{
		ApprovedTx: d.sales.Orders.CaptureTx, RoundsAt: d.sales.Waitlist.RoundsAt,
		RefundTx: func(_ context.Context, _ *pg.Tx, asks []booking.Refund) (map[uuid.UUID]booking.Refunded, error) {
			asked = asks
			return nil, nil
		},
	})
	boss := d.Holding(d.Location.ID, policy.BookingManage, policy.BookingOverride)
	for mode, keeps := range map[booking.FeeMode]bool{booking.FeePolicy: true, booking.FeeWaive: false} {
		_, id := d.made(t, o)
		in := booking.CancelInput{BookingID: id, By: booking.ByCustomer, FeeMode: mode, Reason: "she is ill"}
		if _, err := s.Cancel(t.Context(), boss, in); err != nil {
			t.Fatal(err)
		}
		if len(asked) != 1 || asked[0].BookingID != id || !asked[0].Refunds || asked[0].KeepsDeposit != keeps {
			t.Errorf("%s: it asks for %+v", mode, asked)
		}
	}
}
