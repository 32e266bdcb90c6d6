package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/waitlist"
	"foyer/billing"
	"foyer/ent/cartitem"
)

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
		i.starts_at as slot_starts_at, i.minutes as slot_minutes, i.member_id as slot_member, i.space_id as slot_space, i.party,
		f.name as offering_name, f.slug as offering_slug, f.state as offering_state, f.kind, f.enrolment, f.price_amount,
		f.sold_as, f.durations, f.duration_minutes,
		case when x.id is null then t.id else x.tax_rate_id end as tax_rate_id,
		case when x.id is null then coalesce(t.name, '') else x.tax_name end as tax_name,
		case when x.id is null then coalesce(t.ppm, 0) else x.tax_ppm end as tax_ppm,
		o.state as occurrence_state, coalesce(o.starts_at, i.starts_at) as starts_at,
		coalesce(o.ends_at, i.starts_at + make_interval(mins => i.minutes)) as ends_at, coalesce(o.capacity, 0) as capacity,
		coalesce(o.online_capacity, 0) as online_capacity, coalesce(o.taken, 0) as taken, coalesce(o.taken_online, 0) as taken_online,
		coalesce(o.offered, 0) as offered,
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
	left join members m on m.business_id = c.business_id and m.id = coalesce(o.member_id, i.member_id)
	left join spaces e on e.business_id = c.business_id and e.id = coalesce(o.space_id, i.space_id)
	left join bookings k on k.business_id = c.business_id and k.hold_id = h.id and k.state = 'held'
		and k.occurrence_id = i.occurrence_id and k.attendee = i.attendee
	left join order_lines x on x.business_id = c.business_id and x.order_id = r.id and x.booking_id = k.id
	order by i.created_at, i.position, i.id`

// readCart reads a cart without locking it.
func readCart(ctx context.Context, r pg.Reader, env billing.Env, hash []byte) (loaded, error) {
	rows, err := pg.All[cartRow](ctx, r, `with c as (select * from carts where business_id = $1 and token_hash = $3) `+cartSelect,
		r.Business(), env, hash)
	return loadAll(ctx, r, rows, err)
}

// loadAll is load, with the dates of what is a course.
func loadAll(ctx context.Context, r pg.Reader, rows []cartRow, err error) (loaded, error) {
	l, err := load(rows, r.Now(), err)
	if err != nil {
		return loaded{}, err
	}
	return l.withCourses(ctx, r)
}

// lockCart locks a cart until the transaction ends and reads it under the lock: one round trip, two when somebody else
// was at it. bump counts a change of the cart; person, unless nil, becomes whose cart it is if it is nobody's.
func lockCart(ctx context.Context, tx *pg.Tx, env billing.Env, hash []byte, bump int, person *uuid.UUID) (loaded, error) {
	for {
		rows, err := pg.All[cartRow](ctx, tx, `with c as (
				update carts set version = version + $4, person_id = coalesce(person_id, $5::uuid),
					updated_at = case when $4 > 0 then $6::timestamptz else updated_at end
				where business_id = $1 and token_hash = $3 returning *
			) `+cartSelect, tx.Business(), env, hash, bump, person, tx.Now())
		if err != nil || len(rows) == 0 || rows[0].Version == rows[0].Seen+int64(bump) {
			return loadAll(ctx, tx, rows, err)
		}
		bump = 0 // counted already
	}
}

// insertCart writes a new cart; false when the location is not open to the public.
func insertCart(ctx context.Context, tx *pg.Tx, id, location uuid.UUID, hash []byte, ref string) (bool, error) {
	n, err := tx.Exec(ctx, `insert into carts (id, business_id, location_id, token_hash, ref, state, version, created_at, updated_at)
		select $1, $2, l.id, $4, $5, 'open', 1, $6, $6 from locations l join businesses b on b.business_id = l.business_id
		where l.business_id = $2 and l.id = $3 and l.archived_at is null and b.status <> 'closed'`,
		id, tx.Business(), location, hash, ref, tx.Now())
	return n == 1, err
}

func insertItem(ctx context.Context, tx *pg.Tx, cart uuid.UUID, slot schedule.Detail, attendee string) error {
	return tx.Ent().CartItem.Create().SetID(pg.NewID()).SetBusinessID(tx.Business()).SetCartID(cart).SetLocationID(slot.LocationID).
		SetOfferingID(slot.OfferingID).SetOccurrenceID(slot.ID).SetAttendee(attendee).SetListedAmount(*slot.PriceAmount).
		SetCreatedAt(tx.Now()).Exec(ctx)
}

// insertSlotItem writes an appointment or a rental into a cart: a time, and no occurrence yet.
func insertSlotItem(ctx context.Context, tx *pg.Tx, l loaded, p availability.Placement, in AddItemInput) error {
	return tx.Ent().CartItem.Create().SetID(pg.NewID()).SetBusinessID(tx.Business()).SetCartID(l.ID).SetLocationID(l.LocationID).
		SetOfferingID(p.OfferingID).SetStartsAt(p.StartsAt).SetMinutes(int(p.EndsAt.Sub(p.StartsAt) / time.Minute)).
		SetNillableMemberID(in.Slot.MemberID).SetNillableSpaceID(in.Slot.SpaceID).SetParty(p.Party).SetPosition(len(l.Lines)).
		SetAttendee(in.Attendee).SetListedAmount(p.PriceAmount).SetCreatedAt(tx.Now()).Exec(ctx)
}

// setOccurrences says which occurrences the items' times have got.
func setOccurrences(ctx context.Context, tx *pg.Tx, cart uuid.UUID, items, occurrences []uuid.UUID) error {
	n, err := tx.Exec(ctx, `update cart_items i set occurrence_id = x.occurrence_id
		from unnest($3::uuid[], $4::uuid[]) as x (id, occurrence_id)
		where i.business_id = $1 and i.cart_id = $2 and i.id = x.id`, tx.Business(), cart, items, occurrences)
	if err == nil && n != int64(len(items)) {
		err = errors.New("checkout: an item left its cart while it was being held")
	}
	return err
}

func renameItem(ctx context.Context, tx *pg.Tx, id uuid.UUID, attendee string) error {
	return tx.Ent().CartItem.Update().Where(cartitem.BusinessID(tx.Business()), cartitem.ID(id)).SetAttendee(attendee).Exec(ctx)
}

func deleteItem(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Ent().CartItem.Delete().Where(cartitem.BusinessID(tx.Business()), cartitem.ID(id)).Exec(ctx)
	return err
}

// place is where an order lives.
type place struct{ BusinessID, ID uuid.UUID }

func findOrder(ctx context.Context, db *pg.DB, hash []byte) (place, bool, error) {
	return pg.Find[place](ctx, db.View(uuid.Nil), "select business_id, id from app.find_order($1)", hash)
}

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
	Cart
	Seen             int64
	Currency         money.Currency
	TaxMode          business.TaxMode
	LocationArchived bool
	BusinessStatus   business.Status
	FeeMode          billing.Mode
	FeePpm           int64
	AccountState     billing.State
	AccountCurrency  money.Currency

	HoldID                   *uuid.UUID
	HoldPerson, HoldCustomer uuid.UUID `db:",null"`
	HoldCreated, HoldExpires time.Time `db:",null"`
	HoldExtended             bool      `db:",null"`

	OrderID                                       *uuid.UUID
	OrderState                                    OrderState       `db:",null"`
	OrderTaxMode                                  business.TaxMode `db:",null"`
	OrderSubtotal, OrderTax, OrderFee, OrderTotal int64            `db:",null"`
	PaymentID                                     *uuid.UUID
	PaymentStatus                                 billing.Status `db:",null"`

	Line                             // zero without an item
	SlotStartsAt          *time.Time // of an appointment or a rental
	SlotMinutes           int        `db:",null"`
	SlotMember, SlotSpace *uuid.UUID
	SoldAs                catalog.SoldAs `db:",null"`
	Durations             []catalog.Duration
	DurationMinutes       int               `db:",null"`
	OfferingState         catalog.State     `db:",null"`
	Enrolment             catalog.Enrolment `db:",null"`
	PriceAmount           *int64
	TaxRateID             *uuid.UUID
	TaxName               string
	TaxPpm                int64
	OccurrenceState       schedule.State `db:",null"`
	schedule.Seats
	HeldAmount int64 `db:",null"`
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
		Cart:  f.Cart,
		terms: Terms{Currency: f.Currency, TaxMode: f.TaxMode, FeeMode: f.FeeMode, FeePPM: f.FeePpm},
		card:  billing.Connection{State: f.AccountState, Currency: f.AccountCurrency}.Takes(f.Currency),
	}
	l.Order = f.order()
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
		ID: *f.HoldID, CartID: f.ID, PersonID: f.HoldPerson, CustomerID: f.HoldCustomer, State: booking.HoldLive,
		CreatedAt: f.HoldCreated, ExpiresAt: f.HoldExpires, Extended: f.HoldExtended,
	}
	for _, r := range rows {
		if r.BookingID != nil {
			h.Seats = append(h.Seats, booking.HeldSeat{
				BookingID: *r.BookingID, OccurrenceID: r.OccurrenceID, Attendee: r.Attendee, PriceAmount: r.HeldAmount,
			})
		}
	}
	return h
}

func (f cartRow) order() *Order {
	if f.OrderID == nil {
		return nil
	}
	return &Order{ID: *f.OrderID, State: f.OrderState, PaymentID: f.PaymentID, PaymentStatus: f.PaymentStatus}
}

// slot is the item's occurrence, as far as it decides whether it can be booked. A time that has none yet, or none any
// more, gets one when it is held: it can be booked as long as its offering can.
func (f cartRow) slot(now time.Time) schedule.Detail {
	s := schedule.Detail{EndsAt: f.EndsAt, Facts: schedule.Facts{
		StartsAt: f.StartsAt, Kind: f.Kind, OfferingState: f.OfferingState, LocationArchived: f.LocationArchived,
		BusinessStatus: f.BusinessStatus,
	}}
	if f.SlotStartsAt != nil {
		s.State, s.Seats = schedule.Scheduled, schedule.Seats{Capacity: f.Party, OnlineCapacity: f.Party}
		return s
	}
	s.ID, s.State, s.InSeries, s.Seats = f.OccurrenceID, f.OccurrenceState, true, f.Seats
	if f.course() { // which of its dates are to come is another question: see enrol
		s.State, s.StartsAt, s.EndsAt = schedule.Scheduled, now.Add(time.Hour), now.Add(2*time.Hour)
	}
	return s
}

func (f cartRow) course() bool { return f.Enrolment == catalog.BySeries }

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
		lengths := catalog.Lengths{Kind: f.Kind, SoldAs: f.SoldAs, Minutes: f.DurationMinutes, Amount: f.PriceAmount, Durations: f.Durations}
		return lengths.Price(f.SlotMinutes, f.Party)
	}
	if f.PriceAmount == nil {
		return 0, false
	}
	return *f.PriceAmount * int64(f.Party), true
}

// line is the item without its price. A seat that is kept keeps the price it was kept at.
func (f cartRow) line(h *booking.Hold, now time.Time) (Line, Item) {
	slot := f.slot(now)
	l := f.Line
	l.Spots, l.Course, l.BookingID = slot.Spots(), f.course(), nil
	if f.SlotStartsAt != nil {
		l.Slot = &Slot{
			OfferingID: l.OfferingID, StartsAt: l.StartsAt, Minutes: f.SlotMinutes, MemberID: f.SlotMember, SpaceID: f.SlotSpace, Party: l.Party,
		}
		if f.OccurrenceState != schedule.Scheduled {
			l.OccurrenceID = uuid.Nil
		}
	}
	it := Item{ListedAmount: l.AddedAmount} // of an offering that has lost its price: it cannot be booked either
	if amount, ok := f.amount(); ok {
		it.ListedAmount = amount
	}
	if h != nil && f.BookingID != nil {
		l.BookingID, it.ListedAmount = f.BookingID, f.HeldAmount
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
		if r.ItemID != uuid.Nil {
			line, item := r.line(l.Hold, now)
			l.Lines, l.items = append(l.Lines, line), append(l.items, item)
		}
	}
	terms := l.terms
	ordered := l.frozen() || l.State == CartOrdered && l.Order != nil
	if ordered {
		terms.TaxMode = rows[0].OrderTaxMode
	}
	q := Price(l.items, terms)
	for i := range l.Lines {
		l.Lines[i].Priced = q.Lines[i]
	}
	l.Totals = q.Totals
	if f := rows[0]; ordered {
		l.Totals.SubtotalAmount, l.Totals.TaxAmount = f.OrderSubtotal, f.OrderTax
		l.Totals.ServiceFeeAmount, l.Totals.TotalAmount = f.OrderFee, f.OrderTotal
	}
	l.Card = l.card && payable(l.Totals.TotalAmount, l.Totals.Currency)
}

// cartOfHold finds the cart that a hold keeps seats for.
func cartOfHold(ctx context.Context, tx *pg.Tx, hold uuid.UUID) (location uuid.UUID, hash []byte, err error) {
	type row struct {
		LocationID uuid.UUID
		TokenHash  []byte
	}
	r, err := pg.Found(pg.One[row](ctx, tx, `select c.location_id, c.token_hash from holds h
		join carts c on c.business_id = h.business_id and c.id = h.cart_id where h.business_id = $1 and h.id = $2`, tx.Business(), hold))
	return r.LocationID, r.TokenHash, err
}

// insertPromotion writes the cart of a person with its only item.
func insertPromotion(ctx context.Context, tx *pg.Tx, cart uuid.UUID, hash []byte, in waitlist.OpenCart) error {
	_, err := tx.Exec(ctx, `with cart as (
			insert into carts (id, business_id, location_id, token_hash, person_id, state, version, created_at, updated_at)
			values ($2, $1, $3, $4, $5, 'open', 1, $6, $6)
		)
		insert into cart_items (id, business_id, cart_id, location_id, offering_id, occurrence_id, attendee, party, listed_amount, created_at)
		values ($7, $1, $2, $3, $8, $9, $10, $11, $12, $6)`,
		tx.Business(), cart, in.LocationID, hash, in.PersonID, tx.Now(), pg.NewID(), in.OfferingID, in.OccurrenceID, in.Attendee,
		in.Party, in.PriceAmount)
	return err
}
