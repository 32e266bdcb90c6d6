package view

// Places is the front page of a studio with several locations.
type Places struct{ List []Place }

// Place is one location to choose.
type Place struct {
	Name    string
	Address string // one line, may be empty
	Href    string // its schedule
}
