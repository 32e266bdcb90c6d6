package bench

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/assembly"
	"foyer/app/checkout"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/processor"
	"foyer/media/store"
)

// Numbers of carts for one contender and round: twice the need of the fastest.
func (b *bench) seconds() int64       { return int64((b.Warm+b.Window)/time.Second) + 1 }
func (b *bench) cartsOfLoad() int64   { return 1500 * b.seconds() }
func (b *bench) cartsOfClient() int64 { return 3000 * b.seconds() / int64(b.Clients) }

// booking holds a cart with one class that costs nothing and confirms it: two requests, two transactions, each
// durable. There are two floors: the statements of the product's own transactions as two pipelines, and the least of
// least.go.
func (b *bench) booking(ctx context.Context) ([]Row, error) {
	buyers, err := b.buyers(ctx)
	if err != nil {
		return nil, err
	}
	recorded, err := b.bookingScript(ctx, buyers)
	if err != nil {
		return nil, err
	}
	least, err := b.leastScript(ctx)
	if err != nil {
		return nil, err
	}
	http, closeAll, err := b.bookingHTTP("http")
	if err != nil {
		return nil, err
	}
	defer closeAll()
	verbs := services(b.db, nil).Checkout
	cs := []contender{http,
		b.bookings("verbs", b.cpu.and(os.Getpid()), func(ctx context.Context, _ int, n int64) error {
			return book(ctx, verbs, tenancy.Visitor(buyers[n%int64(len(buyers))], b.place.Business, tenancy.SurfaceAPI), n)
		}),
		b.bookingFloor("pgbench", recorded), b.bookingFloor("least", least)}
	if b.other != nil {
		theirs, closeTheirs, err := b.other.bookingHTTP("other")
		if err != nil {
			return nil, err
		}
		defer closeTheirs()
		cs = append(cs, theirs)
	}
	rounds, err := b.compare(ctx, "booking", cs...)
	if err != nil {
		return nil, err
	}
	rows := bookingRows(rounds)
	more, err := b.tripRows(ctx)
	return append(rows, more...), err
}

// bookingRows are over HTTP, by the verbs, the recorded floor, the least one, and the other binary if there is one.
func bookingRows(rounds [][]sample) []Row {
	const overHTTP, byVerbs = "booking a free class over HTTP", "booking a free class by the verbs"
	http, verbs, recorded, least, other := rounds[0], rounds[1], rounds[2], rounds[3], []sample(nil)
	rows := append(against(overHTTP, http, recorded, Aim{Least: 0.6}, Aim{}), costing(overHTTP, http, Aim{Most: 3})...)
	if len(rounds) > 4 {
		other = rounds[4]
		rows = besides(rows, http, other)
		rows = append(rows, against(overHTTP+", floor the other binary", http, other, Aim{}, Aim{Most: 1.0 / 3})[1:]...) // of the CPU
	}
	rows = append(rows, against(byVerbs, verbs, recorded, Aim{Least: 0.6}, Aim{})...)
	rows = append(rows, against(overHTTP+", least floor", http, least, Aim{Least: 0.5}, Aim{})...)
	return append(rows, against(byVerbs+", least floor", verbs, least, Aim{Least: 0.7}, Aim{})...)
}

// tripRows are how often a booking over HTTP goes to Postgres.
func (b *bench) tripRows(ctx context.Context) ([]Row, error) {
	trips, statements, err := b.tripsOf(ctx)
	if err != nil {
		return nil, err
	}
	rows := []Row{
		{Workload: "booking a free class over HTTP, trips to Postgres", Foyer: trips.median(), Floor: 2, Figure: trips, Unit: "trips", Aim: Aim{Most: 6}},
		{Workload: "booking a free class over HTTP, statements", Foyer: statements.median(), Floor: 4, Figure: statements, Unit: "statements", Aim: Aim{Most: 12}},
	}
	if b.other != nil {
		otherTrips, otherStatements, err := b.other.tripsOf(ctx)
		if err != nil {
			return nil, err
		}
		rows[0], rows[1] = rows[0].beside(trips, otherTrips), rows[1].beside(statements, otherStatements)
	}
	return rows, nil
}

// bookingHTTP is a contender with clients that book over HTTP.
func (b *bench) bookingHTTP(name string) (c contender, closeAll func(), err error) {
	connections, closeAll, err := clients(b.server.address, b.Clients)
	return b.bookings(name, b.serverCPU(), func(_ context.Context, client int, n int64) error {
		return b.bookOver(connections[client], n)
	}), closeAll, err
}

// bookOver holds and confirms cart n over HTTP.
func (b *bench) bookOver(c *client, n int64) error {
	session, cart := sessionToken(n%int64(b.place.Bookers)), "/storefront/carts/"+cartToken(n)
	if _, err := c.do(head("POST", cart+"/hold", session, "")); err != nil {
		return err
	}
	_, err := c.do(head("POST", cart+"/confirm", session, ""))
	return err
}

// bookingFloor is pgbench with a script that books one cart in each iteration.
func (b *bench) bookingFloor(name string, s script) contender {
	return contender{name, func(ctx context.Context, t timing) (sample, error) {
		block := b.cartsOfClient()
		first := b.cart.Add(block*int64(b.Clients)) - block*int64(b.Clients)
		return b.audited(ctx, func() (sample, int64, error) {
			return b.floor.run(ctx, t, s, fmt.Sprintf("first=%d", first), fmt.Sprintf("range=%d", block))
		})
	}}
}

// bookings is a contender with clients that book the next cart each time.
func (b *bench) bookings(name string, cpu cpuOf, op func(ctx context.Context, client int, n int64) error) contender {
	return contender{name, func(ctx context.Context, t timing) (sample, error) {
		return b.audited(ctx, func() (sample, int64, error) {
			return load(ctx, t, b.Clients, cpu, func(ctx context.Context, client int) error {
				n := b.cart.Add(1) - 1
				if n >= b.carts {
					return errDone
				}
				if err := op(ctx, client, n); err != nil {
					return fmt.Errorf("cart %d: %w", n, err)
				}
				return nil
			})
		})
	}}
}

// audited is wrote of bookings.
func (b *bench) audited(ctx context.Context, run func() (sample, int64, error)) (sample, error) {
	return b.wrote(ctx, rowsOfBooking, run)
}

// wrote checks that the counted operations wrote their rows, so many in each table: a floor that writes less than the
// product is none.
func (b *bench) wrote(
	ctx context.Context, rows map[string]int64, run func() (sample, int64, error),
) (sample, error) {
	before, err := b.writtenIn(ctx, rows)
	if err != nil {
		return sample{}, err
	}
	s, done, err := run()
	if err != nil {
		return sample{}, err
	}
	after, err := b.writtenIn(ctx, rows)
	if err != nil {
		return sample{}, err
	}
	for table, each := range rows {
		if got := after[table] - before[table]; got != each*done {
			return sample{}, fmt.Errorf("bench: %d operations wrote %d rows of %s", done, got, table)
		}
	}
	return s, nil
}

// rowsOfBooking is how many rows one booking writes.
var rowsOfBooking = map[string]int64{
	"holds": 1, "bookings": 1, "booking_transitions": 2, "orders": 1, "order_lines": 1, "audit_events": 2, "river.river_job": 1,
}

func (b *bench) written(ctx context.Context) (map[string]int64, error) {
	return b.writtenIn(ctx, rowsOfBooking)
}

// writtenIn returns the number of rows of tables.
func (b *bench) writtenIn(ctx context.Context, tables map[string]int64) (map[string]int64, error) {
	out := map[string]int64{}
	for table := range tables {
		var n int64
		if err := b.super.QueryRow(ctx, "select count(*) from "+table).Scan(&n); err != nil {
			return nil, err
		}
		out[table] = n
	}
	return out, nil
}

// bookingScript is the floor of one booking.
func (b *bench) bookingScript(ctx context.Context, buyers []tenancy.Principal) (script, error) {
	trips, cart, err := b.bookingTrips(ctx, buyers)
	if err != nil {
		return script{}, err
	}
	s, err := standsOf(ctx, b.super, cart)
	if err != nil {
		return script{}, err
	}
	return writeScript(ctx, b.super, trips, s.of)
}

// bookingTrips has the product book some carts and returns the statements for one of them. Occasional statements,
// like the pool's check of a connection, are left out: the shortest of the bookings counts.
func (b *bench) bookingTrips(ctx context.Context, buyers []tenancy.Principal) (shortest []trip, cart int64, err error) {
	return b.shortest(ctx, func(db *pg.DB, n int64) error {
		return book(ctx, services(db, nil).Checkout, tenancy.Visitor(buyers[n], b.place.Business, tenancy.SurfaceAPI), n)
	})
}

// shortest returns the shortest list of statements of the product for an act on each of five carts.
func (b *bench) shortest(ctx context.Context, fn func(db *pg.DB, n int64) error) (shortest []trip, cart int64, err error) {
	for range 5 {
		n := b.cart.Add(1) - 1
		trips, err := b.listen(ctx, func(db *pg.DB) error { return fn(db, n) })
		if err != nil {
			return nil, 0, err
		}
		if trips = transactions(trips); shortest == nil || statements(trips) < statements(shortest) {
			shortest, cart = trips, n
		}
	}
	return shortest, cart, nil
}

// standsOf returns the rows of cart n.
func standsOf(ctx context.Context, super *pgx.Conn, n int64) (*stands, error) {
	var business, location, cart, booker, customer, date uuid.UUID
	var hash []byte
	err := super.QueryRow(ctx, `select bench.business(0), bench.free_location(), bench.cart($1), bench.booker($1), bench.customer($1),
		bench.free_date($1), bench.cart_hash($1)`, n).Scan(&business, &location, &cart, &booker, &customer, &date, &hash)
	return &stands{hash: string(hash), known: map[uuid.UUID]string{
		business: "", location: "", cart: "bench.cart($n)", booker: "bench.booker($n)", customer: "bench.customer($n)",
		date: "bench.free_date($n)",
	}}, err
}

// buyers are the customers; cart n belongs to the one at n modulo their number.
func (b *bench) buyers(ctx context.Context) ([]tenancy.Principal, error) {
	rows, err := b.super.Query(ctx, `select p.id, p.name, p.email from generate_series(0, bench.bookers() - 1) n
		join persons p on p.id = bench.booker(n) order by n`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p tenancy.Principal, err error) {
		p.Kind = tenancy.ActorPerson
		return p, row.Scan(&p.ID, &p.Name, &p.Email)
	})
}

// book holds and confirms cart n by the verbs.
func book(ctx context.Context, s *checkout.Service, sc tenancy.Scope, n int64) error {
	if _, err := s.Hold(ctx, sc, cartToken(n), checkout.HoldInput{}); err != nil {
		return err
	}
	_, err := s.Confirm(ctx, sc, cartToken(n))
	return err
}

// services are those of the program, without a worker: no mail is sent, and no file is stored. processor is nil
// without payments.
func services(db *pg.DB, processor processor.Processor) assembly.Services {
	return assembly.New(assembly.Settings{
		DB: db, Log: slog.New(slog.DiscardHandler), Processor: processor, Mail: mail.Nowhere{}, Letters: unwritten{}, Store: unkept{},
		Secret: func(string) []byte { return make([]byte, 32) },
	})
}

// Ports of these two are not called: a call is a mistake of the bench.
type (
	unwritten struct{ assembly.Letters }
	unkept    struct{ store.Store }
)

// The tokens of seed.sql.
func cartToken(n int64) string    { return fmt.Sprintf("%032d", n) }
func sessionToken(n int64) string { return fmt.Sprintf("%042dA", n) }
