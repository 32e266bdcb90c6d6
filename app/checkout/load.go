package checkout

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/schedule"
	"foyer/billing"
)

// loaded is a cart with what its verbs need besides.
type loaded struct {
	Cart
	terms   Terms
	items   []Item        // the lines, as the pipeline is told of them
	overdue *booking.Hold // in state live but past its time
	card    bool          // the account takes this currency
}

// cartRow is a cart with one of its items, or with none.
type cartRow struct {
	ID, LocationID             uuid.UUID
	PersonID                   *uuid.UUID
	Ref                        string
	State                      CartState
	Version, Seen              int64
	CreatedAt                  time.Time
	LocationName, LocationSlug string
	Zone                       string
	Currency                   money.Currency
	TaxMode                    business.TaxMode
	LocationArchived           bool
	BusinessName               string
	BusinessStatus             business.Status
	FeeMode                    billing.Mode
	FeePpm                     int64
	AccountState               billing.State
	AccountCurrency            money.Currency

	HoldID, HoldPerson, HoldCustomer *uuid.UUID
	HoldCreated, HoldExpires         *time.Time
	HoldExtended                     *bool

	OrderID                                       *uuid.UUID
	OrderState                                    *OrderState
	OrderTaxMode                                  *business.TaxMode
	OrderSubtotal, OrderTax, OrderFee, OrderTotal *int64
	PaymentID                                     *uuid.UUID
	PaymentStatus                                 *billing.Status

	ItemID, OfferingID, OccurrenceID             *uuid.UUID
	Attendee                                     *string
	AddedAmount                                  *int64
	OfferingName, OfferingSlug                   *string
	OfferingState                                *catalog.State
	Kind                                         *catalog.Kind
	PriceAmount                                  *int64
	TaxRateID                                    *uuid.UUID
	TaxName                                      string
	TaxPpm                                       int64
	OccurrenceState                              *schedule.State
	StartsAt, EndsAt                             *time.Time
	Capacity, OnlineCapacity, Taken, TakenOnline int
	Instructor, Space                            string
	BookingID                                    *uuid.UUID
	HeldAmount                                   *int64
}

func load(rows []cartRow, now time.Time, err error) (loaded, error) {
	if err == nil && len(rows) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return loaded{}, err
	}
	f := rows[0]
	l := loaded{
		Cart: Cart{
			ID: f.ID, LocationID: f.LocationID, LocationName: f.LocationName, LocationSlug: f.LocationSlug, BusinessName: f.BusinessName,
			Zone: f.Zone, State: f.State, PersonID: f.PersonID, Ref: f.Ref, Version: f.Version, CreatedAt: f.CreatedAt.UTC(), Order: f.order(),
		},
		terms: Terms{Currency: f.Currency, TaxMode: f.TaxMode, FeeMode: f.FeeMode, FeePPM: f.FeePpm},
		card:  billing.Connection{State: f.AccountState, Currency: f.AccountCurrency}.Takes(f.Currency),
	}
	if h := f.hold(rows); h != nil && h.Live(now) {
		l.Hold = h
	} else {
		l.overdue = h
	}
	l.price(rows, now)
	return l, nil
}

// hold is the cart's hold in state live, with its seats; nil when there is none.
func (f cartRow) hold(rows []cartRow) *booking.Hold {
	if f.HoldID == nil {
		return nil
	}
	h := &booking.Hold{
		ID: *f.HoldID, CartID: f.ID, PersonID: *f.HoldPerson, CustomerID: *f.HoldCustomer, State: booking.HoldLive,
		CreatedAt: f.HoldCreated.UTC(), ExpiresAt: f.HoldExpires.UTC(), Extended: *f.HoldExtended,
	}
	for _, r := range rows {
		if r.BookingID != nil {
			h.Seats = append(h.Seats, booking.HeldSeat{
				BookingID: *r.BookingID, OccurrenceID: *r.OccurrenceID, Attendee: *r.Attendee, PriceAmount: *r.HeldAmount,
			})
		}
	}
	return h
}

func (f cartRow) order() *Order {
	if f.OrderID == nil {
		return nil
	}
	o := &Order{ID: *f.OrderID, State: *f.OrderState, PaymentID: f.PaymentID}
	if f.PaymentStatus != nil {
		o.PaymentStatus = *f.PaymentStatus
	}
	return o
}

// slot is the item's occurrence, as far as it decides whether it can be booked.
func (f cartRow) slot() schedule.Slot {
	return schedule.Slot{
		ID: *f.OccurrenceID, StartsAt: *f.StartsAt, EndsAt: *f.EndsAt, State: *f.OccurrenceState, Kind: *f.Kind,
		Seats:         schedule.Seats{Capacity: f.Capacity, OnlineCapacity: f.OnlineCapacity, Taken: f.Taken, TakenOnline: f.TakenOnline},
		OfferingState: *f.OfferingState, LocationArchived: f.LocationArchived, BusinessStatus: f.BusinessStatus,
	}
}

// line is the item without its price. A seat that is kept keeps the price it was kept at.
func (f cartRow) line(h *booking.Hold, now time.Time) (Line, Item) {
	slot := f.slot()
	l := Line{
		ItemID: *f.ItemID, OfferingID: *f.OfferingID, OccurrenceID: *f.OccurrenceID, Kind: *f.Kind, Name: *f.OfferingName,
		Slug: *f.OfferingSlug, Attendee: *f.Attendee, StartsAt: f.StartsAt.UTC(), EndsAt: f.EndsAt.UTC(),
		Instructor: f.Instructor, Space: f.Space, AddedAmount: *f.AddedAmount, Spots: slot.Spots(),
	}
	it := Item{ListedAmount: l.AddedAmount} // of an offering that has lost its price: it cannot be booked either
	if f.PriceAmount != nil {
		it.ListedAmount = *f.PriceAmount
	}
	if h != nil && f.BookingID != nil {
		l.BookingID, it.ListedAmount = f.BookingID, *f.HeldAmount
	} else if e := fault.From(booking.Bookable(slot, now)); e != nil {
		l.Problem = e.Reason
	}
	if f.TaxRateID != nil {
		it.Tax = &Tax{RateID: *f.TaxRateID, Name: f.TaxName, PPM: f.TaxPpm}
	}
	return l, it
}

// price fills in the lines and totals: the order's own while it is being paid, else what the pipeline says now.
func (l *loaded) price(rows []cartRow, now time.Time) {
	l.Lines = []Line{}
	for _, r := range rows {
		if r.ItemID != nil {
			line, item := r.line(l.Hold, now)
			l.Lines, l.items = append(l.Lines, line), append(l.items, item)
		}
	}
	terms := l.terms
	ordered := l.frozen() || l.State == CartOrdered && l.Order != nil
	if ordered {
		terms.TaxMode = *rows[0].OrderTaxMode
	}
	q := Price(l.items, terms)
	for i := range l.Lines {
		l.Lines[i].Priced = q.Lines[i]
	}
	l.Totals = q.Totals
	if f := rows[0]; ordered {
		l.Totals.SubtotalAmount, l.Totals.TaxAmount = *f.OrderSubtotal, *f.OrderTax
		l.Totals.ServiceFeeAmount, l.Totals.TotalAmount = *f.OrderFee, *f.OrderTotal
	}
	l.Card = l.card && payable(l.Totals.TotalAmount, l.Totals.Currency)
}
