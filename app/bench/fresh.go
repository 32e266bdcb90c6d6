package bench

import (
	"context"
	"fmt"
	"time"
)

// How many bookings of a fresh server are held against how many later ones. Those between the two are not counted.
const (
	firstBookings   = 100
	betweenBookings = 400
	laterBookings   = 400
	freshBookings   = firstBookings + betweenBookings + laterBookings
)

// fresh starts a server in every round and compares the cost of its first bookings with that of later ones: unused
// connections have to read, check and plan every statement. Counting begins when the server logs that it is ready.
func (b *bench) fresh(ctx context.Context) ([]Row, error) {
	buyers, err := b.buyers(ctx)
	if err != nil {
		return nil, err
	}
	var first, later series
	for round := range b.Rounds {
		f, l, err := b.freshOnce(ctx, int64(len(buyers)))
		if err != nil {
			return nil, err
		}
		first, later = append(first, f), append(later, l)
		b.Say(fmt.Sprintf("fresh %d/%d: first %.0f µs, later %.0f µs of CPU each", round+1, b.Rounds, f, l))
	}
	return []Row{{Workload: "first hundred bookings of a fresh server, CPU µs each over later ones", Foyer: first.median(),
		Floor: later.median(), Figure: first.over(later), Aim: Aim{Most: 1.2}}}, nil
}

// freshOnce is one round: microseconds of the server and of Postgres for one of the first bookings, and for a later
// one.
func (b *bench) freshOnce(ctx context.Context, buyers int64) (first, later float64, err error) {
	s, err := b.startServer(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer func() {
		if stopErr := s.stop(); err == nil {
			err = stopErr
		}
	}()
	connections, closeAll, err := clients(s.address, b.Clients)
	if err != nil {
		return 0, 0, err
	}
	defer closeAll()
	s.awaitReady()
	cpu := b.cpu.and(s.cmd.Process.Pid)
	some := func(n int) (float64, error) {
		before := cpu.now()
		err := b.bookSome(connections, n, buyers)
		return float64((cpu.now() - before) / time.Duration(n) / time.Microsecond), err
	}
	if first, err = some(firstBookings); err != nil {
		return 0, 0, err
	}
	if _, err = some(betweenBookings); err != nil {
		return 0, 0, err
	}
	later, err = some(laterBookings)
	return first, later, err
}

// bookSome books n carts over HTTP, shared out among the connections.
func (b *bench) bookSome(connections []*client, n int, buyers int64) error {
	carts := b.cart.Add(int64(n)) - int64(n)
	return share(len(connections), int64(n), func(client int, i int64) error { return bookOver(connections[client], carts+i, buyers) })
}

// bookOver holds and confirms cart n over HTTP, signed in as the one it is for.
func bookOver(c *client, n, buyers int64) error {
	session, cart := sessionToken(n%buyers), "/storefront/carts/"+cartToken(n)
	for _, verb := range []string{"/hold", "/confirm"} {
		if _, err := c.do(head("POST", cart+verb, session, "")); err != nil {
			return fmt.Errorf("cart %d: %w", n, err)
		}
	}
	return nil
}
