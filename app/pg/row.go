package pg

import (
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// plan says how rows of one query shape fill one struct type: the field index for each column. Working it out costs
// more than scanning a row, so each (type, columns) pair is planned once.
type plan struct{ fields [][]int }

type planKey struct {
	typ     reflect.Type
	columns string
}

var plans sync.Map // planKey → *plan

// collect scans all rows into Ts: column by column into a struct's fields (tag db, else the name in snake case), or the
// single column into anything else. Every row is scanned into the same place and copied from there, so that where each
// column goes is worked out once.
func collect[T any](rows pgx.Rows) ([]T, error) {
	defer rows.Close()
	out := []T{}
	var row, zero T
	var dest []any
	for rows.Next() {
		if dest == nil {
			p, err := planFor(reflect.TypeFor[T](), rows)
			if err != nil {
				return nil, err
			}
			dest = p.point(reflect.ValueOf(&row))
		}
		row = zero // what one row leaves out is not the last row's
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
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
		dest[i] = v.Elem().FieldByIndex(f).Addr().Interface()
	}
	return dest
}

func isScalar(t reflect.Type) bool {
	return t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[uuid.UUID]() || reflect.PointerTo(t).Implements(scannerType)
}

var scannerType = reflect.TypeFor[interface{ Scan(any) error }]()

// planFor is nil for what takes a single column.
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
	byName := map[string][]int{}
	for _, f := range reflect.VisibleFields(typ) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		name := f.Tag.Get("db")
		if name == "" {
			name = snake(f.Name)
		}
		byName[name] = f.Index
	}
	p := &plan{}
	for _, d := range row.FieldDescriptions() {
		f, ok := byName[d.Name]
		if !ok {
			return nil, fmt.Errorf("pg: %s has no field for column %q", typ, d.Name)
		}
		p.fields = append(p.fields, f)
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
