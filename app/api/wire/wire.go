package wire

import (
	"fmt"

	"foyer/app/civil"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// OrNil returns one(*v), or nil if v is nil.
func OrNil[R, T any](v *R, one func(R) T) *T {
	if v == nil {
		return nil
	}
	made := one(*v)
	return &made
}

// Show converts every row to its wire form.
func Show[R, T any](rows []R, one func(R) T) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = one(r)
	}
	return out
}

// ShowOrNull is OrNil for a shape; its schema allows null.
func ShowOrNull[R, T any](row *R, one func(R) T) op.Nullable[T] {
	return op.NullableOf(OrNil(row, one))
}

// After decodes a cursor into the key of the last row before the page. It returns nil on the first page. list names
// the list with its filters (web.ListKey).
func After[K any](c op.Cursors, sc tenancy.Scope, list, cursor string) (*K, error) {
	key := new(K)
	given, err := c.Decode(list, sc.Tenant, cursor, key)
	if err != nil || !given {
		return nil, err
	}
	return key, nil
}

// In decodes the requested page of a list from the query. list names the list with its filters (web.ListKey).
func In[K any](c op.Cursors, sc tenancy.Scope, list string, page op.Page) (paging.In[K], error) {
	after, err := After[K](c, sc, list, page.Cursor)
	return paging.In[K]{After: after, Limit: page.Limit}, err
}

// List returns a page in its wire form. A91, A95.
func List[R, K, T any](c op.Cursors, sc tenancy.Scope, list string, page paging.Page[R, K], one func(R) T) op.List[T] {
	cursor := func(key K) string { return c.Encode(list, sc.Tenant, key) }
	return op.List[T]{Items: Show(page.Items, one), NextCursor: OrNil(page.Next, cursor)}
}

// WallTime formats minutes after midnight as a time of day; 1440 is 24:00, the end of the day.
func WallTime(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

// WallMinutes parses the output of WallTime; the schema has checked the form.
func WallMinutes(text string) int {
	var hour, minute int
	if _, err := fmt.Sscanf(text, "%2d:%2d", &hour, &minute); err != nil {
		return -1 // no domain accepts it
	}
	return hour*60 + minute
}

// DateOrNull formats a date, or returns nil for nil.
func DateOrNull(d *civil.Date) *string { return OrNil(d, civil.Date.String) }

// DayAfter returns the day after a last day, or nil for nil.
func DayAfter(last *civil.Date) *civil.Date {
	return OrNil(last, func(d civil.Date) civil.Date { return d.AddDays(1) })
}

// DayBefore formats the last day before a day, or returns nil for nil.
func DayBefore(d *civil.Date) *string {
	return OrNil(d, func(d civil.Date) string { return d.AddDays(-1).String() })
}

// Nothing is an empty body.
type Nothing struct{}
