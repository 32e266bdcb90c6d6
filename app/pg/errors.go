package pg

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"foyer/app/fault"
	"foyer/ent"
)

// Constraint returns the name of the constraint that err violates, or "". Constraint names are part of a store's API:
// each one a caller can run into is mapped to a sentinel.
func Constraint(err error) string {
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		return pe.ConstraintName
	}
	return ""
}

// Found turns the answer that there is no such row, of One or of ent, into fault.Missing.
func Found[T any](row T, err error) (T, error) {
	if errors.Is(err, ErrNoRow) || ent.IsNotFound(err) {
		err = fault.Missing()
	}
	return row, err
}

// Map turns a violated constraint into the fault it stands for, and leaves other errors alone.
func Map(err error, sentinels map[string]error) error {
	if err == nil {
		return nil
	}
	if s, ok := sentinels[Constraint(err)]; ok && Constraint(err) != "" {
		return s
	}
	return err
}
