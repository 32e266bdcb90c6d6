package checkout

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/billing"
)

// Options are what a Service needs; all of them are required. Billing's Orders are this service.
type Options struct {
	DB      *pg.DB
	Booking *booking.Service
	Billing *billing.Service
	// Secret is the server's secret, at least identity.MinPepper bytes. Receipt links are derived from it: changing it
	// does not break those that are out, but mails sent later name others, which do not work for older orders.
	Secret []byte
	Mail   mail.Sender
	// ConfirmationMail writes the mail that says that a booking is made, and RefundMail the one that says that money which
	// came too late goes back; both in the person's language.
	ConfirmationMail func(Confirmation) mail.Message
	RefundMail       func(LateRefund) mail.Message
	// FeeMail writes the mail about a fee that a card was charged for, or could not be.
	FeeMail func(FeeMail) mail.Message
}

// Service has the verbs of this package. It is safe for concurrent use.
type Service struct {
	db               *pg.DB
	booking          *booking.Service
	billing          *billing.Service
	secret           []byte
	seal             identity.Seal
	mail             mail.Sender
	confirmationMail func(Confirmation) mail.Message
	refundMail       func(LateRefund) mail.Message
	feeMail          func(FeeMail) mail.Message
}

// New returns a Service. It panics when an option is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Booking == nil || o.Billing == nil || o.Mail == nil || o.ConfirmationMail == nil || o.RefundMail == nil || o.FeeMail == nil ||
		len(o.Secret) < identity.MinPepper {
		panic("checkout: an option is missing, or the secret is shorter than 32 bytes")
	}
	return &Service{
		db: o.DB, booking: o.Booking, billing: o.Billing, secret: o.Secret, seal: identity.NewSeal(o.Secret), mail: o.Mail,
		confirmationMail: o.ConfirmationMail, refundMail: o.RefundMail, feeMail: o.FeeMail,
	}
}

// Register puts the jobs of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailConfirmation)
	jobs.Handle(r, s.MailLateRefund)
	jobs.Handle(r, s.ChargeFee)
	jobs.Handle(r, s.MailFee)
	jobs.Sweep(r, "checkout.fees", feesEvery, s.CollectDue)
	jobs.Sweep(r, "checkout.rests", balancesEvery, s.CollectBalances)
	jobs.Sweep(r, "checkout.forget", forgetEvery, s.ForgetDue)
}

// forgetEvery is how often carts that were left are looked for, in real time.
const forgetEvery = time.Hour

// The refusals of the verbs, besides those of booking and billing that they pass on.
var (
	// ErrOrdered: the cart is done. details.receiptToken leads to its receipt.
	ErrOrdered = fault.New(fault.Conflict, "ordered", "This cart is booked already.")
	// ErrOther: somebody else holds this cart.
	ErrOther = fault.New(fault.Conflict, "held_by_another", "Somebody else is booking with this cart. Start a new one.")
	// ErrEmpty: there is nothing in the cart.
	ErrEmpty = fault.New(fault.Conflict, "empty", "There is nothing in the cart.")
	// ErrCartFull bounds what one cart holds.
	ErrCartFull = fault.New(fault.Conflict, "cart_full", "There is no more room in this cart.")
	// ErrPriceChanged carries details.quotedAmount, what the customer was told, and details.amount, what it costs. A74.
	ErrPriceChanged = fault.New(fault.Conflict, "price_changed", "The price has changed.")
	// ErrNotHeld: a seat of the cart is not kept yet. Hold first.
	ErrNotHeld = fault.New(fault.Conflict, "not_held", "The seats are not kept for you yet.")
	// ErrNothingToPay: the cart costs nothing. Confirm it.
	ErrNothingToPay = fault.New(fault.Conflict, "nothing_to_pay", "There is nothing to pay.")
	// ErrNotAtStudio: the studio's rules for something in the cart do not let customers pay when they come.
	ErrNotAtStudio = fault.New(fault.Conflict, "not_at_studio", "This cannot be paid at the studio.")
	// ErrPaymentRequired: the cart has not been paid. details.status is the payment's, details.code and details.message why the
	// last card was declined, in the processor's words.
	ErrPaymentRequired = fault.New(fault.Conflict, "payment_required", "This has not been paid yet.")
	// ErrPaymentPending: money is on its way; ask again in a moment.
	ErrPaymentPending = fault.New(fault.Conflict, "payment_processing", "The payment is being processed. This takes a moment.")
	// ErrRefunded: the payment came when the seats were gone; all of it goes back. details.receiptToken leads to the proof.
	ErrRefunded = fault.New(fault.Conflict, "refunded", "The payment came too late: the seats are gone, and all of it goes back to your card.")
)

func priceChanged(quoted, amount int64) error {
	return ErrPriceChanged.With("quotedAmount", quoted).With("amount", amount)
}

// CartLookup finds the cart of a token; ok is false for text that cannot be one.
func CartLookup(token string) (l pg.Lookup, ok bool) {
	hash, ok := hashOf(token, cartTokenChars)
	if !ok {
		return l, false
	}
	return pg.CartHash([32]byte(hash)), true
}

// FindCart tells in which business, and at which location, the cart of a token is. Who asks again is told from memory.
func (s *Service) FindCart(ctx context.Context, token string) (business, location uuid.UUID, found bool, err error) {
	l, ok := CartLookup(token)
	if !ok {
		return uuid.Nil, uuid.Nil, false, nil
	}
	p, found, err := s.db.Locate(ctx, l)
	return p.Business, p.Location, found, err
}

// ReceiptLookup finds the order of a receipt's token; ok is false for text that cannot be one.
func ReceiptLookup(token string) (l pg.Lookup, ok bool) {
	hash, ok := hashOf(token, receiptChars)
	if !ok {
		return l, false
	}
	return pg.ReceiptHash([32]byte(hash)), true
}

// FindReceipt tells in which business the order of a receipt token is.
func (s *Service) FindReceipt(ctx context.Context, token string) (business uuid.UUID, found bool, err error) {
	l, ok := ReceiptLookup(token)
	if !ok {
		return uuid.Nil, false, nil
	}
	p, found, err := s.db.Locate(ctx, l)
	return p.Business, found, err
}
