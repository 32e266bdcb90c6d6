package plan

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/pg"
)

// A customer with a plan that ends is reminded FirstReminder days before its last day is over, and LastReminder days
// before, if there is anything left of it.
const (
	FirstReminder = 14
	LastReminder  = 3
	remindEvery   = time.Hour
	// RenewalReminder is how long before its renewal a membership that is paid by the year is announced. The law of
	// several places asks for that: California's for 15 to 45 days.
	RenewalReminder = 21
)

// Event is what a mail about a plan says.
type Event string

// The events.
const (
	EndsSoon    Event = ""
	RenewsSoon  Event = "renews"
	CanceledFor Event = "canceled" // it was canceled, for its last day
	EndedUnpaid Event = "unpaid"   // it has ended, because a billing period was not paid
	FrozenFor   Event = "frozen"   // it is frozen, from a day on
	Unfrozen    Event = "unfrozen"
	ChangesTo   Event = "changes" // it changes to another plan, or has changed
)

// ReminderJob mails a customer about their plan.
type ReminderJob struct {
	Business   uuid.UUID `json:"business"`
	Membership uuid.UUID `json:"membership"`
	Event      Event     `json:"event,omitempty"`
}

// Kind returns the job's name in the outbox.
func (ReminderJob) Kind() string { return "plan.reminder" }

// Terms returns the terms of the job's kind.
func (ReminderJob) Terms() jobs.Terms { return jobs.Mail(2 * jobs.Day) }

// Reminder is the content of the mail about a plan.
type Reminder struct {
	Event        Event
	To           string
	Locale       string
	BusinessName string
	Location     business.Location
	Name         string     // of the plan
	LastDay      civil.Date // zero: it renews
	Credits      int        // left; 0: any number
	// Of RenewsSoon and of freezes.
	RenewsOn civil.Date
	Amount   int64
	Currency money.Currency
	Frozen   *Frozen     // of FrozenFor
	Change   *PlanChange // of ChangesTo
}

// RemindDue is the sweep plan.remind. It can run in several processes at once.
func (s *Service) RemindDue(ctx context.Context) error {
	ahead := civil.DateOf(s.o.DB.Clock().Now().Add(14 * time.Hour)).AddDays(FirstReminder)
	return s.o.DB.EachOf(ctx, "select business_id from app.memberships_ending($3, $1, $2)",
		func(ctx context.Context, business uuid.UUID) error { return s.inRounds(ctx, business, remind) }, ahead)
}

// RemindRenewals is the sweep plan.remind_renewals: it announces the renewal of memberships that are paid by the year.
func (s *Service) RemindRenewals(ctx context.Context) error {
	ahead := civil.DateOf(s.o.DB.Clock().Now().Add(14 * time.Hour)).AddDays(RenewalReminder)
	return s.o.DB.EachOf(ctx, "select business_id from app.renewals_due($3, $1, $2)",
		func(ctx context.Context, business uuid.UUID) error { return s.inRounds(ctx, business, remindRenewals) }, ahead)
}

func remindRenewals(ctx context.Context, tx *pg.Tx) (int, error) {
	ids, err := pg.All[uuid.UUID](ctx, tx, `update cycles c set noticed_at = $2 from memberships m
		where c.business_id = $1 and m.business_id = $1 and m.id = c.membership_id and c.id in (
			select c.id from cycles c join memberships m on m.business_id = $1 and m.id = c.membership_id
			join locations l on l.business_id = $1 and l.id = m.location_id
			cross join lateral (select ($2::timestamptz at time zone l.zone)::date as today) d
			where c.business_id = $1 and c.state = 'coming' and c.noticed_at is null and c.price_amount > 0
				and m.state = 'active' and c.ends_on - c.starts_on >= 360
				and c.starts_on > d.today and c.starts_on - d.today <= $3
			order by c.id limit $4 for no key update of c)
		returning m.id`, tx.Business(), tx.Now(), RenewalReminder, sweepMost)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	list := make([]jobs.Args, len(ids))
	for i, id := range ids {
		list[i] = ReminderJob{tx.Business(), id, RenewsSoon}
	}
	return len(ids), jobs.EnqueueAllTx(ctx, tx, list)
}

// remind enqueues reminders that are due: one that is late because the plan was extended is not caught up.
func remind(ctx context.Context, tx *pg.Tx) (int, error) {
	ids, err := pg.All[uuid.UUID](ctx, tx, `update memberships m set reminded_at = $2 where m.business_id = $1
		and m.id in (
			select m.id from memberships m join locations l on l.business_id = $1 and l.id = m.location_id
			cross join lateral (select ($2::timestamptz at time zone l.zone)::date as today,
				(m.reminded_at at time zone l.zone)::date as reminded) d
			where m.business_id = $1 and m.state = 'active' and m.ends_on > d.today and m.ends_on - d.today <= $3
				and (d.reminded is null or m.ends_on - d.today <= $4 and m.ends_on - d.reminded > $4)
				and exists (select from grants g where g.business_id = $1 and g.membership_id = m.id
					and (g.amount is null or g.balance > 0))
			order by m.id limit $5 for no key update of m)
		returning m.id`, tx.Business(), tx.Now(), FirstReminder, LastReminder, sweepMost)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	list := make([]jobs.Args, len(ids))
	for i, id := range ids {
		list[i] = ReminderJob{tx.Business(), id, EndsSoon}
	}
	return len(ids), jobs.EnqueueAllTx(ctx, tx, list)
}

// toRemind is a membership with its customer.
type toRemind struct {
	Email, Locale, Name string
	LocationID          uuid.UUID
	Currency            money.Currency
	EndsOn, RenewsOn    *civil.Date
	Amount              int64 // of the renewal
	Credits             int
	Frozen              *Frozen
	Change              *PlanChange
}

// MailReminder is the job plan.reminder. It mails nothing about the end of a plan that has ended meanwhile, or is used
// up, nor about a renewal that does not come.
func (s *Service) MailReminder(ctx context.Context, job ReminderJob) error {
	v := s.o.DB.View(job.Business)
	r, found, err := pg.Find[toRemind](ctx, v, `select c.email, `+business.ReaderLanguage+` as locale, m.name,
			m.location_id, m.currency, m.ends_on, x.starts_on as renews_on, coalesce(x.amount, 0) as amount,
			coalesce(g.credits, 0) as credits, (select jsonb_build_object('startsOn', f.starts_on, 'endsOn', f.ends_on)
				from freezes f where f.business_id = $1 and f.membership_id = m.id and f.canceled_at is null
				and (f.ends_on is null or f.ends_on > ($3::timestamptz at time zone l.zone)::date)
				order by f.created_at desc limit 1) as frozen,
			(select jsonb_build_object('name', h.name, 'price', h.to_amount, 'on', coalesce(k.starts_on, h.changes_on))
				from plan_changes h left join cycles k on k.business_id = $1 and k.id = h.cycle_id and h.state = 'coming'
				where h.business_id = $1 and h.membership_id = m.id and h.state in ('coming', 'done')
				order by h.created_at desc limit 1) as change
		from memberships m join customers c on c.business_id = $1 and c.id = m.customer_id
		join locations l on l.business_id = $1 and l.id = m.location_id
		left join persons p on p.id = c.person_id
		left join lateral (select c.id, c.starts_on, `+nextPriceSQL+` as amount from cycles c
			where c.business_id = $1 and c.membership_id = m.id and c.state = 'coming') x on true
		cross join lateral (select bool_or(g.amount is null) as unlimited, sum(g.balance)::int as credits from grants g
			where g.business_id = $1 and g.membership_id = m.id) g
		where m.business_id = $1 and m.id = $2 and c.email <> '' and case $4::varchar
			when '' then m.state = 'active' and (g.unlimited or g.credits > 0)
				and m.ends_on > ($3::timestamptz at time zone l.zone)::date
			when 'renews' then m.state = 'active' and x.id is not null
			when 'frozen' then m.state = 'active'
			when 'unfrozen' then m.state = 'active'
			when 'changes' then m.state = 'active'
			else m.ends_on is not null end`, v.Business(), job.Membership, v.Now(), string(job.Event))
	if err != nil || !found {
		return err
	}
	b, l, _, err := business.StudioOf(ctx, v, r.LocationID)
	if err != nil {
		return err
	}
	about := Reminder{
		Event: job.Event, To: r.Email, Locale: r.Locale, BusinessName: b.Name, Location: l, Name: r.Name,
		Credits: r.Credits, Amount: r.Amount, Currency: r.Currency, Frozen: r.Frozen, Change: r.Change,
	}
	if job.Event == FrozenFor && r.Frozen == nil || job.Event == ChangesTo && r.Change == nil { // it was ended meanwhile
		return nil
	}
	if r.EndsOn != nil {
		about.LastDay = r.EndsOn.AddDays(-1)
	}
	if r.RenewsOn != nil {
		about.RenewsOn = *r.RenewsOn
	}
	return s.o.Mail.Send(ctx, s.o.Write(about))
}
