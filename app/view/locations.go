package view

// Location is one location of several to choose from.
type Location struct {
	Name    string
	Address string // one line, may be empty
	Href    string // its schedule
	Photo   *Photo // nil: it has none
}
