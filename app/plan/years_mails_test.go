package plan_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/clock"
	"foyer/app/mail"
	"foyer/app/pg"
)

// post keeps all mails, with the time of each.
type post struct {
	clock clock.Clock
	list  []mail.Delivered
}

// Send implements mail.Sender.
func (p *post) Send(_ context.Context, m mail.Message) error {
	p.list = append(p.list, mail.Delivered{Message: m, At: p.clock.Now()})
	return nil
}

// fact is what explains a mail: its kind, its recipient, and its order or its time.
type fact struct {
	Kind, Email string
	OrderID     *uuid.UUID // nil: At says which one it is
	At          time.Time
}

// factsSQL reads the facts that explain mails of a kind, as email, order_id and at: one row for each mail. $1 is the
// business, $2 its owner's address, and $3 is disputed. The other facts are those of years.facts.
var factsSQL = map[string]string{
	// a cart that was confirmed
	"booked": `select c.email, o.id as order_id, o.fulfilled_at as at from orders o
		join customers c on c.id = o.customer_id where o.cart_id is not null and o.state = 'fulfilled'`,
	// a billing period or a change that was paid by card: one receipt each
	"fee charged": `select c.email, o.id as order_id, o.fulfilled_at as at from orders o
		join customers c on c.id = o.customer_id where o.cart_id is null and o.state = 'fulfilled'
			and exists (select from payments p where p.order_id = o.id and p.outcome = 'fulfilled')`,
	// a payment for what was not due any more
	"refunded": `select c.email, null::uuid as order_id, p.succeeded_at as at from payments p
		join orders o on o.id = p.order_id join customers c on c.id = o.customer_id where p.outcome = 'refunded'`,
	"cancelled": `select c.email, null::uuid as order_id, b.cancelled_at as at from bookings b
		join customers c on c.id = b.customer_id where b.state in ('cancelled', 'late_cancelled')`,
	"reminder": `select c.email, null::uuid as order_id, r.mailed_at as at from booking_reminders r
		join customers c on c.id = r.customer_id where r.mailed_at is not null`,
	"plan frozen": `select c.email, null::uuid as order_id, f.created_at as at from freezes f
		join memberships m on m.id = f.membership_id join customers c on c.id = m.customer_id`,
	// a freeze changes only when it is ended
	"plan unfrozen": `select c.email, null::uuid as order_id, a.at from audit_events a
		join freezes f on f.id = a.record_id join memberships m on m.id = f.membership_id
		join customers c on c.id = m.customer_id where a.record = 'freezes' and a.action = 'update'`,
	// canceled for an end, or at once; a refund leaves the last day as it is
	"plan canceled": `select c.email, null::uuid as order_id, a.at from audit_events a
		join memberships m on m.id = a.record_id join customers c on c.id = m.customer_id
		where a.record = 'memberships' and a.action = 'update' and (a.after ->> 'canceled_at' is not null
			or a.after ->> 'state' = 'canceled' and a.after ? 'ends_on')`,
	// ended with a period that was due and not paid
	"plan unpaid": `select c.email, null::uuid as order_id, a.at from audit_events a
		join memberships m on m.id = a.record_id join customers c on c.id = m.customer_id
		where a.record = 'memberships' and a.after ->> 'state' = 'ended' and exists (select from audit_events b
			join cycles k on k.id = b.record_id where b.record = 'cycles' and b.at = a.at and k.membership_id = m.id
				and b.before ->> 'state' = 'due' and b.after ->> 'state' = 'void')`,
	// a change for the next period; one that is paid has a receipt
	"plan changes": `select c.email, null::uuid as order_id, h.created_at as at from plan_changes h
		join memberships m on m.id = h.membership_id join customers c on c.id = m.customer_id where h.amount = 0`,
	"plan renews": `select c.email, null::uuid as order_id, k.noticed_at as at from cycles k
		join memberships m on m.id = k.membership_id join customers c on c.id = m.customer_id
		where k.noticed_at is not null`,
	"dispute opened": `select $2::text as email, null::uuid as order_id, $3::timestamptz as at from disputes d`,
	"dispute closed": `select $2::text as email, null::uuid as order_id, $3::timestamptz as at from disputes d
		where d.status in ('won', 'lost')`,
}

// disputed stands for the time of mails about disputes, which are told apart by their number alone.
var disputed = time.Unix(0, 0)

// bills notes the orders of billing periods and of changes.
func (y *years) bills(t *testing.T) {
	t.Helper()
	for _, b := range y.pairs(t, `select x.order_id as id, c.id as of from cycles c
		join order_lines x on x.business_id = $1 and x.id = c.order_line_id
		where c.business_id = $1 and c.state <> 'coming'
		union all select x.order_id, h.id from plan_changes h
		join order_lines x on x.business_id = $1 and x.id = h.order_line_id where h.business_id = $1`) {
		y.cycles[b.ID] = b.Of
	}
}

// pair is a row and the row that it belongs to.
type pair struct{ ID, Of uuid.UUID }

func (y *years) pairs(t *testing.T, sql string) []pair {
	t.Helper()
	list, err := pg.All[pair](t.Context(), y.w.DB.View(y.Owner.Tenant), sql, y.Owner.Tenant)
	return must(t, list, err)
}

// ending is a plan that ends soon, with something left.
type ending struct {
	ID     uuid.UUID
	Email  string
	EndsOn civil.Date
}

// endings reads the plans that end in fourteen days, and have something left.
func (y *years) endings(t *testing.T) []ending {
	t.Helper()
	list, err := pg.All[ending](t.Context(), y.w.DB.View(y.Owner.Tenant), `select m.id, c.email, m.ends_on
		from memberships m join customers c on c.business_id = $1 and c.id = m.customer_id
		where m.business_id = $1 and m.state = 'active' and m.ends_on > $2 and m.ends_on <= $3
			and exists (select from grants g where g.business_id = $1 and g.membership_id = m.id
				and (g.amount is null or g.balance > 0))`, y.Owner.Tenant, y.today(), y.today().AddDays(14))
	return must(t, list, err)
}

// expectReminders returns the plans whose customers are to be reminded of the end: fourteen days before, and three days
// before.
func (y *years) expectReminders(t *testing.T) (out []ending) {
	t.Helper()
	today := y.today()
	for _, m := range y.endings(t) {
		before := y.reminded[m.ID]
		if before.IsZero() || today.DaysUntil(m.EndsOn) <= 3 && before.DaysUntil(m.EndsOn) > 3 {
			y.reminded[m.ID] = today
			out = append(out, m)
		}
	}
	return out
}

// remind notes the reminders of the end of plans. One that has ended before its mail is sent needs none.
func (y *years) remind(t *testing.T, expected []ending) {
	t.Helper()
	if len(expected) == 0 {
		return
	}
	still := y.endings(t)
	for _, m := range expected {
		if slices.ContainsFunc(still, func(s ending) bool { return s.ID == m.ID }) {
			y.ends = append(y.ends, fact{Kind: "plan ends", Email: m.Email, At: y.w.Clock.Now()})
		}
	}
}

// facts returns the facts that explain the mails: those of the database, the declines of the processor, the requests to
// pay by a link, and the reminders.
func (y *years) facts(t *testing.T) []fact {
	t.Helper()
	v := y.w.DB.View(y.Owner.Tenant)
	out := slices.Clone(y.ends)
	for kind, sql := range factsSQL {
		list, err := pg.All[fact](t.Context(), v, `select '`+kind+`' as kind, x.* from (`+sql+`) x
			where $1::uuid is not null and $2::text <> '' and $3::timestamptz is not null`,
			y.Owner.Tenant, y.Owner.Email, disputed)
		out = append(out, must(t, list, err)...)
	}
	type paid struct {
		Intent, Email string
		OrderID       uuid.UUID
	}
	payments, err := pg.All[paid](t.Context(), v, `select p.intent, c.email, p.order_id from payments p
		join orders o on o.business_id = $1 and o.id = p.order_id
		join customers c on c.business_id = $1 and c.id = o.customer_id
		where p.business_id = $1 and p.intent is not null`, y.Owner.Tenant)
	of := map[string]paid{}
	for _, p := range must(t, payments, err) {
		of[p.Intent] = p
	}
	tried := map[uuid.UUID]int{} // by order and by billing period
	for _, c := range y.charges {
		p := of[c.intent]
		tried[p.OrderID]++
		tried[y.cycles[p.OrderID]]++
		if c.declined {
			out = append(out, fact{"fee not charged", p.Email, &p.OrderID, c.at})
		}
	}
	return append(out, y.asked(t, tried)...)
}

// asked are the requests to pay by a link: the tries of a billing period that were not charges, and changes that were
// not charged.
func (y *years) asked(t *testing.T, tried map[uuid.UUID]int) (out []fact) {
	t.Helper()
	type row struct {
		Email string
		ID    uuid.UUID
		Tries int
	}
	list, err := pg.All[row](t.Context(), y.w.DB.View(y.Owner.Tenant), `select c.email, k.id, k.tries from cycles k
		join memberships m on m.business_id = $1 and m.id = k.membership_id
		join customers c on c.business_id = $1 and c.id = m.customer_id where k.business_id = $1 and k.tries > 0
		union all select c.email, h.id, 1 from plan_changes h
		join memberships m on m.business_id = $1 and m.id = h.membership_id
		join customers c on c.business_id = $1 and c.id = m.customer_id
		where h.business_id = $1 and h.order_line_id is not null`, y.Owner.Tenant)
	for _, k := range must(t, list, err) {
		for range k.Tries - tried[k.ID] {
			out = append(out, fact{Kind: "rest asked for", Email: k.Email, OrderID: &k.ID})
		}
		if k.Tries < tried[k.ID] {
			t.Errorf("%d charges of %s in %d tries", tried[k.ID], k.ID, k.Tries)
		}
	}
	return out
}

// checkMails compares the mails with the facts, one to one.
func (y *years) checkMails(t *testing.T) {
	t.Helper()
	y.bills(t)
	orders := map[string]uuid.UUID{} // by the token of the receipt
	for _, o := range y.pairs(t, "select id, id as of from orders where business_id = $1") {
		orders[y.Orders.ReceiptToken(o.ID)] = o.ID
	}
	left := map[string]int{}
	for _, f := range y.facts(t) {
		left[y.key(f)]++
	}
	n := map[string]int{}
	for _, m := range y.post.list {
		n[m.Subject]++
		f := fact{Kind: m.Subject, Email: m.To, At: m.At}
		if strings.HasPrefix(f.Kind, "dispute") {
			f.At = disputed
		}
		if id, has := orders[m.Text[strings.LastIndex(m.Text, " ")+1:]]; has && f.Kind != "refunded" {
			f.OrderID = &id
		}
		left[y.key(f)]--
	}
	for key, n := range left {
		switch {
		case n > 0:
			t.Errorf("no mail (%d): %s", n, key)
		case n < 0:
			t.Errorf("a mail without a fact (%d): %s", -n, key)
		}
		for _, m := range y.post.list {
			if n != 0 && strings.Contains(key, m.To) {
				t.Log(m.At, m.To, m.Subject, m.Text)
			}
		}
	}
	t.Logf("mails: %v", n)
	y.checkEnded(t, orders)
}

// key identifies a fact, or the one that a mail is about.
func (y *years) key(f fact) string {
	about := f.At.UTC().Format(time.RFC3339Nano)
	if f.OrderID != nil {
		about = f.OrderID.String()
		switch c, period := y.cycles[*f.OrderID]; {
		case f.Kind == "rest asked for" && period: // several orders, if it was paid by another one
			about = c.String()
		case f.Kind == "fee not charged": // several for an order
			about += " " + f.At.UTC().Format(time.RFC3339Nano)
		}
	}
	return strings.Join([]string{f.Kind, f.Email, about}, ", ")
}

// checkEnded finds mails about payments of a membership after its end.
func (y *years) checkEnded(t *testing.T, orders map[string]uuid.UUID) {
	t.Helper()
	type ended struct {
		ID uuid.UUID // of the billing period, or of the change
		At time.Time
	}
	list, err := pg.All[ended](t.Context(), y.w.DB.View(y.Owner.Tenant), `with ended as (
			select a.record_id as id, max(a.at) as at from audit_events a join memberships m on m.business_id = $1
				and m.id = a.record_id and m.state <> 'active'
			where a.business_id = $1 and a.after ->> 'state' in ('ended', 'canceled') group by 1)
		select k.id, e.at from ended e join cycles k on k.business_id = $1 and k.membership_id = e.id
		union all select h.id, e.at from ended e
		join plan_changes h on h.business_id = $1 and h.membership_id = e.id`, y.Owner.Tenant)
	over := map[uuid.UUID]time.Time{}
	for _, e := range must(t, list, err) {
		over[e.ID] = e.At
	}
	for _, m := range y.post.list {
		id, has := orders[m.Text[strings.LastIndex(m.Text, " ")+1:]]
		if !has || m.Subject == "booked" || m.Subject == "refunded" {
			continue
		}
		at, ended := over[y.cycles[id]]
		if ended && m.At.After(at) {
			t.Errorf("%s mailed %q about a membership that ended at %s", m.At, m.Subject, at)
		}
	}
}
