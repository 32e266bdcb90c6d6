package desk

import (
	"net/url"
	"slices"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/web/op"
)

// Turn is the requested page of a list: the first one, after a row, or before one.
type Turn[K any] struct {
	Key    *K   // the row; nil: the first page
	Back   bool // the page ends before it
	list   string
	onward bool // the list is read in one direction only: the way back leads to its beginning
}

// Parameters of the addresses of lists.
const (
	paramAfter  = "after"
	paramBefore = "before"
)

// TurnOf reads the requested page of a list from the address. filters are those of the list: a cursor of other
// filters leads to the first page.
func TurnOf[K any](c *Call, name string, filters ...any) Turn[K] {
	t := Turn[K]{list: op.ListKey("console."+name, filters...)}
	for param, back := range map[string]bool{paramAfter: false, paramBefore: true} {
		key := new(K)
		if given, err := c.Desk.web.Cursors.Decode(t.list, c.Scope.Tenant, c.Query(param), key); err == nil && given {
			t.Key, t.Back = key, back
		}
	}
	return t
}

// TurnOnward is TurnOf for a list with a verb that reads in one direction only.
func TurnOnward[K any](c *Call, name string, filters ...any) Turn[K] {
	t := TurnOf[K](c, name, filters...)
	if t.Back {
		t.Key, t.Back = nil, false
	}
	t.onward = true
	return t
}

// In returns the verb's input for a page; a page before a row is read in reverse order.
func (t Turn[K]) In(size int) paging.In[K] { return paging.In[K]{After: t.Key, Limit: size} }

// Leaf is a page of a list, with the addresses of its neighbours; empty: there is none.
type Leaf[T any] struct {
	Items          []T
	Previous, Next string
}

// LeafOf puts the verb's result into the order of the list, with the addresses of the neighbouring pages.
func LeafOf[T, K any](c *Call, t Turn[K], page paging.Page[T, K], key func(T) K) Leaf[T] {
	out := Leaf[T]{Items: page.Items}
	if t.Back {
		out.Items = slices.Clone(page.Items)
		slices.Reverse(out.Items)
	}
	if len(out.Items) == 0 {
		return out
	}
	link := func(param string, k K) string {
		return c.With(paramAfter, "", paramBefore, "", param, c.Desk.web.Cursors.Encode(t.list, c.Scope.Tenant, k))
	}
	more := page.Next != nil
	if t.Back && more || !t.Back && t.Key != nil {
		out.Previous = link(paramBefore, key(out.Items[0]))
		if t.onward {
			out.Previous = c.With(paramAfter, "", paramBefore, "")
		}
	}
	if t.Back || more {
		out.Next = link(paramAfter, key(out.Items[len(out.Items)-1]))
	}
	return out
}

// With returns the address of this page with other parameters, in pairs; an empty value omits its parameter.
func (c *Call) With(params ...string) string {
	q := c.Inputs()
	for i := 0; i+1 < len(params); i += 2 {
		q.Del(params[i])
		if params[i+1] != "" {
			q.Set(params[i], params[i+1])
		}
	}
	return address(c.Path(), q)
}

func address(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// Apart names fields that are not part of a quote, such as notes, which do not change its effects. The quoting page
// and the form that redeems it name the same ones.
func (c *Call) Apart(fields ...string) { c.apart = fields }

// Cannot renders a refusal, for a screen that explains by itself why an action is unavailable. Any other error is
// returned.
func (c *Call) Cannot(err error) (string, error) {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Conflict && f.Kind != fault.Validation {
		return "", err
	}
	if len(f.Fields) == 0 {
		return c.UI.Refusal(f), nil
	}
	text := ""
	for _, wrong := range f.Fields {
		if text != "" {
			text += " "
		}
		text += c.UI.Message(wrong.Message)
	}
	return text, nil
}
