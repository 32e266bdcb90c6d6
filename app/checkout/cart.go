package checkout

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
)

// CartState is where a cart stands.
type CartState string

// The states.
const (
	CartOpen    CartState = "open"
	CartOrdered CartState = "ordered" // paid, or nothing was to pay; its receipt is what remains
)

// All lists them.
func (CartState) All() []CartState { return []CartState{CartOpen, CartOrdered} }

// The bounds of a cart.
const (
	ItemsMax    = 20   // seats in one cart
	AttendeeMax = 120  // characters
	PartyMax    = 1000 // people of one appointment or rental
	RefMax      = 2048 // bytes
)

// Cart is what somebody is about to book at one location.
type Cart struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	LocationName string
	LocationSlug string
	BusinessName string
	Zone         string // IANA: the wall clock of the times
	State        CartState
	PersonID     *uuid.UUID // who held it: from then on only that person may hold, pay and confirm
	Ref          string     // the page the customer came from, as sent: check it before it is printed
	Version      int64
	CreatedAt    time.Time
	Lines        []Line
	Totals       Totals
	Hold         *booking.Hold // the live one; nil when no seat is kept
	Order        *Order        // what is being paid, or was
	Card         bool          // the total can be paid by card
}

// OpenTo tells whether a person can go on with the cart. Whoever is not signed in, uuid.Nil, can with every open one.
func (c Cart) OpenTo(person uuid.UUID) bool {
	return c.State == CartOpen && (person == uuid.Nil || c.PersonID == nil || *c.PersonID == person)
}

// Line is one item of a cart.
type Line struct {
	ItemID       uuid.UUID    `db:",null"`
	OfferingID   uuid.UUID    `db:",null"`
	OccurrenceID uuid.UUID    `db:",null"` // uuid.Nil: a time of an appointment or a rental that is not held
	Slot         *Slot        // of an appointment or a rental: what was asked for
	Party        int          `db:",null"` // seats it takes
	BookingID    *uuid.UUID   // while its seat is kept
	Kind         catalog.Kind `db:",null"`
	Name         string       `db:"offering_name,null"`
	Slug         string       `db:"offering_slug,null"` // of the offering
	Attendee     string       `db:",null"`              // who is coming, when it is somebody else
	StartsAt     time.Time    `db:",null"`
	EndsAt       time.Time    `db:",null"`
	Instructor   string       // empty: nobody is named
	Space        string       // empty: none is named
	AddedAmount  int64        `db:",null"` // the listed price when it was added: ListedAmount differs when it has changed since
	Spots        int          // seats that are left for the storefront
	Problem      string       // why it cannot be booked any more: started, cancelled, not_bookable; empty when it can
	Course       bool         // all of a course: the times above are its first date's, Spots the fewest of any
	Dates        []LineDate   // of a course: all that it is for, in the order of their start
	Priced
}

// Full tells whether it is a date, or a course, of which the storefront has no seat left, and none is kept for it.
func (l Line) Full() bool { return l.Slot == nil && l.BookingID == nil && l.Spots == 0 }

// Slot is a time of an appointment or a rental.
type Slot struct {
	OfferingID uuid.UUID
	StartsAt   time.Time
	Minutes    int        // 0: the offering's own length
	MemberID   *uuid.UUID // nil: anyone
	SpaceID    *uuid.UUID // nil: any of the offering's
	Party      int        // people, at least 1
}

// Order is a cart's order as far as the cart shows it.
type Order struct {
	ID            uuid.UUID
	State         OrderState
	PaymentID     *uuid.UUID // the payment that is open or has succeeded
	PaymentStatus billing.Status
}

// OrderState is where an order stands.
type OrderState string

// The states of an order.
const (
	OrderOpen     OrderState = "open"     // being paid: the items are frozen
	OrderSettled  OrderState = "settled"  // paid and booked
	OrderRefunded OrderState = "refunded" // paid too late: the money goes back
	OrderVoid     OrderState = "void"     // given up
)

// All lists them.
func (OrderState) All() []OrderState {
	return []OrderState{OrderOpen, OrderSettled, OrderRefunded, OrderVoid}
}

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
	// ErrPaymentRequired: the cart has not been paid. details.status is the payment's, details.message why the last card
	// was declined.
	ErrPaymentRequired = fault.New(fault.Conflict, "payment_required", "This has not been paid yet.")
	// ErrPaymentPending: money is on its way; ask again in a moment.
	ErrPaymentPending = fault.New(fault.Conflict, "payment_processing", "The payment is being processed. This takes a moment.")
	// ErrRefunded: the payment came when the seats were gone; all of it goes back. details.receiptToken leads to the proof.
	ErrRefunded = fault.New(fault.Conflict, "refunded", "The payment came too late: the seats are gone, and all of it goes back to your card.")
)

func priceChanged(quoted, amount int64) error {
	return ErrPriceChanged.With("quotedAmount", quoted).With("amount", amount)
}

// frozen tells whether the cart is being paid for right now: its prices are the order's.
func (c *Cart) frozen() bool { return c.Order != nil && c.Order.State == OrderOpen && c.Hold != nil }

// heldWholly tells whether every line's seat is kept.
func (c *Cart) heldWholly() bool {
	for _, l := range c.Lines {
		if l.BookingID == nil {
			return false
		}
	}
	return c.Hold != nil
}

// seats is what the cart asks booking for.
func (c *Cart) seats() []booking.Seat {
	var out []booking.Seat
	for _, l := range c.Lines {
		out = append(out, l.seats()...)
	}
	return out
}

func (c *Cart) occurrences() []uuid.UUID {
	out := make([]uuid.UUID, 0, len(c.Lines))
	for _, l := range c.Lines {
		if l.Slot != nil {
			continue
		}
		for _, d := range l.dates() {
			out = append(out, d.OccurrenceID)
		}
	}
	return out
}

func (c *Cart) currency() money.Currency { return c.Totals.Currency }

// Cart returns a cart by its token, in one round trip. Prices are worked out at every reading: see Price. The price of
// a seat that is kept stays, and while the cart is being paid for everything does.
func (s *Service) Cart(ctx context.Context, sc tenancy.Scope, token string) (Cart, error) {
	hash, ok := hashOf(token, cartTokenChars)
	if !ok {
		return Cart{}, fault.Missing()
	}
	l, err := readCart(ctx, s.db.View(sc.Tenant), s.billing.Env(), hash)
	return l.Cart, err
}

// FindCart tells in which business, and at which location, the cart of a token is. Who asks again is told from memory.
func (s *Service) FindCart(ctx context.Context, token string) (business, location uuid.UUID, found bool, err error) {
	hash, ok := hashOf(token, cartTokenChars)
	if !ok {
		return uuid.Nil, uuid.Nil, false, nil
	}
	p, found, err := s.db.CartOf(ctx, [32]byte(hash))
	return p.Business, p.Location, found, err
}

// FindReceipt tells in which business the order of a receipt token is.
func (s *Service) FindReceipt(ctx context.Context, token string) (business uuid.UUID, found bool, err error) {
	hash, ok := hashOf(token, receiptChars)
	if !ok {
		return uuid.Nil, false, nil
	}
	p, found, err := findOrder(ctx, s.db, hash)
	return p.BusinessID, found, err
}

// CreateInput begins a cart.
type CreateInput struct {
	LocationID uuid.UUID
	Ref        string // the page the customer came from; may be empty
}

// Validate checks the input. The error names every wrong field.
func (in CreateInput) Validate() error {
	var c fault.Checks
	c.That(len(in.Ref) <= RefMax && utf8.ValidString(in.Ref), "ref", "This address is too long or not valid.")
	return c.Err()
}

// Created is a new cart with its token, which is shown here and nowhere else: the database has its SHA-256 only.
type Created struct {
	Cart
	Token string
}

// Create begins an empty cart at a location. Nobody need be signed in. The token is the right to the cart. Errors:
// Validation on body.ref; not found for a location that is not open to the public.
func (s *Service) Create(ctx context.Context, sc tenancy.Scope, in CreateInput) (Created, error) {
	if err := in.Validate(); err != nil {
		return Created{}, err
	}
	at, known, err := s.db.LocationOf(ctx, in.LocationID)
	if err != nil {
		return Created{}, err
	}
	if !known || sc.Tenant != uuid.Nil && sc.Tenant != at.Business {
		return Created{}, fault.Missing()
	}
	type made struct{ Sealed []byte } // kept for a repeated request; the token itself is in no table
	m, err := pg.InTx(ctx, s.db, at.Business, func(tx *pg.Tx) (made, error) {
		token := newToken()
		hash, _ := hashOf(token, cartTokenChars)
		open, err := insertCart(ctx, tx, pg.NewID(), in.LocationID, hash, in.Ref)
		if err == nil && !open {
			err = fault.Missing()
		}
		return made{s.seal.Hide(token)}, err
	})
	if err != nil {
		return Created{}, err
	}
	token, err := s.seal.Show(m.Sealed)
	if err != nil {
		return Created{}, err
	}
	sc.Tenant = at.Business
	c, err := s.Cart(ctx, sc, token)
	return Created{c, token}, err
}

// Tokens are base64url without padding. A cart's is 192 random bits, a receipt's 256 derived ones.
const (
	cartTokenBytes = 24
	cartTokenChars = 32
	receiptChars   = 43
)

// newToken makes the token of a cart.
func newToken() string {
	var raw [cartTokenBytes]byte
	if _, err := rand.Read(raw[:]); err != nil {
		panic(err) // crypto/rand does not fail on a machine that works
	}
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

// hashOf is what the database keeps of a token. ok is false for text that cannot be one, which spares a look-up.
func hashOf(token string, chars int) (hash []byte, ok bool) {
	if len(token) != chars {
		return nil, false
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(token); err != nil {
		return nil, false
	}
	sum := sha256.Sum256([]byte(token))
	return sum[:], true
}

// ReceiptToken is the token of an order's receipt. It is derived and not kept, so that a mail can name it later.
func (s *Service) ReceiptToken(order uuid.UUID) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte("checkout.receipt\x00"))
	mac.Write(order[:])
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// receiptHash is what the database keeps of an order's receipt token.
func (s *Service) receiptHash(order uuid.UUID) []byte {
	sum := sha256.Sum256([]byte(s.ReceiptToken(order)))
	return sum[:]
}

// lock locks the cart of a token for the verb that goes on with it. Once somebody holds a cart they are the only one who
// may use it; filling it takes the token alone.
func (s *Service) lock(ctx context.Context, tx *pg.Tx, token string, person uuid.UUID, how locking) (loaded, error) {
	hash, ok := hashOf(token, cartTokenChars)
	if !ok {
		return loaded{}, fault.Missing()
	}
	var claim *uuid.UUID
	if how == lockToHold {
		claim = &person
	}
	bump := 1
	if how == lockToLook {
		bump = 0
	}
	l, err := lockCart(ctx, tx, s.billing.Env(), hash, bump, claim)
	if err != nil {
		return loaded{}, err
	}
	if how != lockToFill && l.PersonID != nil && *l.PersonID != person {
		return loaded{}, ErrOther
	}
	return l, nil
}

// locking says what a cart is locked for.
type locking int

const (
	lockToFill locking = iota // whoever has the token
	lockToHold                // the cart becomes the person's, if it is nobody's
	lockToUse                 // the person who holds it
	lockToLook                // the same, and nothing changes
)

// ordered is ErrOrdered or ErrRefunded for a cart that is done. Only who held it is told the way to the receipt.
func (s *Service) ordered(c Cart, person uuid.UUID) error {
	if c.State != CartOrdered || c.Order == nil {
		return nil
	}
	refusal := ErrOrdered
	if c.Order.State == OrderRefunded {
		refusal = ErrRefunded
	}
	if c.PersonID == nil || *c.PersonID != person {
		return refusal
	}
	return refusal.With("receiptToken", s.ReceiptToken(c.Order.ID))
}
