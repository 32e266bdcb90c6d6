package wire

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// handler is the parameter of web.Op.
type handler[I, T any] = func(context.Context, tenancy.Scope, *I) (T, error)

// ByName returns the handler of a verb about the one record of a request, by id or by token. show converts the
// result.
func ByName[I, K, R, T any](verb func(context.Context, tenancy.Scope, K) (R, error), name func(*I) K, show func(R) T) handler[I, T] {
	return func(ctx context.Context, sc tenancy.Scope, in *I) (T, error) {
		r, err := verb(ctx, sc, name(in))
		return show(r), err
	}
}

// AtLocation returns the handler of a verb about the location in the path.
func AtLocation[R, T any](verb func(context.Context, tenancy.Scope, uuid.UUID) (R, error), show func(R) T) handler[Nothing, T] {
	return func(ctx context.Context, sc tenancy.Scope, _ *Nothing) (T, error) {
		r, err := verb(ctx, sc, sc.Location)
		return show(r), err
	}
}

// Body is the input of an operation with a body and nothing else.
type Body[B any] struct{ Body B }

// ListIn is the input of a list without filters.
type ListIn struct{ op.Page }

// Lists returns the handler of a list without filters. verb reads a page, show converts one row.
func Lists[R, K, T any](
	c op.Cursors, name string,
	verb func(context.Context, tenancy.Scope, paging.In[K]) (paging.Page[R, K], error), show func(R) T,
) handler[ListIn, op.List[T]] {
	return Filtered(c, name, verb, show, func(_ tenancy.Scope, _ *ListIn, page paging.In[K]) paging.In[K] { return page })
}

// listInput is an input with an embedded web.Page. Its other fields identify the list.
type listInput[I any] interface {
	*I
	Requested() *op.Page
}

// Filtered returns the handler of a list with filters. ask converts the input to the verb's input. A cursor continues
// the same list only: the same name, location or person, and filters.
func Filtered[I any, P listInput[I], Q, R, K, T any](
	c op.Cursors, name string, verb func(context.Context, tenancy.Scope, Q) (paging.Page[R, K], error),
	show func(R) T, ask func(tenancy.Scope, *I, paging.In[K]) Q,
) handler[I, op.List[T]] {
	return func(ctx context.Context, sc tenancy.Scope, in *I) (op.List[T], error) {
		filters := *in
		*P(&filters).Requested() = op.Page{}
		list := op.ListKey(name, sc.Location, filters)
		if sc.Tenant == uuid.Nil {
			list = op.ListKey(list, sc.Person())
		}
		page, err := In[K](c, sc, list, *P(in).Requested())
		if err != nil {
			return op.List[T]{}, err
		}
		rows, err := verb(ctx, sc, ask(sc, in, page))
		return List(c, sc, list, rows, show), err
	}
}

// Own adapts a verb about the signed-in person's own records to Filtered.
func Own[Q, R any](verb func(context.Context, tenancy.Principal, Q) (R, error)) func(context.Context, tenancy.Scope, Q) (R, error) {
	return func(ctx context.Context, sc tenancy.Scope, q Q) (R, error) { return verb(ctx, sc.Principal, q) }
}
