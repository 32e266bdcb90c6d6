package view

// Place is one location of several to choose from.
type Place struct {
	Name    string
	Address string // one line, may be empty
	Href    string // its schedule
	Photo   *Photo // nil: it has none
}
