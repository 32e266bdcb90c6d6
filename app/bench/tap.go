package bench

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
)

// tap is a proxy between a server, of any binary, and its Postgres. It counts statements, and trips, for each of
// which the server waits.
type tap struct {
	listener          net.Listener
	network, upstream string
	trips, statements atomic.Int64
}

// openTap listens in a directory of its own below dir and returns the address of the proxy instead of address.
func openTap(dir, address string) (t *tap, tapped string, err error) {
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		return nil, "", err
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, "", err
	}
	dir = filepath.Join(dir, "tap")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, "", err
	}
	t = &tap{}
	t.network, t.upstream = pgconn.NetworkAddress(config.Host, config.Port)
	if t.listener, err = net.Listen("unix", filepath.Join(dir, ".s.PGSQL."+strconv.Itoa(int(config.Port)))); err != nil {
		return nil, "", err
	}
	go t.accept()
	q := u.Query()
	q.Set("host", dir)
	u.RawQuery = q.Encode()
	return t, u.String(), nil
}

func (t *tap) close() error { return t.listener.Close() }

func (t *tap) accept() {
	for {
		down, err := t.listener.Accept()
		if err != nil {
			return // it is closed
		}
		up, err := net.Dial(t.network, t.upstream)
		if err != nil {
			_ = down.Close() // the client sees it
			continue
		}
		go func() {
			_, _ = io.Copy(down, up) // either side may hang up
			_ = down.Close()
		}()
		go func() {
			_ = t.forward(up, down) // either side may hang up
			_ = up.Close()
		}()
	}
}

// forward passes on a client's bytes, message by message: the first has no type, the others begin with one.
func (t *tap) forward(up io.Writer, down io.Reader) error {
	in := bufio.NewReaderSize(down, 64<<10)
	out := bufio.NewWriterSize(up, 64<<10)
	for first := true; ; first = false {
		kind := byte(0)
		if !first {
			var err error
			if kind, err = in.ReadByte(); err != nil {
				return err
			}
			_ = out.WriteByte(kind) // Flush reports the error
		}
		var length [4]byte
		if _, err := io.ReadFull(in, length[:]); err != nil {
			return err
		}
		_, _ = out.Write(length[:])
		if _, err := io.CopyN(out, in, int64(binary.BigEndian.Uint32(length[:]))-4); err != nil {
			return err
		}
		t.count(kind)
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}

// count recognizes a simple query, which is both; Execute; and Sync, after which a client waits for the results.
func (t *tap) count(kind byte) {
	switch kind {
	case 'Q':
		t.statements.Add(1)
		t.trips.Add(1)
	case 'E':
		t.statements.Add(1)
	case 'S':
		t.trips.Add(1)
	}
}

// tappedBookings are booked one after another to count the statements of one of them, after as many that prepare the
// statements.
const tappedBookings = 15

// tripsOf returns the trips and statements of a booking over HTTP, including all of each request: begin, commit and
// the setting of the business are statements like others. Occasional statements, like the pool's check of a
// connection, are left out: the fewest count.
func (b *bench) tripsOf(ctx context.Context) (trips, statements series, err error) {
	t, address, err := openTap(b.Dir, b.url("foyer_app"))
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	s, err := startServer(b.Serve(ctx, address))
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	c, err := dial(s.address)
	if err != nil {
		return nil, nil, err
	}
	defer c.conn.Close()
	for i := range 2 * tappedBookings {
		trip, statement := t.trips.Load(), t.statements.Load()
		n := b.cart.Add(1) - 1
		if err := b.bookOver(c, n); err != nil {
			return nil, nil, fmt.Errorf("cart %d: %w", n, err)
		}
		if i >= tappedBookings {
			trips = append(trips, float64(t.trips.Load()-trip))
			statements = append(statements, float64(t.statements.Load()-statement))
		}
	}
	b.Say(fmt.Sprintf("bookings over HTTP one by one: trips %v, statements %v", trips, statements))
	return series{slices.Min(trips)}, series{slices.Min(statements)}, nil
}
