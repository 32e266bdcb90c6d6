package checkout

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/policy"
)

// PaymentInput says what somebody pays at the desk, and how.
type PaymentInput struct {
	BookingIDs []uuid.UUID // whose price is due; of a course whichever of its dates
	FeeIDs     []uuid.UUID // fees that are due
	Tenders    []Tender    // in the order in which they pay
}

// Tender is one means by which something is paid at the desk.
type Tender struct {
	Method billing.Method
	Amount int64  // minor units; 0, of the last one: all that the others leave
	Note   string // the slip of the terminal; may be empty
}

// Pays are the tenders of somebody who pays all that is due by one means.
func Pays(m billing.Method) []Tender { return []Tender{{Method: m}} }

// takeMost bounds what one sale takes money for.
const takeMost = 50

// Validate trims the input and checks it. The error names every wrong field.
func (in *PaymentInput) Validate() error {
	var c fault.Checks
	c.That(len(in.BookingIDs)+len(in.FeeIDs) > 0, "bookingIds", "Say what is paid: bookings, fees, or both.")
	c.That(len(in.BookingIDs) <= takeMost, "bookingIds", "Name 50 at most.")
	c.That(len(in.FeeIDs) <= takeMost, "feeIds", "Name 50 at most.")
	c.That(!twice(in.BookingIDs), "bookingIds", "Name each once.")
	c.That(!twice(in.FeeIDs), "feeIds", "Name each once.")
	c.That(len(in.Tenders) > 0, "tenders", "Say how it is paid.")
	for i := range in.Tenders {
		in.check(&c, i)
	}
	return c.Err()
}

// check checks one tender.
func (in *PaymentInput) check(c *fault.Checks, i int) {
	t, field := &in.Tenders[i], fmt.Sprintf("tenders[%d].", i)
	c.That(t.Method.Valid(), field+"method", "Use cash, elsewhere or credit.")
	c.That(!slices.ContainsFunc(in.Tenders[:i], func(o Tender) bool { return o.Method == t.Method }), field+"method", "Name each method once.")
	c.That(t.Amount >= 0, field+"amount", "Use more than nothing.")
	c.That(t.Amount > 0 || i == len(in.Tenders)-1, field+"amount", "Say how much. Only the last one pays all that is left.")
	money.CheckNote(c, field+"note", &t.Note, false)
}

func twice(ids []uuid.UUID) bool {
	sorted := slices.SortedFunc(slices.Values(ids), byID)
	return len(slices.Compact(sorted)) < len(ids)
}

func byID(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// Sale is what was paid at the desk at once, by one customer at one location.
type Sale struct {
	LocationID       uuid.UUID
	CustomerID       uuid.UUID
	Tenders          []Tender // with what each paid; in the order of the input
	Amount           int64    // minor units of Currency
	BalanceDueAmount int64    // that is still due of what was named
	Currency         money.Currency
	Lines            []SaleLine              // what was due
	Payments         []billing.ManualPayment // one for each order and tender
}

// SaleLine is one thing that was paid for.
type SaleLine struct {
	BookingID uuid.UUID
	FeeID     *uuid.UUID // the fee that it is
	Label     string     // what was booked
	Amount    int64      // that was due of it, with the tax on top
}

// Effects is what happened, without the new ids and what is written beside it: pg.Effective.
func (s Sale) Effects() any {
	s.Payments, s.Tenders = nil, slices.Clone(s.Tenders)
	for i := range s.Tenders {
		s.Tenders[i].Note = ""
	}
	return s
}

// What stands against a sale at the desk.
var (
	// ErrOneCustomer: what is paid at once is of one customer, at one location.
	ErrOneCustomer = fault.New(fault.Validation, "one_customer", "Pay for one customer at one location at a time.")
	// ErrMoreThanDue: details.dueAmount is all that is due.
	ErrMoreThanDue = fault.New(fault.Conflict, "more_than_due", "This is more than is due.")
	// ErrFeesInFull: a fee is not paid in part.
	ErrFeesInFull = fault.New(fault.Conflict, "fees_in_full", "Fees are paid in full. Pay all that is due, or the bookings only.")
)

// RecordPayment writes down that a customer pays at the desk what is due for bookings and fees: all of it, or, of bookings, a part. What of a price
// is in no order yet is sold here, taxed as it is today, by an order without a cart; a fee is an order too, and is not taxed. What pays a
// part, or is one of several means, is spread over all that is due of an order. No processor is asked, and no platform fee or service fee
// is part of it (A29). Two at once do not take the same money twice: the second finds nothing due.
//
// It needs payment.take at the location. Errors: Validation; not found; ErrOneCustomer; fees.ErrNotDue; ErrNothingToPay; ErrMoreThanDue;
// ErrFeesInFull; credit.ErrShort.
func (s *Service) RecordPayment(ctx context.Context, sc tenancy.Scope, in PaymentInput) (Sale, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return Sale{}, err
	}
	if err := in.Validate(); err != nil {
		return Sale{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Sale, error) { return s.takeTx(ctx, tx, sc, in) })
}

// takeTx is Take with an input that was checked.
func (s *Service) takeTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in PaymentInput) (Sale, error) {
	d, err := lockDesk(ctx, tx, in)
	if err != nil {
		return Sale{}, err
	}
	if err := policy.RequireAt(sc, policy.PaymentTake, d.place.LocationID); err != nil {
		return Sale{}, err
	}
	orders, err := s.ordersOf(ctx, tx, d)
	if err != nil {
		return Sale{}, err
	}
	return s.takeAll(ctx, tx, sc, in, d, orders)
}

// deskDue is what is due of what somebody wants to pay. All of it is locked.
type deskDue struct {
	place    deskPlace
	bookings []uuid.UUID // whose prices were asked for, of courses all dates
	prices   []deskPrice // of bookings, of which something is in no order yet
	unpaid   []deskLine  // of orders
	fees     []fees.Fee  // with the kind of their bookings in kinds
	kinds    map[uuid.UUID]catalog.Kind
}

// deskPlace is whose and where everything is.
type deskPlace struct {
	LocationID uuid.UUID
	CustomerID uuid.UUID
	Currency   money.Currency
	TaxMode    business.TaxMode
}

// deskPrice is a booking with what of its price is in no order yet.
type deskPrice struct {
	deskPlace
	BookingID uuid.UUID
	Kind      catalog.Kind
	Label     string
	Unsold    int64
	TaxRateID *uuid.UUID
	TaxName   string
	TaxPpm    int64
}

// deskLine is a line of an order that is to be paid at the studio, and was not.
type deskLine struct {
	OrderID, LineID, BookingID uuid.UUID
	Label                      string
	Kind                       catalog.Kind
	TaxRateID                  *uuid.UUID
	TaxName                    string
	TaxPpm                     int64
	Amount                     int64
}

// orderDue is an order, and the lines of it that are paid now; nil: all.
type orderDue struct {
	id    uuid.UUID
	lines []uuid.UUID
	parts []billing.Part // what is due of it
}

// ordersOf are the orders with something due, in the order of their ids; the last one is made here, of what was in none.
func (s *Service) ordersOf(ctx context.Context, tx *pg.Tx, d deskDue) ([]orderDue, error) {
	var out []orderDue
	for _, l := range d.unpaid {
		if n := len(out); n == 0 || out[n-1].id != l.OrderID {
			out = append(out, orderDue{id: l.OrderID})
		}
		last := &out[len(out)-1]
		last.lines = append(last.lines, l.LineID)
	}
	made := d.sale()
	if len(made.Lines) == 0 {
		return out, nil
	}
	made.ID = pg.NewID()
	made.Receipt = s.receiptHash(made.ID)
	return append(out, orderDue{id: made.ID}), insertOrder(ctx, tx, made)
}

// taxOf is a rate as a row has it; nil: there is none.
func taxOf(rate *uuid.UUID, name string, ppm int64) *Tax {
	if rate == nil {
		return nil
	}
	return &Tax{RateID: *rate, Name: name, PPM: ppm}
}

// sale is the order of what is in none yet.
func (d deskDue) sale() sale {
	var items []Item
	out := sale{LocationID: d.place.LocationID, Customer: d.place.CustomerID, State: OrderFulfilled}
	add := func(l saleLine) {
		items = append(items, l.Item)
		out.Lines = append(out.Lines, l)
	}
	for _, p := range d.prices {
		add(saleLine{
			BookingID: p.BookingID, Kind: p.Kind, Label: p.Label,
			Item: Item{ListedAmount: p.Unsold, Tax: taxOf(p.TaxRateID, p.TaxName, p.TaxPpm)},
		})
	}
	for _, f := range d.fees {
		add(saleLine{BookingID: f.BookingID, Fee: &f.ID, Kind: d.kinds[f.BookingID], Label: f.OfferingName, Item: Item{ListedAmount: f.Amount}})
	}
	q := Price(items, nil, Terms{Currency: d.place.Currency, TaxMode: d.place.TaxMode}.withoutCard())
	for i := range out.Lines {
		out.Lines[i].TaxAmount = q.Lines[i].TaxAmount
	}
	out.Totals, out.DueAmount = q.Totals, q.Totals.TotalAmount
	return out
}
