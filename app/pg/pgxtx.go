package pg

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// PgxTx shows the transaction as a pgx.Tx, for libraries that write into a caller's transaction (River). Its Commit and
// Rollback do nothing: only the verb's InTx ends the transaction.
func (tx *Tx) PgxTx(ctx context.Context) (pgx.Tx, error) {
	conn, err := tx.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &borrowed{conn: conn}, nil
}

// borrowed is a transaction somebody else ends. A nested one is a savepoint.
type borrowed struct {
	conn      *pgx.Conn
	savepoint bool
	done      bool
}

func (b *borrowed) Begin(ctx context.Context) (pgx.Tx, error) {
	if _, err := b.conn.Exec(ctx, "savepoint borrowed"); err != nil {
		return nil, err
	}
	return &borrowed{conn: b.conn, savepoint: true}, nil
}

func (b *borrowed) Commit(ctx context.Context) error {
	return b.finish(ctx, "release savepoint borrowed")
}

func (b *borrowed) Rollback(ctx context.Context) error {
	return b.finish(ctx, "rollback to savepoint borrowed")
}

func (b *borrowed) finish(ctx context.Context, how string) error {
	if b.done {
		return pgx.ErrTxClosed
	}
	b.done = true
	if !b.savepoint {
		return nil
	}
	_, err := b.conn.Exec(ctx, how)
	return err
}

func (b *borrowed) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return b.conn.Exec(ctx, sql, args...)
}

func (b *borrowed) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return b.conn.Query(ctx, sql, args...)
}

func (b *borrowed) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return b.conn.QueryRow(ctx, sql, args...)
}

func (b *borrowed) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	return b.conn.SendBatch(ctx, batch)
}

func (b *borrowed) CopyFrom(context.Context, pgx.Identifier, []string, pgx.CopyFromSource) (int64, error) {
	return 0, errors.New("pg: COPY does not work under row-level security")
}

func (b *borrowed) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

func (b *borrowed) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	return b.conn.Prepare(ctx, name, sql)
}

func (b *borrowed) Conn() *pgx.Conn { return b.conn }
