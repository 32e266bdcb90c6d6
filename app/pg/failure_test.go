package pg_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/ent"
)

// Service stands for a domain: its exported methods are verbs.
type Service struct {
	db       *pg.DB
	business uuid.UUID
}

// Broken is a verb that fails with the error of fn.
func (s *Service) Broken(ctx context.Context, fn func(tx *pg.Tx) error) error {
	_, err := pg.InTx(ctx, s.db, s.business, func(tx *pg.Tx) (int, error) { return 0, fn(tx) })
	return err
}

// Outer is a verb that calls another.
func (s *Service) Outer(ctx context.Context, fn func(tx *pg.Tx) error) error {
	return s.Broken(ctx, fn)
}

func selectNothing(ctx context.Context, r pg.Reader) error {
	_, err := pg.All[int](ctx, r, "select nothing from nowhere")
	return err
}

func rateTwice(ctx context.Context, tx *pg.Tx) (err error) {
	id := pg.NewID()
	for range 2 {
		err = tx.Ent().TaxRate.Create().SetID(id).SetBusinessID(tx.Business()).SetName("VAT").SetPpm(1).
			SetCreatedAt(tx.Now()).SetUpdatedAt(tx.Now()).Exec(ctx)
	}
	return err
}

func inBatch(ctx context.Context, b *pg.Batch) error {
	var n []int
	pg.QueueExec(b, "select 1")
	pg.QueueAll(b, &n, `select n / 0
		from (values (1)) as one (n)`)
	return b.Send(ctx)
}

// An unexpected error has in its text its verb and the function that sent the statement, through ent too, and stays
// the same for errors.As.
func TestFailure(t *testing.T) {
	w := apptest.Open(t)
	s := &Service{w.DB, newBusiness(t, w, "studio-a")}
	ctx := t.Context()
	plain := errors.New("no paper")
	for name, c := range map[string]struct {
		err       error
		verb, stm string
		state     string
	}{
		"SQL":          {s.Broken(ctx, func(tx *pg.Tx) error { return selectNothing(ctx, tx) }), "Broken", "selectNothing (", "42P01"},
		"outer verb":   {s.Outer(ctx, func(tx *pg.Tx) error { return selectNothing(ctx, tx) }), "Outer", "selectNothing (", "42P01"},
		"exec":         {s.Broken(ctx, func(tx *pg.Tx) error { _, err := tx.Exec(ctx, "nonsense"); return err }), "Broken", "TestFailure (", "42601"},
		"batch":        {s.Broken(ctx, func(tx *pg.Tx) error { return inBatch(ctx, tx.Batch()) }), "Broken", "inBatch (", "22012"},
		"view":         {selectNothing(ctx, w.DB.View(s.business)), "", "selectNothing (", "42P01"},
		"view's batch": {inBatch(ctx, w.DB.View(s.business).Batch()), "", "inBatch (", "22012"},
		"beside SQL":   {s.Broken(ctx, func(*pg.Tx) error { return plain }), "Broken", "", ""},
	} {
		var f *pg.Failure
		if !errors.As(c.err, &f) {
			t.Errorf("%s: %v is no failure", name, c.err)
			continue
		}
		verb := ""
		if c.verb != "" {
			verb = "pg_test." + c.verb
		}
		if f.Verb != verb || (f.Statement == "") != (c.stm == "") || !strings.HasPrefix(f.Statement, strings.TrimSuffix("pg_test."+c.stm, ".")) && c.stm != "" {
			t.Errorf("%s: verb %q, statement %q", name, f.Verb, f.Statement)
		}
		if text := c.err.Error(); !strings.Contains(text, f.Verb) || !strings.Contains(text, f.Statement) {
			t.Errorf("%s: the text does not say so: %s", name, text)
		}
		var pe *pgconn.PgError
		if c.state != "" && (!errors.As(c.err, &pe) || pe.Code != c.state) || c.state == "" && !errors.Is(c.err, plain) {
			t.Errorf("%s: the cause is lost: %v", name, c.err)
		}
		if strings.Contains(name, "batch") && !strings.Contains(c.err.Error(), `"select n / 0"`) {
			t.Errorf("%s does not say which of the statements: %v", name, c.err)
		}
	}
}

// A refusal and an error mapped to one are unchanged.
func TestFailureIsNoRefusal(t *testing.T) {
	w := apptest.Open(t)
	s := &Service{w.DB, newBusiness(t, w, "studio-a")}
	ctx := t.Context()
	taken := fault.New(fault.Conflict, "taken", "Taken.")
	err := s.Broken(ctx, func(tx *pg.Tx) error {
		err := rateTwice(ctx, tx)
		if !ent.IsConstraintError(err) || pg.Constraint(err) == "" || !strings.Contains(err.Error(), "pg_test.rateTwice (") {
			t.Errorf("%v", err)
		}
		return pg.Map(err, map[string]error{pg.Constraint(err): taken})
	})
	if err != error(taken) {
		t.Errorf("a refusal became %v", err)
	}
	if _, err := pg.One[int](ctx, w.DB.View(s.business), "select 1 where false"); err != pg.ErrNoRow {
		t.Errorf("nothing found became %v", err)
	}
}
