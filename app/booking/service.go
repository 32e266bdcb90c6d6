package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/port"
)

// Options are the dependencies of a Service.
type Options struct {
	DB *pg.DB
}

// Ports are functions of packages that are built on booking: checkout sells above seats, and waitlists fill the
// released seats. They run in the transaction that cancels, approves or expires.
type Ports struct {
	// RefundTx returns the payments of bookings, and refunds them if Refund.Refunds is set:
	// checkout.Service.RefundTx.
	RefundTx func(ctx context.Context, tx *pg.Tx, asks []Refund) (map[uuid.UUID]Refunded, error)
	// ApprovedTx receives the bookings that the studio has just approved: checkout.Service.CaptureTx.
	ApprovedTx func(ctx context.Context, tx *pg.Tx, bookings []uuid.UUID) error
	// RoundsAt runs the waitlists of occurrences if a round is due, and reports whether one was:
	// waitlist.Service.RoundsAt.
	RoundsAt func(ctx context.Context, business uuid.UUID, occurrences []uuid.UUID) (bool, error)
}

// Service has the verbs of this package that open their own transaction. It is safe for concurrent use.
type Service struct {
	port.Late[Ports]
	db *pg.DB
}

// New returns a Service without its ports, to be connected by the caller. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil {
		panic("booking: an option is missing")
	}
	return &Service{db: o.DB}
}

// Refund requests the refund of a booking's payment.
type Refund struct {
	BookingID    uuid.UUID
	Refunds      bool // refund it; otherwise only report the amount paid
	KeepsDeposit bool // with Refunds: except for the non-refundable deposit
	Whole        bool // with its part of the service fee
	ToCredit     bool // as account credit, at once; otherwise to the original payment method
}

// PlanBack is the return of the use of a plan.
type PlanBack struct {
	BookingID uuid.UUID
	Name      string // of the plan
	Credits   int    // returned to it; 0: it is unlimited
}

// Refunded is the amount paid for a booking and its refund.
type Refunded struct {
	PaidAmount          int64  // by card and at the desk
	NonRefundableAmount int64  // part of it: a deposit that is not refunded
	RefundAmount        int64  // refunded to the card now
	CreditAmount        int64  // is credit of the customer now
	GiftCardAmount      int64  // is on the gift cards again that it was paid with
	DeskAmount          int64  // paid at the desk, to be refunded there
	Plan                string // that paid for it, if its use is returned to it
	PlanCredits         int    // returned to it; 0: it is unlimited
	Held                bool   // RefundAmount is authorized, and was not captured
	ServiceFeeAmount    int64  // the booking's part of the service fee, if it is not refunded: not in PaidAmount
}
