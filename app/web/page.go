package web

// The size of a page. A89.
const (
	DefaultLimit = 50
	MaxLimit     = 200
)

// Page is embedded in the input of a list that pages by cursor.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Rows on a page."`
	Cursor string `query:"cursor" maxLength:"2048" doc:"nextCursor of the page before; leave it out for the first page."`
}

// OffsetPage is embedded in the input of a list that pages by offset.
type OffsetPage struct {
	Limit  int `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Rows on a page."`
	Offset int `query:"offset" minimum:"0" maximum:"1000000000" default:"0" doc:"Rows to skip."`
}

// List is the data of a list that pages by cursor. A91.
type List[T any] struct {
	Items      []T     `json:"items"`
	NextCursor *string `json:"nextCursor" doc:"Pass it as cursor for the next page; null at the end."`
}

// Cut makes a page of rows that were read with one more than the limit: a full page has a next one exactly when that row
// was there. A95. cursor makes the cursor that continues after a row.
func Cut[R any](rows []R, limit int, cursor func(last R) string) (page []R, next *string) {
	if len(rows) <= limit {
		return rows, nil
	}
	rows = rows[:limit]
	after := cursor(rows[limit-1])
	return rows, &after
}

// ListOf is Cut for rows that are shown one by one.
func ListOf[R, T any](rows []R, limit int, cursor func(last R) string, show func(R) T) List[T] {
	rows, next := Cut(rows, limit, cursor)
	items := make([]T, len(rows))
	for i, r := range rows {
		items[i] = show(r)
	}
	return List[T]{Items: items, NextCursor: next}
}
