package bench

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestRecorder: a single statement is a trip, a batch is one trip, and what is kept does not change with what was given.
func TestRecorder(t *testing.T) {
	r := &recorder{}
	ask := func(sql string, args ...any) {
		ctx := r.TraceQueryStart(context.Background(), nil, pgx.TraceQueryStartData{SQL: sql, Args: args})
		r.TraceQueryEnd(ctx, nil, pgx.TraceQueryEndData{})
	}
	ask("before")
	args := []any{1}
	boom := errors.New("boom")
	trips, err := r.listen(func() error {
		ask("select $1", args...)
		args[0] = 2
		b := &pgx.Batch{}
		b.Queue("first", "x")
		b.Queue("second")
		r.TraceBatchStart(context.Background(), nil, pgx.TraceBatchStartData{Batch: b})
		return boom
	})
	want := []trip{{{"select $1", []any{1}}}, {{"first", []any{"x"}}, {"second", nil}}}
	if !errors.Is(err, boom) || len(trips) != 2 || statements(trips) != 3 {
		t.Fatalf("heard %v, %v", trips, err)
	}
	for i := range want {
		for j, s := range want[i] {
			if trips[i][j].sql != s.sql || len(s.args) > 0 && !reflect.DeepEqual(trips[i][j].args, s.args) {
				t.Errorf("trip %d, statement %d: %v", i, j, trips[i][j])
			}
		}
	}
	if again, _ := r.listen(func() error { return nil }); len(again) != 0 {
		t.Errorf("heard %v twice", again)
	}
}

// TestTransactions: each transaction becomes one trip, whatever trips it was sent in; reads around them are left out.
func TestTransactions(t *testing.T) {
	one := func(list ...string) (t trip) {
		for _, sql := range list {
			t = append(t, statement{sql: sql})
		}
		return t
	}
	got := transactions([]trip{
		one("read"), one("begin", "set", "a"), one("b"), one("commit"),
		one("set", "read"), one("begin", "c"), one("commit"), one("read"),
	})
	if want := []trip{one("begin", "set", "a", "b", "commit"), one("begin", "c", "commit")}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := transactions([]trip{one("read")}); len(got) != 0 {
		t.Errorf("reads alone became %v", got)
	}
}
