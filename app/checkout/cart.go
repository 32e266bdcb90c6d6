package checkout

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
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
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
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
	BusinessID   uuid.UUID
	LocationID   uuid.UUID
	LocationName string
	LocationSlug string
	BusinessName string
	Zone         string // IANA: the wall clock of the times
	State        CartState
	PersonID     *uuid.UUID // who held it: from then on it is that person's to change, hold, pay and confirm
	Ref          string     // the page the customer came from, as sent: check it before it is printed
	Version      int64
	CreatedAt    time.Time
	Lines        []Line
	Totals       Totals
	Code         *Code                   // that was given for it; nil: none
	Hold         *booking.Hold           // the live one; nil when no seat is kept
	Order        *Order                  // what is being paid, or was
	Card         bool                    // the total can be paid by card
	Least        int64                   // the smallest amount a card pays, when the account takes cards and the total is less; else 0
	Agreements   []agreement.Requirement // what its items ask for, and whether the person whose it is has agreed to that
	Credit       *CartCredit             // account credit of who holds it, told to them only; nil: none
	Deposit      *CartDeposit            // a deposit would do now; nil: all of it is paid
	AtStudio     *Totals                 // what it comes to when it is paid at the studio; nil where that is not offered
}

// OpenTo tells whether a person, or uuid.Nil for whoever is not signed in, can go on with the cart.
func (c Cart) OpenTo(person uuid.UUID) bool { return c.State == CartOpen && c.BelongsTo(person) }

// BelongsTo tells whether the cart is a person's, or nobody's yet. Its link goes from hand to hand, so from the first hold on
// the token alone is no right to change it, nor to read who is coming.
func (c Cart) BelongsTo(person uuid.UUID) bool { return c.PersonID == nil || *c.PersonID == person }

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
// a seat that is kept stays, and while the cart is being paid for everything does. Once somebody has held it, nobody else
// reads who is coming: the lines have no Attendee.
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
	hash, ok := hashOf(token, cartTokenChars)
	if !ok {
		return loaded{}, fault.Missing()
	}
	return readCart(ctx, s.db.View(sc.Tenant), s.billing.Env(), hash)
}

// readPart is read by one of the statements that do not read all of it.
func (s *Service) readPart(ctx context.Context, sc tenancy.Scope, token, sql string, args ...any) (loaded, error) {
	hash, ok := hashOf(token, cartTokenChars)
	if !ok {
		return loaded{}, fault.Missing()
	}
	return readPart(ctx, s.db.View(sc.Tenant), sql, hash, args...)
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

// lock locks the cart of a token for the verb that goes on with it. Once somebody has held a cart they are the only one who
// may use it; until then the token is all that it takes.
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
	if !l.BelongsTo(person) {
		return loaded{}, ErrOther
	}
	return l, nil
}

// locking says what a cart is locked for.
type locking int

const (
	lockToUse  locking = iota
	lockToHold         // the cart becomes the person's, if it is nobody's
	lockToLook         // nothing changes
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

// AddItemInput is what to put into a cart: one of a seat of a date, a course, and a time of an appointment or a rental.
type AddItemInput struct {
	OccurrenceID uuid.UUID // a date of a class
	CourseID     uuid.UUID // the offering: all of its dates that are to come
	Slot         *Slot
	Attendee     string   // who is coming, when it is somebody else than the customer; may be empty
	People       int      // of a date or a course: how many come, an item each; 0: one, and those who are named
	Others       []string // the names of those who come beside Attendee; whom nobody names is Guest 2, Guest 3 and so on
	More         bool     // when the customer is in the cart for it already, all of these come beside them; else that is refused
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *AddItemInput) Validate() error {
	var c fault.Checks
	in.Attendee = checkAttendee(&c, "attendee", in.Attendee)
	named := 0
	for _, is := range []bool{in.OccurrenceID != uuid.Nil, in.CourseID != uuid.Nil, in.Slot != nil} {
		if is {
			named++
		}
	}
	c.That(named == 1, "occurrenceId", "Name a date, a course, or an offering and a time: one of them.")
	c.That(in.People >= 0 && in.People <= ItemsMax, "party", "Use 1 to 20.")
	c.That(len(in.Others) < ItemsMax, "others", "Name at most 19 others.")
	for i, name := range in.Others {
		in.Others[i] = checkAttendee(&c, "others", name)
	}
	if s := in.Slot; s != nil {
		if s.Party == 0 {
			s.Party = 1
		}
		c.That(len(in.Others) == 0 && in.People == 0, "others", "Is for a class. Say how many people come in party.")
		c.That(s.Party >= 1 && s.Party <= PartyMax, "party", "Use 1 to 1000.")
		c.That(s.Minutes == 0 || s.Minutes >= schedule.MinutesMin && s.Minutes <= schedule.MinutesMax, "minutes", "Use 5 to 1440.")
		c.That(!s.StartsAt.IsZero() && s.StartsAt.Equal(s.StartsAt.Truncate(time.Minute)), "startsAt", "Name a time to the minute.")
	}
	return c.Err()
}

func checkAttendee(c *fault.Checks, field, name string) string {
	name = names.Clean(name)
	c.That(utf8.RuneCountInString(name) <= AttendeeMax, field, "Use at most 120 characters.")
	c.That(!strings.ContainsFunc(name, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }),
		field, "There is a character in it that cannot be printed.")
	return name
}

// AddItem puts a seat or a time into a cart and takes none: Hold does. Several people who come to one date are an item each: all
// of them go in, or none. A live hold stays as it is until Hold is called again.
//
// Errors: Validation on the fields of the body; not found for an unknown cart, occurrence or offering, or one of another
// location; what availability.PlaceTx refuses a time for, with alternatives; booking.ErrStarted, ErrCancelled, ErrNotBookable;
// booking.ErrCourse for one date of a course; booking.ErrDuplicate for a seat that is in the cart already,
// booking.ErrPaymentStarted, ErrOther, ErrOrdered, ErrCartFull.
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

// fill changes the items of a cart, which is locked, and returns it as it is then.
func (s *Service) fill(ctx context.Context, sc tenancy.Scope, token string, change func(*pg.Tx, loaded) error) (Cart, error) {
	err := pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		l, err := s.lock(ctx, tx, token, sc.Person(), lockToUse)
		if err != nil {
			return err
		}
		if l.Order != nil && l.Order.State == OrderOpen {
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

// has tells whether the cart has a seat of that date for that person.
func (l *loaded) has(occurrence uuid.UUID, attendee string) bool {
	for _, line := range l.Lines {
		if occurrence != uuid.Nil && line.OccurrenceID == occurrence && names.Same(line.Attendee, attendee) {
			return true
		}
	}
	return false
}

func alreadyIn(occurrence uuid.UUID) error {
	return booking.ErrDuplicate.WithMessage("This is in the cart already.").With("occurrenceId", occurrence.String())
}
