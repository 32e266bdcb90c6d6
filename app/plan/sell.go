package plan

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
)

var _ order.Seller = (*Service)(nil)

// offer is a plan for an item of a cart, or at the desk.
type offer struct {
	ItemID      uuid.UUID
	Name        string
	Kind        Kind
	PriceAmount int64
	TaxRateID   *uuid.UUID
	TaxName     string
	TaxPPM      int64 `db:"tax_ppm"`
	Sold        bool  // published, at this location, in its currency
	Online      bool
	CustomerMax int
	NewOnly     bool
	Renews      bool // the line pays a later billing period: whoever has the membership can pay that
	InCart      bool
	Consented   bool // in the cart: to its renewals
	Owned       int  // by the customer of the cart, with those that other carts of theirs reserve
	Known       bool // the customer has booked before
	Today       civil.Date
	ValidCount  int
	ValidUnit   rules.Unit
	BillingDay  int
}

// amount returns the price of the plan: of a membership that of its first period.
func (o offer) amount() int64 {
	p := Plan{PriceAmount: o.PriceAmount, Validity: Validity{Count: o.ValidCount, Unit: o.ValidUnit}, Today: &o.Today}
	p.BillingDay = o.BillingDay
	return p.FirstAmount()
}

// refusal returns the reason that the plan cannot be bought by the customer; nil if it can. consented are the renewals.
func (o offer) refusal(consented bool) *fault.Error {
	var e *fault.Error
	switch {
	case o.Renews:
		return nil
	case !o.Sold || !o.Online:
		e = ErrUnavailable
	case o.CustomerMax > 0 && o.Owned >= o.CustomerMax:
		e = ErrOwned
	case o.NewOnly && o.Known:
		e = ErrNotNew
	case o.Kind == Renewing && !consented:
		e = ErrConsent
	default:
		return nil
	}
	return e.With("itemId", o.ItemID.String())
}

// Deferred returns the account of the price of a plan until it is earned, and the one after that.
func (k Kind) Deferred() (deferred, income ledger.Account) {
	if k == Pass || k == Renewing {
		return ledger.DeferredMembership, ledger.IncomeMembership
	}
	return ledger.DeferredPack, ledger.IncomePack
}

// offersSQL reads the offers of items, of carts or of orders at the desk: unnest(ids, plans, locations). An item of
// neither has no customer.
var offersSQL = `select a.item as item_id, p.name, p.kind,
		case when p.intro_periods > 0 then p.intro_amount else p.price_amount end as price_amount, t.id as tax_rate_id,
		coalesce(t.name, '') as tax_name, coalesce(t.ppm, 0)::bigint as tax_ppm,
		($5::timestamptz at time zone l.zone)::date as today, coalesce(p.valid_count, 0) as valid_count,
		coalesce(p.valid_unit, '') as valid_unit, p.billing_day, ` + soldSQL + ` as sold,
		p.sold_online or x.id is not null as online,
		x.id is not null and ` + paysPeriodSQL + ` as renews,
		i.id is not null as in_cart, i.consented_at is not null as consented, p.customer_max, p.new_customers as new_only,
		` + ownedCountSQL("y.customer_id", "p.id") + ` + (select count(*) from cart_items j join carts d on d.business_id = $1
				and d.id = j.cart_id and d.person_id = y.person_id and d.id is distinct from c.id
			join holds h on h.business_id = $1 and h.id = j.hold_id and h.state = 'live'
			where j.business_id = $1 and j.kind = 'plan' and j.subject_id = p.id)::int
			+ (select count(*) from orders q join order_lines z on z.business_id = $1 and z.order_id = q.id
				and z.kind = 'plan' and z.subject_id = p.id
			where q.business_id = $1 and q.customer_id = y.customer_id and q.state = 'open' and q.cart_id is null
				and q.id is distinct from o.id)::int as owned,
		` + knownSQL("y.customer_id") + ` as known
	from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as a (item, plan, location)
	join plans p on p.business_id = $1 and p.id = a.plan
	join locations l on l.business_id = $1 and l.id = a.location
	left join tax_rates t on t.business_id = $1 and t.id = p.tax_rate_id
	left join cart_items i on i.business_id = $1 and i.id = a.item
	left join carts c on c.business_id = $1 and c.id = i.cart_id
	left join customers who on who.business_id = $1 and who.person_id = c.person_id
	left join order_lines x on x.business_id = $1 and x.id = a.item
	left join orders o on o.business_id = $1 and o.id = x.order_id
	cross join lateral (select coalesce(who.id, o.customer_id) as customer_id, coalesce(c.person_id,
		(select u.person_id from customers u where u.business_id = $1 and u.id = o.customer_id)) as person_id) y`

// ownedCountSQL is the number of times that a customer has bought a plan.
func ownedCountSQL(customer, plan string) string {
	return `(select count(*) from memberships m where m.business_id = $1 and m.customer_id = ` + customer + `
		and m.plan_id = ` + plan + ` and m.state <> 'canceled')::int`
}

// knownSQL reports whether a customer is no new one: a class of theirs is over, or a booking was sold. A booking that
// the desk has just made, to be paid by the plan, does not count.
func knownSQL(customer string) string {
	return `exists (select from bookings k where k.business_id = $1 and k.customer_id = ` + customer + `
		and (k.state in ('checked_in', 'no_show', 'completed') or k.state = 'confirmed' and k.order_id is not null))`
}

// Quote implements order.Seller: an item is a plan.
func (s *Service) Quote(b *pg.Batch, r pg.Reader, items []*order.CartItem) func() {
	var offers []offer
	ids, plans, locations := columnsOf(items)
	pg.QueueAll(b, &offers, offersSQL, r.Business(), ids, plans, locations, r.Now())
	return func() {
		for _, it := range items {
			i := slices.IndexFunc(offers, func(o offer) bool { return o.ItemID == it.ID })
			if i < 0 {
				it.Problem = fault.Missing()
				continue
			}
			o := offers[i]
			consented := it.AtDesk || o.Consented || !o.InCart && it.Consent != ""
			it.Name, it.Problem, it.ListedAmount = o.Name, o.refusal(consented), o.amount()
			it.Income, _ = o.Kind.Deferred()
			if o.TaxRateID != nil {
				it.Tax = &order.Tax{RateID: *o.TaxRateID, Name: o.TaxName, PPM: o.TaxPPM}
			}
		}
	}
}

func columnsOf(items []*order.CartItem) (ids, plans, locations []uuid.UUID) {
	for _, it := range items {
		ids, plans, locations = append(ids, it.ID), append(plans, it.Subject), append(locations, it.LocationID)
	}
	return ids, plans, locations
}

// Reserve implements order.Seller: plans are not scarce. That a customer buys one only so often is checked under the
// lock of their record, which whoever holds a cart has.
func (s *Service) Reserve(b *pg.Batch, tx *pg.Tx, items []*order.CartItem) func() error {
	lockBuyers(b, tx, items)
	quoted := s.Quote(b, tx, items)
	return func() error {
		quoted()
		for _, it := range items {
			if it.Problem != nil {
				return it.Problem
			}
		}
		return nil
	}
}

// Release implements order.Seller.
func (s *Service) Release(*pg.Batch, *pg.Tx, []uuid.UUID) {}

// Fulfil implements order.Seller: the customer of the order has the plans.
func (s *Service) Fulfil(b *pg.Batch, tx *pg.Tx, sale order.Sale) {
	by := sale.By
	if by.Kind == "" {
		by = tenancy.Actor{Kind: tenancy.ActorSystem}
	}
	issueIn(b, tx, by, sale)
}

// Sell implements order.Seller: at the desk, a plan is sold whether or not it is sold online, and its limits for a
// customer hold.
func (s *Service) Sell(b *pg.Batch, tx *pg.Tx, sale order.Sale) func() error {
	items := make([]*order.CartItem, len(sale.Lines))
	for i, l := range sale.Lines {
		items[i] = &order.CartItem{ID: l.LineID, LocationID: sale.Location, Kind: l.Kind, Subject: l.Subject, AtDesk: true}
	}
	allowed := s.Reserve(b, tx, items)
	issueIn(b, tx, sale.By, sale)
	return allowed
}

// LockReturn implements order.Seller: a plan is not returned as goods are. A refund of its purchase takes off what is
// not used.
func (s *Service) LockReturn(*pg.Batch, *pg.Tx, order.Return) func() error {
	return func() error { return ErrNotReturned }
}

// Return implements order.Seller.
func (s *Service) Return(*pg.Batch, *pg.Tx, order.Return) {}
