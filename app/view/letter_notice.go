package view

import (
	"strings"
	"time"
)

// Notice is something to say about one booking, or to a member of the team about one date.
type Notice struct {
	Title   string // "Your booking has moved"
	Name    string // of what is booked
	Start   time.Time
	Minutes int
	Detail  string       // "With Ana Ruiz, Studio B"; may be empty
	Dates   []CourseDate // of a course that it is about as a whole
	Words   []string
	Button  string // what Link is for; empty without one
	Link    string // absolute address
}

// NoticeLetter tells somebody about one booking or one date.
func NoticeLetter(f From, n Notice) Letter {
	about := append([]string{n.Name}, f.whens(n.Start, n.Minutes, n.Dates)...)
	if n.Detail != "" {
		about = append(about, n.Detail)
	}
	said := append([]string{n.Title, strings.Join(about, "\n")}, n.Words...)
	if n.Link != "" {
		said = append(said, n.Button+": "+n.Link)
	}
	return Letter{
		Subject: n.Title + ": " + n.Name + ", " + f.inShort(n.Start, n.Dates), Text: paper(f, said...), HTML: markup(noticeLetter(f, n)),
	}
}
