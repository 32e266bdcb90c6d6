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

// ErrUnavailable means that the database could not be reached, went away, or did not answer in time, for example when
// many transactions want the same row. The same call may succeed in a moment. If it is returned for a commit, the
// outcome is unknown; a caller with an Idempotency-Key may simply repeat the request.
var ErrUnavailable = fault.New(fault.Internal, "unavailable", "The service is temporarily unavailable. Try again in a few seconds.").After(5)

// isOutage reports whether an error concerns the connection to the database, or the database as a whole, and not the
// statement.
func isOutage(err error) bool {
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		class := pe.Code[:min(2, len(pe.Code))]
		// 08: the connection. 53: no disk, memory or connections left. 57P01 to 57P05: Postgres is stopping, starting
		// or has terminated us. 55P03 and 57014: a limit of Patience.
		return class == "08" || class == "53" || strings.HasPrefix(pe.Code, "57P0") || pe.Code == "55P03" || pe.Code == "57014"
	}
	if errors.Is(err, context.Canceled) { // the caller no longer waits
		return false
	}
	var ce *pgconn.ConnectError
	var ne *net.OpError
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &ce) || errors.As(err, &ne) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, pgconn.ErrConnClosed)
}

// isOpen reports whether an idle connection of the pool is still open: Postgres sends nothing to an idle one unless
// it closes it. It checks for received bytes, in one system call and no trip. Otherwise a request would discover a
// dead connection.
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
