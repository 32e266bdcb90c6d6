package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/port"
)

// Options are what a Service needs.
type Options struct {
	DB *pg.DB
}

// Ports are what booking needs of packages that are built on it: money is sold above seats, by checkout, and waitlists fill
// the seats that become free. What they do belongs into the transaction that cancels, approves or expires.
type Ports struct {
	// RefundTx tells what was paid for bookings, and asks for it to go back where it says so: checkout.Service.RefundTx.
	RefundTx func(ctx context.Context, tx *pg.Tx, asks []Refund) (map[uuid.UUID]Refunded, error)
	// ApprovedTx is told which bookings the studio has just said yes to: checkout.Service.CaptureTx.
	ApprovedTx func(ctx context.Context, tx *pg.Tx, bookings []uuid.UUID) error
	// RoundsAt looks at the waitlists of occurrences if that is due, and reports whether it was for any:
	// waitlist.Service.RoundsAt.
	RoundsAt func(ctx context.Context, business uuid.UUID, occurrences []uuid.UUID) (bool, error)
}

// Service has the verbs of this package that open their own transaction. It is safe for concurrent use.
type Service struct {
	port.Late[Ports]
	db *pg.DB
}

// New returns a Service, whose ports are to be connected. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil {
		panic("booking: an option is missing")
	}
	return &Service{db: o.DB}
}

// Refund asks what was paid for a booking to go back.
type Refund struct {
	BookingID    uuid.UUID
	Refunds      bool // otherwise it is only told how much was paid
	KeepsDeposit bool // with Back: but for the deposit that was agreed to stay
	Whole        bool // with its part of the service fee
	ToCredit     bool // as credit of the customer, at once; otherwise by the means by which it was paid
}

// Refunded is what was paid for a booking and what becomes of that.
type Refunded struct {
	PaidAmount       int64 // by card and at the desk
	KeptAmount       int64 // of that: a deposit that stays, while the rest comes back
	RefundAmount     int64 // goes back to the card now
	CreditAmount     int64 // is credit of the customer now
	DeskAmount       int64 // was paid at the desk, and is to be given back there
	Held             bool  // BackAmount is held on the card, and was not taken
	ServiceFeeAmount int64 // the booking's part of the service fee, when it stays paid: not in PaidAmount
}
