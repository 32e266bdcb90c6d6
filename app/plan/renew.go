package plan

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/policy"
)

// A billing period that begins is to be paid: package owed makes its order and charges the card of its customer.
// Nothing of another membership stops for it. A period that is not paid in LapseDays, or in its own length if that is
// shorter, ends the membership.

// LapseDays is how long a billing period can be paid after its customer was first asked to.
const LapseDays = 14

// Period is a billing period that is to be paid, with its membership.
type Period struct {
	ID, MembershipID, PlanID, CustomerID, LocationID uuid.UUID
	Name                                             string // of the plan
	Currency                                         money.Currency
	Zone                                             string // IANA: of the location's wall clock
	Number                                           int    // from 1
	StartsOn, EndsOn                                 civil.Date
	Amount                                           int64      // as listed
	State                                            string     // coming or due
	Active                                           bool       // the membership
	Changing                                         bool       // the membership changes to another plan with it
	ConsentedAt                                      *time.Time // its customer agreed to be charged for each period
	OrderID                                          *uuid.UUID
	ChangeOrderID                                    *uuid.UUID // of a change of the membership that waits for its payment
	Failed                                           string     // the code of its failed charge; empty: none failed
	Tries                                            int        // to charge it, or mails of the way to pay
	TriedAt, FirstTriedAt                            *time.Time // the last try, and the first one
	TaxRateID                                        *uuid.UUID // of the plan now
	TaxName                                          string
	TaxPPM                                           int64 `db:"tax_ppm"`
}

// selectPeriods reads the periods of the business $1 that are not paid.
const selectPeriods = `select c.id, c.membership_id, m.plan_id, m.customer_id, m.location_id, m.name, m.currency,
		l.zone, c.number, c.starts_on, c.ends_on, c.price_amount as amount, c.state, m.state = 'active' as active,
		exists (select from plan_changes h where h.business_id = $1 and h.cycle_id = c.id and h.state = 'coming') as changing,
		(select y.order_id from plan_changes h join order_lines y on y.business_id = $1 and y.id = h.order_line_id
			where h.business_id = $1 and h.membership_id = m.id and h.state = 'due') as change_order_id,
		m.consented_at, x.order_id, coalesce(o.charge_failed, '') as failed, c.tries, c.tried_at, c.first_tried_at,
		t.id as tax_rate_id, coalesce(t.name, '') as tax_name, coalesce(t.ppm, 0)::bigint as tax_ppm
	from cycles c join memberships m on m.business_id = $1 and m.id = c.membership_id
	join locations l on l.business_id = $1 and l.id = m.location_id
	join plans p on p.business_id = $1 and p.id = m.plan_id
	left join tax_rates t on t.business_id = $1 and t.id = p.tax_rate_id
	left join order_lines x on x.business_id = $1 and x.id = c.order_line_id
	left join orders o on o.business_id = $1 and o.id = x.order_id
	where c.business_id = $1 and c.state in ('coming', 'due')`

// Today returns the day at the location.
func (p Period) Today(now time.Time) civil.Date { return civil.LocalDate(now, civil.ZoneOrUTC(p.Zone)) }

// Lapsed reports whether the period was not paid in time. One that nobody was asked to pay does not lapse: the studio
// was paused or took no cards, or no worker ran.
func (p Period) Lapsed(now time.Time) bool {
	c := Cycle{StartsOn: p.StartsOn, EndsOn: p.EndsOn}
	return p.FirstTriedAt != nil && !p.Today(now).Before(c.LapsesOn(p.Today(*p.FirstTriedAt)))
}

// Item returns the period as an item of an order: the price as the plan was sold, taxed as it is today.
func (p Period) Item() *order.CartItem {
	it := &order.CartItem{
		ID: p.PlanID, LocationID: p.LocationID, Kind: order.Plan, Subject: p.PlanID, Quantity: 1, AtDesk: true,
	}
	it.Name, it.ListedAmount = p.Name, p.Amount
	it.Income, _ = Renewing.Deferred()
	if p.TaxRateID != nil {
		it.Tax = &order.Tax{RateID: *p.TaxRateID, Name: p.TaxName, PPM: p.TaxPPM}
	}
	return it
}

// PeriodsDue reads the billing periods of active memberships that have begun and are not paid, at most n after an id. A
// studio that is paused or closed has none.
func PeriodsDue(ctx context.Context, r pg.Reader, after uuid.UUID, n int) ([]Period, error) {
	return pg.All[Period](ctx, r, selectPeriods+` and m.state = 'active' and c.id > $2
			and exists (select from businesses b where b.business_id = $1 and b.status = 'active')
			and not `+heldOpenSQL+`
			and c.starts_on <= ($3::timestamptz at time zone l.zone)::date
		order by c.id limit $4`, r.Business(), after, r.Now(), n)
}

// selectChanges reads the changes of plan of the business $1 that wait for their payment at the time $3, as periods.
const selectChanges = `select h.id, h.membership_id, h.to_plan_id as plan_id, m.customer_id, m.location_id, h.name,
		m.currency, l.zone, c.number, c.starts_on, c.ends_on, h.amount, h.state, m.state = 'active' as active,
		false as changing, null::uuid as change_order_id, m.consented_at, x.order_id, coalesce(o.charge_failed, '') as failed,
		0 as tries, null::timestamptz as tried_at, null::timestamptz as first_tried_at,
		t.id as tax_rate_id, coalesce(t.name, '') as tax_name,
		coalesce(t.ppm, 0)::bigint as tax_ppm
	from plan_changes h join memberships m on m.business_id = $1 and m.id = h.membership_id
	join cycles c on c.business_id = $1 and c.id = h.cycle_id
	join locations l on l.business_id = $1 and l.id = m.location_id
	join plans p on p.business_id = $1 and p.id = h.to_plan_id
	left join tax_rates t on t.business_id = $1 and t.id = p.tax_rate_id
	left join order_lines x on x.business_id = $1 and x.id = h.order_line_id
	left join orders o on o.business_id = $1 and o.id = x.order_id
	where h.business_id = $1 and h.state = 'due' and c.ends_on > ($3::timestamptz at time zone l.zone)::date`

// FindPeriod reads a billing period that is not paid, or a change of plan that waits for its payment. It returns
// ErrNoPeriod for any other one of the business, and a not found error.
func FindPeriod(ctx context.Context, r pg.Reader, id uuid.UUID) (Period, error) {
	p, found, err := pg.Find[Period](ctx, r, selectPeriods+` and c.id = $2 union all `+selectChanges+` and h.id = $2`,
		r.Business(), id, r.Now())
	if err != nil || found {
		return p, err
	}
	known, err := pg.One[bool](ctx, r, `select exists (select from cycles where business_id = $1 and id = $2
			union all select from plan_changes where business_id = $1 and id = $2)`,
		r.Business(), id)
	if err == nil && known {
		return p, ErrNoPeriod
	}
	return p, fault.When(err == nil, fault.Missing(), err)
}

// LockPeriod is FindPeriod under the lock of the membership. The payments of its order are locked.
func LockPeriod(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Period, error) {
	_, err := tx.Exec(ctx, `select m.id from memberships m where m.business_id = $1 and m.id in (
			select membership_id from cycles where business_id = $1 and id = $2
			union all select membership_id from plan_changes where business_id = $1 and id = $2)
		for no key update`, tx.Business(), id)
	if err != nil {
		return Period{}, err
	}
	return FindPeriod(ctx, tx, id)
}

// PeriodOfOrder returns the billing period that an order pays, under the lock of its membership; found is false if it
// pays none, or none that is due any more.
func PeriodOfOrder(ctx context.Context, tx *pg.Tx, orderID uuid.UUID) (p Period, found bool, err error) {
	b := tx.Batch()
	pg.QueueExec(b, `select m.id from memberships m where m.business_id = $1 and m.id in (
			select c.membership_id from cycles c join order_lines x on x.business_id = $1 and x.id = c.order_line_id
			where c.business_id = $1 and x.order_id = $2)
		order by m.id for no key update`, tx.Business(), orderID)
	pg.QueueOne(b, &p, &found, selectPeriods+` and x.order_id = $2 and c.state = 'due'`, tx.Business(), orderID)
	return p, found, b.Send(ctx)
}

// BillTx makes a line pay a billing period or a change of plan, in place of an earlier one. It is locked.
func BillTx(ctx context.Context, tx *pg.Tx, period, line uuid.UUID) error {
	n, err := tx.Exec(ctx, `with change as (
			update plan_changes set order_line_id = $3, version = version + 1, updated_at = $4
			where business_id = $1 and id = $2 and state = 'due' returning id
		), cycle as (
			update cycles set state = 'due', order_line_id = $3, version = version + 1, updated_at = $4
			where business_id = $1 and id = $2 and state in ('coming', 'due') returning id
		)
		select id from change union all select id from cycle`, tx.Business(), period, line, tx.Now())
	return fault.When(n == 0, ErrNoPeriod, err)
}

// TriedTx notes that a card was charged for a billing period, or that its customer was mailed the way to pay.
func TriedTx(ctx context.Context, tx *pg.Tx, period uuid.UUID) error {
	_, err := tx.Exec(ctx, `update cycles set tries = tries + 1, tried_at = $3,
			first_tried_at = coalesce(first_tried_at, $3)
		where business_id = $1 and id = $2`, tx.Business(), period, tx.Now())
	return err
}

// LapseTx ends a membership whose period was not paid. The period is locked.
func LapseTx(ctx context.Context, tx *pg.Tx, p Period) error {
	return endTx(ctx, tx, p.MembershipID, Over, p.Today(tx.Now()))
}

// endTx ends a locked membership now. What is left of its grants is income of now.
func endTx(ctx context.Context, tx *pg.Tx, id uuid.UUID, state MembershipState, on civil.Date) error {
	var list []over
	b := tx.Batch()
	pg.QueueExec(b, `update memberships set state = $3, ends_on = greatest(starts_on, $4::date), uses = uses + 1,
			version = version + 1, updated_at = $5
		where business_id = $1 and id = $2`, tx.Business(), id, string(state), on, tx.Now())
	voidIn(b, tx, []uuid.UUID{id})
	pg.QueueAll(b, &list, `select g.id as grant_id, g.balance, g.unused_amount as amount, g.deferred_account,
			g.income_account, m.location_id, m.currency, $3::timestamptz as at
		from grants g join memberships m on m.business_id = $1 and m.id = g.membership_id
		where g.business_id = $1 and g.membership_id = $2 and (g.balance > 0 or g.unused_amount > 0)
		order by g.id`, tx.Business(), id, tx.Now())
	if err := b.Send(ctx); err != nil {
		return err
	}
	return lapse(ctx, tx, list)
}

// Ending is what a cancellation does.
type Ending struct {
	EndsOn  civil.Date // the first day without the membership
	Now     bool       // it ends at once: the present period is not paid
	Periods int        // that are still to be paid until then
	Amount  int64      // of each of them together, as listed
	Booked  int        // bookings after the end, which it pays for
}

// ending returns what the cancellation of a membership does on a day: it ends with the earliest period that its notice
// and its least number of periods allow, and at once if that is one which is due and not paid.
func (m Membership) ending(today civil.Date) Ending {
	if m.Next == nil {
		return Ending{EndsOn: today}
	}
	earliest := today.AddDays(m.Renewal.NoticeDays)
	n := m.Next.Number - 1 // what is paid stays
	for m.Whole(n) < m.Renewal.MinPeriods || m.periodEnd(n).Before(earliest) {
		n++
	}
	e := Ending{EndsOn: m.periodEnd(n)}
	if !m.Next.StartsOn.After(today) && n <= m.Next.Number && m.Whole(m.Next.Number) > m.Renewal.MinPeriods {
		e.EndsOn, e.Now = today, true
		return e
	}
	for k := m.Next.Number; k <= n; k++ {
		e.Periods, e.Amount = e.Periods+1, e.Amount+m.amount(k)
	}
	return e
}

// Whole returns the number of whole periods up to one by its number.
func (m Membership) Whole(number int) int {
	if m.Part {
		return number - 1
	}
	return number
}

// amount returns the price of a whole period by its number.
func (m Membership) amount(number int) int64 { return m.Renewal.amount(m.Whole(number), m.PriceAmount) }

// periodEnd returns the first day after a period by its number: of the last one that is paid, or a later one.
func (m Membership) periodEnd(number int) civil.Date {
	if next := m.Next; next != nil {
		switch number {
		case next.Number - 1:
			return next.StartsOn
		case next.Number:
			return next.EndsOn
		}
	}
	v := Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}
	return v.schedule(m.AnchorOn, 0).Period(number - m.AnchorNumber).Until
}

// MembershipOf reads a membership of a customer. It returns a not found error.
func MembershipOf(ctx context.Context, r pg.Reader, customer, id uuid.UUID) (Membership, error) {
	return membershipOf(ctx, r, customer, id)
}

// EndingOf reads a membership of a customer, and what its cancellation would do now. It returns a not found error,
// ErrNotRenewing, ErrEnded, ErrCanceled and ErrFrozen.
func EndingOf(ctx context.Context, r pg.Reader, customer, id uuid.UUID) (Membership, Ending, error) {
	m, err := membershipOf(ctx, r, customer, id)
	switch {
	case err != nil:
		return m, Ending{}, err
	case m.Kind != Renewing:
		return m, Ending{}, ErrNotRenewing
	case m.State != Active:
		return m, Ending{}, ErrEnded
	case m.EndsOn != nil:
		return m, Ending{}, ErrCanceled
	}
	today := civil.LocalDate(r.Now(), civil.ZoneOrUTC(m.Zone))
	if f := m.Freeze(today); f != nil && f.EndsOn == nil && f.StartsOn.Before(today) {
		return m, Ending{}, ErrFrozen
	}
	e := m.ending(today)
	e.Booked, err = bookedFrom(ctx, r, id, e.EndsOn, nil)
	return m, e, err
}

// bookedFrom counts the bookings from a day on that a membership pays for, also those whose order waits for a card;
// with an end, those before it.
func bookedFrom(ctx context.Context, r pg.Reader, id uuid.UUID, from civil.Date, until *civil.Date) (int, error) {
	return pg.One[int](ctx, r, `select count(*)::int from bookings k
		join occurrences w on w.business_id = $1 and w.id = k.occurrence_id
		join locations l on l.business_id = $1 and l.id = k.location_id
		where k.business_id = $1 and k.state in ('held', 'requested', 'confirmed') and w.starts_at > $4
			and (w.starts_at at time zone l.zone)::date >= $3
			and ($5::date is null or (w.starts_at at time zone l.zone)::date < $5)
			and k.id in (select d.booking_id from grants g
				join redemptions d on d.business_id = $1 and d.grant_id = g.id and d.kind = 'used'
				where g.business_id = $1 and g.membership_id = $2 and not exists (select from redemptions x
					where x.business_id = $1 and x.order_line_id = d.order_line_id and x.kind = 'returned')
				union all select x.booking_id from grants g
				join order_lines x on x.business_id = $1 and x.grant_id = g.id
				join orders o on o.business_id = $1 and o.id = x.order_id
				where g.business_id = $1 and g.membership_id = $2 and `+openSQL("$4")+`)`,
		r.Business(), id, from, r.Now(), until)
}

// CancelTx cancels a membership of a customer for the end that was shown to whoever asks. It locks the membership; the
// payments of the order of its period are locked, and that order is the caller's to give up if the period is not to be
// paid any more. It returns the errors of EndingOf, fault.ErrStale if another end is the earliest, or the membership
// has another version, and ErrBooked.
func CancelTx(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, customer, id uuid.UUID, version int64, shown civil.Date,
) (Membership, Ending, error) {
	if _, err := tx.Exec(ctx, lockSQL, tx.Business(), []uuid.UUID{id}); err != nil {
		return Membership{}, Ending{}, err
	}
	m, e, err := EndingOf(ctx, tx, customer, id)
	if m.ID != uuid.Nil && version != 0 { // before any other refusal
		err = cmp.Or(fault.Stale(version, m.Version), err)
	}
	switch {
	case err != nil:
		return m, e, err
	case !shown.IsZero() && shown != e.EndsOn:
		return m, e, fault.ErrStale
	case e.Booked > 0:
		return m, e, ErrBooked.With("bookings", e.Booked)
	}
	if err := jobs.EnqueueTx(ctx, tx, ReminderJob{tx.Business(), id, CanceledFor}); err != nil {
		return m, e, err
	}
	if e.Now {
		return m, e, endTx(ctx, tx, id, Canceled, e.EndsOn)
	}
	b := tx.Batch()
	voidChangesIn(b, tx, []uuid.UUID{id})
	pg.QueueExec(b, `update memberships set ends_on = $3, canceled_at = $4, uses = uses + 1, version = version + 1,
			updated_at = $4
		where business_id = $1 and id = $2`, tx.Business(), id, e.EndsOn, tx.Now())
	if m.Next != nil && !m.Next.StartsOn.Before(e.EndsOn) { // it does not come
		voidIn(b, tx, []uuid.UUID{id})
		var gone []Grant
		pg.QueueAll(b, &gone, `select id, balance from grants where business_id = $1 and cycle_id = $2 and balance > 0
			order by id`, tx.Business(), m.Next.ID)
		if err := b.Send(ctx); err != nil {
			return m, e, err
		}
		b = tx.Batch()
		for _, g := range gone {
			recordIn(b, tx, by, redemption{ID: pg.NewID(), GrantID: g.ID, LocationID: m.LocationID, Kind: Ended,
				Credits: -g.Balance})
		}
	}
	return m, e, b.Send(ctx)
}

// ConsentMax is the length of the words that a customer agrees to, in characters.
const ConsentMax = 2000

// CheckConsent trims the words that a customer agreed to. It returns a validation error on field.
func CheckConsent(text *string, field string) error {
	var c fault.Checks
	*text = strings.TrimSpace(*text)
	c.That(*text != "", field, "Pass the words that the customer agreed to.")
	c.That(utf8.RuneCountInString(*text) <= ConsentMax, field, "Use at most 2000 characters.")
	c.That(!strings.ContainsFunc(*text, func(r rune) bool { return r != '\n' && unprinted(r) }), field, unprintable)
	return c.Err()
}

// Agree writes that the signed-in person agreed that their card is charged for each period of a membership. Again it
// writes the newer words. It returns identity.ErrSignIn, a validation error on consent, a not found error, ErrEnded and
// ErrNotRenewing.
func (s *Service) Agree(
	ctx context.Context, p tenancy.Principal, membership uuid.UUID, text string,
) (Membership, error) {
	if err := CheckConsent(&text, "renewalConsent"); err != nil {
		return Membership{}, err
	}
	m, err := s.MineOf(ctx, p, membership)
	switch {
	case err != nil:
		return m, err
	case m.Kind != Renewing:
		return m, ErrNotRenewing
	}
	return pg.InTx(ctx, s.o.DB, m.BusinessID, func(tx *pg.Tx) (Membership, error) {
		n, err := tx.Exec(ctx, `update memberships set consent_text = $3, consented_at = $4, version = version + 1,
			updated_at = $4 where business_id = $1 and id = $2 and state = 'active'`, tx.Business(), m.ID, text, tx.Now())
		if err = fault.When(n == 0, ErrEnded, err); err != nil {
			return m, err
		}
		return membershipOf(ctx, tx, m.CustomerID, m.ID)
	})
}

// MineOf returns a plan of the signed-in person. It returns identity.ErrSignIn and a not found error.
func (s *Service) MineOf(ctx context.Context, p tenancy.Principal, membership uuid.UUID) (m Membership, err error) {
	found := false
	err = s.eachRecord(ctx, p, func(v *pg.View, customer uuid.UUID) (bool, error) {
		m, err = membershipOf(ctx, v, customer, membership)
		if found = err == nil; fault.IsKind(err, fault.NotFound) {
			err = nil
		}
		return found, err
	})
	return m, fault.When(!found, fault.Missing(), err)
}

// OfOne returns a plan of a customer. It needs crm.view for them, by crm.AddReach. It returns a not found error.
func (s *Service) OfOne(ctx context.Context, sc tenancy.Scope, customer, membership uuid.UUID) (Membership, error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := crm.Seen(ctx, v, sc, policy.CRMView, customer); err != nil {
		return Membership{}, err
	}
	return membershipOf(ctx, v, customer, membership)
}
