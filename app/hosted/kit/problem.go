package kit

import "foyer/app/view"

// Problem is a page that has nothing else to show: not found, gone, refused, failed.
type Problem struct {
	Title  string
	Text   string
	Links  []view.Link // where to go from here; the first is the button, unless there is a Form
	Form   view.Form   // what to do about it; not offered when empty
	Button string      // says what Form does
}
