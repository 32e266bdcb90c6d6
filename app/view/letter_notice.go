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
	Detail  string // "With Ana Ruiz, Studio B"; may be empty
	Words   []string
	Button  string // what Link is for; empty without one
	Link    string // absolute address
}

// NoticeLetter tells somebody about one booking or one date.
func NoticeLetter(f From, n Notice) Letter {
	about := []string{n.Name, f.When(n.Start, n.Minutes)}
	if n.Detail != "" {
		about = append(about, n.Detail)
	}
	said := append([]string{n.Title, strings.Join(about, "\n")}, n.Words...)
	if n.Link != "" {
		said = append(said, n.Button+": "+n.Link)
	}
	return Letter{
		Subject: n.Title + ": " + n.Name + ", " + f.ShortWhen(n.Start), Text: paper(f, said...), HTML: markup(noticeLetter(f, n)),
	}
}
