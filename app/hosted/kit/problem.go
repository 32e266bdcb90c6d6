package kit

import "foyer/app/view"

// Problem is a page with only a message: not found, gone, refused, failed.
type Problem struct {
	Title  string
	Text   string
	Links  []view.Link // further pages; the first is the button, unless there is a Form
	Form   view.Form   // the remedy; not offered when empty
	Button string      // text of Form's button
}
