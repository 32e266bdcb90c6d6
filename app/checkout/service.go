package checkout

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/billing"
)

// Options are the dependencies of a Service; all of them are required.
type Options struct {
	DB      *pg.DB
	Booking *booking.Service
	Billing *billing.Service
	Orders  *order.Service
	Plans   *plan.Service
	Secret  []byte // the server's, at least identity.MinPepper bytes: tokens of carts are derived from it
}

// Service implements the checkout. It is safe for concurrent use.
type Service struct {
	db      *pg.DB
	booking *booking.Service
	billing *billing.Service
	order   *order.Service
	plans   *plan.Service
	secret  []byte
	seal    identity.Seal
}

// New returns a Service. It panics if an option is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Booking == nil || o.Billing == nil || o.Orders == nil || o.Plans == nil ||
		len(o.Secret) < identity.MinPepper {
		panic("checkout: an option is missing, or the secret is shorter than 32 bytes")
	}
	return &Service{
		db: o.DB, booking: o.Booking, billing: o.Billing, order: o.Orders, plans: o.Plans, secret: o.Secret,
		seal: identity.NewSeal(o.Secret),
	}
}

// Register adds the jobs of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "checkout.forget", forgetEvery, s.ForgetDue)
	jobs.Sweep(r, "checkout.release", endedEvery, s.ReleaseEnded)
}

// forgetEvery is the interval of the sweep of abandoned carts, in real time.
const forgetEvery = time.Hour

// Errors of the methods, besides those of booking and billing that they pass on.
var (
	// ErrOrdered means that the cart is done. details.receiptToken leads to its receipt.
	ErrOrdered = fault.New(fault.Conflict, "ordered", "This cart is already booked.")
	// ErrOther means that another person holds this cart.
	ErrOther = fault.New(fault.Conflict, "held_by_another", "Another customer is booking with this cart. Start a new one.")
	// ErrEmpty means that the cart has no items.
	ErrEmpty = fault.New(fault.Conflict, "empty", "The cart is empty.")
	// ErrCartFull means that the cart has ItemsMax items.
	ErrCartFull = fault.New(fault.Conflict, "cart_full", "This cart is full.")
	// ErrPriceChanged has details.quotedAmount, the customer's quote, and details.amount, the price now. A74.
	ErrPriceChanged = fault.New(fault.Conflict, "price_changed", "The price has changed.")
	// ErrNotHeld means that a seat of the cart is not held yet. Hold first.
	ErrNotHeld = fault.New(fault.Conflict, "not_held", "The items of this cart are not held for you yet.")
	// ErrNothingToPay means that nothing is to pay. Confirm it.
	ErrNothingToPay = fault.New(fault.Conflict, "nothing_to_pay", "There is nothing to pay.")
	// ErrNotAtStudio means that the rules of an item in the cart do not allow payment at the studio.
	ErrNotAtStudio = fault.New(fault.Conflict, "not_at_studio", "This cannot be paid at the studio.")
	// ErrPaymentRequired means that the cart has not been paid. details.status is the payment's, details.code and
	// details.message are the reason of the last decline, in the processor's words.
	ErrPaymentRequired = fault.New(fault.Conflict, "payment_required", "This has not been paid yet.")
	// ErrPaymentPending means that a payment is in progress; try again in a moment.
	ErrPaymentPending = fault.New(fault.Conflict, "payment_processing", "The payment is being processed. This takes a moment.")
	// ErrRefunded means that the payment arrived after the seats were gone and is refunded in full.
	// details.receiptToken leads to its receipt.
	ErrRefunded = fault.New(fault.Conflict, "refunded",
		"The payment came too late: an item is gone, and the full amount is refunded to your card.")
)

func priceChanged(quoted, amount int64) error {
	return ErrPriceChanged.With("quotedAmount", quoted).With("amount", amount)
}

// CartLookup finds the cart of a token; ok is false for text that cannot be one.
func CartLookup(token string) (l pg.Lookup, ok bool) {
	hash, ok := order.TokenHash(token, cartTokenChars)
	if !ok {
		return l, false
	}
	return pg.CartHash([32]byte(hash)), true
}

// FindCart returns the business and the location of a token's cart. A second call is answered from memory.
func (s *Service) FindCart(ctx context.Context, token string) (business, location uuid.UUID, found bool, err error) {
	l, ok := CartLookup(token)
	if !ok {
		return uuid.Nil, uuid.Nil, false, nil
	}
	p, found, err := s.db.Locate(ctx, l)
	return p.Business, p.Location, found, err
}
