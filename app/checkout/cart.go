package checkout

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/names"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// CartState is the state of a cart.
type CartState string

// The states.
const (
	CartOpen    CartState = "open"
	CartOrdered CartState = "ordered" // paid, or nothing was to pay; only its receipt remains
)

// All returns all states.
func (CartState) All() []CartState { return []CartState{CartOpen, CartOrdered} }

// The limits of a cart.
const (
	ItemsMax    = 20   // seats in one cart
	AttendeeMax = 120  // characters
	PartyMax    = 1000 // people of one appointment or rental
	RefMax      = 2048 // bytes
)

// Cart is a selection to be booked at one location.
type Cart struct {
	ID           uuid.UUID
	BusinessID   uuid.UUID
	LocationID   uuid.UUID
	LocationName string
	LocationSlug string
	BusinessName string
	Zone         string // IANA: the wall clock of the times
	State        CartState
	PersonID     *uuid.UUID // the holder: from the hold on only this person can change, hold, pay and confirm it
	Ref          string     // the page that the customer came from, as sent: check it before printing
	Version      int64
	CreatedAt    time.Time
	Lines        []Line
	Totals       order.Totals
	Code         *Code                   // the code entered for it; nil: none
	Hold         *booking.Hold           // the live one; nil if no seat is held
	Order        *Order                  // the order being paid, or paid
	Card         bool                    // the total can be paid by card
	Least        int64                   // card minimum, if cards are accepted and the total is less; else 0
	Agreements   []agreement.Requirement // the required agreements of its items, with acceptances
	Credit       *CartCredit             // account credit of the holder, shown to the holder only; nil: none
	// Sources are what its customer chose to pay with besides account credit, with what each has. For the holder only.
	Sources  []tender.Prepaid
	HasPlans bool          // its holder has plans, or could buy one: see CompatiblePlans
	Deposit  *CartDeposit  // a deposit would do now; nil: the full amount is due
	AtStudio *order.Totals // the totals if paid at the studio; nil if that is not offered
}

// OpenTo reports whether a person, or uuid.Nil for a visitor who is not signed in, can go on with the cart.
func (c Cart) OpenTo(person uuid.UUID) bool { return c.State == CartOpen && c.BelongsTo(person) }

// BelongsTo reports whether the cart is a person's, or not held yet. Its link may be shared, so from the first hold
// on the token alone is no right to change it, nor to read the attendees.
func (c Cart) BelongsTo(person uuid.UUID) bool { return c.PersonID == nil || *c.PersonID == person }

// frozen reports whether the cart is being paid for right now: its prices are the order's.
func (c *Cart) frozen() bool { return c.Order != nil && c.Order.State == order.Open && c.Hold != nil }

// heldWholly reports whether every line's seat is held, and all others are reserved.
func (c *Cart) heldWholly() bool {
	for _, l := range c.Lines {
		if !l.Held() {
			return false
		}
	}
	return c.Hold != nil
}

// seats returns the cart's request to booking.
func (c *Cart) seats() []booking.Seat {
	var out []booking.Seat
	for _, l := range c.Lines {
		if l.Kind.Seat() {
			out = append(out, l.seats()...)
		}
	}
	return out
}

func (c *Cart) occurrences() []uuid.UUID {
	out := make([]uuid.UUID, 0, len(c.Lines))
	for _, l := range c.Lines {
		if l.Slot != nil || !l.Kind.Seat() {
			continue
		}
		for _, d := range l.dates() {
			out = append(out, d.OccurrenceID)
		}
	}
	return out
}

func (c *Cart) currency() money.Currency { return c.Totals.Currency }

// Cart returns a cart by its token, in one round trip. Prices are computed at every reading: see Price. The price of
// a held seat stays, and while the cart is being paid for all prices do. Once the cart is held, only its holder sees
// the attendees: for others the lines have no Attendee.
func (s *Service) Cart(ctx context.Context, sc tenancy.Scope, token string) (Cart, error) {
	l, err := s.read(ctx, sc, token)
	if !l.BelongsTo(sc.Person()) {
		for i := range l.Lines {
			l.Lines[i].Attendee = ""
		}
		l.hideCredit()
	}
	return l.Cart, err
}

// read reads a cart without locking it.
func (s *Service) read(ctx context.Context, sc tenancy.Scope, token string) (loaded, error) {
	hash, ok := order.TokenHash(token, cartTokenChars)
	if !ok {
		return loaded{}, fault.Missing()
	}
	return s.readCart(ctx, s.db.View(sc.Tenant), hash)
}

// readPart reads a cart by one of the statements that do not read all of it. One with an item without a seat is not
// priced then: see whole.
func (s *Service) readPart(ctx context.Context, sc tenancy.Scope, token, sql string, args ...any) (loaded, error) {
	hash, ok := order.TokenHash(token, cartTokenChars)
	if !ok {
		return loaded{}, fault.Missing()
	}
	return readPart(ctx, s.db.View(sc.Tenant), sql, hash, args...)
}

// CreateInput describes a new cart.
type CreateInput struct {
	LocationID uuid.UUID
	Ref        string // the page that the customer came from; may be empty
}

// Validate checks the input. The error names every invalid field.
func (in CreateInput) Validate() error {
	var c fault.Checks
	c.That(len(in.Ref) <= RefMax && utf8.ValidString(in.Ref), "ref", "This address is too long or invalid.")
	return c.Err()
}

// Created is a new cart with its token. The token is returned only here: the database has its SHA-256 only.
type Created struct {
	Cart
	Token string
}

// Create begins an empty cart at a location, without a session. The token is the right to the cart. It returns a
// validation error on body.ref, and a not found error for a location that is not open to the public.
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
	type made struct{ Sealed []byte } // stored for a repeated request; the token itself is in no table
	m, err := pg.InTx(ctx, s.db, at.Business, func(tx *pg.Tx) (made, error) {
		token := newToken()
		hash, _ := order.TokenHash(token, cartTokenChars)
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

// A cart's token is 192 random bits as base64url without padding.
const (
	cartTokenBytes = 24
	cartTokenChars = 32
)

// newToken returns a new token of a cart.
func newToken() string {
	var raw [cartTokenBytes]byte
	if _, err := rand.Read(raw[:]); err != nil {
		panic(err) // crypto/rand does not fail on a machine that works
	}
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

// lock locks the cart of a token for a method that changes it. Once a cart is held, only its holder may use it; until
// then the token is enough.
func (s *Service) lock(ctx context.Context, tx *pg.Tx, token string, person uuid.UUID, how locking) (loaded, error) {
	hash, ok := order.TokenHash(token, cartTokenChars)
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
	l, err := s.lockCart(ctx, tx, hash, bump, claim)
	if err != nil {
		return loaded{}, err
	}
	if !l.BelongsTo(person) {
		return loaded{}, ErrOther
	}
	return l, nil
}

// locking is the purpose of a lock on a cart.
type locking int

const (
	lockToUse  locking = iota
	lockToHold         // the cart becomes the person's, if it is not held yet
	lockToLook         // nothing changes
)

// ordered returns ErrOrdered or ErrRefunded for a cart that is done. Only its holder receives the token of the
// receipt.
func (s *Service) ordered(c Cart, person uuid.UUID) error {
	if c.State != CartOrdered || c.Order == nil {
		return nil
	}
	refusal := ErrOrdered
	if c.Order.State == order.Refunded {
		refusal = ErrRefunded
	}
	if c.PersonID == nil || *c.PersonID != person {
		return refusal
	}
	return refusal.With("receiptToken", s.order.ReceiptToken(c.Order.ID))
}

// AddItemInput describes an item to add to a cart: one of a seat of a date, a course, and a time of an appointment or
// a rental.
type AddItemInput struct {
	OccurrenceID uuid.UUID // a date of a class
	CourseID     uuid.UUID // the offering: all of its upcoming dates
	Slot         *Slot
	Attendee     string   // the attendee, if not the customer; may be empty
	People       int      // of a date or a course: number of people, an item each; 0: one, and the named ones
	Others       []string // the names of those beside Attendee; unnamed ones are Guest 2, Guest 3 and so on
	More         bool     // if the customer is in the cart for it already, these are added; else that is refused
}

// Validate trims the input and checks it. The error names every invalid field.
func (in *AddItemInput) Validate() error {
	var c fault.Checks
	in.Attendee = checkAttendee(&c, "attendee", in.Attendee)
	named := 0
	for _, is := range []bool{in.OccurrenceID != uuid.Nil, in.CourseID != uuid.Nil, in.Slot != nil} {
		if is {
			named++
		}
	}
	c.That(named == 1, "occurrenceId", "Pass exactly one of a date, a course, or an offering with a time.")
	c.That(in.People >= 0 && in.People <= ItemsMax, "party", "Use 1 to 20.")
	c.That(len(in.Others) < ItemsMax, "others", "Enter at most 19 other names.")
	for i, name := range in.Others {
		in.Others[i] = checkAttendee(&c, "others", name)
	}
	if s := in.Slot; s != nil {
		if s.Party == 0 {
			s.Party = 1
		}
		c.That(len(in.Others) == 0 && in.People == 0, "others", "Only for a class. Use party for the number of people.")
		c.That(s.Party >= 1 && s.Party <= PartyMax, "party", "Use 1 to 1000.")
		c.That(s.Minutes == 0 || s.Minutes >= schedule.MinutesMin && s.Minutes <= schedule.MinutesMax, "minutes", "Use 5 to 1440.")
		c.That(!s.StartsAt.IsZero() && s.StartsAt.Equal(s.StartsAt.Truncate(time.Minute)), "startsAt", "Enter a time in whole minutes.")
	}
	return c.Err()
}

func checkAttendee(c *fault.Checks, field, name string) string {
	name = names.Clean(name)
	c.That(utf8.RuneCountInString(name) <= AttendeeMax, field, "Use at most 120 characters.")
	c.That(!strings.ContainsFunc(name, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }),
		field, "This contains a character that cannot be printed. Remove it.")
	return name
}

// AddItem adds a seat or a time to a cart. It holds no seat: Hold does. Several people at one date are an item each:
// all of them are added, or none. A live hold stays as it is until Hold is called again. It returns:
//
//   - a validation error on the fields of the body
//   - a not found error for an unknown cart, occurrence or offering, or one of another location
//   - the errors of availability.AssignTx for a time, with alternatives
//   - booking.ErrStarted, ErrCancelled, ErrNotBookable
//   - booking.ErrCourse for one date of a course
//   - booking.ErrDuplicate for a seat that is in the cart already
//   - booking.ErrPaymentStarted
//   - ErrOther, ErrOrdered, ErrCartFull
func (s *Service) AddItem(ctx context.Context, sc tenancy.Scope, token string, in AddItemInput) (Cart, error) {
	if err := in.Validate(); err != nil {
		return Cart{}, err
	}
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error {
		switch {
		case in.Slot != nil:
			return l.addSlot(ctx, tx, in)
		case in.CourseID != uuid.Nil:
			return l.addCourse(ctx, tx, in)
		}
		return l.addDate(ctx, tx, in)
	})
}

// fill changes the items of a locked cart, and returns it as it is then.
func (s *Service) fill(ctx context.Context, sc tenancy.Scope, token string, change func(*pg.Tx, loaded) error) (Cart, error) {
	err := pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		l, err := s.lock(ctx, tx, token, sc.Person(), lockToUse)
		if err != nil {
			return err
		}
		if l.Order != nil && l.Order.State == order.Open {
			return booking.ErrPaymentStarted
		}
		if err := s.ordered(l.Cart, sc.Person()); err != nil {
			return err
		}
		return change(tx, l)
	})
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
}

func (l *loaded) room() error {
	if len(l.Lines) >= ItemsMax {
		return ErrCartFull
	}
	return nil
}

// has reports whether the cart has a seat of that date for that person.
func (l *loaded) has(occurrence uuid.UUID, attendee string) bool {
	for _, line := range l.Lines {
		if occurrence != uuid.Nil && line.OccurrenceID == occurrence && names.Same(line.Attendee, attendee) {
			return true
		}
	}
	return false
}

func alreadyIn(occurrence uuid.UUID) error {
	return booking.ErrDuplicate.WithMessage("This is already in the cart.").With("occurrenceId", occurrence.String())
}
