package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/schedule"
	"foyer/app/waitlist"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/processor"
	"foyer/billing/tender"
	"foyer/ent/cartitem"
)

// cartPart is a part of a cart's reading, besides its items and whether they can be booked.
type cartPart struct{ columns, joins string }

var (
	// cartNames are the instructors and spaces of the items: of the date, or of the chosen time that has no date yet.
	cartNames = cartPart{schedule.InstructorAndSpaceSQL,
		schedule.InstructorJoinSQL("", "coalesce(o.member_id, i.member_id)") + schedule.SpaceJoinSQL("", "coalesce(o.space_id, i.space_id)")}
	// cartSeats are the bookings that hold the items. They are found by their hold: a date may have hundreds.
	cartSeats = cartPart{`k.id as booking_id, k.price_amount as booking_amount`, `
	left join lateral (select * from bookings where hold_id = h.id and state = 'held' offset 0) k
		on k.occurrence_id = i.occurrence_id and k.attendee = i.attendee`}
	// cartAccount reports whether a card can pay it. $3 is the processor's world.
	cartAccount = cartPart{`coalesce(a.state, 'not_connected') as account_state, coalesce(a.default_currency, '') as account_currency`, `
	left join processor_accounts a on a.env = $3`}
	// cartMoney is the order being paid with its discounts, and whether it can be paid at the studio. It needs
	// cartSeats.
	cartMoney = cartPart{`coalesce((y.rules ->> 'payAtStudio')::boolean, false) as pay_at_studio,
		coalesce(coalesce(k.policy, y.rules) -> 'deposit', '{}') as deposit_rules, p.id as payment_id, p.status as payment_status, x.id is not null as sold,
		x.tax_rate_id as sold_tax_rate_id, x.tax_name as sold_tax_name, x.tax_ppm as sold_tax_ppm, coalesce(x.discount_amount, 0) as sold_discount,
		x.grant_id as sold_grant, coalesce(x.credits, 0) as sold_credits,
		(select m.name from grants g join memberships m on m.id = g.membership_id where g.id = x.grant_id) as sold_plan,
		exists (select from plans where state = 'published' and sold_online) as sells_plans,
		agreed.fee as order_fee, r.total_amount + agreed.fee as order_total, agreed.prepaid as order_prepaid,
		r.total_amount - agreed.price as order_later,
		` + order.DiscountsSQL("r.business_id", "r.id") + ` as sold_discounts, ` +
		credit.FreeSQL("c.business_id", "h.customer_id", "l.currency", "r.id", "$2") + ` as free_credit,
		(select jsonb_agg(u order by u.created_at, u.id) from cart_tenders u where u.cart_id = c.id) as choices`, `
	left join policies y on y.id = coalesce(f.policy_id, l.policy_id)
	left join payments p on p.order_id = r.id and ` + billing.ActiveSQL("p") + `
	` + tender.AgreedSQL("r") + `
	left join order_lines x on x.order_id = r.id and (x.booking_id = k.id or x.cart_item_id = i.id)`}
	// cartPlans are the grants of the holder that can pay for seats, and their choices. It needs ownedPlans.
	cartPlans = cartPart{`c.owned, i.grant_id as chosen_grant, coalesce(i.pays_price, false) as pays_price`, ``}
	// cartDeposits are the deposit rules of items that are not held yet.
	cartDeposits = cartPart{`coalesce(y.rules -> 'deposit', '{}') as deposit_rules`, `
	left join policies y on y.id = coalesce(f.policy_id, l.policy_id)`}
)

// cartSelect reads a cart, given as table c, with these parts.
func cartSelect(parts ...cartPart) string { return cartRows(parts...) + ` order by ` + itemOrder }

// itemOrder is the order of the items of a cart.
const itemOrder = `i.created_at, i.position, i.id`

// cartRows reads carts, given as table c, with these parts: a row for each item. Row-level security decides about
// visible rows: a condition on the business beside it would only be one more thing for Postgres to do for every table.
func cartRows(parts ...cartPart) string {
	columns, joins := "", ""
	for _, p := range parts {
		columns, joins = columns+", "+p.columns, joins+p.joins
	}
	return `select c.id, c.business_id, c.location_id, c.person_id, c.ref, c.state, c.version, c.created_at,
		c.pay_in_full, c.code as typed_code, c.offers,
		l.name as location_name, l.slug as location_slug, l.zone, l.currency, l.tax_mode,
		l.archived_at is not null as location_archived, b.name as business_name, b.status as business_status, b.fee_mode, b.fee_ppm,
		b.split_ppm,
		h.id as hold_id, h.person_id as hold_person, h.customer_id as hold_customer, h.created_at as hold_created,
		h.expires_at as hold_expires, h.extended as hold_extended,
		r.id as order_id, r.state as order_state, r.tax_mode as order_tax_mode, r.subtotal_amount as order_subtotal,
		r.discount_amount as order_discount, r.tax_amount as order_tax,
		i.id as item_id, i.offering_id, i.occurrence_id, i.attendee, i.listed_amount as added_amount,
		i.kind, i.subject_id, i.quantity, i.consent_text, i.reserved_amount, i.hold_id as reserved_by,
		i.starts_at as slot_starts_at, i.minutes as slot_minutes, i.member_id as slot_member, i.space_id as slot_space, i.party,
		f.name as offering_name, f.slug as offering_slug, f.state as offering_state, f.enrolment, f.approval, f.price_amount,
		f.sold_as, f.durations, f.duration_minutes, t.id as tax_rate_id, coalesce(t.name, '') as tax_name, coalesce(t.ppm, 0) as tax_ppm,
		f.revenue_category_id, o.state as occurrence_state, coalesce(o.starts_at, i.starts_at) as starts_at,
		coalesce(o.ends_at, i.starts_at + make_interval(mins => i.minutes)) as ends_at, coalesce(o.capacity, 0) as capacity,
		coalesce(o.online_capacity, 0) as online_capacity, coalesce(o.taken, 0) as taken, coalesce(o.taken_online, 0) as taken_online,
		coalesce(o.offered, 0) as offered` + columns + `
	from c
	join locations l on l.id = c.location_id
	cross join businesses b
	left join holds h on h.cart_id = c.id and h.state = 'live'
	left join orders r on r.cart_id = c.id and r.state <> 'void'
	left join cart_items i on i.cart_id = c.id
	left join offerings f on f.id = i.offering_id
	left join tax_rates t on t.id = f.tax_rate_id
	left join occurrences o on o.id = i.occurrence_id` + joins
}

// cartByToken is the cart of token hash $1 with its possible discounts at the time $2, and besides with these
// columns.
func cartByToken(besides string) string {
	return `with c as materialized (select cart.*, ` + offersSQL + ` as offers` + besides + `
		from carts cart where cart.token_hash = $1) `
}

// The agreements that a cart may require, with the words shown to customers; and those of them without an acceptance.
var (
	agreements     = cartPart{`c.agreements`, ``}
	agreementWords = ", " + agreement.OfCart("cart") + " as agreements"
	agreementsOpen = ", " + agreement.OpenOfCart("cart") + " as agreements"
	ownedPlans     = ", " + plan.OwnedSQL(holderSQL, "cart.id", "$2") + " as owned"
)

// The statements that read a cart: all of it; the part for its hold as long as nothing is held; the part for its
// confirmation as long as nothing is to pay.
var (
	readingCart = cartByToken(agreementWords+ownedPlans) + cartSelect(cartNames, cartSeats, cartAccount, cartMoney,
		cartPlans, agreements)
	readingToHold = pg.Hot(cartByToken("") + cartSelect(cartAccount, cartDeposits))
	readingToSell = pg.Hot(cartByToken(agreementsOpen+ownedPlans) + cartSelect(cartNames, cartSeats, cartAccount,
		cartPlans, agreements))
)

// readCart reads a cart without locking it.
func (s *Service) readCart(ctx context.Context, r pg.Reader, hash []byte) (loaded, error) {
	rows, err := pg.All[cartRow](ctx, r, readingCart, hash, r.Now(), s.billing.Env())
	return s.loadAll(ctx, r, rows, err)
}

// readPart is readCart by one of the statements that do not read all of it. Courses have no dates then.
func readPart(ctx context.Context, r pg.Reader, sql string, hash []byte, args ...any) (loaded, error) {
	rows, err := pg.All[cartRow](ctx, r, sql, append([]any{hash, r.Now()}, args...)...)
	return load(rows, r.Now(), err)
}

// loadAll is load, with the dates of courses and the offers of items without a seat.
func (s *Service) loadAll(ctx context.Context, r pg.Reader, rows []cartRow, err error) (loaded, error) {
	l, err := load(rows, r.Now(), err)
	if err != nil || l.whole() {
		return l, err
	}
	list := []*loaded{&l}
	return l, s.complete(ctx, r, list)
}

// lockCart locks a cart until the transaction ends and reads it under the lock, in one round trip. bump counts a
// change of the cart; person, unless nil, becomes its holder if it has none.
func (s *Service) lockCart(ctx context.Context, tx *pg.Tx, hash []byte, bump int, person *uuid.UUID) (loaded, error) {
	var rows []cartRow
	b := tx.Batch()
	pg.QueueExec(b, `update carts set version = version + $2, person_id = coalesce(person_id, $3::uuid),
			updated_at = case when $2 > 0 then $4::timestamptz else updated_at end
		where token_hash = $1`, hash, bump, person, tx.Now())
	pg.QueueAll(b, &rows, readingCart, hash, tx.Now(), s.billing.Env())
	err := b.Send(ctx)
	return s.loadAll(ctx, tx, rows, err)
}

var claimingCart = pg.Hot(`with going as (
		update carts set version = version + 1, person_id = coalesce(person_id, @person), updated_at = @now
		where id = @cart and version = @seen returning id
	), ` + crm.Ensured + `
	select app.must(exists (select from going) and (exists (select from found) or exists (select from made)))`)

// claimIn queues that an unlocked cart becomes a person's and changes, and that their customer record exists: both
// are locked then. If the cart has changed since it was read, or the record is being made at this very moment, the
// batch fails with pg.ErrUnmet.
func claimIn(b *pg.Batch, tx *pg.Tx, c Cart, person identity.Person) {
	pg.QueueExec(b, claimingCart, crm.Ensuring(tx, person, pg.Named{"cart": c.ID, "seen": c.Version}))
}

// insertCart writes a new cart; false if the location is not open to the public.
func insertCart(ctx context.Context, tx *pg.Tx, id, location uuid.UUID, hash []byte, ref string) (bool, error) {
	n, err := tx.Exec(ctx, `insert into carts (id, business_id, location_id, token_hash, ref, state, version, created_at, updated_at)
		select $1, $2, l.id, $4, $5, 'open', 1, $6, $6 from locations l join businesses b on b.business_id = l.business_id
		where l.business_id = $2 and l.id = $3 and l.archived_at is null and b.status <> 'closed'`,
		id, tx.Business(), location, hash, ref, tx.Now())
	return n == 1, err
}

// insertItems writes a date of a class into a cart, or a course by its first date, once for each of these people.
func insertItems(ctx context.Context, tx *pg.Tx, l *loaded, date schedule.Detail, people []string) error {
	_, err := tx.Exec(ctx, `insert into cart_items (id, business_id, cart_id, location_id, kind, offering_id,
		occurrence_id, attendee,
			position, listed_amount, created_at)
		select a.id, @business, @cart, @location, @kind, @offering, @occurrence, a.attendee, @before + a.n, @price, @now
		from unnest(@ids::uuid[], @people::text[]) with ordinality as a (id, attendee, n)`, pg.Named{
		"ids": pg.NewIDs(len(people)), "people": people, "business": tx.Business(), "cart": l.ID, "location": date.LocationID,
		"kind": date.Kind, "offering": date.OfferingID, "occurrence": date.ID,
		"before": len(l.Lines) - 1, "price": *date.PriceAmount, "now": tx.Now(),
	})
	return err
}

// insertSlotItem writes an appointment or a rental into a cart: a time, and no occurrence yet.
func insertSlotItem(ctx context.Context, tx *pg.Tx, l loaded, p availability.Placement, in AddItemInput) error {
	return tx.Ent().CartItem.Create().SetID(pg.NewID()).SetBusinessID(tx.Business()).SetCartID(l.ID).SetLocationID(l.LocationID).
		SetKind(string(p.Kind)).SetOfferingID(p.OfferingID).SetStartsAt(p.StartsAt).
		SetMinutes(int(p.EndsAt.Sub(p.StartsAt) / time.Minute)).
		SetNillableMemberID(in.Slot.MemberID).SetNillableSpaceID(in.Slot.SpaceID).SetParty(p.Party).SetPosition(len(l.Lines)).
		SetAttendee(in.Attendee).SetListedAmount(p.PriceAmount).SetCreatedAt(tx.Now()).Exec(ctx)
}

// setOccurrences writes the occurrences of the items' times.
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

func setListedAmount(ctx context.Context, tx *pg.Tx, id uuid.UUID, amount int64) error {
	return tx.Ent().CartItem.Update().Where(cartitem.BusinessID(tx.Business()), cartitem.ID(id)).SetListedAmount(amount).Exec(ctx)
}

func setCode(ctx context.Context, tx *pg.Tx, cart uuid.UUID, code string) error {
	_, err := tx.Exec(ctx, "update carts set code = $3 where business_id = $1 and id = $2", tx.Business(), cart, code)
	return err
}

// setChoice writes a choice to pay a locked cart from something, or not to, which is only kept of account credit.
func setChoice(ctx context.Context, tx *pg.Tx, cart uuid.UUID, c choice) error {
	b := tx.Batch()
	pg.QueueExec(b, `delete from cart_tenders where business_id = $1 and cart_id = $2 and kind = $3
		and source_id is not distinct from $4`, tx.Business(), cart, c.Kind, pg.OrNull(c.SourceID))
	if c.Used || c.Kind == tender.AccountCredit {
		pg.QueueExec(b, `insert into cart_tenders (id, business_id, cart_id, kind, source_id, used, created_at)
			values (@id, @business, @cart, @kind, @source, @used, @now)`, pg.Named{
			"id": pg.NewID(), "business": tx.Business(), "cart": cart, "kind": c.Kind, "source": pg.OrNull(c.SourceID),
			"used": c.Used, "now": tx.Now(),
		})
	}
	return b.Send(ctx)
}

func setPayInFull(ctx context.Context, tx *pg.Tx, cart uuid.UUID, yes bool) error {
	_, err := tx.Exec(ctx, "update carts set pay_in_full = $3 where business_id = $1 and id = $2", tx.Business(), cart, yes)
	return err
}

func deleteItem(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Ent().CartItem.Delete().Where(cartitem.BusinessID(tx.Business()), cartitem.ID(id)).Exec(ctx)
	return err
}

// loaded is a cart with further data for the methods.
type loaded struct {
	Cart
	now         time.Time // when it was read
	rows        []cartRow // as they were read
	terms       order.Terms
	items       []order.Item  // the lines, as the pipeline reads them
	overdue     *booking.Hold // in state live but past its time
	approval    bool          // the studio decides about one of the lines
	approvalAll bool          // and about each of them
	card        bool          // the account accepts this currency
	desk        bool          // the rules of every line allow payment at the studio, and all of them are seats
	candidates  []discount.Candidate
	wall        wall
	ordered     bool           // its prices are its order's
	useCredit   *bool          // whether its customer pays with credit; nil: no choice yet
	choices     []rules.Choice // what pays for each line, if it is a seat; none while its prices are its order's
	free        []held         // what other sources that they chose have, in the order of payment
	// dueAmount is the part of the order being written that is due at the studio.
	dueAmount int64
}

// cartRow is a cart with one of its items, or with none.
type cartRow struct {
	Cart
	Currency         money.Currency
	TaxMode          business.TaxMode
	LocationArchived bool
	BusinessStatus   business.Status
	FeeMode          billing.Mode
	FeePpm, SplitPpm int64
	AccountState     processor.State // empty if cartAccount is not read
	AccountCurrency  money.Currency

	HoldID                   *uuid.UUID
	HoldPerson, HoldCustomer uuid.UUID `db:",null"`
	HoldCreated, HoldExpires time.Time `db:",null"`
	HoldExtended             bool      `db:",null"`

	OrderID                                *uuid.UUID
	OrderState                             order.State      `db:",null"`
	OrderTaxMode                           business.TaxMode `db:",null"`
	OrderSubtotal, OrderDiscount, OrderTax int64            `db:",null"`
	OrderFee, OrderTotal, OrderLater       int64            `db:",null"`
	OrderPrepaid                           []tender.Prepaid
	Choices                                []choice
	PayInFull                              bool
	FreeCredit                             int64
	PaymentID                              *uuid.UUID
	PaymentStatus                          processor.Status `db:",null"`

	Line                             // zero without an item
	ReservedAmount        *int64     // without a seat: its price, while it is reserved
	ReservedBy            *uuid.UUID // and the hold that it is reserved for
	SlotStartsAt          *time.Time // of an appointment or a rental
	SlotMinutes           int        `db:",null"`
	SlotMember, SlotSpace *uuid.UUID
	SoldAs                catalog.SoldAs `db:",null"`
	Durations             []catalog.Duration
	DurationMinutes       int               `db:",null"`
	OfferingState         catalog.State     `db:",null"`
	Enrolment             catalog.Enrolment `db:",null"`
	Approval, PayAtStudio bool              `db:",null"`
	DepositRules          catalog.DepositRules
	PriceAmount           *int64
	TaxRateID             *uuid.UUID
	TaxName               string
	TaxPpm                int64
	RevenueCategoryID     *uuid.UUID
	Sold                  bool // it is a line of the order, which keeps its tax
	SoldTaxRateID         *uuid.UUID
	SoldTaxName           string `db:",null"`
	SoldTaxPpm            int64  `db:",null"`
	SoldDiscount          int64
	SoldDiscounts         []order.Discounted // of the whole order
	SoldGrant             *uuid.UUID         // the plan that pays it
	SoldCredits           int
	SoldPlan              string       `db:",null"` // its name
	SellsPlans            bool         // the business sells plans online
	Owned                 []plan.Owned // by the holder
	ChosenGrant           *uuid.UUID   // of the item: the plan that the customer chose
	PaysPrice             bool         // they chose to pay the price
	TypedCode             string
	Offers                []discount.Candidate
	Agreements            []agreement.Candidate
	OccurrenceState       schedule.State `db:",null"`
	schedule.Seats
	BookingAmount int64 `db:",null"`
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
		now:   now,
		rows:  rows,
		terms: order.Terms{Currency: f.Currency, TaxMode: f.TaxMode, FeeMode: f.FeeMode, FeePPM: f.FeePpm, SplitPPM: f.SplitPpm, InFull: f.PayInFull},
		card:  billing.Connection{State: f.AccountState, Currency: f.AccountCurrency}.Accepts(f.Currency),
	}
	l.Order = f.order()
	if h := f.hold(rows); h != nil && h.Live(now) {
		l.Hold = h
	} else {
		l.overdue = h
	}
	l.fill(now)
	if !l.pricedLater() {
		l.price()
	}
	l.count()
	l.Agreements = agreement.RequiredBy(f.Agreements, l.agreementSubjects())
	return l, nil
}

// hold returns the cart's hold in state live, with its seats; nil if there is none.
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
				BookingID: *r.BookingID, OccurrenceID: r.OccurrenceID, Attendee: r.Attendee, PriceAmount: r.BookingAmount,
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

// slot returns the item's occurrence, as far as it decides whether it can be booked. A time without an occurrence
// gets one when it is held: it can be booked as long as its offering can.
func (f cartRow) slot(now time.Time) schedule.Detail {
	s := schedule.Detail{EndsAt: f.EndsAt, Facts: schedule.Facts{
		StartsAt: f.StartsAt, Kind: catalog.Kind(f.Kind), OfferingState: f.OfferingState, BusinessStatus: f.BusinessStatus,
		LocationArchived: f.LocationArchived,
	}}
	if f.SlotStartsAt != nil {
		s.State, s.Seats = schedule.Scheduled, schedule.Seats{Capacity: f.Party, OnlineCapacity: f.Party}
		return s
	}
	s.ID, s.State, s.InSeries, s.Seats = f.OccurrenceID, f.OccurrenceState, true, f.Seats
	if f.course() { // upcoming dates are another question: see enrol
		s.State, s.StartsAt, s.EndsAt = schedule.Scheduled, now.Add(time.Hour), now.Add(2*time.Hour)
	}
	return s
}

func (f cartRow) course() bool { return f.Enrolment == catalog.BySeries }

// bookable returns nil if the item can be booked now, apart from seats.
func (f cartRow) bookable(slot schedule.Detail, now time.Time) error {
	if f.SlotStartsAt != nil {
		return booking.Refused(slot.Sold(now), slot.ID, slot.OfferingID)
	}
	return booking.Bookable(slot, now)
}

// amount returns the item's listed price now.
func (f cartRow) amount() (int64, bool) {
	if f.SlotStartsAt != nil {
		lengths := catalog.Lengths{
			Kind: catalog.Kind(f.Kind), SoldAs: f.SoldAs, Minutes: f.DurationMinutes, Amount: f.PriceAmount,
			Durations: f.Durations,
		}
		return lengths.Price(f.SlotMinutes, f.Party)
	}
	if f.PriceAmount == nil {
		return 0, false
	}
	return *f.PriceAmount * int64(f.Party), true
}

// line returns the item without its price. A held seat keeps the price of its hold.
func (f cartRow) line(h *booking.Hold, now time.Time) (Line, order.Item) {
	if !f.Kind.Seat() {
		return f.other(h)
	}
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
	it := order.Item{ // without a price it is not bookable
		ListedAmount: l.AddedAmount, Deposit: f.DepositRules, People: l.Party,
		Income: order.IncomeOf(catalog.Kind(f.Kind), f.RevenueCategoryID),
	}
	if amount, ok := f.amount(); ok {
		it.ListedAmount = amount
	}
	if h != nil && f.BookingID != nil {
		l.BookingID, it.ListedAmount = f.BookingID, f.BookingAmount
	} else if e := fault.From(f.bookable(slot, now)); e != nil {
		l.Problem = e.Reason
	}
	it.DiscountedAmount = f.SoldDiscount
	switch {
	case f.Sold:
		it.Tax = f.soldTax()
	case f.TaxRateID != nil:
		it.Tax = &order.Tax{RateID: *f.TaxRateID, Name: f.TaxName, PPM: f.TaxPpm}
	}
	return l, it
}

// soldTax returns the tax of the line of the order.
func (f cartRow) soldTax() *order.Tax {
	if f.SoldTaxRateID == nil {
		return nil
	}
	return &order.Tax{RateID: *f.SoldTaxRateID, Name: f.SoldTaxName, PPM: f.SoldTaxPpm}
}

// fill fills in the lines, without their prices.
func (l *loaded) fill(now time.Time) {
	l.Lines, l.desk, l.approvalAll = []Line{}, true, true
	for _, r := range l.rows {
		if r.ItemID != uuid.Nil {
			line, item := r.line(l.Hold, now)
			l.Lines, l.items, l.approval = append(l.Lines, line), append(l.items, item), l.approval || r.Approval
			// Balances due are those of bookings: nothing else can be collected at the studio later.
			l.desk, l.approvalAll = l.desk && r.PayAtStudio && r.Kind.Seat(), l.approvalAll && r.Approval
		}
	}
}

// price fills in the prices and totals: the order's own while it is being paid, else those of the pipeline now.
func (l *loaded) price() {
	rows := l.rows
	l.credited(rows[0])
	terms := l.terms
	l.candidates, l.wall = rows[0].Offers, wall{civil.ZoneOrUTC(l.Zone), l.now}
	if l.ordered = l.frozen() || l.State == CartOrdered && l.Order != nil; l.ordered {
		terms.TaxMode = rows[0].OrderTaxMode
	} else {
		for i := range l.items { // discounts of an order that was given up
			l.items[i].DiscountedAmount = 0
		}
	}
	l.cover()
	var q order.Quote
	if l.ordered {
		q = l.quote(l.Lines, l.items, terms)
	} else {
		q, l.terms, l.Card = l.payable(terms)
	}
	for i := range l.Lines {
		l.Lines[i].Priced = q.Lines[i]
	}
	l.Totals = q.Totals
	if f := rows[0]; l.ordered {
		l.Totals.SubtotalAmount, l.Totals.TaxAmount = f.OrderSubtotal, f.OrderTax
		l.Totals.DiscountAmount, l.Totals.Discounts = f.OrderDiscount, f.SoldDiscounts
		l.Totals.ServiceFeeAmount, l.Totals.TotalAmount, l.Totals.Prepaid = f.OrderFee, f.OrderTotal, f.OrderPrepaid
		l.Totals.DueLaterAmount, l.Totals.PlanAmount = f.OrderLater, l.coveredAmount()
		l.Card = l.card && order.Payable(l.Totals.DueNow(), l.Totals.Currency)
	}
	if info, ok := money.Lookup(l.Totals.Currency); ok && l.card && l.Totals.DueNow() > 0 && l.Totals.DueNow() < info.MinCharge {
		l.Least = info.MinCharge
	}
	if l.State == CartOpen {
		l.Deposit = l.choice(terms)
	}
	l.atStudio(terms)
	l.Code = l.code(rows[0].TypedCode)
}

// payable returns the quote of the cart, paid by card if a card can pay it.
func (l *loaded) payable(t order.Terms) (q order.Quote, with order.Terms, card bool) {
	q = l.quote(l.Lines, l.items, t)
	if l.card && order.Payable(q.Totals.DueNow(), t.Currency) {
		return q, t, true
	}
	t = t.WithoutCard()
	return l.quote(l.Lines, l.items, t), t, false
}

// cartOfHold finds the cart of a hold.
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
			values (@cart, @business, @location, @token, @person, 'open', 1, @now, @now)
		)
		insert into cart_items (id, business_id, cart_id, location_id, kind, offering_id, occurrence_id,
			attendee, party, listed_amount, created_at)
		values (@item, @business, @cart, @location, 'class', @offering, @occurrence, @attendee, @party, @price,
			@now)`, pg.Named{
		"cart": cart, "business": tx.Business(), "location": in.LocationID, "token": hash, "person": in.PersonID,
		"item": pg.NewID(), "offering": in.OfferingID, "occurrence": in.OccurrenceID, "attendee": in.Attendee,
		"party": in.Party, "price": in.PriceAmount, "now": tx.Now(),
	})
	return err
}
