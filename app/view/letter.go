package view

import (
	"context"
	"strings"
	"time"

	"github.com/a-h/templ"
)

// Letter is an e-mail: a subject, the words alone, and the same words as HTML.
type Letter struct{ Subject, Text, HTML string }

// From is who writes: the studio, or the product when Studio is empty. Its accent colours the button.
type From struct {
	Words
	Studio string
	Accent string // "#rrggbb"; the house's when empty
	Foot   string // one line below: the studio's address, or why this letter came
}

func (f From) named() string {
	if f.Studio == "" {
		return "Foyer"
	}
	return f.Studio
}

// CodeLetter carries a sign-in code. The code stands in the subject too, so that it can be read without opening.
func CodeLetter(f From, code string, lives time.Duration) Letter {
	minutes := Counted(int(lives.Minutes()), "minute", "minutes")
	text := paper(f,
		"Your code is "+code,
		"It works for "+minutes+" and signs you in to "+f.named()+".",
		"If you did not ask for it, somebody mistyped an address. Do nothing, and nobody can sign in.")
	return Letter{Subject: code + " is your code for " + f.named(), Text: text, HTML: markup(codeLetter(f, code, minutes))}
}

// Booked is a booking that was made.
type Booked struct {
	Order    Order
	Number   string
	PaidWith string
	Address  string
	Title    string // "You're booked" when empty
	Notes    []string
	Receipt  string // absolute address
	Mine     string // absolute address of My bookings
}

// BookedLetter confirms a booking.
func BookedLetter(f From, b Booked) Letter {
	subject := b.title() + ": " + f.named()
	if len(b.Order.Lines) == 1 {
		l := b.Order.Lines[0]
		subject = b.title() + ": " + l.Name + ", " + f.inShort(l.Start, l.Dates)
	}
	return Letter{Subject: subject, Text: bookedText(f, b), HTML: markup(bookedLetter(f, b))}
}

func (b Booked) title() string {
	if b.Title != "" {
		return b.Title
	}
	return "You’re booked"
}

func bookedText(f From, b Booked) string {
	parts := append([]string{b.title()}, b.Notes...)
	for _, l := range b.Order.Lines {
		lines := append([]string{l.Name}, f.whens(l.Start, l.Minutes, l.Dates)...)
		if l.Detail() != "" {
			lines = append(lines, l.Detail())
		}
		lines = append(lines, l.Terms...)
		parts = append(parts, strings.Join(lines, "\n"))
	}
	parts = append(parts, b.Address, billText(f, b))
	for _, l := range []Link{{"Receipt", b.Receipt}, {"My bookings", b.Mine}} {
		if l.Href != "" {
			parts = append(parts, l.Text+": "+l.Href)
		}
	}
	return paper(f, parts...)
}

func billText(f From, b Booked) string {
	var lines []string
	for _, l := range b.Order.Bill.Lines {
		lines = append(lines, l.Label+": "+f.Money(l.Amount))
	}
	lines = append(lines, "Total: "+f.Money(b.Order.Bill.Total))
	if b.PaidWith != "" {
		lines = append(lines, "Paid with "+b.PaidWith)
	}
	if b.Number != "" {
		lines = append(lines, "Receipt number "+b.Number)
	}
	return strings.Join(lines, "\n")
}

// Refunded is money on its way back.
type Refunded struct {
	Amount  Price
	For     string // "Sunrise Vinyasa, Fri 20 Nov, 6:30"
	To      string // "Visa ending 4242"
	Why     string // in the studio's words; may be empty
	Receipt string // absolute address
}

// RefundLetter says that money is coming back, how much, and where to.
func RefundLetter(f From, r Refunded) Letter {
	amount := f.Money(r.Amount)
	said := []string{amount + " is on its way back to you", "For " + r.For + ".",
		"It goes to " + r.To + ". Banks take up to ten days to show it.", r.Why}
	if r.Receipt != "" {
		said = append(said, "Receipt: "+r.Receipt)
	}
	return Letter{Subject: "Refund of " + amount + " from " + f.named(), Text: paper(f, said...), HTML: markup(refundLetter(f, r))}
}

// Joined tells somebody that they are on a studio's team.
type Joined struct {
	Name   string // what the studio calls them
	Access bool   // they have a role: there is something to sign in to
	Link   string // absolute address of the sign-in
}

// JoinedLetter tells somebody that they are on the team. Their address is their login, so it carries no secret.
func JoinedLetter(f From, j Joined) Letter {
	said := []string{j.title(f), j.words(f)}
	if j.Access {
		said = append(said, "Sign in: "+j.Link)
	}
	return Letter{
		Subject: "You are on the team of " + f.named(),
		Text:    paper(f, append(said, j.stranger(f))...),
		HTML:    markup(joinedLetter(f, j)),
	}
}

func (j Joined) title(f From) string { return "Welcome to " + f.named() }

func (j Joined) words(f From) string {
	if !j.Access {
		return f.named() + " lists you as " + j.Name + " on its team. You do not have to do anything."
	}
	return f.named() + " has added you to its team as " + j.Name + ". This address is your login: ask for a code there, and no password is needed."
}

func (j Joined) stranger(f From) string {
	return "If you do not know " + f.named() + ", ignore this letter."
}

// Notice is something to say about one booking, one place on a waitlist, or to a member of the team about one date.
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
	Leave   bool   // it is about a place on a waitlist, and the page is where to leave it, too
}

const leaveWords = "You can leave the waitlist at any time on the same page."

// NoticeLetter tells somebody about one booking, one place or one date.
func NoticeLetter(f From, n Notice) Letter {
	about := append([]string{n.Name}, f.whens(n.Start, n.Minutes, n.Dates)...)
	if n.Detail != "" {
		about = append(about, n.Detail)
	}
	said := append([]string{n.Title, strings.Join(about, "\n")}, n.Words...)
	if n.Link != "" {
		said = append(said, n.Button+": "+n.Link)
	}
	if n.Leave {
		said = append(said, leaveWords)
	}
	return Letter{
		Subject: n.Title + ": " + n.Name + ", " + f.inShort(n.Start, n.Dates), Text: paper(f, said...), HTML: markup(noticeLetter(f, n)),
	}
}

// paper sets the words of a letter: paragraphs, then who wrote.
func paper(f From, parts ...string) string {
	var kept []string
	for _, p := range append(parts, strings.TrimSpace("-- \n"+f.named()+"\n"+f.Foot)) {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n\n") + "\n"
}

// markup renders a letter. A component that writes to memory and reads nothing cannot fail.
func markup(c templ.Component) string {
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		panic(err)
	}
	return b.String()
}
