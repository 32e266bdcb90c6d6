package view

// Problem is a page that has nothing else to show: not found, gone, refused, failed.
type Problem struct {
	Title  string
	Text   string
	Links  []Link // where to go from here; the first is the button, unless there is a Form
	Form   Form   // what to do about it; not offered when empty
	Button string // says what Form does
}

// NotFound is the problem of an address that leads nowhere.
func NotFound(links ...Link) Problem {
	return Problem{Title: "Page not found", Text: "The address may be wrong, or what was here is no longer offered.", Links: links}
}

// Gone is the problem of a link that was used or is too old.
func Gone(links ...Link) Problem {
	return Problem{Title: "This link no longer works", Text: "It was used already, or it is too old. Ask for a new one.", Links: links}
}

// Failed is the problem of a fault on our side. The same text for every fault: what went wrong is in the log.
func Failed(links ...Link) Problem {
	return Problem{Title: "Something went wrong", Links: links,
		Text: "The fault is ours, and nothing was booked or charged by this step. Try again in a moment."}
}
