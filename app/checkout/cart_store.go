package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/billing"
	"foyer/ent/cartitem"
)

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

// cartSelect reads everything a cart is about, given as table c. s is the same row as the statement's snapshot has it:
// when its version is not the one c began with, somebody else was at the cart while this statement waited for its lock,
// and the other tables were read too early. $2 is the processor's world.
const cartSelect = `select c.id, c.location_id, c.person_id, c.ref, c.state, c.version, s.version as seen, c.created_at,
		l.name as location_name, l.slug as location_slug, l.zone, l.currency, l.tax_mode,
		l.archived_at is not null as location_archived, b.name as business_name, b.status as business_status, b.fee_mode, b.fee_ppm,
		coalesce(a.state, 'not_connected') as account_state, coalesce(a.default_currency, '') as account_currency,
		h.id as hold_id, h.person_id as hold_person, h.customer_id as hold_customer, h.created_at as hold_created,
		h.expires_at as hold_expires, h.extended as hold_extended,
		r.id as order_id, r.state as order_state, r.tax_mode as order_tax_mode, r.subtotal_amount as order_subtotal,
		r.tax_amount as order_tax, r.service_fee_amount as order_fee, r.total_amount as order_total,
		p.id as payment_id, p.status as payment_status,
		i.id as item_id, i.offering_id, i.occurrence_id, i.attendee, i.listed_amount as added_amount,
		f.name as offering_name, f.slug as offering_slug, f.state as offering_state, f.kind, f.price_amount,
		case when x.id is null then t.id else x.tax_rate_id end as tax_rate_id,
		case when x.id is null then coalesce(t.name, '') else x.tax_name end as tax_name,
		case when x.id is null then coalesce(t.ppm, 0) else x.tax_ppm end as tax_ppm,
		o.state as occurrence_state, o.starts_at, o.ends_at, coalesce(o.capacity, 0) as capacity,
		coalesce(o.online_capacity, 0) as online_capacity, coalesce(o.taken, 0) as taken, coalesce(o.taken_online, 0) as taken_online,
		coalesce(m.name, '') as instructor, coalesce(e.name, '') as space,
		k.id as booking_id, k.price_amount as held_amount
	from c
	join carts s on s.business_id = c.business_id and s.id = c.id
	join locations l on l.business_id = c.business_id and l.id = c.location_id
	join businesses b on b.business_id = c.business_id
	left join processor_accounts a on a.business_id = c.business_id and a.env = $2
	left join holds h on h.business_id = c.business_id and h.cart_id = c.id and h.state = 'live'
	left join orders r on r.business_id = c.business_id and r.cart_id = c.id and r.state <> 'void'
	left join payments p on p.business_id = c.business_id and p.order_id = r.id and p.status not in ('failed', 'canceled')
	left join cart_items i on i.business_id = c.business_id and i.cart_id = c.id
	left join offerings f on f.business_id = c.business_id and f.id = i.offering_id
	left join tax_rates t on t.business_id = c.business_id and t.id = f.tax_rate_id
	left join occurrences o on o.business_id = c.business_id and o.id = i.occurrence_id
	left join members m on m.business_id = c.business_id and m.id = o.member_id
	left join spaces e on e.business_id = c.business_id and e.id = o.space_id
	left join bookings k on k.business_id = c.business_id and k.hold_id = h.id and k.state = 'held'
		and k.occurrence_id = i.occurrence_id and k.attendee = i.attendee
	left join order_lines x on x.business_id = c.business_id and x.order_id = r.id and x.booking_id = k.id
	order by i.created_at, i.id`

// readCart reads a cart without locking it.
func readCart(ctx context.Context, r pg.Reader, env billing.Env, hash []byte) (loaded, error) {
	rows, err := pg.All[cartRow](ctx, r, `with c as (select * from carts where business_id = $1 and token_hash = $3) `+cartSelect,
		r.Business(), env, hash)
	return load(rows, r.Now(), err)
}

// lockCart locks a cart until the transaction ends and reads it under the lock: one round trip, two when somebody else
// was at it. bump counts a change of the cart; person, unless nil, becomes whose cart it is if it is nobody's.
func lockCart(ctx context.Context, tx *pg.Tx, env billing.Env, hash []byte, bump int, person *uuid.UUID) (loaded, error) {
	for {
		rows, err := pg.All[cartRow](ctx, tx, `with c as (
				update carts set version = version + $4, person_id = coalesce(person_id, $5::uuid), updated_at = $6
				where business_id = $1 and token_hash = $3 returning *
			) `+cartSelect, tx.Business(), env, hash, bump, person, tx.Now())
		if err != nil || len(rows) == 0 || rows[0].Version == rows[0].Seen+int64(bump) {
			return load(rows, tx.Now(), err)
		}
		bump = 0 // counted already
	}
}

// loaded is a cart with what its verbs need besides.
type loaded struct {
	Cart
	terms   Terms
	items   []Item        // the lines, as the pipeline is told of them
	overdue *booking.Hold // in state live but past its time
	card    bool          // the account takes this currency
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

// insertCart writes a new cart; false when the location is not open to the public.
func insertCart(ctx context.Context, tx *pg.Tx, id, location uuid.UUID, hash []byte, ref string) (bool, error) {
	n, err := tx.Exec(ctx, `insert into carts (id, business_id, location_id, token_hash, ref, state, version, created_at, updated_at)
		select $1, $2, l.id, $4, $5, 'open', 1, $6, $6 from locations l join businesses b on b.business_id = l.business_id
		where l.business_id = $2 and l.id = $3 and l.archived_at is null and b.status <> 'closed'`,
		id, tx.Business(), location, hash, ref, tx.Now())
	return n == 1, err
}

func insertItem(ctx context.Context, tx *pg.Tx, cart uuid.UUID, slot schedule.Slot, attendee string) error {
	return tx.Ent().CartItem.Create().SetID(pg.NewID()).SetBusinessID(tx.Business()).SetCartID(cart).SetLocationID(slot.LocationID).
		SetOfferingID(slot.OfferingID).SetOccurrenceID(slot.ID).SetAttendee(attendee).SetListedAmount(*slot.PriceAmount).
		SetCreatedAt(tx.Now()).Exec(ctx)
}

func deleteItem(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Ent().CartItem.Delete().Where(cartitem.BusinessID(tx.Business()), cartitem.ID(id)).Exec(ctx)
	return err
}

// place is where a cart or an order lives.
type place struct{ BusinessID, LocationID, ID uuid.UUID }

func findCart(ctx context.Context, db *pg.DB, hash []byte) (place, bool, error) {
	p, err := pg.One[place](ctx, db.View(uuid.Nil), "select business_id, location_id, id from app.find_cart($1)", hash)
	if errors.Is(err, pg.ErrNoRow) {
		return place{}, false, nil
	}
	return p, err == nil, err
}

func findOrder(ctx context.Context, db *pg.DB, hash []byte) (place, bool, error) {
	p, err := pg.One[place](ctx, db.View(uuid.Nil), "select business_id, id from app.find_order($1)", hash)
	if errors.Is(err, pg.ErrNoRow) {
		return place{}, false, nil
	}
	return p, err == nil, err
}
