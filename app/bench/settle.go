package bench

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/app/checkout"
	"foyer/app/tenancy"
	"foyer/billing"
)

// The least floor of settling keeps: that an event is stored once, with a job, before it is handled; that a payment
// settles once, with its card, and only while its order waits; that the booking is confirmed while its hold is live,
// with its transition; the audit events, which triggers write; an entry of the books that is written once, into an
// open day, with its two postings; the job of the mail. It commits twice.
//
// It leaves out: finding the business of the event's account, reading the payment and the items of the order, orders
// of several lines, taxes, service fees, credit and discounts, seats with an expired hold, and missing accounts of
// the books.

//go:embed settle.sql
var settleSQL string

// succeeded is the event that a card has paid.
const succeeded = "payment_intent.succeeded"

// settle compares the work of Postgres from the event of a card payment to the confirmed booking and the sale in the
// books with that of the least floor.
func (b *bench) settle(ctx context.Context) ([]Row, error) {
	buyers, err := b.buyers(ctx)
	if err != nil {
		return nil, err
	}
	t := &till{bench: b, buyers: buyers, only: succeeded}
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	f, err := t.openFloor(ctx)
	if err != nil {
		return nil, err
	}
	defer f.close()
	var ours, least series
	for round := range b.Rounds + 1 { // the first one opens the accounts of the books, and prepares
		var cost [2]float64
		for turn := range 2 {
			which := (round + turn) % 2
			if cost[which], err = t.settles(ctx, [...]func(context.Context, int64) error{t.tells, f.settles}[which]); err != nil {
				return nil, err
			}
		}
		if round == 0 {
			if err := t.analyze(ctx); err != nil {
				return nil, err
			}
			continue
		}
		ours, least = append(ours, cost[0]), append(least, cost[1])
		b.Say(fmt.Sprintf("settle %d/%d: %.0f µs of CPU of Postgres each, %.0f of the least floor", round, b.Rounds, cost[0], cost[1]))
	}
	return []Row{{Workload: "from the event of a card payment to the books, by the verbs, CPU µs of Postgres each over the least floor",
		Foyer: ours.median(), Floor: least.median(), Figure: ours.over(least), Aim: Aim{Most: 2}}}, t.priced(ctx, 0, 0)
}

// settles is one turn: some carts are held and their payments begun, none of which is counted, and settled.
func (t *till) settles(ctx context.Context, settle func(ctx context.Context, first int64) error) (float64, error) {
	first := t.cart.Add(paidOfRound) - paidOfRound
	if err := t.waits(ctx, first, paidOfRound); err != nil {
		return 0, err
	}
	before := t.cpu.now()
	if err := settle(ctx, first); err != nil {
		return 0, err
	}
	took := float64((t.cpu.now() - before) / paidOfRound / time.Microsecond)
	return took, t.sold(ctx, first)
}

// waits has some carts held and their payments begun.
func (t *till) waits(ctx context.Context, first, n int64) error {
	if err := t.priced(ctx, paidPrice, first); err != nil {
		return err
	}
	t.clock.Set(t.db.Clock().Now())
	t.secrets = make([]string, n)
	return share(t.Clients, n, func(_ int, i int64) error {
		sc := tenancy.Visitor(t.buyers[(first+i)%int64(len(t.buyers))], t.place.Business, tenancy.SurfaceAPI)
		if _, err := t.checkout.Hold(ctx, sc, cartToken(first+i), checkout.HoldInput{}); err != nil {
			return err
		}
		p, err := t.checkout.Pay(ctx, sc, cartToken(first+i), checkout.PayInput{QuotedAmount: paidPrice})
		t.secrets[i] = p.ClientSecret
		return err
	})
}

// tells makes the processor report that the payments have succeeded, and runs the jobs of these events.
func (t *till) tells(ctx context.Context, _ int64) error {
	for _, secret := range t.secrets {
		if _, err := t.sim.PayByCard(secret, "4242424242424242"); err != nil {
			return err
		}
	}
	for had := -1; len(t.events) > had; {
		had = len(t.events)
		t.sim.Flush(ctx) // it posts some at a time
	}
	events := t.events
	t.events = nil
	return share(t.Clients, int64(len(events)), func(_ int, i int64) error {
		return t.billing.ProcessWebhook(ctx, billing.WebhookJob{Env: t.billing.Env(), Event: events[i]})
	})
}

// sold fails unless each of the carts of a turn is booked, paid and in the books.
func (t *till) sold(ctx context.Context, first int64) error {
	var n int64
	err := t.super.QueryRow(ctx, `select count(*) from orders o
		join payments p on p.order_id = o.id and p.outcome = 'fulfilled' and p.status = 'succeeded' and p.card_last4 = '4242'
		join bookings b on b.order_id = o.id and b.state = 'confirmed'
		join ledger_entries e on e.source_kind = 'payment' and e.source_id = p.id::text and e.event = 'sale'
		where o.state = 'fulfilled' and (select sum(abs(x.amount)) from ledger_postings x where x.entry_id = e.id) = 2 * o.total_amount
			and o.cart_id in (select bench.cart(n) from generate_series($1::bigint, $2::bigint) n)`, first, first+paidOfRound-1).Scan(&n)
	if err == nil && n != paidOfRound {
		err = fmt.Errorf("bench: %d of %d payments were settled", n, paidOfRound)
	}
	return err
}

// floor sends the least floor, as foyer_app.
type floor struct {
	connections   []*pgx.Conn
	business      string
	event, settle string
}

func (t *till) openFloor(ctx context.Context) (floor, error) {
	steps := stepsOf(settleSQL)
	f := floor{business: t.place.Business.String(), event: steps["event"], settle: steps["settle"]}
	for range max(1, t.Clients) {
		conn, err := pgx.Connect(ctx, t.url("foyer_app"))
		if err != nil {
			f.close()
			return floor{}, err
		}
		f.connections = append(f.connections, conn)
	}
	return f, nil
}

func (f floor) close() {
	for _, conn := range f.connections {
		_ = conn.Close(context.Background()) // its work is done
	}
}

func (f floor) settles(ctx context.Context, first int64) error {
	return share(len(f.connections), paidOfRound, func(client int, i int64) error { return f.once(ctx, f.connections[client], first+i) })
}

// once settles the payment of cart n: two transactions, each in one trip.
func (f floor) once(ctx context.Context, conn *pgx.Conn, n int64) error {
	b := &pgx.Batch{}
	b.Queue(f.event, n)
	if err := conn.SendBatch(ctx, b).Close(); err != nil {
		return err
	}
	b = &pgx.Batch{}
	b.Queue(`select set_config('app.business_id', $1, true), set_config('app.actor', '{"kind": "system", "surface": "job"}', true)`, f.business)
	b.Queue(f.settle, n, f.business)
	return conn.SendBatch(ctx, b).Close()
}
