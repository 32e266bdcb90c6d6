package pg

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"foyer/app/fault"
	"foyer/ent"
)

// plan maps the columns of one query to the fields of one struct type. Computing it costs more than scanning a row,
// so each (type, columns) pair is planned once.
type plan struct {
	fields [][]int
	nulls  []bool // of a column: NULL is the zero value
}

type planKey struct {
	typ     reflect.Type
	columns string
}

var plans sync.Map // planKey → *plan

// collect scans all rows into Ts: column by column into a struct's fields (tag db, else the name in snake case), or
// the single column into anything else. Where a tag ends in ",null", NULL is the field's zero value. Every row is
// scanned into the same place and copied from there, so that the mapping is computed once.
func collect[T any](rows pgx.Rows) ([]T, error) {
	defer rows.Close()
	out := []T{}
	var row, zero T
	var p *plan
	var dest []any
	for rows.Next() {
		if dest == nil {
			var err error
			if p, err = planFor(reflect.TypeFor[T](), rows); err != nil {
				return nil, err
			}
			dest = p.point(reflect.ValueOf(&row))
		}
		row = zero // no value of the previous row remains
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
		p.settle(reflect.ValueOf(&row), dest)
		out = append(out, row)
	}
	return out, rows.Err()
}

// point returns pointers to the fields of *v, or v itself when there is no plan.
func (p *plan) point(v reflect.Value) []any {
	if p == nil {
		return []any{v.Interface()}
	}
	dest := make([]any, len(p.fields))
	for i, f := range p.fields {
		field := v.Elem().FieldByIndex(f).Addr()
		if p.nulls[i] {
			field = reflect.New(field.Type()) // a pointer, so that it can represent NULL
		}
		dest[i] = field.Interface()
	}
	return dest
}

// settle copies nullable values into the struct, with its fields zero before.
func (p *plan) settle(v reflect.Value, dest []any) {
	if p == nil {
		return
	}
	for i, f := range p.fields {
		if !p.nulls[i] {
			continue
		}
		if got := reflect.ValueOf(dest[i]).Elem(); !got.IsNil() {
			v.Elem().FieldByIndex(f).Set(got.Elem())
		}
	}
}

func isScalar(t reflect.Type) bool {
	return t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[uuid.UUID]() || reflect.PointerTo(t).Implements(scannerType)
}

var scannerType = reflect.TypeFor[interface{ Scan(any) error }]()

// planFor is nil for a type with a single column.
func planFor(typ reflect.Type, row pgx.CollectableRow) (*plan, error) {
	if typ.Kind() != reflect.Struct || isScalar(typ) {
		return nil, nil
	}
	key := planKey{typ: typ}
	for _, d := range row.FieldDescriptions() {
		key.columns += d.Name + ","
	}
	if p, ok := plans.Load(key); ok {
		return p.(*plan), nil
	}
	byName, null := map[string][]int{}, map[string]bool{}
	for _, f := range reflect.VisibleFields(typ) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		name, option, _ := strings.Cut(f.Tag.Get("db"), ",")
		if name == "" {
			name = snake(f.Name)
		}
		byName[name], null[name] = f.Index, option == "null"
	}
	p := &plan{}
	for _, d := range row.FieldDescriptions() {
		f, ok := byName[d.Name]
		if !ok {
			return nil, fmt.Errorf("pg: %s has no field for column %q", typ, d.Name)
		}
		p.fields, p.nulls = append(p.fields, f), append(p.nulls, null[d.Name])
	}
	plans.Store(key, p)
	return p, nil
}

// snake turns StartsAt into starts_at and LocationID into location_id.
func snake(name string) string {
	out := make([]byte, 0, len(name)+4)
	upper := func(i int) bool { return i < len(name) && name[i] >= 'A' && name[i] <= 'Z' }
	for i := range len(name) {
		if upper(i) {
			if i > 0 && (!upper(i-1) || (i+1 < len(name) && !upper(i+1))) {
				out = append(out, '_')
			}
			out = append(out, name[i]+'a'-'A')
			continue
		}
		out = append(out, name[i])
	}
	return string(out)
}

// registerUUID makes a connection send and read uuid.UUID as its sixteen bytes. Without it pgx treats the type as a
// driver.Valuer and sql.Scanner, and converts every id to text and back.
func registerUUID(m *pgtype.Map) {
	one := &pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: uuidCodec{}}
	m.RegisterType(one)
	m.RegisterType(&pgtype.Type{Name: "_uuid", OID: pgtype.UUIDArrayOID, Codec: &pgtype.ArrayCodec{ElementType: one}})
}

// uuidCodec is pgx's own for everything but uuid.UUID in binary.
type uuidCodec struct{ pgtype.UUIDCodec }

// PlanEncode implements pgtype.Codec.
func (c uuidCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(uuid.UUID); ok && format == pgtype.BinaryFormatCode {
		return uuidPlan{}
	}
	return c.UUIDCodec.PlanEncode(m, oid, format, value)
}

// PlanScan implements pgtype.Codec.
func (c uuidCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*uuid.UUID); ok && format == pgtype.BinaryFormatCode {
		return uuidPlan{}
	}
	return c.UUIDCodec.PlanScan(m, oid, format, target)
}

type uuidPlan struct{}

// Encode implements pgtype.EncodePlan.
func (uuidPlan) Encode(value any, buf []byte) ([]byte, error) {
	id := value.(uuid.UUID)
	return append(buf, id[:]...), nil
}

// Scan implements pgtype.ScanPlan.
func (uuidPlan) Scan(src []byte, target any) error {
	if src == nil {
		return errors.New("pg: null cannot be a uuid.UUID; use a pointer")
	}
	if id := target.(*uuid.UUID); copy(id[:], src) != len(id) || len(src) != len(id) {
		return fmt.Errorf("pg: a uuid of %d bytes", len(src))
	}
	return nil
}

// Reader is the common interface of *Tx and *View for store functions: *Tx inside a verb, *View outside.
type Reader interface {
	// Ent returns an ent client bound to this transaction or view.
	Ent() *ent.Client
	// Now returns the time of the transaction, or of the view's creation.
	Now() time.Time
	// Business returns the tenant of all statements.
	Business() uuid.UUID
	// Batch starts an empty batch of statements for one round trip.
	Batch() *Batch
	query(ctx context.Context, sql string, args []any) (pgx.Rows, error)
}

// ErrNoRow is the error of One for an empty result.
var ErrNoRow = errors.New("pg: no row")

// All returns every row of the query. T is a struct with db tags or names that match the columns, or a scalar.
func All[T any](ctx context.Context, r Reader, sql string, args ...any) ([]T, error) {
	rows, err := r.query(ctx, sql, args)
	if err != nil {
		return nil, failed(err)
	}
	list, err := collect[T](rows)
	return list, failed(err)
}

// One returns the only row of the query, or ErrNoRow.
func One[T any](ctx context.Context, r Reader, sql string, args ...any) (T, error) {
	rows, err := r.query(ctx, sql, args)
	if err != nil {
		var zero T
		return zero, failed(err)
	}
	v, err := one[T](rows)
	return v, failed(err)
}

// Find returns the only row of the query and whether there is one.
func Find[T any](ctx context.Context, r Reader, sql string, args ...any) (v T, found bool, err error) {
	v, err = One[T](ctx, r, sql, args...)
	if errors.Is(err, ErrNoRow) {
		return v, false, nil
	}
	return v, err == nil, err
}

func one[T any](rows pgx.Rows) (T, error) {
	list, err := collect[T](rows)
	if err := fault.When(len(list) == 0, ErrNoRow, err); err != nil {
		var zero T
		return zero, err
	}
	return list[0], nil
}
