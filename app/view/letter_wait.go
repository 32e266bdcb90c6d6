package view

import (
	"strings"
	"time"
)

// WaitNote is something to say about a place on a waitlist.
type WaitNote struct {
	Title   string // "A place is free for you"
	Name    string // of the class
	Start   time.Time
	Minutes int
	Detail  string // "With Ana Ruiz, Studio B"; may be empty
	Words   []string
	Button  string // what Link is for
	Link    string // absolute address of the page that accepts, declines and leaves
	Leave   bool   // the page is where to leave the list, too
}

// WaitLetter tells somebody about their place on a waitlist. Every one leads to the page where it can be left.
func WaitLetter(f From, n WaitNote) Letter {
	about := []string{n.Name, f.When(n.Start, n.Minutes)}
	if n.Detail != "" {
		about = append(about, n.Detail)
	}
	said := append([]string{n.Title, strings.Join(about, "\n")}, n.Words...)
	said = append(said, n.Button+": "+n.Link)
	if n.Leave {
		said = append(said, n.leave())
	}
	return Letter{
		Subject: n.Title + ": " + n.Name + ", " + f.ShortWhen(n.Start), Text: paper(f, said...), HTML: markup(waitLetter(f, n)),
	}
}

func (n WaitNote) leave() string { return "You can leave the waitlist at any time on the same page." }
