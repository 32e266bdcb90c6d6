package plan

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/policy"
)

// RenewalDays is how far a Renewals looks ahead.
const RenewalDays = 7

// UnpaidMost is the largest number of unpaid billing periods in a Renewals.
const UnpaidMost = 20

// Renewals are the billing periods that a studio attends to: of active memberships, in the caller's reach.
type Renewals struct {
	Sums   []RenewalSum // by currency
	Unpaid []Unpaid     // the longest due first; UnpaidMost at most
}

// UnpaidCount returns the number of unpaid periods, also of those beyond UnpaidMost.
func (r Renewals) UnpaidCount() int {
	if len(r.Unpaid) == 0 {
		return 0
	}
	return r.Unpaid[0].Every
}

// RenewalSum adds up the billing periods in one currency that begin soon and are not paid. Amounts are as listed.
type RenewalSum struct {
	Currency     money.Currency
	Today        int   // on the day at the location
	TodayAmount  int64 // in minor units
	Coming       int   // on the RenewalDays after it
	ComingAmount int64
}

// Unpaid is a billing period that was tried and is not paid.
type Unpaid struct {
	Period
	Customer, CustomerEmail string
	CardSavedAt             *time.Time // of the card that would be charged; nil: none, or none with consent
	Every                   int        // unpaid periods that the caller sees
}

// LapsesOn returns the day on which the membership ends if the period is not paid.
func (u Unpaid) LapsesOn() civil.Date {
	return Cycle{StartsOn: u.StartsOn, EndsOn: u.EndsOn}.LapsesOn(u.Today(*u.FirstTriedAt))
}

// RenewalsInput selects the memberships of a Renewals.
type RenewalsInput struct {
	LocationID uuid.UUID     // uuid.Nil: all of the caller's
	Env        processor.Env // of the cards
}

// QueueRenewals returns a function that queues the reading of a Renewals in a trip that the caller makes anyway. It
// covers the locations where the caller has membership.manage, and shows the unpaid periods of customers in the reach
// of crm.view. It stays zero without either.
func (s *Service) QueueRenewals(sc tenancy.Scope, in RenewalsInput, out *Renewals) func(*pg.Batch, *pg.View) {
	return func(b *pg.Batch, v *pg.View) {
		cover, err := policy.Where(sc, policy.MembershipManage)
		if err != nil {
			return
		}
		sums := renewalSums(v.Business(), v.Now())
		in.at(sums, "m.location_id", cover)
		sums.Add(` group by m.currency order by m.currency`)
		pg.QueueAll(b, &out.Sums, sums.SQL(), sums.Args()...)
		reach, err := policy.Where(sc, policy.CRMView)
		if err != nil {
			return
		}
		list := pg.NewShape(unpaidPeriods, v.Business(), v.Now(), in.Env)
		in.at(list, "p.location_id", cover)
		list.Add(` and `)
		crm.AddReach(list, sc.Person(), reach)
		list.Add(` order by p.starts_on, p.id limit ?`, UnpaidMost)
		pg.QueueAll(b, &out.Unpaid, list.SQL(), list.Args()...)
	}
}

// at adds the condition for a location to be covered.
func (in RenewalsInput) at(q *pg.Shape, location string, cover policy.Cover) {
	q.AndIf(in.LocationID != uuid.Nil, location+` = ?`, in.LocationID)
	q.AndIf(!cover.Everywhere, location+` = any(?)`, cover.Locations)
}

// renewalSums selects the sums; the condition and the group follow. The days of all zones are around that of UTC.
func renewalSums(business uuid.UUID, now time.Time) *pg.Shape {
	today := civil.DateOf(now.UTC())
	return pg.NewShape(`select m.currency, count(*) filter (where c.starts_on = d.today)::int as today,
			coalesce(sum(n.price) filter (where c.starts_on = d.today), 0)::bigint as today_amount,
			count(*) filter (where c.starts_on > d.today)::int as coming,
			coalesce(sum(n.price) filter (where c.starts_on > d.today), 0)::bigint as coming_amount
		from cycles c join memberships m on m.business_id = $1 and m.id = c.membership_id and m.state = 'active'
		join locations l on l.business_id = $1 and l.id = m.location_id
		cross join lateral (select ($2::timestamptz at time zone l.zone)::date as today) d
		cross join lateral (select `+nextPriceSQL+` as price) n
		where c.business_id = $1 and c.state in ('coming', 'due') and c.starts_on between $3 and $4 and n.price > 0
			and c.starts_on between d.today and d.today + `+strconv.Itoa(RenewalDays)+`
			and (m.ends_on is null or m.ends_on > c.starts_on) and not `+heldOpenSQL,
		business, now, today.AddDays(-1), today.AddDays(1+RenewalDays))
}

// unpaidPeriods selects the unpaid periods p of customers c; the condition and the order follow. One whose card is to
// be charged within minutes is none: it was not declined.
var unpaidPeriods = `select p.*, c.name as customer, c.email as customer_email, k.saved as card_saved_at,
		count(*) over ()::int as every
	from (` + selectPeriods + ` and c.state = 'due' and m.state = 'active' and c.first_tried_at is not null) p
	join customers c on c.business_id = $1 and c.id = p.customer_id
	cross join lateral (select case when p.consented_at is not null then
		` + billing.RenewalCardSQL("p.customer_id", "$3", "$2") + ` end as saved) k
	where p.amount > 0 and (p.failed <> '' or k.saved is null)`
