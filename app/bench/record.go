package bench

import (
	"context"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
)

// statement is what the product sent, with its arguments.
type statement struct {
	sql  string
	args []any
}

// trip is what went to the server together.
type trip []statement

// recorder is a tracer that keeps what the product sends.
type recorder struct {
	mu    sync.Mutex
	trips []trip
}

// listen returns what fn makes the product send.
func (r *recorder) listen(fn func() error) ([]trip, error) {
	r.take()
	err := fn()
	return r.take(), err
}

func (r *recorder) take() []trip {
	r.mu.Lock()
	defer r.mu.Unlock()
	trips := r.trips
	r.trips = nil
	return trips
}

func (r *recorder) add(t trip) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trips = append(r.trips, t)
}

// TraceQueryStart implements pgx.QueryTracer.
func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	r.add(trip{{d.SQL, slices.Clone(d.Args)}})
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (r *recorder) TraceBatchStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	var t trip
	for _, q := range d.Batch.QueuedQueries {
		t = append(t, statement{q.SQL, slices.Clone(q.Arguments)})
	}
	r.add(t)
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (r *recorder) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (r *recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// transactions puts the statements from each begin to its commit together: the trips that the fastest client would make.
// Reads outside of them are left out.
func transactions(trips []trip) []trip {
	var out []trip
	inside := false
	for _, t := range trips {
		for _, s := range t {
			if s.sql == "begin" {
				inside = true
				out = append(out, nil)
			}
			if inside {
				out[len(out)-1] = append(out[len(out)-1], s)
			}
			if s.sql == "commit" {
				inside = false
			}
		}
	}
	return out
}

func statements(trips []trip) (n int) {
	for _, t := range trips {
		n += len(t)
	}
	return n
}
