package pg

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"foyer/app/fault"
)

// ErrUnavailable says that the database could not be reached, went away, or did not answer in time, as when everybody wants the
// same row, and that the same call may work in a moment. Of a
// verb that was about to commit nobody knows whether it did; who has sent an Idempotency-Key may simply ask again.
var ErrUnavailable = fault.New(fault.Internal, "unavailable", "We cannot answer at the moment. Try again in a few seconds.").After(5)

// isOutage tells whether an error is about the way to the database, or the database as a whole, and not about the statement.
func isOutage(err error) bool {
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		class := pe.Code[:min(2, len(pe.Code))]
		// 08: the connection. 53: no disk, memory or connections left. 57P01 to 57P05: Postgres is going, coming or has ended us.
		// 55P03 and 57014: Patience has.
		return class == "08" || class == "53" || strings.HasPrefix(pe.Code, "57P0") || pe.Code == "55P03" || pe.Code == "57014"
	}
	if errors.Is(err, context.Canceled) { // nobody waits any more
		return false
	}
	var ce *pgconn.ConnectError
	var ne *net.OpError
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &ce) || errors.As(err, &ne) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, pgconn.ErrConnClosed)
}

// isOpen tells whether a connection that lay in the pool is still open: Postgres says nothing to an idle one unless it ends it. It
// looks at what has come in, which is one call of the kernel and no trip. A connection that died would else be found by a request.
func isOpen(_ context.Context, conn *pgx.Conn) (bool, error) {
	c := conn.PgConn().Conn()
	if under, ok := c.(interface{ NetConn() net.Conn }); ok { // TLS
		c = under.NetConn()
	}
	socket, ok := c.(syscall.Conn)
	if !ok {
		return true, nil
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false, nil //nolint:nilerr // it is closed: the pool takes another
	}
	var seen error
	err = raw.Control(func(fd uintptr) {
		var one [1]byte
		_, _, seen = syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	return err == nil && errors.Is(seen, syscall.EAGAIN), nil
}
