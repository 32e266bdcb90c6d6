package wire

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// handler is what web.Op takes.
type handler[I, T any] = func(context.Context, tenancy.Scope, *I) (T, error)

// ByName is the handler of a verb about the one record that a request names, by id or by token; show makes the answer.
func ByName[I, K, R, T any](verb func(context.Context, tenancy.Scope, K) (R, error), name func(*I) K, show func(R) T) handler[I, T] {
	return func(ctx context.Context, sc tenancy.Scope, in *I) (T, error) {
		r, err := verb(ctx, sc, name(in))
		return show(r), err
	}
}

// AtLocation is the handler of a verb about the location that the path names.
func AtLocation[R, T any](verb func(context.Context, tenancy.Scope, uuid.UUID) (R, error), show func(R) T) handler[Nothing, T] {
	return func(ctx context.Context, sc tenancy.Scope, _ *Nothing) (T, error) {
		r, err := verb(ctx, sc, sc.Location)
		return show(r), err
	}
}

// Body is the input of an operation that takes a body and nothing else.
type Body[B any] struct{ Body B }

// ListIn is the input of a list without filters.
type ListIn struct{ web.Page }

// Lists is the handler of a list without filters: verb reads a page of it, show shows one row.
func Lists[R, K, T any](
	c web.Cursors, list string,
	verb func(context.Context, tenancy.Scope, paging.In[K]) (paging.Page[R, K], error), show func(R) T,
) handler[ListIn, web.List[T]] {
	return func(ctx context.Context, sc tenancy.Scope, in *ListIn) (web.List[T], error) {
		page, err := In[K](c, sc, list, in.Page)
		if err != nil {
			return web.List[T]{}, err
		}
		rows, err := verb(ctx, sc, page)
		return List(c, sc, list, rows, show), err
	}
}
