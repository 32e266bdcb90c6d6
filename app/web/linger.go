package web

import (
	"container/list"
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// The bounds of a lingering close: see lingering.
const (
	lingerTime  = fileTime        // in all: as long as a file may take to arrive
	lingerPause = 5 * time.Second // since something arrived
	lingerMost  = 256 << 20       // bytes, a few times of what a person drops by mistake
	lingerMany  = 512             // connections at a time
	lingerEnd   = time.Second     // time that remains when the process ends
)

// lingering is a connection that closes slowly because its request was answered before all of it had arrived. The
// sender is still sending then, and data arriving at a closed socket makes the kernel reset the connection: the
// sender's own kernel may drop the answer before it was read. So our half is closed, which ends the answer, and
// arriving data is read and dropped until the sender has closed the other half, or a bound is reached. RFC 9112, 9.6;
// lingering_close of nginx.
type lingering struct {
	*net.TCPConn // its ReadFrom is sendfile
	of           *lingerers
	early        atomic.Bool // was answered early
	closed       atomic.Bool
	place        *list.Element // in of.order
}

// lingerers are the connections of a server that close slowly. Each costs a goroutine and, while data arrives, a
// small buffer. Above lingerMany the one that has lingered longest is closed: a sender that holds on to connections
// displaces others of its kind and not new requests.
type lingerers struct {
	mu    sync.Mutex
	order list.List // of *lingering, the longest first
	early int       // connections that were answered early and are not closed yet; more than order has while answers are written
	end   time.Time // when all of them are to be closed; zero while the server serves
}

// lingerBuffers are read into and dropped.
var lingerBuffers = sync.Pool{New: func() any { return new([16 << 10]byte) }}

// lingerListener accepts connections that can close slowly.
type lingerListener struct {
	net.Listener
	of *lingerers
}

// Accept is that of the listener. A connection that sends nothing at all ends, too: fasthttp sets no deadline for the
// first byte when it saves memory.
func (l lingerListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		_ = c.SetReadDeadline(time.Now().Add(requestTime)) // real time: of the network; fails if it is closed already
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		return &lingering{TCPConn: tcp, of: l.of}, err
	}
	return c, err
}

// lingers has the connection of a request close slowly: it is answered before all of it has arrived.
func lingers(rc *fasthttp.RequestCtx) {
	if c, ok := rc.Conn().(*lingering); ok && c.early.CompareAndSwap(false, true) {
		c.of.mu.Lock()
		c.of.early++
		c.of.mu.Unlock()
	}
}

// Close closes the connection, slowly when its request was answered early. It returns when the connection is closed.
func (c *lingering) Close() error {
	if !c.early.Load() || !c.closed.CompareAndSwap(false, true) {
		return c.TCPConn.Close()
	}
	c.of.enter(c)
	c.drop()
	c.of.exit(c)
	return c.TCPConn.Close()
}

// drop reads the data that the sender still sends.
func (c *lingering) drop() {
	if c.CloseWrite() != nil {
		return // the connection is gone
	}
	buf := lingerBuffers.Get().(*[16 << 10]byte)
	defer lingerBuffers.Put(buf)
	end := time.Now().Add(lingerTime) // real time: a network timeout
	for left := lingerMost; left > 0; {
		if c.SetReadDeadline(c.of.until(end)) != nil {
			return
		}
		n, err := c.Read(buf[:])
		if err != nil {
			return
		}
		left -= n
	}
}

// enter takes a connection in, and closes the one that has lingered longest when there are too many.
func (l *lingerers) enter(c *lingering) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.place = l.order.PushBack(c)
	if l.order.Len() > lingerMany {
		longest := l.order.Front()
		l.order.Remove(longest)
		_ = longest.Value.(*lingering).TCPConn.Close() // its read ends
	}
}

// exit removes a connection.
func (l *lingerers) exit(c *lingering) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.order.Remove(c.place) // does nothing for one that was closed above
	l.early--
}

// until is when a read ends of a connection that lingers until end at most.
func (l *lingerers) until(end time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.end.IsZero() && l.end.Before(end) {
		end = l.end
	}
	if pause := time.Now().Add(lingerPause); pause.Before(end) { // real time: a network timeout
		return pause
	}
	return end
}

// close lets the connections linger for lingerEnd at most, and closes them. It returns when there are none.
func (l *lingerers) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lingerEnd)
	defer cancel()
	l.mu.Lock()
	l.end = time.Now().Add(lingerEnd) // real time: the process ends
	l.mu.Unlock()
	for l.left() > 0 {
		select {
		case <-ctx.Done():
			l.hangUp()
			return
		case <-time.After(drainPause):
		}
	}
}

// left returns the number of connections that were answered early and are not closed.
func (l *lingerers) left() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.early
}

// hangUp closes all that linger.
func (l *lingerers) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for e := l.order.Front(); e != nil; e = e.Next() {
		_ = e.Value.(*lingering).TCPConn.Close()
	}
}
