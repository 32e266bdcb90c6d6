package business

import (
	"context"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CloseInput closes a business.
type CloseInput struct {
	CancelBookings bool   // false: refused while there are upcoming bookings
	Reason         string // sent to the customers of cancelled bookings; may be empty
}

const maxReason = 500

// Validate trims and checks the input.
func (in *CloseInput) Validate() error {
	var c fault.Checks
	checkMaybe(&c, "reason", &in.Reason, maxReason)
	return c.Err()
}

// ErrFutureBookings is returned while there are upcoming bookings; details.bookings counts them.
var ErrFutureBookings = fault.New(fault.Conflict, "future_bookings", "There are upcoming bookings. Cancel them first, or let closing cancel them.")

// Ended counts the records that end when a business closes.
type Ended struct {
	Bookings int      // upcoming bookings and requests, cancelled by the studio
	Waiting  int      // waitlist entries
	Refunds  []Amount // to cards, one for each currency
}

// Amount is money in minor units.
type Amount struct {
	Currency money.Currency
	Amount   int64
}

// Closing is a closed business, with the effects of closing it.
type Closing struct {
	Business
	Ended Ended
}

// Effects returns the effects that a quote of closing shows.
func (c Closing) Effects() any { return c.Ended }

// Close ends the service of a business. The public no longer sees it (E111), and no booking can be made, not even at
// the desk. The studio cancels the upcoming bookings, refunds them in full and notifies the customers; customers on
// waitlists are notified that they get no seat. The team keeps its access to the records. An owner can reverse it for
// 30 days (Resume). Closing a closed business changes nothing. Only an owner may close it. Errors:
//
//   - policy.ErrMissingFeature (business.manage)
//   - policy.ErrOwnerOnly
//   - Validation
//   - ErrFutureBookings without CancelBookings
func (s *Service) Close(ctx context.Context, sc tenancy.Scope, in CloseInput) (Closing, error) {
	may := policy.Require(sc, policy.BusinessManage)
	if may == nil {
		may = policy.RequireOwner(sc)
	}
	return change(ctx, s, sc, may, in.Validate, func(tx *pg.Tx) (Closing, error) {
		b, err := closing(ctx, tx)
		if err != nil || b.Status == Closed {
			return Closing{Business: b}, err
		}
		ended, err := s.o.EndAheadTx(ctx, tx, sc, in)
		if err != nil {
			return Closing{}, err
		}
		now := tx.Now()
		b.Status, b.ClosedAt = Closed, &now
		b, err = saveBusiness(ctx, tx, b)
		return Closing{b, ended}, err
	})
}
