package plan

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// bookableSQL selects the ids of the memberships that a customer can book with: their own, and those that are shared
// with them. The argument is an expression, their id. It is read under row-level security.
func bookableSQL(customer string) string {
	return `(select y.id from memberships y where y.customer_id = ` + customer + `
			union all select s.membership_id from membership_people s
			where s.customer_id = ` + customer + ` and s.removed_at is null)`
}

// peopleSQL are the other people on a membership m of the business $1, as JSON of []Person; null without any.
const peopleSQL = `(select jsonb_agg(jsonb_build_object('customerId', s.customer_id, 'name', y.name, 'email', y.email,
				'since', s.created_at) order by s.created_at, s.id)
			from membership_people s join customers y on y.business_id = $1 and y.id = s.customer_id
			where s.business_id = $1 and s.membership_id = m.id and s.removed_at is null)`

// lockOne locks a membership of a customer, and reads it.
func lockOne(ctx context.Context, tx *pg.Tx, customer, id uuid.UUID) (Membership, error) {
	if _, err := tx.Exec(ctx, lockSQL, tx.Business(), []uuid.UUID{id}); err != nil {
		return Membership{}, err
	}
	return membershipOf(ctx, tx, customer, id)
}

// changedIn queues that a locked membership has changed: whoever has chosen it to pay, without its lock, chooses again.
func changedIn(b *pg.Batch, tx *pg.Tx, id uuid.UUID) {
	pg.QueueExec(b, `update memberships set uses = uses + 1, version = version + 1, updated_at = $3
		where business_id = $1 and id = $2`, tx.Business(), id, tx.Now())
}

func addPerson(ctx context.Context, tx *pg.Tx, by tenancy.Actor, in PersonInput) error {
	b := tx.Batch()
	pg.QueueExec(b, `insert into membership_people (id, business_id, membership_id, customer_id, actor_kind, actor_id,
			actor_name, version, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8)`, pg.NewID(), tx.Business(), in.MembershipID, in.PersonID, by.Kind,
		pg.OrNull(by.ID), by.Name, tx.Now())
	changedIn(b, tx, in.MembershipID)
	return b.Send(ctx)
}

// removePeople removes one of the other people on a locked membership, or with uuid.Nil all of them.
func removePeople(ctx context.Context, tx *pg.Tx, membership, person uuid.UUID) error {
	b := tx.Batch()
	pg.QueueExec(b, `update membership_people set removed_at = $3, version = version + 1, updated_at = $3
		where business_id = $1 and membership_id = $2 and removed_at is null and ($4::uuid is null or customer_id = $4)`,
		tx.Business(), membership, tx.Now(), pg.OrNull(person))
	changedIn(b, tx, membership)
	return b.Send(ctx)
}

// wasOn reports whether a customer was on a membership once.
func wasOn(ctx context.Context, r pg.Reader, membership, person uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, r, `select exists (select from membership_people
		where business_id = $1 and membership_id = $2 and customer_id = $3)`, r.Business(), membership, person)
}

// fewerPeopleSQL removes those people from memberships, of changes in a table open, who are more than the new plan is
// for: the latest.
const fewerPeopleSQL = `, ranked as (
		select s.id, (h.sold ->> 'peopleMax')::int as most,
			row_number() over (partition by s.membership_id order by s.created_at, s.id) as n
		from open h join membership_people s on s.business_id = @business and s.membership_id = h.membership_id
			and s.removed_at is null
	)
	update membership_people s set removed_at = @now, version = s.version + 1, updated_at = @now
	from ranked r where s.business_id = @business and s.id = r.id and r.n > coalesce(r.most, 0)`
