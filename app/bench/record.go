package bench

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// statement is a statement of the product, with its arguments.
type statement struct {
	sql  string
	args []any
}

// trip are the statements sent in one round trip.
type trip []statement

// recorder is a tracer that records the product's statements.
type recorder struct {
	mu    sync.Mutex
	trips []trip
}

// listen returns the statements sent by fn.
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
func (r *recorder) TraceQueryStart(ctx context.Context, conn *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	r.add(trip{heard(ctx, conn, d.SQL, d.Args)})
	return ctx
}

// heard is a statement as Postgres takes it: with numbers for the names of its arguments.
func heard(ctx context.Context, conn *pgx.Conn, sql string, args []any) statement {
	if len(args) == 1 {
		if named, ok := args[0].(pgx.QueryRewriter); ok {
			if text, values, err := named.RewriteQuery(ctx, conn, sql, nil); err == nil {
				return statement{text, values}
			}
		}
	}
	return statement{sql, slices.Clone(args)}
}

// TraceQueryEnd implements pgx.QueryTracer.
func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (r *recorder) TraceBatchStart(ctx context.Context, conn *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	var t trip
	for _, q := range d.Batch.QueuedQueries {
		t = append(t, heard(ctx, conn, q.SQL, q.Arguments))
	}
	r.add(t)
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (r *recorder) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (r *recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// transactions puts the statements of each transaction together: the trips that the fastest client would make. A
// transaction goes from begin to commit; or it is a trip without them, in which something writes: Postgres commits a
// pipeline as a whole. Reads outside of transactions are left out.
func transactions(trips []trip) (out []trip) {
	inside := false
	for _, t := range trips {
		var alone trip
		for _, s := range t {
			if s.sql == "begin" {
				inside = true
				out = append(out, nil)
			}
			if inside {
				out[len(out)-1] = append(out[len(out)-1], s)
			} else {
				alone = append(alone, s)
			}
			if s.sql == "commit" {
				inside = false
			}
		}
		if slices.ContainsFunc(alone, statement.writes) {
			out = append(out, alone)
		}
	}
	return out
}

// writing matches a statement that writes, also in a with. One that locks rows, "for update of o", does not.
var writing = regexp.MustCompile(`(?i)\b(insert\s+into|delete\s+from|merge\s+into|update\s+(only\s+)?[\w."]+(\s+as)?(\s+\w+)?\s+set)\b`)

// writes reports whether a statement writes. Writes inside a function are not seen; a floor that lacks them writes
// fewer rows than the product, and audited reports it.
func (s statement) writes() bool { return writing.MatchString(s.sql) }

func statements(trips []trip) (n int) {
	for _, t := range trips {
		n += len(t)
	}
	return n
}

// script is a pgbench script, with the definitions of its variables: "name=value".
type script struct {
	text    string
	defines []string
}

// A script consists of the product's statements, byte for byte. pgbench numbers parameters in the order in which it
// meets its variables, so a comment behind each statement names them in the product's order and the product's $1 stay
// unchanged:
//
//	select set_config('app.business_id', $1, true) /* :v1 */;
//
// A value that differs from one request to the next is computed by the server from the number of the iteration: the
// product's $6 becomes bench.fresh_id($6, 0) in the script, and the comment names :n. pgbench itself computes numbers
// only.

// standIn returns the SQL of a value that each iteration needs anew, with $n for the iteration's number; "" for a
// constant value.
type standIn func(v any) string

// writeScript makes one iteration out of trips, each of them one pipeline. first is the number of the first iteration
// of client 0 and each client has a range of that many numbers; a script without stand-ins uses none.
func writeScript(ctx context.Context, conn *pgx.Conn, trips []trip, stand standIn) (script, error) {
	return drawnScript{}.write(ctx, conn, trips, stand)
}

// drawnScript makes scripts whose iterations begin with a trip of their own: sql turns :n into columns, and names
// maps columns to values of the product, both as text. The following statements stay those of the product.
type drawnScript struct {
	sql   string
	names map[string]string
}

func (d drawnScript) write(ctx context.Context, conn *pgx.Conn, trips []trip, stand standIn) (script, error) {
	w := scriptWriter{conn: conn, stand: stand, names: map[string]string{}, counts: d.sql != ""}
	for value, column := range d.names {
		w.names[value] = column
	}
	for _, t := range trips {
		w.body.WriteString("\\startpipeline\n")
		for _, s := range t {
			if err := w.statement(ctx, s); err != nil {
				return script{}, fmt.Errorf("bench: script: %w in %.60s", err, s.sql)
			}
		}
		w.body.WriteString("\\endpipeline\n")
	}
	head := ""
	if w.empty {
		// An empty value cannot be given on the command line.
		head = "\\if :begun = 0\nselect '' as empty \\gset\n\\set begun 1\n\\endif\n"
		w.defines = append(w.defines, "begun=0")
	}
	if w.counts {
		head += "\\set i :i + 1\n\\set n :first + :client_id * :range + :i\n"
		w.defines = append(w.defines, "i=-1")
	}
	if d.sql != "" {
		head += d.sql + " \\gset\n"
	}
	return script{head + w.body.String(), w.defines}, nil
}

type scriptWriter struct {
	conn    *pgx.Conn
	stand   standIn
	body    strings.Builder
	names   map[string]string // value → variable
	defines []string
	empty   bool // some value is the empty text
	counts  bool // some value stands for the iteration's
}

var parameter = regexp.MustCompile(`\$(\d+)`)

func (w *scriptWriter) statement(ctx context.Context, s statement) error {
	if len(s.args) == 0 {
		fmt.Fprintf(&w.body, "%s;\n", s.sql)
		return nil
	}
	d, err := w.conn.Prepare(ctx, "", s.sql)
	if err != nil {
		return err
	}
	variables := make([]string, len(s.args))
	stands := map[int]string{}
	for i, arg := range s.args {
		if variables[i], stands[i+1], err = w.value(d.ParamOIDs[i], arg); err != nil {
			return err
		}
	}
	sql := parameter.ReplaceAllStringFunc(s.sql, func(p string) string {
		n, _ := strconv.Atoi(p[1:]) // it is digits
		if stands[n] == "" {
			return p
		}
		return strings.ReplaceAll(stands[n], "$n", p)
	})
	fmt.Fprintf(&w.body, "%s /* %s */;\n", sql, strings.Join(variables, " "))
	return nil
}

// value returns the variable of an argument, and its replacement in the statement, if there is one.
func (w *scriptWriter) value(oid uint32, arg any) (variable, stands string, err error) {
	if w.stand != nil {
		stands = w.stand(arg)
	}
	types := w.conn.TypeMap()
	text, err := types.Encode(oid, pgtype.TextFormatCode, arg, []byte{})
	if err != nil {
		return "", "", err
	}
	if text == nil && stands == "" { // pgbench has no null
		t, known := types.TypeForOID(oid)
		if !known {
			return "", "", fmt.Errorf("null of type %d", oid)
		}
		stands = "bench.nothing($n)::" + t.Name
	}
	if stands != "" {
		w.counts = true
		return ":n", stands, nil
	}
	if len(text) == 0 {
		w.empty = true
		return ":empty", "", nil
	}
	name, ok := w.names[string(text)]
	if !ok {
		name = "v" + strconv.Itoa(len(w.defines)+1)
		w.names[string(text)] = name
		w.defines = append(w.defines, name+"="+string(text))
	}
	return ":" + name, "", nil
}

// stands makes a standIn out of known values; ids that are not known were made anew by the product, and get a number
// each.
type stands struct {
	known map[uuid.UUID]string // "" for one that stays
	hash  string               // of the cart's token
	fresh int
}

func (s *stands) of(v any) string {
	switch v := v.(type) {
	case uuid.UUID:
		return s.id(v)
	case *uuid.UUID:
		if v != nil {
			return s.id(*v)
		}
	case []uuid.UUID:
		return s.array(v)
	case []*uuid.UUID:
		list := make([]uuid.UUID, len(v))
		for i, id := range v {
			if id == nil {
				return ""
			}
			list[i] = *id
		}
		return s.array(list)
	case []byte:
		if string(v) == s.hash {
			return "bench.cart_hash($n)"
		}
		if len(v) == len(s.hash) {
			return "bench.fresh_hash($n)"
		}
	}
	return ""
}

// array is the SQL of a list whose ids each iteration needs anew; a list with a constant one is constant.
func (s *stands) array(ids []uuid.UUID) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		if list[i] = s.id(id); list[i] == "" {
			return ""
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "array[" + strings.Join(list, ", ") + "]"
}

func (s *stands) id(id uuid.UUID) string {
	stand, ok := s.known[id]
	if !ok {
		stand = fmt.Sprintf("bench.fresh_id($n, %d)", s.fresh)
		s.fresh++
		s.known[id] = stand
	}
	return stand
}
