package pg

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
)

// Named are the arguments of a statement by their names, @name in its text. Statements with more than eight arguments
// use it: counting to $17 invites mistakes.
type Named map[string]any

// numbered is such a statement in Postgres's form.
type numbered struct {
	sql   string
	names []any // for $1, $2 and so on
}

// numberings caches them. Parsing a long statement for its names takes longer than sending it.
var numberings sync.Map // text → numbered

// RewriteQuery implements pgx.QueryRewriter. A name that is missing in the text or among the arguments is an error.
func (n Named) RewriteQuery(ctx context.Context, conn *pgx.Conn, sql string, _ []any) (string, []any, error) {
	known, found := numberings.Load(sql)
	if !found {
		own := pgx.StrictNamedArgs{}
		for name := range n {
			own[name] = name
		}
		text, names, err := own.RewriteQuery(ctx, conn, sql, nil)
		if err != nil {
			return "", nil, err
		}
		known, _ = numberings.LoadOrStore(sql, numbered{text, names})
	}
	as := known.(numbered)
	args := make([]any, len(as.names))
	for i, name := range as.names {
		given, ok := n[name.(string)]
		if !ok {
			return "", nil, fmt.Errorf("pg: no argument %s", name)
		}
		args[i] = given
	}
	if len(n) != len(args) {
		return "", nil, fmt.Errorf("pg: %d arguments for %d names", len(n), len(args))
	}
	return as.sql, args, nil
}
