package web

// Page is embedded in the input of a list that pages by cursor. The sizes are those of package paging. A89.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Rows on a page."`
	Cursor string `query:"cursor" maxLength:"2048" doc:"nextCursor of the page before; leave it out for the first page."`
}

// List is the data of a list that pages by cursor. A91.
type List[T any] struct {
	Items      []T     `json:"items"`
	NextCursor *string `json:"nextCursor" doc:"Pass it as cursor for the next page; null at the end."`
}
