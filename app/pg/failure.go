package pg

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"foyer/app/fault"
	"foyer/ent"
)

// Failure is an error of the database, or of a transaction, with its origin. Its text is for the log and never for an
// answer. errors.Is and errors.As find the wrapped error.
//
// The names are read from the stack, and only after an error.
type Failure struct {
	Verb      string // "checkout.Confirm"; "" outside of a domain's Service
	Statement string // its sender: "booking.insertHold (hold_store.go:41)"; "" if no statement failed
	err       error
}

func (f *Failure) Error() string {
	text := f.err.Error()
	if f.Statement != "" {
		text = f.Statement + ": " + text
	}
	if f.Verb != "" {
		text = f.Verb + ": " + text
	}
	return text
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.err }

// failed adds verb and statement to the error of a statement. An empty result is not a failure.
func failed(err error) error {
	if err == nil || err == ErrNoRow || isFailure(err) {
		return err
	}
	verb, statement := whereFrom()
	return &Failure{verb, statement, told(err)}
}

// failedIn adds the verb to an error of its transaction outside of statements. A refusal stays as it is.
func failedIn(err error) error {
	if err == nil || fault.From(err) != nil || isFailure(err) {
		return err
	}
	verb, _ := whereFrom()
	return &Failure{verb, "", told(err)}
}

// told adds to an error of the driver its meaning for the product.
func told(err error) error {
	var pe *pgconn.PgError
	switch {
	case errors.As(err, &pe) && pe.Code == unmetCode:
		return fmt.Errorf("%w: %w", ErrUnmet, err)
	case isOutage(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

func isFailure(err error) bool {
	var f *Failure
	return errors.As(err, &f)
}

// service is the part of a verb's function name after its package: architecture.md 3.
const service = ".(*Service)."

// whereFrom reads the stack. The statement was sent by the innermost function of the product that is neither this
// package nor ent's; the verb is the outermost exported method of a Service, as one verb may call another.
func whereFrom() (verb, statement string) {
	var pcs [128]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if name, ours := strings.CutPrefix(f.Function, "foyer/"); ours && !strings.HasPrefix(name, "ent.") && !strings.HasPrefix(name, "ent/") {
			name = path.Base(name) // package and function
			if statement == "" && !strings.HasPrefix(name, "pg.") {
				statement = fmt.Sprintf("%s (%s:%d)", shortName(name), path.Base(f.File), f.Line)
			}
			if pkg, method, ok := strings.Cut(name, service); ok && 'A' <= method[0] && method[0] <= 'Z' {
				method, _, _ = strings.Cut(method, ".")
				verb = pkg + "." + method
			}
		}
		if !more {
			return verb, statement
		}
	}
}

// shortName is a function's name without the compiler's additions: "booking.Confirm" of
// "booking.(*Service).Confirm.func1".
func shortName(name string) string {
	name, _, _ = strings.Cut(strings.Replace(name, service, ".", 1), ".func")
	return strings.ReplaceAll(name, "[...]", "")
}

// Constraint returns the name of the constraint that err violates, or "". Constraint names are part of a store's API:
// each one that a caller can violate is mapped to a sentinel.
func Constraint(err error) string {
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		return pe.ConstraintName
	}
	return ""
}

// Found replaces the error for an empty result, of One or of ent, by fault.Missing.
func Found[T any](row T, err error) (T, error) {
	if errors.Is(err, ErrNoRow) || ent.IsNotFound(err) {
		err = fault.Missing()
	}
	return row, err
}

// Map replaces a violated constraint by its fault, and leaves other errors alone.
func Map(err error, sentinels map[string]error) error {
	if err == nil {
		return nil
	}
	if s, ok := sentinels[Constraint(err)]; ok && Constraint(err) != "" {
		return s
	}
	return err
}
