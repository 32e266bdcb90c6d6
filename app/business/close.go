package business

import (
	"context"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CloseInput ends the service of a business.
type CloseInput struct {
	CancelBookings bool   // otherwise it is not closed while somebody is booked ahead
	Reason         string // told to those whose bookings are cancelled; may be empty
}

const maxReason = 500

// Validate trims and checks the input.
func (in *CloseInput) Validate() error {
	var c fault.Checks
	checkMaybe(&c, "reason", &in.Reason, maxReason)
	return c.Err()
}

// ErrFutureBookings refuses to end what somebody is booked for; details.bookings says how many bookings there are.
var ErrFutureBookings = fault.New(fault.Conflict, "future_bookings", "Somebody is booked ahead. Cancel these bookings, or have them cancelled with it.")

// Ended is what ends with a business that closes.
type Ended struct {
	Bookings int      // booked or asked for ahead: cancelled by the studio
	Waiting  int      // places on waitlists
	Refunds  []Amount // goes back to cards, one for each currency
}

// Amount is money in minor units.
type Amount struct {
	Currency money.Currency
	Amount   int64
}

// Closing is a business that has been closed, with what ended.
type Closing struct {
	Business
	Ended Ended
}

// Effects are what a quote of closing promises.
func (c Closing) Effects() any { return c.Ended }

// Close ends the service of a business: the public finds nothing of it any more (E111), and nobody can book, not even the desk. What is
// booked ahead is cancelled by the studio, with everything given back and everybody told, and who waits is told that there will be no
// seat. The team keeps its access, for the records; an owner can take it back for 30 days (Resume). Closing what is closed changes
// nothing. Only an owner may. Errors: policy.ErrMissingFeature (business.manage), policy.ErrOwnerOnly, Validation,
// ErrFutureBookings without leave to cancel.
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
