package discount

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Candidates is an expression of the Candidates that a cart may have, as JSON, in their order: automatic ones by
// position, then the one with the cart's code. cart is an alias of a row of carts in a statement under row-level
// security, now its time. Only uses for a limit are counted, and the cart's own orders are not: a cart does not stand
// in its own way. member is the condition for the customer who holds the cart to be a member of one of the plans of a
// JSON list, an expression.
func Candidates(cart, now string, member func(plans string) string) string {
	others := `from order_discounts u join orders o on o.business_id = u.business_id and o.id = u.order_id
			where u.discount_id = d.id and o.cart_id is distinct from ` + cart + `.id and ` + stands(now)
	person := `exists (select from customers who where who.id = o.customer_id and who.person_id = ` + cart + `.person_id)`
	return `(select jsonb_agg(to_jsonb(d) || jsonb_build_object(
			'used', case when d.uses_max > 0 then (select count(*) ` + others + `) else 0 end,
			'customer_used', case when d.customer_uses_max > 0 then (select count(*) ` + others + ` and ` + person + `) else 0 end,
			'known', d.first_time and exists (select from orders o join customers who on who.id = o.customer_id
				where who.person_id = ` + cart + `.person_id and o.state = 'fulfilled'
					and o.cart_id is distinct from ` + cart + `.id),
			'member', d.plan_ids <> '[]' and ` + member("d.plan_ids") + `
		) order by d.code is not null, d.position, d.id)
		from discounts d where d.archived_at is null and (d.code is null or d.code = ` + cart + `.code))`
}

// LockTx makes orders with these discounts wait for each other, as an order that is made with a limit does: a later
// reading counts every use there is. The rows are locked in the order of their ids; the cart is locked before them,
// everything else after.
func LockTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	if len(ids) == 0 || !underLock {
		return nil
	}
	_, err := tx.Exec(ctx, `select id from discounts where business_id = $1 and id = any($2) order by id for no key update`, tx.Business(), ids)
	return err
}

// StillTx reports whether an order that its hold has left may keep its limited discounts: whether the uses of other
// orders leave it one of each. Its discounts are locked then, so it can be fulfilled.
func StillTx(ctx context.Context, tx *pg.Tx, order uuid.UUID) (bool, error) {
	ids, err := pg.All[uuid.UUID](ctx, tx, `select d.id from order_discounts u
		join discounts d on d.business_id = $1 and d.id = u.discount_id and (d.uses_max > 0 or d.customer_uses_max > 0)
		where u.business_id = $1 and u.order_id = $2`, tx.Business(), order)
	if err != nil || len(ids) == 0 {
		return err == nil, err
	}
	if err := LockTx(ctx, tx, ids); err != nil {
		return false, err
	}
	return pg.One[bool](ctx, tx, `select not exists (
		select from order_discounts mine
		join orders m on m.business_id = $1 and m.id = mine.order_id
		join discounts d on d.business_id = $1 and d.id = mine.discount_id
		cross join lateral (
			select count(*) as used, count(*) filter (where o.customer_id = m.customer_id) as customer_used
			from order_discounts u join orders o on o.business_id = $1 and o.id = u.order_id
			where u.business_id = $1 and u.discount_id = d.id and o.id <> m.id and `+stands("$3")+`
		) n
		where mine.business_id = $1 and mine.order_id = $2
			and (d.uses_max > 0 and n.used >= d.uses_max or d.customer_uses_max > 0 and n.customer_used >= d.customer_uses_max))`,
		tx.Business(), order, tx.Now())
}
