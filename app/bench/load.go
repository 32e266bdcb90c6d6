package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// errDone ends a client without further work; the round goes on without it.
var errDone = errors.New("bench: no more work")

var errNothing = errors.New("bench: nothing was done in the window")

// timing is how long a contender runs: warm uncounted, then window.
type timing struct{ warm, window time.Duration }

// operation is the repeated work of one client; client counts from 0.
type operation func(ctx context.Context, client int) error

// load runs an operation on so many clients at once, each starting the next when the last has ended, and returns
// their speed in the window and the cost. done is the total number of operations.
func load(ctx context.Context, t timing, clients int, cpu cpuOf, op operation) (s sample, done int64, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var count atomic.Int64
	var running sync.WaitGroup
	var ended atomic.Bool
	for client := range clients {
		running.Go(func() {
			for !ended.Load() && ctx.Err() == nil {
				if err := op(ctx, client); errors.Is(err, errDone) {
					return
				} else if err != nil {
					stop(fmt.Errorf("client %d: %w", client, err))
					return
				}
				count.Add(1)
			}
		})
	}
	mark := func(after time.Duration) (time.Time, int64, time.Duration) {
		select {
		case <-time.After(after):
		case <-ctx.Done():
		}
		return time.Now(), count.Load(), cpu.now() // real time: it is measured
	}
	began, n, used := mark(t.warm)
	end, m, usedThen := mark(t.window)
	ended.Store(true)
	running.Wait()
	if err := context.Cause(ctx); err != nil {
		return sample{}, count.Load(), err
	}
	if m == n {
		return sample{}, count.Load(), errNothing
	}
	return sample{
		rate: float64(m-n) / end.Sub(began).Seconds(),
		cpu:  (usedThen - used) / time.Duration(m-n),
	}, count.Load(), nil
}

// contender is one way of doing a workload.
type contender struct {
	name string
	run  func(ctx context.Context, t timing) (sample, error)
}

// loading is a contender with clients that repeat an operation of the product.
func (b *bench) loading(name string, cpu cpuOf, op operation) contender {
	return contender{name, func(ctx context.Context, t timing) (sample, error) {
		s, _, err := load(ctx, t, b.Clients, cpu, op)
		return s, err
	}}
}

// oneAtATime is a contender with one client, of which the time of each operation is followed.
func oneAtATime(name string, op operation) contender {
	return contender{name, func(ctx context.Context, t timing) (sample, error) {
		var took []time.Duration
		began := time.Now() // real time: it is measured
		s, _, err := load(ctx, t, 1, cpuOf{}, func(ctx context.Context, client int) error {
			start := time.Now() // real time
			err := op(ctx, client)
			if err == nil && start.Sub(began) >= t.warm {
				took = append(took, time.Since(start))
			}
			return err
		})
		if s.p50 = percentile(took, 50); s.p50 == 0 && err == nil {
			err = errNothing // all operations of the window began before it
		}
		return s, err
	}}
}

// flooring is pgbench with a script that reads.
func (b *bench) flooring(s script) contender {
	return contender{"pgbench", func(ctx context.Context, t timing) (sample, error) {
		out, _, err := b.floor.run(ctx, t, s, "first=0", "range=1000000")
		return out, err
	}}
}

// compare lets the contenders run in turns, round by round, each round beginning with another one.
func (b *bench) compare(ctx context.Context, workload string, cs ...contender) ([][]sample, error) {
	out := make([][]sample, len(cs))
	for round := range b.Rounds {
		for i := range cs {
			at := (round + i) % len(cs)
			s, err := cs[at].run(ctx, b.timing)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", workload, cs[at].name, err)
			}
			out[at] = append(out[at], s)
		}
		line := fmt.Sprintf("%s %d/%d:", workload, round+1, b.Rounds)
		for i, c := range cs {
			line += fmt.Sprintf(" %s %s,", c.name, out[i][round])
		}
		b.Say(line[:len(line)-1])
	}
	return out, nil
}

// against makes the rows of one contender: speed, and CPU where it is known.
func against(workload string, foyer, floor []sample, speed, cpu Aim) []Row {
	row := func(what string, figure func(sample) float64, aim Aim) Row {
		a, b := of(foyer, figure), of(floor, figure)
		return Row{Workload: workload + ", " + what, Foyer: a.median(), Floor: b.median(), Figure: a.over(b), Aim: aim}
	}
	rows := []Row{row("per second", sample.perSecond, speed)}
	if floor[0].cpu > 0 {
		rows = append(rows, row("CPU µs each", sample.micros, cpu))
	}
	return rows
}

// costing is the row of the cost of an operation, without a floor; none if the CPU is unknown.
func costing(workload string, foyer []sample, aim Aim) []Row {
	if foyer[0].cpu == 0 {
		return nil
	}
	ms := of(foyer, sample.costMs)
	return []Row{{Workload: workload + ", CPU ms each", Foyer: ms.median(), Floor: math.NaN(), Figure: ms, Unit: "ms", Aim: aim}}
}

// besides adds the results of the other binary, if there is one, to rows of against and costing.
func besides(rows []Row, foyer, other []sample) []Row {
	if other == nil {
		return rows
	}
	for i, row := range rows {
		for what, figure := range map[string]func(sample) float64{
			", per second": sample.perSecond, ", CPU µs each": sample.micros, ", CPU ms each": sample.costMs,
		} {
			if strings.HasSuffix(row.Workload, what) {
				rows[i] = row.beside(of(foyer, figure), of(other, figure))
			}
		}
	}
	return rows
}

// client is one keep-alive connection with one request at a time on it. It does no more than necessary: it uses the
// same machine as the server.
type client struct {
	conn   net.Conn
	in     *bufio.Reader
	answer fasthttp.Response
}

func dial(address string) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// clients dials that many connections.
func clients(address string, n int) (list []*client, closeAll func(), err error) {
	closeAll = func() {
		for _, c := range list {
			_ = c.conn.Close() // the server's side ends with it
		}
	}
	for range n {
		c, err := dial(address)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		list = append(list, c)
	}
	return list, closeAll, nil
}

// head is a request as bytes. Its body, if any, is JSON.
func head(method, path, bearer, body string) []byte {
	text := method + " " + path + " HTTP/1.1\r\nHost: bench.test\r\n"
	if bearer != "" {
		text += "Authorization: Bearer " + bearer + "\r\n"
	}
	if method != "GET" {
		text += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return []byte(text + "\r\n" + body)
}

// do sends a request and reads the answer, which must be a success. The body is good until the next call.
func (c *client) do(request []byte) ([]byte, error) {
	status, body, err := c.ask(request)
	if err == nil && (status < 200 || status > 299) {
		line, _, _ := bytes.Cut(request, []byte("\r\n"))
		err = fmt.Errorf("%s: %d %s", line, status, body)
	}
	if err != nil {
		return nil, err
	}
	return body, nil
}

// ask is do for an answer of any status.
func (c *client) ask(request []byte) (status int, body []byte, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, nil, err
	}
	if err := c.answer.Read(c.in); err != nil {
		return 0, nil, err
	}
	return c.answer.StatusCode(), c.answer.Body(), nil
}

// clockTick is the unit of the times in /proc on every Linux that Go runs on.
const clockTick = 10 * time.Millisecond

// cpuOf is the processor time that processes have used since they began; Postgres counts with all its backends, those
// that have ended included, and so does any other parent of workers. 0 where there is no /proc.
type cpuOf struct {
	postmaster int // 0: none
	others     []int
}

func (c cpuOf) and(pid int) cpuOf {
	return cpuOf{c.postmaster, append(c.others[:len(c.others):len(c.others)], pid)}
}

func (c cpuOf) now() time.Duration {
	var sum time.Duration
	for _, pid := range c.others {
		s, _ := statOf(pid)
		sum += s.own
	}
	if c.postmaster == 0 {
		return sum
	}
	s, ok := statOf(c.postmaster)
	if !ok {
		return 0
	}
	sum += s.own + s.ended
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, path := range stats {
		if s, ok := readStat(path); ok && s.parent == c.postmaster {
			sum += s.own
		}
	}
	return sum
}

// procStat is the content of /proc/<pid>/stat of a process.
type procStat struct {
	parent     int
	own, ended time.Duration // its own time, and that of children it has waited for
}

func statOf(pid int) (procStat, bool) { return readStat(fmt.Sprintf("/proc/%d/stat", pid)) }

func readStat(path string) (procStat, bool) {
	body, err := os.ReadFile(path) //nolint:gosec // paths under /proc
	if err != nil {
		return procStat{}, false
	}
	// The name stands in parentheses and may hold anything; the fields after it are numbers, from the third on.
	end := bytes.LastIndexByte(body, ')')
	f := strings.Fields(string(body[end+1:]))
	if end < 0 || len(f) < 15 {
		return procStat{}, false
	}
	ticks := func(i int) time.Duration {
		n, _ := strconv.ParseInt(f[i], 10, 64)
		return time.Duration(n) * clockTick
	}
	parent, err := strconv.Atoi(f[1])
	return procStat{parent: parent, own: ticks(11) + ticks(12), ended: ticks(13) + ticks(14)}, err == nil
}

// proportionalMB is the memory of a process in MB of 10^6 bytes, of a page that it shares its part (PSS); 0 where
// there is no /proc. The pages of a binary of which two processes run count half for each.
func proportionalMB(pid int) float64 {
	kb, _ := strconv.ParseFloat(strings.TrimSuffix(told(fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss"), " kB"), 64)
	return kb * 1024 / 1e6
}

// cpuModel is the processor's name, or its kind.
func cpuModel(kind string) string { return cmp.Or(told("/proc/cpuinfo", "model name"), kind) }

// told returns the first value of a name in a file of lines like "name: value"; "" if there is none.
func told(path, name string) string {
	body, _ := os.ReadFile(path) //nolint:gosec // paths under /proc; no file, no line
	for line := range strings.Lines(string(body)) {
		if key, value, _ := strings.Cut(line, ":"); strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// loadAverage is how many processes wanted to run in the last minute.
func loadAverage() string {
	body, _ := os.ReadFile("/proc/loadavg") // no file, no line
	first, _, _ := strings.Cut(string(body), " ")
	return first
}

// share does something n times, shared out among clients. The first error of a client ends its share.
func share(clients int, n int64, do func(client int, i int64) error) error {
	failed := make([]error, clients)
	var running sync.WaitGroup
	for client := range clients {
		running.Go(func() {
			for i := int64(client); i < n && failed[client] == nil; i += int64(clients) {
				failed[client] = do(client, i)
			}
		})
	}
	running.Wait()
	return errors.Join(failed...)
}
