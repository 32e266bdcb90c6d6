package bench

import (
	"context"
	"fmt"
	"time"
)

// confirmsOfRound is how many bookings are confirmed with documents, and without, in each round.
const confirmsOfRound = 300

// agreed compares the cost of confirming with five required agreements, all signed, with the cost of confirming with
// none. The carts are held before anything is counted, and the two take turns at the same location with the same
// people.
func (b *bench) agreed(ctx context.Context) ([]Row, error) {
	if err := b.writeDocuments(ctx); err != nil {
		return nil, err
	}
	connections, closeAll, err := clients(b.server.address, b.Clients)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	var with, without series
	for round := range b.Rounds {
		for turn := range 2 {
			asked := (round+turn)%2 == 0
			cost, err := b.confirms(ctx, connections, asked)
			if err != nil {
				return nil, err
			}
			if asked {
				with = append(with, cost)
			} else {
				without = append(without, cost)
			}
		}
		b.Say(fmt.Sprintf("agreed %d/%d: %.0f µs of CPU each with five documents, %.0f without", round+1, b.Rounds, with[round], without[round]))
	}
	return []Row{{Workload: "confirming a free class, five documents agreed to, CPU µs each over none", Foyer: with.median(),
		Floor: without.median(), Figure: with.over(without), Aim: Aim{Most: 1.15}}}, b.askDocuments(ctx, false)
}

// writeDocuments adds five documents to the location of the free classes, signed by everyone who books there.
func (b *bench) writeDocuments(ctx context.Context) error {
	if _, err := b.super.Exec(ctx, `with documents as (
			insert into agreement_documents (id, business_id, location_id, name, show, frequency, every_listing, position, copy_number, round, version, created_at, updated_at)
			select bench.id(900, n), bench.business(0), bench.free_location(), 'Document ' || n, (array['list', 'popup', 'full'])[1 + n % 3], 'once', true, n, 1, 1, 1, now(), now()
			from generate_series(0, 4) n returning id
		), copies as (
			insert into agreement_copies (id, business_id, document_id, number, kind, format, body, sha256, bytes, actor_kind, actor_name, created_at)
			select bench.id(901, n), bench.business(0), bench.id(900, n), 1, 'text', 'plain', repeat('What people agree to. ', 200), sha256('x'), 4400, 'system', '', now()
			from generate_series(0, 4) n
		)
		insert into agreement_acceptances (id, business_id, customer_id, document_id, copy_id, round, source, shown, cart_id, person_id, actor_kind, actor_name, created_at)
		select bench.id(902, n * 1000 + p), bench.business(0), bench.customer(p), bench.id(900, n), bench.id(901, n), 1, 'checkout', 'checkbox', bench.id(21, 1), bench.booker(p),
			'person', '', now()
		from generate_series(0, 4) n, generate_series(0, bench.bookers() - 1) p`); err != nil {
		return err
	}
	_, err := b.super.Exec(ctx, "analyze agreement_documents, agreement_copies, agreement_acceptances")
	return err
}

// askDocuments makes the documents required, or archives them.
func (b *bench) askDocuments(ctx context.Context, asked bool) error {
	_, err := b.super.Exec(ctx, `update agreement_documents set archived_at = case when $1 then null else now() end where location_id = bench.free_location()`, asked)
	return err
}

// confirms is one turn: microseconds of the server and of Postgres for one confirmation.
func (b *bench) confirms(ctx context.Context, connections []*client, asked bool) (float64, error) {
	if err := b.askDocuments(ctx, asked); err != nil {
		return 0, err
	}
	first := b.cart.Add(confirmsOfRound) - confirmsOfRound
	if err := b.each(connections, first, "/hold"); err != nil {
		return 0, err
	}
	cpu := b.serverCPU()
	before := cpu.now()
	err := b.each(connections, first, "/confirm")
	return float64((cpu.now() - before) / confirmsOfRound / time.Microsecond), err
}

// each sends one verb for the carts of a round, shared out among the connections.
func (b *bench) each(connections []*client, first int64, verb string) error {
	return share(len(connections), confirmsOfRound, func(client int, i int64) error {
		n := first + i
		if _, err := connections[client].do(head("POST", "/storefront/carts/"+cartToken(n)+verb, sessionToken(n%int64(b.place.Bookers)), "")); err != nil {
			return fmt.Errorf("cart %d: %w", n, err)
		}
		return nil
	})
}
