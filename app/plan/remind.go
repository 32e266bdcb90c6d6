package plan

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// A customer with a plan that ends is reminded FirstReminder days before its last day is over, and LastReminder days
// before, if there is anything left of it.
const (
	FirstReminder = 14
	LastReminder  = 3
	remindEvery   = time.Hour
)

// ReminderJob reminds a customer of a plan that ends soon.
type ReminderJob struct {
	Business   uuid.UUID `json:"business"`
	Membership uuid.UUID `json:"membership"`
}

// Kind returns the job's name in the outbox.
func (ReminderJob) Kind() string { return "plan.reminder" }

// Terms returns the terms of the job's kind.
func (ReminderJob) Terms() jobs.Terms { return jobs.Mail(2 * jobs.Day) }

// Reminder is the content of the mail about a plan that ends soon.
type Reminder struct {
	To           string
	Locale       string
	BusinessName string
	Location     business.Location
	Name         string // of the plan
	LastDay      civil.Date
	Credits      int // left; 0: any number
}

// RemindDue is the sweep plan.remind. It can run in several processes at once.
func (s *Service) RemindDue(ctx context.Context) error {
	ahead := civil.DateOf(s.o.DB.Clock().Now().Add(14 * time.Hour)).AddDays(FirstReminder)
	return s.o.DB.EachOf(ctx, "select business_id from app.memberships_ending($3, $1, $2)",
		func(ctx context.Context, business uuid.UUID) error { return s.inRounds(ctx, business, remind) }, ahead)
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
		list[i] = ReminderJob{tx.Business(), id}
	}
	return len(ids), jobs.EnqueueAllTx(ctx, tx, list)
}

// toRemind is a membership with its customer.
type toRemind struct {
	Email, Locale, Name string
	LocationID          uuid.UUID
	EndsOn              civil.Date
	Credits             int
}

// MailReminder is the job plan.reminder. It mails nothing about a plan that has ended meanwhile, or is used up.
func (s *Service) MailReminder(ctx context.Context, job ReminderJob) error {
	v := s.o.DB.View(job.Business)
	r, found, err := pg.Find[toRemind](ctx, v, `select c.email, `+business.ReaderLanguage+` as locale, m.name,
		m.location_id,
			m.ends_on, g.credits
		from memberships m join customers c on c.business_id = $1 and c.id = m.customer_id
		join locations l on l.business_id = $1 and l.id = m.location_id
		left join persons p on p.id = c.person_id
		cross join lateral (select bool_or(g.amount is null) as unlimited, sum(g.balance)::int as credits from grants g
			where g.business_id = $1 and g.membership_id = m.id) g
		where m.business_id = $1 and m.id = $2 and m.state = 'active' and c.email <> '' and (g.unlimited or g.credits > 0)
			and m.ends_on > ($3::timestamptz at time zone l.zone)::date`, v.Business(), job.Membership, v.Now())
	if err != nil || !found {
		return err
	}
	b, l, _, err := business.StudioOf(ctx, v, r.LocationID)
	if err != nil {
		return err
	}
	return s.o.Mail.Send(ctx, s.o.Write(Reminder{
		To: r.Email, Locale: r.Locale, BusinessName: b.Name, Location: l, Name: r.Name, LastDay: r.EndsOn.AddDays(-1),
		Credits: r.Credits,
	}))
}
