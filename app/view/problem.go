package view

// Problem is a page that has nothing else to show: not found, gone, refused, failed.
type Problem struct {
	Title string
	Text  string
	Links []Link // where to go from here; the first is the button
}

// NotFound is the problem of an address that leads nowhere.
func NotFound(links ...Link) Problem {
	return Problem{"Page not found", "The address may be wrong, or what was here is no longer offered.", links}
}

// Gone is the problem of a link that was used or is too old.
func Gone(links ...Link) Problem {
	return Problem{"This link no longer works", "It was used already, or it is too old. Ask for a new one.", links}
}

// Failed is the problem of a fault on our side. The same text for every fault: what went wrong is in the log.
func Failed(links ...Link) Problem {
	return Problem{"Something went wrong", "The fault is ours, and nothing was booked or charged by this step. Try again in a moment.", links}
}
