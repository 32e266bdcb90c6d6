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
	SlotStartsAt                                 *time.Time // of an appointment or a rental
	SlotMinutes                                  *int
	SlotMember, SlotSpace                        *uuid.UUID
	Party                                        *int
	SoldAs                                       *catalog.SoldAs
	Durations                                    []catalog.Duration
	DurationMinutes                              *int
	Attendee                                     *string
	AddedAmount                                  *int64
	OfferingName, OfferingSlug                   *string
	OfferingState                                *catalog.State
	Kind                                         *catalog.Kind
	Enrolment                                    *catalog.Enrolment
	PriceAmount                                  *int64
	TaxRateID                                    *uuid.UUID
	TaxName                                      string
	TaxPpm                                       int64
	OccurrenceState                              *schedule.State
	StartsAt, EndsAt                             *time.Time
	Capacity, OnlineCapacity, Taken, TakenOnline int
	Offered                                      int
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

// slot is the item's occurrence, as far as it decides whether it can be booked. A time that has none yet, or none any
// more, gets one when it is held: it can be booked as long as its offering can.
func (f cartRow) slot(now time.Time) schedule.Detail {
	s := schedule.Detail{EndsAt: *f.EndsAt, Facts: schedule.Facts{
		StartsAt: *f.StartsAt, Kind: *f.Kind, OfferingState: *f.OfferingState, LocationArchived: f.LocationArchived,
		BusinessStatus: f.BusinessStatus,
	}}
	if f.SlotStartsAt != nil {
		s.State, s.Seats = schedule.Scheduled, schedule.Seats{Capacity: *f.Party, OnlineCapacity: *f.Party}
		return s
	}
	s.ID, s.State, s.InSeries = *f.OccurrenceID, *f.OccurrenceState, true
	s.Seats = schedule.Seats{
		Capacity: f.Capacity, OnlineCapacity: f.OnlineCapacity, Taken: f.Taken, TakenOnline: f.TakenOnline, Offered: f.Offered,
	}
	if f.course() { // which of its dates are to come is another question: see enrol
		s.State, s.StartsAt, s.EndsAt = schedule.Scheduled, now.Add(time.Hour), now.Add(2*time.Hour)
	}
	return s
}

func (f cartRow) course() bool { return *f.Enrolment == catalog.BySeries }

// bookable tells whether the item can be booked now, seats aside.
func (f cartRow) bookable(slot schedule.Detail, now time.Time) error {
	if f.SlotStartsAt != nil {
		return booking.Refused(slot.Sold(now), slot.ID, slot.OfferingID)
	}
	return booking.Bookable(slot, now)
}

// amount is what the item costs now, as listed.
func (f cartRow) amount() (int64, bool) {
	if f.SlotStartsAt != nil {
		lengths := catalog.Lengths{Kind: *f.Kind, SoldAs: *f.SoldAs, Minutes: *f.DurationMinutes, Amount: f.PriceAmount, Durations: f.Durations}
		return lengths.Price(*f.SlotMinutes, *f.Party)
	}
	if f.PriceAmount == nil {
		return 0, false
	}
	return *f.PriceAmount * int64(*f.Party), true
}

// line is the item without its price. A seat that is kept keeps the price it was kept at.
func (f cartRow) line(h *booking.Hold, now time.Time) (Line, Item) {
	slot := f.slot(now)
	l := Line{
		ItemID: *f.ItemID, OfferingID: *f.OfferingID, Kind: *f.Kind, Name: *f.OfferingName, Party: *f.Party,
		Slug: *f.OfferingSlug, Attendee: *f.Attendee, StartsAt: f.StartsAt.UTC(), EndsAt: f.EndsAt.UTC(),
		Instructor: f.Instructor, Space: f.Space, AddedAmount: *f.AddedAmount, Spots: slot.Spots(), Course: f.course(),
	}
	if f.OccurrenceID != nil {
		l.OccurrenceID = *f.OccurrenceID
	}
	if f.SlotStartsAt != nil {
		l.Slot = &Slot{
			OfferingID: l.OfferingID, StartsAt: l.StartsAt, Minutes: *f.SlotMinutes, MemberID: f.SlotMember, SpaceID: f.SlotSpace, Party: l.Party,
		}
		if f.OccurrenceState == nil || *f.OccurrenceState != schedule.Scheduled {
			l.OccurrenceID = uuid.Nil
		}
	}
	it := Item{ListedAmount: l.AddedAmount} // of an offering that has lost its price: it cannot be booked either
	if amount, ok := f.amount(); ok {
		it.ListedAmount = amount
	}
	if h != nil && f.BookingID != nil {
		l.BookingID, it.ListedAmount = f.BookingID, *f.HeldAmount
	} else if e := fault.From(f.bookable(slot, now)); e != nil {
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
