package plan

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/plan/rules"
)

// PriceJob gives the members of a plan the new price that was set for them, or takes it off them once it is withdrawn,
// and enqueues a mail to each.
type PriceJob struct {
	Business uuid.UUID `json:"business"`
	Price    uuid.UUID `json:"price"` // PriceChange
}

// Kind returns the job's name in the outbox.
func (PriceJob) Kind() string { return "plan.price" }

// Terms returns the terms of the job's kind.
func (PriceJob) Terms() jobs.Terms { return jobs.Upkeep() }

// PriceMailJob mails a customer about the new price of their membership.
type PriceMailJob struct {
	Business   uuid.UUID `json:"business"`
	Membership uuid.UUID `json:"membership"`
	Price      uuid.UUID `json:"price"`
}

// Kind returns the job's name in the outbox.
func (PriceMailJob) Kind() string { return "plan.price_mail" }

// Terms returns the terms of the job's kind.
func (PriceMailJob) Terms() jobs.Terms { return jobs.Mail(7 * jobs.Day) }

// PriceNotice is a new price in the mail about it.
type PriceNotice struct {
	Withdrawn bool
	Before    int64 // the price that the customer has, or keeps
	Amount    int64
	On        civil.Date
	FirstOn   civil.Date // the first day of the first billing period with it; zero if it is withdrawn
	Agreed    bool       // the saved card is charged
	Count     int        // of Unit: the length of a billing period
	Unit      rules.Unit
}

// Reprice is the job plan.price. A second run finds nothing to do.
func (s *Service) Reprice(ctx context.Context, job PriceJob) error {
	return s.inRounds(ctx, job.Business, func(ctx context.Context, tx *pg.Tx) (int, error) {
		type row struct {
			PlanID uuid.UUID
			State  PriceState
		}
		h, found, err := pg.Find[row](ctx, tx, `select plan_id, state from price_changes where business_id = $1 and id = $2
			for no key update`, tx.Business(), job.Price)
		switch {
		case err != nil || !found:
			return 0, err
		case h.State == PriceWithdrawn:
			return unprice(ctx, tx, h.PlanID, job.Price)
		}
		return reprice(ctx, tx, h.PlanID, job.Price)
	})
}

// toReprice is a member of a plan without its new price.
type toReprice struct {
	ID              uuid.UUID
	Country, Region string
	Today           civil.Date
	Raised          bool
	StartsOn        civil.Date // of the new price
}

// reprice gives some members of a plan its new price, and returns their number. Who is mailed too late for the day of it,
// as no worker ran, has it later by as many days.
func reprice(ctx context.Context, tx *pg.Tx, plan, price uuid.UUID) (int, error) {
	list, err := pg.All[toReprice](ctx, tx, `select m.id, l.country, l.region, h.starts_on,
			($4::timestamptz at time zone l.zone)::date as today,
			`+rules.PriceSQL("m.sold", "'infinity'::date")+` < h.price_amount as raised
		from memberships m join locations l on l.business_id = $1 and l.id = m.location_id
		join price_changes h on h.business_id = $1 and h.id = $3
		where m.business_id = $1 and m.plan_id = $2 and `+toRepriceSQL+`
		order by m.id limit $5 for no key update of m`, tx.Business(), plan, price, tx.Now(), sweepMost)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	var ids []uuid.UUID
	var days []civil.Date
	for _, m := range list {
		notice := 1
		if m.Raised {
			notice = max(1, LawOf(m.Country, m.Region).PriceNoticeDays)
		}
		on := m.StartsOn
		if first := m.Today.AddDays(notice); on.Before(first) {
			on = first
		}
		ids, days = append(ids, m.ID), append(days, on)
	}
	b := tx.Batch()
	pg.QueueExec(b, `update memberships m set sold = jsonb_set(m.sold, '{prices}', coalesce((
				select jsonb_agg(e order by e ->> 'on') from jsonb_array_elements(m.sold -> 'prices') e
				where (e ->> 'on')::date < n.starts_on), '[]') || jsonb_build_array(jsonb_build_object('id', h.id,
				'amount', h.price_amount, 'on', n.starts_on, 'noticedAt', case when c.email <> '' then $5::timestamptz end))),
			uses = m.uses + 1, version = m.version + 1, updated_at = $5
		from unnest($3::uuid[], $4::date[]) as n (id, starts_on), price_changes h, customers c
		where m.business_id = $1 and m.id = n.id and h.business_id = $1 and h.id = $2
			and c.business_id = $1 and c.id = m.customer_id`, tx.Business(), price, ids, days, tx.Now())
	repriceIn(b, tx, ids)
	if err := b.Send(ctx); err != nil {
		return 0, err
	}
	return len(ids), mailPrices(ctx, tx, ids, price)
}

// unprice takes a withdrawn price off some members of a plan, and returns their number.
func unprice(ctx context.Context, tx *pg.Tx, plan, price uuid.UUID) (int, error) {
	const has = `m.sold -> 'prices' @> jsonb_build_array(jsonb_build_object('id', $3::uuid))`
	ids, err := pg.All[uuid.UUID](ctx, tx, `select m.id from memberships m where m.business_id = $1 and m.plan_id = $2
		and m.kind = 'membership' and m.state = 'active' and `+has+` order by m.id limit $4 for no key update`,
		tx.Business(), plan, price, sweepMost)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	b := tx.Batch()
	pg.QueueExec(b, `update memberships m set sold = jsonb_set(m.sold, '{prices}', coalesce((
				select jsonb_agg(e order by e ->> 'on') from jsonb_array_elements(m.sold -> 'prices') e
				where (e ->> 'id')::uuid <> $3), '[]')), uses = m.uses + 1, version = m.version + 1, updated_at = $4
		where m.business_id = $1 and m.id = any($2)`, tx.Business(), ids, price, tx.Now())
	repriceIn(b, tx, ids)
	if err := b.Send(ctx); err != nil {
		return 0, err
	}
	return len(ids), mailPrices(ctx, tx, ids, price)
}

func mailPrices(ctx context.Context, tx *pg.Tx, memberships []uuid.UUID, price uuid.UUID) error {
	list := make([]jobs.Args, len(memberships))
	for i, id := range memberships {
		list[i] = PriceMailJob{tx.Business(), id, price}
	}
	return jobs.EnqueueAllTx(ctx, tx, list)
}

// MailPrice is the job plan.price_mail. It mails nobody whose membership has ended or changed meanwhile, nor about a new
// price that was withdrawn before its notice was mailed, or begins after the end of the membership.
func (s *Service) MailPrice(ctx context.Context, job PriceMailJob) error {
	v := s.o.DB.View(job.Business)
	type row struct {
		Email, Locale       string
		CustomerID, PriceID uuid.UUID
		LocationID          uuid.UUID
		State               PriceState
		Amount              int64
		StartsOn            civil.Date
		CreatedAt           time.Time
	}
	r, found, err := pg.Find[row](ctx, v, `select c.email, `+business.ReaderLanguage+` as locale, m.customer_id, m.location_id,
			h.id as price_id, h.state, h.price_amount as amount, h.starts_on, h.created_at
		from memberships m join customers c on c.business_id = $1 and c.id = m.customer_id
		join locations l on l.business_id = $1 and l.id = m.location_id
		join price_changes h on h.business_id = $1 and h.id = $3 and h.plan_id = m.plan_id
		left join persons p on p.id = c.person_id
		where m.business_id = $1 and m.id = $2 and m.state = 'active' and c.email <> ''`,
		v.Business(), job.Membership, job.Price)
	if err != nil || !found {
		return err
	}
	m, err := membershipOf(ctx, v, r.CustomerID, job.Membership)
	if err != nil {
		return err
	}
	b, l, _, err := business.StudioOf(ctx, v, r.LocationID)
	if err != nil {
		return err
	}
	n := PriceNotice{
		Withdrawn: r.State == PriceWithdrawn, Amount: r.Amount, On: r.StartsOn, Before: m.PriceAmount,
		Agreed: m.ConsentedAt != nil, Count: m.Count, Unit: rules.Unit(m.Unit),
	}
	if !n.Withdrawn {
		p := m.NewPrice()
		if p == nil || p.ID != r.PriceID {
			return nil
		}
		n.On, n.FirstOn = p.On, m.NewPriceOn(*p)
	}
	return s.o.Mail.Send(ctx, s.o.Write(Reminder{
		Event: PriceChanges, To: r.Email, Locale: r.Locale, BusinessName: b.Name, Location: l, Name: m.Name,
		Currency: m.Currency, Price: &n,
	}))
}
