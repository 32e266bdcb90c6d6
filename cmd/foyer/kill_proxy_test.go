package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// cable is a proxy between a server and Postgres that counts the calls and can end the server at one of them. It
// supports only the necessary parts of the protocol: the end of a message, requests that need an answer, and the end
// of the answer. The server dials it like any Postgres, without TLS.
//
// A call is a request with an effect in Postgres: a Query, or everything up to a Sync in which a statement is bound,
// one or a whole batch. Left out are round trips that only prepare statements, since nothing has happened by then
// that had not happened before the following call, and those of aside. So the number of calls of a request follows
// from its work, and not from the history of the process or its other work.
type cable struct {
	ln       net.Listener
	upstream func() (net.Conn, error)

	mu     sync.Mutex
	links  map[*link]bool
	calls  int    // since arm
	at     int    // the call to die at; 0 for none
	after  bool   // it dies once Postgres has carried the call out, and before the answer goes back
	kill   func() // returns when the process is gone
	struck bool
}

// link is one connection of the server, on both sides.
type link struct {
	server, postgres net.Conn
	sent, answered   int // calls and other round trips: sent by the server, answered by Postgres; cable.mu
	last             int // the round trip whose answer is withheld; 0 for none

	prepared map[string]string // statements by name; of asks
}

// aside begins the statements that change nothing and depend on time: the pool's check of an idle connection; the
// outbox's query of the version of Postgres, once in a process, and its notification of the workers, which it skips
// shortly after another one; and the notification of changes between processes, sent after the commit.
var aside = []string{
	"-- ping", "-- name: PGGetProductAndVersion ", "-- name: PGNotifyMany ", "listen ", "select pg_notify($1, $2)",
}

func isAside(sql string) bool {
	return slices.ContainsFunc(aside, func(begin string) bool { return strings.HasPrefix(sql, begin) })
}

// openWire listens for a server and leads it to the database of a URL.
func openWire(t *testing.T, database string) (w *cable, address string) {
	t.Helper()
	to, err := pgconn.ParseConfig(database)
	if err != nil {
		t.Fatal(err)
	}
	w = &cable{links: map[*link]bool{}}
	network, at := pgconn.NetworkAddress(to.Host, to.Port)
	w.upstream = func() (net.Conn, error) { return net.Dial(network, at) }
	if w.ln, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = w.ln.Close()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.cut()
	})
	go func() {
		for {
			c, err := w.ln.Accept()
			if err != nil {
				return
			}
			go w.serve(c)
		}
	}()
	user := url.User(to.User)
	if to.Password != "" {
		user = url.UserPassword(to.User, to.Password)
	}
	here := url.URL{Scheme: "postgres", User: user, Host: w.ln.Addr().String(), Path: "/" + to.Database, RawQuery: "sslmode=disable"}
	return w, here.String()
}

// arm counts from here, and has kill called at the n-th call: before it is made, or after it was carried out. 0
// counts only.
func (w *cable) arm(n int, after bool, kill func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls, w.at, w.after, w.kill, w.struck = 0, n, after, kill, false
}

// disarm ends the counting. It returns the number of calls, and whether the server was ended at one of them.
func (w *cable) disarm() (calls int, struck bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = 0
	return w.calls, w.struck
}

// strike ends the server and then all its connections, so that it sees nothing of it; Postgres rolls back uncommitted
// changes. The caller holds mu.
func (w *cable) strike() {
	w.at, w.struck = 0, true
	w.kill()
	w.cut()
}

// end closes all connections of a server that was killed by another proxy.
func (w *cable) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut()
}

func (w *cable) cut() {
	for l := range w.links {
		_, _ = l.server.Close(), l.postgres.Close()
	}
	clear(w.links)
}

func (w *cable) serve(server net.Conn) {
	postgres, err := w.upstream()
	if err != nil {
		_ = server.Close() // the server sees a database that is not there
		return
	}
	l := &link{server: server, postgres: postgres, prepared: map[string]string{}}
	w.mu.Lock()
	w.links[l] = true
	w.mu.Unlock()
	go func() {
		w.answers(l)
		_ = server.Close()
	}()
	w.asks(l)
	_ = postgres.Close()
	w.mu.Lock()
	delete(w.links, l)
	w.mu.Unlock()
}

// asks forwards the server's messages. Those of one round trip are held until it is whole.
func (w *cable) asks(l *link) {
	r := bufio.NewReader(l.server)
	hello, err := message(r, 0) // the first message has no type
	for err == nil {
		if _, err = l.postgres.Write(hello); err != nil {
			return
		}
		hello, err = w.trip(l, r)
	}
}

// errStruck ends the forwarding of a connection whose server is gone.
var errStruck = errors.New("the server was killed")

// trip reads messages until there is something to forward, and returns an error if it must not be forwarded.
func (w *cable) trip(l *link, r *bufio.Reader) ([]byte, error) {
	var whole []byte
	call := false
	for {
		m, err := message(r, 1)
		if err != nil {
			return nil, err
		}
		whole = append(whole, m...)
		switch m[0] {
		case 'P': // Parse: a statement and its name
			text := texts(m, 2)
			l.prepared[text[0]] = text[1]
		case 'B': // Bind: a portal and the statement it is of
			call = call || !isAside(l.prepared[texts(m, 2)[1]])
		case 'D', 'C', 'E': // Describe, Close, Execute
		case 'S':
			return whole, w.ask(l, call)
		case 'Q':
			return whole, w.ask(l, !isAside(texts(m, 1)[0]))
		default: // the password, the goodbye
			return whole, nil
		}
	}
}

// texts are the first n strings of a message.
func texts(m []byte, n int) []string {
	parts := strings.SplitN(string(m[5:]), "\x00", n+1)
	return append(parts, make([]string, n)...)[:n]
}

// ask counts a round trip, and ends the server before it if it is the one.
func (w *cable) ask(l *link, call bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.links[l] {
		return errStruck
	}
	l.sent++
	if !call {
		return nil
	}
	w.calls++
	if w.at == 0 || w.calls != w.at {
		return nil
	}
	if w.after {
		l.last = l.sent
		return nil
	}
	w.strike()
	return errStruck
}

// answers forwards Postgres's messages, except the withheld answer.
func (w *cable) answers(l *link) {
	r, out := bufio.NewReader(l.postgres), bufio.NewWriter(l.server)
	for in := false; ; {
		m, err := message(r, 1)
		if err != nil {
			return
		}
		ready := m[0] == 'Z' // ReadyForQuery: the answer is whole; the first one is about the connection itself
		if pass := w.answer(l, ready && in); pass {
			_, err = out.Write(m)
		}
		in = in || ready
		if err == nil && r.Buffered() == 0 {
			err = out.Flush()
		}
		if err != nil {
			return
		}
	}
}

// answer counts a complete answer, and reports whether this part of it may be forwarded.
func (w *cable) answer(l *link, whole bool) (pass bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.links[l] {
		return false
	}
	pass = l.last == 0 || l.answered+1 < l.last
	if !whole {
		return pass
	}
	if l.answered++; l.answered == l.last && !w.struck {
		w.strike()
	}
	return pass
}

// messageMost bounds a message: none of the product's comes near it.
const messageMost = 64 << 20

// message reads one: its type, if it has one, its length, which includes itself, and the body.
func message(r io.Reader, typed int) ([]byte, error) {
	head := make([]byte, typed+4)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	size := int(binary.BigEndian.Uint32(head[typed:]))
	if size < 4 || size > messageMost {
		return nil, fmt.Errorf("a message of %d bytes", size)
	}
	m := append(head, make([]byte, size-4)...)
	_, err := io.ReadFull(r, m[typed+4:])
	return m, err
}
