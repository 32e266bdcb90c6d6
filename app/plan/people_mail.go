package plan

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// The events in mails to other customers than the one who has a plan, or has had it.
const (
	SharedWith Event = "shared"   // the plan of another customer can be booked with
	GivenAway  Event = "given"    // the plan was transferred to another customer
	Received   Event = "received" // the plan of another customer was transferred to this one
)

// PersonJob mails a customer that they can book with a plan, or that a plan was transferred from them or to them.
type PersonJob struct {
	Business   uuid.UUID `json:"business"`
	Membership uuid.UUID `json:"membership"`
	Customer   uuid.UUID `json:"customer"`
	Event      Event     `json:"event"`
}

// Kind returns the job's name in the outbox.
func (PersonJob) Kind() string { return "plan.person" }

// Terms returns the terms of the job's kind.
func (PersonJob) Terms() jobs.Terms { return jobs.Mail(2 * jobs.Day) }

// MailPerson is the job plan.person. It mails nothing about what is undone meanwhile.
func (s *Service) MailPerson(ctx context.Context, job PersonJob) error {
	type row struct {
		Email, Locale, Name, Holder string
		LocationID                  uuid.UUID
		EndsOn                      *civil.Date
		Credits                     int
	}
	v := s.o.DB.View(job.Business)
	r, found, err := pg.Find[row](ctx, v, `select c.email, `+business.ReaderLanguage+` as locale, m.name,
			h.name as holder, m.location_id, m.ends_on, coalesce((select sum(g.balance)::int from grants g
				where g.business_id = $1 and g.membership_id = m.id
					and (g.cycle_id is null or g.starts_on <= d.today and g.ends_on > d.today)), 0) as credits
		from memberships m
		join customers c on c.business_id = $1 and c.id = $3
		join customers h on h.business_id = $1 and h.id = m.customer_id
		join locations l on l.business_id = $1 and l.id = m.location_id
		cross join lateral (select ($4::timestamptz at time zone l.zone)::date as today) d
		left join persons p on p.id = c.person_id
		where m.business_id = $1 and m.id = $2 and m.state = 'active' and c.email <> '' and case $5::varchar
			when 'shared' then exists (select from membership_people s where s.business_id = $1
				and s.membership_id = m.id and s.customer_id = c.id and s.removed_at is null)
			when 'received' then m.customer_id = c.id
			else m.customer_id <> c.id end`, v.Business(), job.Membership, job.Customer, v.Now(), string(job.Event))
	if err != nil || !found {
		return err
	}
	b, l, _, err := business.StudioOf(ctx, v, r.LocationID)
	if err != nil {
		return err
	}
	about := Reminder{
		Event: job.Event, To: r.Email, Locale: r.Locale, BusinessName: b.Name, Location: l, Name: r.Name,
		Credits: r.Credits, Holder: r.Holder,
	}
	if r.EndsOn != nil {
		about.LastDay = r.EndsOn.AddDays(-1)
	}
	return s.o.Mail.Send(ctx, s.o.Write(about))
}
