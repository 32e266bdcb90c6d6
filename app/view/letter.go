package view

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/a-h/templ"
)

// Letter is an e-mail: a subject, the words alone, and the same words as HTML.
type Letter struct{ Subject, Text, HTML string }

// From is who writes: the studio, or the product when Studio is empty. Its accent colours the head and the buttons.
type From struct {
	Words
	Studio string
	Accent string // "#rrggbb"; the house's when empty
	Foot   string // one line below: the studio's address, or why this letter came
}

func (f From) named() string { return cmp.Or(f.Studio, "Foyer") }

// CodeLetter carries a sign-in code. The code stands in the subject too, so that it can be read without opening.
func CodeLetter(f From, code string, lives time.Duration) Letter {
	works := f.N(int(lives.Minutes()), "It works for {n} minute and signs you in to {studio}.", "It works for {n} minutes and signs you in to {studio}.", "studio", f.named())
	text := paper(f, f.T("Your code is {code}", "code", code), works, f.notAsked())
	return Letter{Subject: f.T("{code} is your code for {studio}", "code", code, "studio", f.named()), Text: text, HTML: markup(codeLetter(f, code, works))}
}

func (f From) notAsked() string {
	return f.T("If you did not ask for it, somebody mistyped an address. Do nothing, and nobody can sign in.")
}

// Booked is a booking that was made.
type Booked struct {
	Receipt
	Link   string // absolute address of the receipt
	Change string // absolute address of where it can be moved and cancelled
	Add    []CalendarEntry
}

// acts are what people want of a booking that stands.
func (b Booked) acts(w Words) []Link {
	change := w.T("Move or cancel")
	if b.Asked {
		change = w.T("See your request")
	}
	return w.actsOf(Link{change, b.Change}, b.Map)
}

// actsOf are the buttons of a letter: what it is for, and the way to the place where that is known.
func (w Words) actsOf(first Link, directions string) []Link {
	var out []Link
	for _, l := range []Link{first, {w.T("Directions"), directions}} {
		if l.Href != "" {
			out = append(out, l)
		}
	}
	return out
}

// linked are links in a text, one a line.
func linked(list []Link) string {
	var lines []string
	for _, l := range list {
		lines = append(lines, l.Text+": "+l.Href)
	}
	return strings.Join(lines, "\n")
}

// BookedLetter confirms a booking.
func BookedLetter(f From, b Booked) Letter {
	title := b.Heading(f.Words)
	subject := title + ": " + f.named()
	if len(b.Order.Lines) == 1 {
		l := b.Order.Lines[0]
		subject = f.subject(title, l)
	}
	return Letter{Subject: subject, Text: bookedText(f, b), HTML: markup(bookedLetter(f, b))}
}

func bookedText(f From, b Booked) string {
	parts := append([]string{b.Heading(f.Words)}, b.Notes...)
	for _, l := range b.Order.Lines {
		parts = append(parts, strings.Join(append(f.about(l), l.Terms...), "\n"))
	}
	parts = append(parts, b.Address, linked(b.acts(f.Words)), linked(f.addLinks(b.Add)), billText(f, b))
	if b.Link != "" {
		parts = append(parts, linked([]Link{{f.T("Receipt"), b.Link}}))
	}
	return paper(f, parts...)
}

// about are a line's name, when it is, and the rest, a line each.
func (f From) about(l Line) []string {
	lines := append([]string{l.Name}, f.whens(l.Start, l.Minutes, l.Dates)...)
	return NonEmpty(append(lines, l.Detail(f.Words))...)
}

func billText(f From, b Booked) string {
	var lines []string
	for _, l := range b.Order.Bill.Lines {
		lines = append(lines, l.Label+": "+f.Money(l.Amount))
	}
	lines = append(lines, f.T("Total")+": "+f.Money(b.Order.Bill.Total))
	for _, l := range b.Order.Bill.Tenders {
		lines = append(lines, l.Label+": "+f.Money(l.Amount))
	}
	if b.Due != "" {
		lines = append(lines, b.Due)
	}
	if b.PaidWith != "" {
		lines = append(lines, f.T("Paid with {card}", "card", b.PaidWith))
	}
	if b.Number != "" {
		lines = append(lines, f.T("Receipt number {number}", "number", b.Number))
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
	said := append(f.refunded(r), r.Why)
	if r.Receipt != "" {
		said = append(said, linked([]Link{{f.T("Receipt"), r.Receipt}}))
	}
	return Letter{
		Subject: f.T("Refund of {amount} from {studio}", "amount", amount, "studio", f.named()), Text: paper(f, said...), HTML: markup(refundLetter(f, r)),
	}
}

// refunded are how much comes back, for what, and where to: a title and two sentences.
func (f From) refunded(r Refunded) []string {
	return []string{
		f.T("{amount} is on its way back to you", "amount", f.Money(r.Amount)), f.T("For {what}.", "what", r.For),
		f.T("It goes to {card}. Banks take up to ten days to show it.", "card", r.To),
	}
}

// JoinedLetter tells somebody that they are on a studio's team, which calls them name. Their address is their login, so it
// carries no secret. signIn is the absolute address to sign in at; empty for somebody without a role.
func JoinedLetter(f From, name, signIn string) Letter {
	n := Notice{
		Title: f.T("Welcome to {studio}", "studio", f.named()), Button: f.T("Sign in"), Link: signIn,
		Last:  f.T("If you do not know {studio}, ignore this letter.", "studio", f.named()),
		Words: []string{f.T("{studio} has added you to its team as {name}. This address is your login: ask for a code there, and no password is needed.", "studio", f.named(), "name", name)},
	}
	if signIn == "" {
		n.Words = []string{f.T("{studio} lists you as {name} on its team. You do not have to do anything.", "studio", f.named(), "name", name)}
	}
	return f.notice(f.T("You are on the team of {studio}", "studio", f.named()), n.Words[0], n)
}

// Notice is something to say about one booking, one place on a waitlist, or to a member of the team about one date.
type Notice struct {
	Title  string // "Your booking has moved"
	Line          // what it is about; without a name, nothing that has a time
	Words  []string
	Button string // what Link is for
	Link   string // absolute address; empty without one
	Agree  string // absolute address where the reader agrees to what is asked for it; empty: nothing is missing
	Map    string // absolute address of a map; empty: nobody has to find the way
	Add    []CalendarEntry
	Last   string // in small; may be empty
}

// NoticeLetter tells somebody about one booking, one place or one date.
func NoticeLetter(f From, n Notice) Letter {
	return f.notice(f.subject(n.Title, n.Line), f.whens(n.Start, n.Minutes, n.Dates)[0], n)
}

// OwnerLetter tells the owner of a studio about its money: nothing in it has a time of its own.
func OwnerLetter(f From, n Notice) Letter {
	return f.notice(f.T("{title}: {studio}", "title", n.Title, "studio", f.named()), n.Words[0], n)
}

// subject is what a letter is about, and when that is.
func (f From) subject(title string, l Line) string {
	return f.T("{title}: {what}, {when}", "title", title, "what", l.Name, "when", f.inShort(l.Start, l.Dates))
}

// SeeYou is how a reminder begins: by the day on which a booking is.
func (w Words) SeeYou(start time.Time) string {
	switch w.daysAhead(start) {
	case 0:
		return w.T("See you today")
	case 1:
		return w.T("See you tomorrow")
	}
	return w.T("See you soon")
}

func (f From) notice(subject, preview string, n Notice) Letter {
	said := []string{n.Title}
	if n.Name != "" {
		said = append(said, strings.Join(f.about(n.Line), "\n"))
	}
	said = append(said, n.Words...)
	said = append(said, strings.Join(n.Terms, "\n"))
	said = append(said, linked(n.acts(f)), linked(f.addLinks(n.Add)))
	return Letter{Subject: subject, Text: paper(f, append(said, n.Last)...), HTML: markup(noticeLetter(f, preview, n))}
}

// acts are what the reader can do, first what is missing.
func (n Notice) acts(f From) []Link {
	acts := f.actsOf(Link{n.Button, n.Link}, n.Map)
	if n.Agree == "" {
		return acts
	}
	return append([]Link{{f.T("Read and agree"), n.Agree}}, acts...)
}

// paper sets the words of a letter: paragraphs, then who wrote.
func paper(f From, parts ...string) string {
	return Joined("\n\n", append(parts, strings.TrimSpace("-- \n"+f.named()+"\n"+f.Foot))...) + "\n"
}

// markup renders a letter. A component that writes to memory and reads nothing cannot fail.
func markup(c templ.Component) string {
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		panic(err)
	}
	return b.String()
}
