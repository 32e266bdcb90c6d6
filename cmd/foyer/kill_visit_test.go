package main

import (
	"context"
	"fmt"
	"reflect"
)

// visit is one customer with one cart, at the server of a lane.
type visit struct {
	*lane
	goods
	session, cart, token string
	total                int64
	charged              bool // the processor has the money
}

// visit signs a customer in and fills a cart. Nothing is held yet.
func (l *lane) visit(ctx context.Context, g goods) (*visit, error) {
	session, err := l.customer(ctx)
	if err != nil {
		return nil, err
	}
	v := &visit{lane: l, goods: g, session: session}
	made, err := l.ask(ctx, ask{method: "POST", path: "/storefront/carts", body: fmt.Sprintf(`{"locationId":%q}`, l.locations[0].ID)})
	if err != nil {
		return nil, err
	}
	v.cart, v.token = made["id"].(string), made["token"].(string)
	for _, item := range []string{
		fmt.Sprintf(`{"occurrenceId":%q}`, g.date),
		fmt.Sprintf(`{"offeringId":%q,"startsAt":%q}`, g.appointment, g.startsAt.Format("2006-01-02T15:04:05Z07:00")),
		fmt.Sprintf(`{"variantId":%q,"quantity":1}`, g.mat),
	} {
		filled, err := l.ask(ctx, v.request("items", item))
		if err != nil {
			return nil, err
		}
		v.total = int64(filled["totals"].(map[string]any)["total"].(float64))
	}
	return v, nil
}

// request is one of the customer's requests about the cart. The same one has the same key whenever it is sent.
func (v *visit) request(what, body string) ask {
	return ask{
		method: "POST", path: "/storefront/carts/" + v.token + "/" + what, token: v.session, body: body,
		key: v.cart + what + fmt.Sprint(len(body)),
	}
}

// book is hold, pay and confirm. send sends one request; the card is the customer's browser's business with the
// processor.
func (v *visit) book(ctx context.Context, send func(ask) (map[string]any, error)) (receipt map[string]any, err error) {
	if _, err := send(v.request("hold", "")); err != nil {
		return nil, err
	}
	if v.paid {
		p, err := send(v.request("payment", fmt.Sprintf(`{"quotedTotal":%d}`, v.total)))
		if err != nil {
			return nil, err
		}
		if _, err := v.Sim.PayByCard(p["clientSecret"].(string), "4242424242424242"); err != nil {
			return nil, err
		}
		v.charged = true
	}
	return send(v.request("confirm", ""))
}

// outcome is all that there is of a cart, in words.
func (v *visit) outcome(ctx context.Context) (string, error) {
	return v.text(ctx, `select concat_ws('; ',
		(select string_agg(f.kind || ' ' || b.state || ', ' || o.taken || ' of ' || o.capacity || ' taken, busy ' ||
				(select count(*) from claims where occurrence_id = o.id), '; ' order by f.kind, b.created_at)
			from holds h join bookings b on b.hold_id = h.id join occurrences o on o.id = b.occurrence_id join offerings f on f.id = o.offering_id
			where h.cart_id = c.id),
		(select 'mat ' || (select count(*) from stock_moves m join order_lines x on x.id = m.order_line_id
				join orders o on o.id = x.order_id where o.cart_id = c.id) || ' sold, ' ||
			(select count(*) from stock_reservations k
				join cart_items i on i.id = k.item_id where i.cart_id = c.id) || ' reserved'),
		(select 'hold ' || string_agg(state, ', ') from holds where cart_id = c.id),
		(select 'order ' || string_agg(state || ' with ' || (select count(*) from order_lines where order_id = o.id) || ' lines and ' ||
				(select count(*) from river.river_job where kind = 'order.confirmation' and args ->> 'order' = o.id::text) || ' mails', ', ')
			from orders o where cart_id = c.id),
		(select 'payment ' || string_agg(status || ' ' || outcome, ', ') from payments where order_id in (select id from orders where cart_id = c.id)))
		from carts c where id = $1`, v.cart)
}

const (
	bookedFree = "appointment confirmed, 1 of 1 taken, busy 1; class confirmed, 1 of 1 taken, busy 0; " +
		"mat 1 sold, 0 reserved; hold confirmed; order fulfilled with 3 lines and 1 mails"
	bookedPaid = bookedFree + "; payment succeeded fulfilled"
)

// booked returns the errors after the customer has the receipt, which a repeated request also returns.
func (v *visit) booked(ctx context.Context, receipt map[string]any) error {
	again, err := v.lane.ask(ctx, v.request("confirm", ""))
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(receipt, again) {
		return fmt.Errorf("confirmed again: %v, the first time %v", again, receipt)
	}
	got, err := v.outcome(ctx)
	if err != nil {
		return err
	}
	return v.once(ctx, got)
}

// once returns the records of a booked cart that are missing or duplicate; got is its outcome. The processor has one
// payment of the right amount.
func (v *visit) once(ctx context.Context, got string) error {
	want := bookedFree
	if v.paid {
		want = bookedPaid
	}
	if got != want {
		return fmt.Errorf("there is %q, want %q", got, want)
	}
	if !v.paid {
		return nil
	}
	order, err := v.text(ctx, "select id::text from orders where cart_id = $1", v.cart)
	if err != nil {
		return err
	}
	intent, err := v.text(ctx, "select intent from payments where order_id = $1", order)
	if err != nil {
		return err
	}
	if n := v.stripe.payments(order); n != 1 {
		return fmt.Errorf("%d payments were made at the processor", n)
	}
	if status, taken, err := v.stripe.payment(v.account, intent); err != nil || status != "succeeded" || taken != v.total {
		return fmt.Errorf("the payment at the processor is %s with %d, want %d: %w", status, taken, v.total, err)
	}
	return nil
}

// whole returns the differences of the data check.
func (l *lane) whole(ctx context.Context) error {
	found, err := l.ask(ctx, ask{method: "GET", path: "/businesses/" + l.owner.Tenant.String() + "/integrity", token: l.manager})
	if err != nil {
		return err
	}
	differences, ok := found["differences"].([]any)
	if !ok || len(differences) > 0 {
		return fmt.Errorf("integrity finds %v", found["differences"])
	}
	return nil
}
