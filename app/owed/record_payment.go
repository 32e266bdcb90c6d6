package owed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/billing/tender"
	"foyer/policy"
)

// PaymentInput describes a payment at the desk.
type PaymentInput struct {
	BookingIDs []uuid.UUID // with a price due; of a course any of its dates
	FeeIDs     []uuid.UUID // fees that are due
	Goods      []Goods     // sold now
	// GiftCards are drafts of this transaction, sold now.
	GiftCards []uuid.UUID
	// Plans are sold now, to a customer with a record.
	Plans []uuid.UUID
	// PeriodID is a billing period of a membership that is due, or comes next; uuid.Nil: none.
	PeriodID uuid.UUID
	// LocationID is where goods are sold; uuid.Nil: where the bookings and fees are.
	LocationID uuid.UUID
	// CustomerID buys goods; uuid.Nil: the customer of the bookings and fees, or without them a walk-in.
	CustomerID uuid.UUID
	Tenders    []Tender // in the order of payment; none if the goods are free
}

// Tender is one payment method of a sale at the desk, with its amount.
type Tender struct {
	Method tender.Kind // or SavedCard
	// Source is the gift card; with SavedCard the card, uuid.Nil: the one saved last that has not expired; with
	// PlanCredit the grant, uuid.Nil: the first that pays.
	Source   uuid.UUID
	Label    string // of that, on receipts; set by the sale
	Amount   int64  // minor units; 0, of the last one: the remaining amount
	Received int64  // in cash: what the customer hands over, the amount or more; 0: the amount
	Note     string // the terminal's receipt; may be empty
}

// SavedCard is the method of a saved card of the customer, which pays all of a sale. The tender is tender.Card.
const SavedCard tender.Kind = "saved_card"

// PlanCredit is the method of plans of the customer, which pay for all bookings of a sale of nothing else. No tender is
// recorded: the price of the bookings is taken off, as in a cart.
const PlanCredit tender.Kind = "plan_credit"

// Pays returns the tenders of a payment in full by one method.
func Pays(m tender.Kind) []Tender { return []Tender{{Method: m}} }

// takeMost bounds the number of items in one sale.
const takeMost = 50

// Validate trims the input and checks it. The error names every invalid field.
func (in *PaymentInput) Validate() error {
	var c fault.Checks
	c.That(len(in.BookingIDs)+len(in.FeeIDs)+in.sells() > 0, "bookingIds", "Select bookings, fees or goods.")
	c.That(len(in.BookingIDs) <= takeMost, "bookingIds", "Pass at most 50.")
	c.That(len(in.FeeIDs) <= takeMost, "feeIds", "Pass at most 50.")
	c.That(!twice(in.BookingIDs), "bookingIds", "Pass each once.")
	c.That(!twice(in.FeeIDs), "feeIds", "Pass each once.")
	in.checkGoods(&c)
	c.That(len(in.Tenders) > 0 || in.sells() > 0, "tenders", "Select a payment method.")
	for i := range in.Tenders {
		in.check(&c, i)
	}
	return c.Err()
}

// check checks one tender.
func (in *PaymentInput) check(c *fault.Checks, i int) {
	t, field := &in.Tenders[i], fmt.Sprintf("tenders[%d].", i)
	switch t.Method {
	case SavedCard:
		in.checkCard(c, *t, field)
		return
	case PlanCredit:
		in.checkPlan(c, *t, field)
		return
	}
	c.That(t.Method.Valid(), field+"method",
		"Use cash, other, account_credit, gift_card, plan_credit or saved_card.")
	c.That((t.Source != uuid.Nil) == (t.Method == tender.GiftCard), field+"code", "Enter the code of the gift card.")
	c.That(t.Method != tender.GiftCard || len(in.GiftCards) == 0, field+"method",
		"A gift card cannot pay for a gift card. Buy it separately.")
	c.That(!slices.ContainsFunc(in.Tenders[:i], func(o Tender) bool { return o.Method == t.Method }), field+"method", "Use each payment method once.")
	c.That(t.Amount >= 0, field+"amount", "Enter an amount above zero.")
	c.That(t.Amount > 0 || i == len(in.Tenders)-1, field+"amount", "Enter an amount. Only the last payment method pays the remaining amount.")
	c.That(t.Received == 0 || t.Method == tender.Cash, field+"receivedAmount", "Only cash has an amount received.")
	c.That(t.Received == 0 || t.Received >= max(1, t.Amount), field+"receivedAmount", tooLittle)
	money.CheckNote(c, field+"note", &t.Note, false)
}

const tooLittle = "Enter the amount received. It is at least the amount to pay."

func twice(ids []uuid.UUID) bool {
	sorted := slices.SortedFunc(slices.Values(ids), byID)
	return len(slices.Compact(sorted)) < len(ids)
}

func byID(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// Sale is a payment at the desk at once, by one customer at one location.
type Sale struct {
	OrderID          uuid.UUID // of goods, and of amounts that were in no order yet; uuid.Nil: none was made
	LocationID       uuid.UUID
	CustomerID       uuid.UUID
	Walkin           bool     // the customer is a walk-in with a record for this sale alone
	Tenders          []Tender // with their amounts; in the order of the input
	Amount           int64    // minor units of Currency
	ChangeAmount     int64    // of the cash received: back to the customer
	BalanceDueAmount int64    // still due of the selected items
	Currency         money.Currency
	Lines            []SaleLine      // the amounts that were due
	Goods            []SoldGoods     // in the order of the input
	Plans            []SoldPlan      // likewise
	Payments         []tender.Tender // one for each order and tender
	Charge           *SaleCharge     // of a saved card; nil: it was paid otherwise
}

// SaleLine is one paid item.
type SaleLine struct {
	BookingID uuid.UUID
	FeeID     *uuid.UUID // set for a fee
	Label     string     // the name of the booking
	Amount    int64      // due of it, with the tax on top
}

// Effects returns the effects of the sale, without new ids and internal data: pg.Effective.
func (s Sale) Effects() any {
	s.OrderID, s.Payments, s.Tenders = uuid.Nil, nil, slices.Clone(s.Tenders)
	if s.Walkin {
		s.CustomerID = uuid.Nil
	}
	for i := range s.Tenders {
		s.Tenders[i].Note = ""
	}
	if s.Charge != nil {
		s.Charge = &SaleCharge{Card: s.Charge.Card}
	}
	return s
}

// Errors of a sale at the desk.
var (
	// ErrOneCustomer means that the items have several customers or locations.
	ErrOneCustomer = fault.New(fault.Validation, "one_customer", "Pay for one customer at one location at a time.")
	// ErrMoreThanDue means that the tenders exceed the amount due, which is details.dueAmount.
	ErrMoreThanDue = fault.New(fault.Conflict, "more_than_due", "The amount is larger than the amount due.")
	// ErrFeesInFull means that a fee would be paid in part.
	ErrFeesInFull = fault.New(fault.Conflict, "fees_in_full", "Fees must be paid in full. Pay the full amount due, or the bookings only.")
	// ErrGoodsInFull means that goods would be paid in part. Details.dueAmount is the amount of all.
	ErrGoodsInFull = fault.New(fault.Conflict, "goods_in_full", "Goods must be paid in full. Pay the full amount.")
)

// RecordPayment records a customer's payment at the desk for bookings and fees: in full, or, for bookings, in part.
// The part of a price that is in no order yet is sold here, taxed as it is today, by an order without a cart; a fee
// is an order too, and is not taxed. A partial payment, or one of several tenders, is spread over all amounts due of
// an order. No processor is called, and no platform fee or service fee is part of it (A29). Of two payments at once
// the second finds nothing due.
//
// Goods are sold at their price of today, in that order too, and leave the stock. They are paid in full.
//
// A saved card pays all of it, by the payment of one order: the platform's fee is collected, and no service fee is
// added. It is charged a moment later, as by Collect; until then goods are reserved. If the charge fails, a sale with
// goods is void, and another one can be made; without goods it is as after Collect.
//
// It needs payment.take at the location. It returns:
//
//   - a validation error
//   - a not found error
//   - policy.ErrMissingFeature, also for a selected customer whom the caller's role does not cover
//   - ErrOneCustomer
//   - fees.ErrNotDue
//   - ErrNothingToPay
//   - ErrMoreThanDue
//   - ErrFeesInFull, ErrGoodsInFull
//   - credit.ErrShort
//   - order.ErrSoldOut and other reasons of the seller of goods, with details.itemId: the variant
//   - catalog.ErrLocationArchived
//   - plan.ErrNoPeriod, and ErrPaymentPending while its customer is paying it
//   - plan.ErrNotPaid for a booking that no plan, or not the selected one, pays for, with details.bookingId and
//     details.why, which can be WhyNoPlan and WhySold too
//   - of a saved card: ErrPaymentPending, processor.ErrCardRemoved, ErrCardConsent, ErrCardUnavailable and
//     ErrAmountRefused, billing.ErrBelowCardMinimum
func (s *Service) RecordPayment(ctx context.Context, sc tenancy.Scope, in PaymentInput) (Sale, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return Sale{}, err
	}
	if err := in.Validate(); err != nil {
		return Sale{}, err
	}
	take := func(tx *pg.Tx) (Sale, error) { return s.takeTx(ctx, tx, sc, in) }
	got, err := pg.InTx(ctx, s.db, sc.Tenant, take)
	// A concurrent call did the same, or a billing period got its order at this moment.
	if (in.bySavedCard() || in.PeriodID != uuid.Nil) && errors.Is(err, pg.ErrUnmet) {
		got, err = pg.InTx(ctx, s.db, sc.Tenant, take)
	}
	return got, err
}

// RecordPaymentTx is RecordPayment as part of the caller's transaction.
func (s *Service) RecordPaymentTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in PaymentInput) (Sale, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return Sale{}, err
	}
	if err := in.Validate(); err != nil {
		return Sale{}, err
	}
	return s.takeTx(ctx, tx, sc, in)
}

// sells returns the number of items that are sold now.
func (in PaymentInput) sells() int {
	n := len(in.Goods) + len(in.GiftCards) + len(in.Plans)
	if in.PeriodID != uuid.Nil {
		n++
	}
	return n
}

// takeTx is RecordPayment with an input that was checked.
func (s *Service) takeTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in PaymentInput) (Sale, error) {
	if in.bySavedCard() {
		return s.chargeSale(ctx, tx, sc, in)
	}
	if in.byPlan() {
		return s.usePlans(ctx, tx, sc, in)
	}
	period, err := s.periodOf(ctx, tx, &in)
	if err != nil {
		return Sale{}, err
	}
	d, err := lockDesk(ctx, tx, in)
	if err != nil {
		return Sale{}, err
	}
	d.period = period
	if err := policy.RequireAt(sc, policy.PaymentTake, d.place.LocationID); err != nil {
		return Sale{}, err
	}
	// First, as goods that an open order has reserved can be sold now.
	if err := s.dropOpen(ctx, tx, d); err != nil {
		return Sale{}, err
	}
	if err := s.addGoods(ctx, tx, sc, in, &d); err != nil {
		return Sale{}, err
	}
	orders, err := s.ordersOf(ctx, tx, &d)
	if err != nil {
		return Sale{}, err
	}
	if period != nil {
		if err := s.payPeriod(ctx, tx, *period, d.made); err != nil {
			return Sale{}, err
		}
	}
	if err := s.handOut(ctx, tx, sc, d); err != nil {
		return Sale{}, err
	}
	return s.takeAll(ctx, tx, sc, in, d, orders)
}

// deskDue are the amounts due of the selected items. All of it is locked.
type deskDue struct {
	place    deskPlace
	bookings []uuid.UUID // with a selected price, of courses all dates
	prices   []deskPrice // of bookings with an amount in no order yet
	unpaid   []deskLine  // of orders
	fees     []fees.Fee  // with those of their bookings in booked
	booked   map[uuid.UUID]deskPrice
	goods    []*order.CartItem // with their offers
	period   *plan.Period      // of a membership, which is among the goods; nil: none
	walkin   bool              // the customer is a walk-in with a record for this sale alone
	made     order.Draft       // the order of what was in none; without lines: none
}

// deskPlace is the customer and the location of it.
type deskPlace struct {
	LocationID uuid.UUID
	CustomerID uuid.UUID
	Currency   money.Currency
	TaxMode    business.TaxMode
}

// deskPrice is a booking with the part of its price that is in no order yet.
type deskPrice struct {
	deskPlace
	income
	BookingID uuid.UUID
	Label     string
	Unsold    int64
	cover     *order.Cover // the plan that pays it; nil: none
	TaxRateID *uuid.UUID
	TaxName   string
	TaxPpm    int64
}

// income is the data of the income account of a booking and its fees.
type income struct {
	Kind              catalog.Kind
	RevenueCategoryID *uuid.UUID     // of the offering
	SoldIncome        ledger.Account // of the first sale of the booking; empty: it is in no order
}

// ofFees returns the income account of fees of the booking: that of its sale.
func (i income) ofFees() ledger.Account {
	if i.SoldIncome != "" {
		return i.SoldIncome
	}
	return order.IncomeOf(i.Kind, i.RevenueCategoryID)
}

// deskLine is a line of an order that is to be paid at the studio, and was not.
type deskLine struct {
	OrderID, LineID, BookingID uuid.UUID
	Label                      string
	Kind                       order.Kind
	TaxRateID                  *uuid.UUID
	TaxName                    string
	TaxPpm                     int64
	IncomeAccount              ledger.Account
	Amount                     int64
}

// orderDue is an order, and the lines of it that are paid now; nil: all.
type orderDue struct {
	id    uuid.UUID
	lines []uuid.UUID
	parts []tender.Part // due of it
}

// ordersOf returns the orders with an amount due, in the order of their ids; the last one is made here, of the
// amounts in none.
func (s *Service) ordersOf(ctx context.Context, tx *pg.Tx, d *deskDue) ([]orderDue, error) {
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
	made.Receipt = s.order.ReceiptHash(made.ID)
	d.made = made
	return append(out, orderDue{id: made.ID}), order.Insert(ctx, tx, made)
}

// taxOf returns a rate as a row has it; nil: there is none.
func taxOf(rate *uuid.UUID, name string, ppm int64) *order.Tax {
	if rate == nil {
		return nil
	}
	return &order.Tax{RateID: *rate, Name: name, PPM: ppm}
}

// sale returns the order of the amounts that are in none yet.
func (d deskDue) sale() order.Draft {
	var items []order.Item
	out := order.Draft{LocationID: d.place.LocationID, Customer: d.place.CustomerID, State: order.Fulfilled}
	add := func(l order.DraftLine) {
		items = append(items, l.Item)
		out.Lines = append(out.Lines, l)
	}
	for _, p := range d.prices {
		add(order.DraftLine{
			Kind: order.Kind(p.Kind), BookingID: p.BookingID, Label: p.Label,
			Item: order.Item{
				ListedAmount: p.Unsold, Tax: taxOf(p.TaxRateID, p.TaxName, p.TaxPpm),
				Income: order.IncomeOf(p.Kind, p.RevenueCategoryID), Cover: p.cover,
			},
		})
	}
	for _, f := range d.fees {
		add(order.DraftLine{
			Kind: order.Fee, Fee: &f.ID, Label: f.OfferingName,
			Item: order.Item{ListedAmount: f.Amount, Income: d.booked[f.BookingID].ofFees()},
		})
	}
	for _, it := range d.goods {
		add(order.DraftLine{
			Kind: it.Kind, ID: pg.NewID(), Subject: it.Subject, Quantity: it.Quantity, Label: it.Name, Item: it.Item,
		})
	}
	q := order.Price(items, nil, order.Terms{Currency: d.place.Currency, TaxMode: d.place.TaxMode}.WithoutCard())
	for i := range out.Lines {
		out.Lines[i].TaxAmount, out.Lines[i].DiscountedAmount = q.Lines[i].TaxAmount, q.Lines[i].DiscountAmount
	}
	out.Totals, out.DueAmount = q.Totals, q.Totals.TotalAmount
	return out
}
