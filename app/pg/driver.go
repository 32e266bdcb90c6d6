package pg

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/jackc/pgx/v5"
)

// driver is ent's dialect.Driver on a Tx or a View.
type entDriver struct {
	r  Reader
	tx *Tx // nil for a view
}

var errReadOnly = errors.New("pg: a view is read-only")

// Exec implements dialect.ExecQuerier.
func (d *entDriver) Exec(ctx context.Context, query string, args, v any) error {
	if d.tx == nil {
		return errReadOnly
	}
	list, err := argList(args)
	if err != nil {
		return err
	}
	n, err := d.tx.Exec(ctx, query, list...)
	if err != nil {
		return err
	}
	if res, ok := v.(*sql.Result); ok {
		*res = driver.RowsAffected(n)
	}
	return nil
}

// Query implements dialect.ExecQuerier.
func (d *entDriver) Query(ctx context.Context, query string, args, v any) error {
	list, err := argList(args)
	if err != nil {
		return err
	}
	dst, ok := v.(*entsql.Rows)
	if !ok {
		return fmt.Errorf("pg: query into %T", v)
	}
	rows, err := d.r.query(ctx, query, list)
	if err != nil {
		return failed(err)
	}
	*dst = entsql.Rows{ColumnScanner: scanner{rows}}
	return nil
}

func argList(args any) ([]any, error) {
	list, ok := args.([]any)
	if !ok {
		return nil, fmt.Errorf("pg: arguments are %T", args)
	}
	return list, nil
}

// Tx returns to ent the transaction it is already in: some builders open one for two statements.
func (d *entDriver) Tx(context.Context) (dialect.Tx, error) {
	if d.tx == nil {
		return nil, errReadOnly
	}
	return nested{d}, nil
}

// Close does nothing: the Tx or View owns the connection.
func (d *entDriver) Close() error { return nil }

// Dialect implements dialect.Driver.
func (d *entDriver) Dialect() string { return dialect.Postgres }

// nested is a transaction inside the verb's own: only the verb commits.
type nested struct{ *entDriver }

func (nested) Commit() error   { return nil }
func (nested) Rollback() error { return nil }

// scanner presents pgx rows in the form that ent reads.
type scanner struct{ pgx.Rows }

func (s scanner) Close() error {
	s.Rows.Close()
	return s.Err()
}

// Err adds the sender of the statement to its error: Postgres refuses most of them only when their rows are read.
func (s scanner) Err() error { return failed(s.Rows.Err()) }

func (s scanner) Columns() ([]string, error) {
	fields := s.FieldDescriptions()
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names, nil
}

func (scanner) ColumnTypes() ([]*sql.ColumnType, error) {
	return nil, errors.New("pg: column types are not available")
}

func (scanner) NextResultSet() bool { return false }
