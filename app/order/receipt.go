package order

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/tender"
)

// Receipt is the receipt of an order: items, customer, location and payments. Its figures are the order's own: later
// edits of the studio do not change them. The studio is the merchant of record and the only one it names. A215.
type Receipt struct {
	OrderID      uuid.UUID
	State        State // fulfilled or refunded
	CreatedAt    time.Time
	FulfilledAt  time.Time `db:",null"`
	Ref          string    // the page that the customer came from, as sent: check it before printing
	BusinessID   uuid.UUID
	BusinessName string
	LocationID   uuid.UUID
	LocationName string
	LocationSlug string
	Zone         string // IANA: the wall clock of the times
	Address      business.Address
	Accent       string // "#rrggbb": the location's colour
	Website      string
	CustomerName string // may be empty
	Lines        []ReceiptLine
	Totals       Totals
	DueAmount    int64            // to be paid at the studio for the standing lines
	Card         *ReceiptCard     // nil if nothing was paid by card
	Payments     []ReceiptPayment // paid at the studio, without void payments
	Later        []ReceiptCard    // saved cards that later paid amounts due at the studio, by payments of their own
	Refunds      []ReceiptRefund
	WaivedAt     []time.Time // waived late-cancellation fees (grace rule); not read by Confirm
	Desk         bool        // sold without a cart: at the desk, or for an amount due
	Test         bool        // no real money is involved: show it
}

// OfFee reports whether it is the receipt of a single fee.
func (r Receipt) OfFee() bool { return len(r.Lines) == 1 && r.Lines[0].Fee != "" }

// ReceiptLine is one sold seat, or a course: then the booking and the times are its first date's. Other kinds have
// neither, and a fee has those of its booking.
type ReceiptLine struct {
	BookingID           uuid.UUID `db:",null"`
	OfferingID          uuid.UUID `db:",null"`
	OccurrenceID        uuid.UUID `db:",null"`
	Kind                Kind
	OfferingKind        catalog.Kind  `db:",null"` // of the booking, or of the booking of a fee
	Quantity            int           // 1 of a seat or a fee
	Subject             uuid.UUID     `db:"subject_id,null"` // without a seat or a fee: what it sold
	Label               string        // the name of what was sold, then
	Slug                string        `db:",null"` // of the offering now
	Attendee            string        `db:",null"` // the attendee, if not the customer
	Party               int           `db:",null"` // seats
	StartsAt            time.Time     `db:",null"`
	EndsAt              time.Time     `db:",null"`
	Instructor          string        // empty: none
	Space               string        // empty: none
	State               booking.State `db:",null"` // of a course as a whole
	ListedAmount        int64
	DiscountAmount      int64 // taken off it, before tax
	TaxAmount           int64
	NonRefundableAmount int64                // of it: not refunded if its customer cancels in time
	CardAmount          int64                // of it, by the card of the order
	PaidAmount          int64                // paid for it at the studio, with credit, or later by a saved card
	NetAmount           int64                // of that: not refunded
	Fee                 fees.Kind            // for a line that is a fee of the booking; empty: a booking
	Tax                 *Tax                 // nil: untaxed
	Rules               catalog.Rules        // the policy at the time of booking
	Dates               []booking.CourseDate // of a course: all that were sold, in the order of their start; nil otherwise
	Reschedules         int                  `db:",null"` // number of reschedules by the customer
	GraceUntil          *time.Time           // cancelling is free until then; nil: as the policy requires
	Cover               *Cover               // the plan that paid it; nil: none
	PlanEnd             *PlanEnd             // of a plan that it sold; nil of other lines
	Version             int64                `db:",null"` // of the booking
	UpdatedAt           time.Time            `db:",null"` // of the booking
}

// PlanEnd is the end of a sold plan.
type PlanEnd struct {
	EndsOn   *civil.Date // the first day after; nil: it has no end, or it begins with the first class
	FirstUse bool        // it begins with the first class
	Count    int         // of Unit: how long it is valid; 0: without end
	Unit     string
}

// ReceiptCard is the card of a payment.
type ReceiptCard struct {
	Brand  string // visa, mastercard …; may be empty
	Last4  string
	Wallet string // apple_pay, google_pay, link …; empty: none
	Amount int64
	PaidAt time.Time
	State  CardState
}

// CardState is the state of an order's card payment.
type CardState string

// The states.
const (
	CardCaptured   CardState = "captured"
	CardAuthorized CardState = "authorized" // until the studio has decided: nothing is captured yet
	CardVoided     CardState = "voided"     // was authorized and released: nothing was captured
)

// All returns all states.
func (CardState) All() []CardState { return []CardState{CardCaptured, CardAuthorized, CardVoided} }

// ReceiptPayment is a payment at the studio, with its refunds there.
type ReceiptPayment struct {
	Method         tender.Kind
	Label          string // of a gift card; empty: the method says it
	Amount         int64
	RefundedAmount int64
	CreditAmount   int64 // of that: as account credit
	At             time.Time
}

// ReceiptRefund is a refund, done or in progress.
type ReceiptRefund struct {
	Amount      int64
	State       billing.RefundState
	Destination billing.Destination
	At          time.Time
}

// Receipt returns a receipt by its token, in one round trip. The token is the right to it. It returns a not found
// error for an unknown token, and for an order that is not done.
func (s *Service) Receipt(ctx context.Context, sc tenancy.Scope, token string) (Receipt, error) {
	hash, ok := TokenHash(token, ReceiptChars)
	if !ok {
		return Receipt{}, fault.Missing()
	}
	r, err := readReceiptBy(ctx, s.db.View(sc.Tenant), "receipt_hash", hash)
	if err == nil && r.State != Fulfilled && r.State != Refunded {
		err = fault.Missing()
	}
	if err != nil {
		return Receipt{}, err
	}
	return r, nil
}

// dueFor returns the amount due for those lines of an order that stand. The order has the agreed amounts; cancelled
// lines are not due.
func (r Receipt) dueFor(lines []ReceiptLine) (sum int64) {
	if r.Totals.DueLaterAmount == 0 {
		return 0
	}
	for _, l := range lines {
		if l.due() {
			sum += LineDue(r.Totals.TaxMode, l.ListedAmount-l.DiscountAmount, l.TaxAmount) - l.CardAmount - l.PaidAmount
		}
	}
	return sum
}

// due reports whether the price of a line is due as long as it is not paid.
func (l ReceiptLine) due() bool { return l.Fee == "" && isDue(l.State) }

// isDue reports whether the price of a booking in that state is due, or will be once the studio approves.
func isDue(s booking.State) bool { return s == booking.Requested || booking.TakesSeat(s) }

// Taxes adds the lines' taxes up by rate. The order's tax beyond them is inside the service fee.
func (r *Receipt) Taxes() {
	q := Quote{Totals: Totals{}}
	items := make([]Item, len(r.Lines))
	left := r.Totals.TaxAmount
	index := map[uuid.UUID]int{}
	for i, l := range r.Lines {
		items[i] = Item{ListedAmount: l.ListedAmount, DiscountedAmount: l.DiscountAmount, Tax: l.Tax}
		left -= l.TaxAmount
		if l.Tax == nil {
			continue
		}
		at, known := index[l.Tax.RateID]
		if !known {
			at = len(q.Totals.Taxes)
			index[l.Tax.RateID] = at
			q.Totals.Taxes = append(q.Totals.Taxes, TaxTotal{Tax: *l.Tax})
		}
		q.Totals.Taxes[at].Amount += l.TaxAmount
	}
	q.spreadServiceTax(items, left)
	r.Totals.Taxes = q.Totals.Taxes
}

// Money are the amounts of a booking, in minor units of its currency.
type Money struct {
	Paid          int64 // by card for this booking, tax included, also by a saved card later
	OrderTotal    int64 // of the order that it was sold with
	OrderRefunded int64 // of that order and of later payments by saved card, refunded or in progress
	Due           int64 // to be paid at the studio: the part of the price paid neither by card nor there
	PaidAtStudio  int64 // paid at the studio, and not refunded
	FeesDue       int64 // for late cancellation or no-show
}

// MoneyOf sums up the amounts paid for a booking and the amounts due; of a date of a course, for all of it. The
// caller may see the booking.
func (s *Service) MoneyOf(ctx context.Context, business uuid.UUID, b booking.Booking) (Money, error) {
	if b.Course() {
		return courseMoney(ctx, s.db.View(business), *b.GroupID)
	}
	return moneyOf(ctx, s.db.View(business), b.ID)
}

// MoneyAt is MoneyOf for all bookings of a date in one trip, without those of a course. The caller may see the
// bookings there.
func (s *Service) MoneyAt(ctx context.Context, business, occurrence uuid.UUID) (map[uuid.UUID]Money, error) {
	rows, err := moneyAt(ctx, s.db.View(business), occurrence)
	return byBooking(rows), err
}

// MoneyOfAll is MoneyAt for a list of bookings. The caller may see them.
func (s *Service) MoneyOfAll(
	ctx context.Context, business uuid.UUID, bookings []uuid.UUID,
) (map[uuid.UUID]Money, error) {
	if len(bookings) == 0 {
		return nil, nil
	}
	rows, err := moneyOfAll(ctx, s.db.View(business), bookings)
	return byBooking(rows), err
}

func byBooking(rows []SeatMoney) map[uuid.UUID]Money {
	out := make(map[uuid.UUID]Money, len(rows))
	for _, r := range rows {
		out[r.BookingID] = r.Money
	}
	return out
}

// ReceiptToken returns the token of an order's receipt. It is derived and not stored, so that a mail can name it
// later.
func (s *Service) ReceiptToken(order uuid.UUID) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte("checkout.receipt\x00"))
	mac.Write(order[:])
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// ReceiptHash returns the stored hash of an order's receipt token.
func (s *Service) ReceiptHash(order uuid.UUID) []byte {
	sum := sha256.Sum256([]byte(s.ReceiptToken(order)))
	return sum[:]
}

// ReceiptLookup finds the order of a receipt's token; ok is false for text that cannot be one.
func ReceiptLookup(token string) (l pg.Lookup, ok bool) {
	hash, ok := TokenHash(token, ReceiptChars)
	if !ok {
		return l, false
	}
	return pg.ReceiptHash([32]byte(hash)), true
}

// FindReceipt returns the business of a receipt token's order.
func (s *Service) FindReceipt(ctx context.Context, token string) (business uuid.UUID, found bool, err error) {
	l, ok := ReceiptLookup(token)
	if !ok {
		return uuid.Nil, false, nil
	}
	p, found, err := s.db.Locate(ctx, l)
	return p.Business, found, err
}
