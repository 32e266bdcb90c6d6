package wire

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
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
type ListIn struct{ op.Page }

// Lists is the handler of a list without filters: verb reads a page of it, show shows one row.
func Lists[R, K, T any](
	c op.Cursors, name string,
	verb func(context.Context, tenancy.Scope, paging.In[K]) (paging.Page[R, K], error), show func(R) T,
) handler[ListIn, op.List[T]] {
	return Filtered(c, name, verb, show, func(_ tenancy.Scope, _ *ListIn, page paging.In[K]) paging.In[K] { return page })
}

// listInput is what embeds web.Page: everything else in it says which list is meant.
type listInput[I any] interface {
	*I
	Asked() *op.Page
}

// Filtered is the handler of a list with filters: ask makes of the input what verb takes. A cursor goes on in the same list
// only: of the same name, place or person, and filters.
func Filtered[I any, P listInput[I], Q, R, K, T any](
	c op.Cursors, name string, verb func(context.Context, tenancy.Scope, Q) (paging.Page[R, K], error),
	show func(R) T, ask func(tenancy.Scope, *I, paging.In[K]) Q,
) handler[I, op.List[T]] {
	return func(ctx context.Context, sc tenancy.Scope, in *I) (op.List[T], error) {
		filters := *in
		*P(&filters).Asked() = op.Page{}
		list := op.ListKey(name, sc.Location, filters)
		if sc.Tenant == uuid.Nil {
			list = op.ListKey(list, sc.Person())
		}
		page, err := In[K](c, sc, list, *P(in).Asked())
		if err != nil {
			return op.List[T]{}, err
		}
		rows, err := verb(ctx, sc, ask(sc, in, page))
		return List(c, sc, list, rows, show), err
	}
}

// Own makes a verb about a signed-in person's own things one that Filtered takes.
func Own[Q, R any](verb func(context.Context, tenancy.Principal, Q) (R, error)) func(context.Context, tenancy.Scope, Q) (R, error) {
	return func(ctx context.Context, sc tenancy.Scope, q Q) (R, error) { return verb(ctx, sc.Principal, q) }
}
