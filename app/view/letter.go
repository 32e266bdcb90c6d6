package view

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/a-h/templ"
)

// Letter is an e-mail: its subject, plain text and HTML.
type Letter struct{ Subject, Text, HTML string }

// From is the sender of a letter: the studio, or the product when Studio is empty. Its accent colours the head and
// the buttons.
type From struct {
	Words
	Studio string
	Accent string // "#rrggbb"; the default when empty
	Foot   string // one line below: the studio's address, or the reason for this mail
}

func (f From) named() string { return cmp.Or(f.Studio, "Foyer") }

// CodeLetter returns the mail with a sign-in code. The code is in the subject too, so that it can be read without
// opening the mail.
func CodeLetter(f From, code string, lives time.Duration) Letter {
	works := f.N(int(lives.Minutes()), "It works for {n} minute and signs you in to {studio}.", "It works for {n} minutes and signs you in to {studio}.", "studio", f.named())
	text := paper(f, f.T("Your code is {code}", "code", code), works, f.notAsked())
	return Letter{Subject: f.T("{code} is your code for {studio}", "code", code, "studio", f.named()), Text: text, HTML: markup(codeLetter(f, code, works))}
}

func (f From) notAsked() string {
	return f.T("If you did not request it, someone mistyped an address. Ignore this e-mail: no one can sign in without the code.")
}

// Booked is a new booking.
type Booked struct {
	Receipt
	Link   string // absolute address of the receipt
	Change string // absolute address of the page to reschedule or cancel; empty: no seat was booked
	Plans  string // absolute address of the customer's plans, if it sold one; empty otherwise
	Add    []CalendarEntry
}

// acts returns the buttons for a booking that stands.
func (b Booked) acts(w Words) []Link {
	change := w.T("Reschedule or cancel")
	if b.Requested {
		change = w.T("See your request")
	}
	if b.Plans == "" {
		return w.actsOf(Link{change, b.Change}, b.Map)
	}
	if plans := (Link{w.T("See your plans"), b.Plans}); b.Change == "" {
		return w.actsOf(plans, b.Map)
	}
	return append(w.actsOf(Link{change, b.Change}, b.Map), Link{w.T("See your plans"), b.Plans})
}

// actsOf returns the buttons of a letter: the main one, and directions to the location if its address is known.
func (w Words) actsOf(first Link, directions string) []Link {
	var out []Link
	for _, l := range []Link{first, {w.T("Directions"), directions}} {
		if l.Href != "" {
			out = append(out, l)
		}
	}
	return out
}

// linked renders links in a text, one a line.
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
	if l := b.Order.Lines; len(l) == 1 && !l[0].Start.IsZero() {
		subject = f.subject(title, l[0])
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

// about returns a line's name, its time and its details, a line each.
func (f From) about(l Line) []string {
	lines := []string{l.Name}
	if !l.Start.IsZero() {
		lines = append(lines, f.whens(l.Start, l.Minutes, l.Dates)...)
	}
	return NonEmpty(append(lines, l.Detail(f.Words), l.Plan)...)
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

// Refunded is a refund.
type Refunded struct {
	Amount  Price
	For     string // "Sunrise Vinyasa, Fri 20 Nov, 6:30"
	To      string // "Visa ending 4242"
	Why     string // in the studio's words; may be empty
	Receipt string // absolute address
}

// RefundLetter reports a refund: the amount, and the payment method that receives it.
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

// refunded returns a title and two sentences: the amount refunded, its booking, and the payment method.
func (f From) refunded(r Refunded) []string {
	return []string{
		f.T("Your refund of {amount} is on its way", "amount", f.Money(r.Amount)), f.T("For {what}.", "what", r.For),
		f.T("It goes to {card}. Banks take up to ten days to show it.", "card", r.To),
	}
}

// JoinedLetter informs a member that they are on a studio's team, under the given name. Their address is their login,
// so the letter carries no secret. signIn is the absolute address to sign in at; empty for a member without a role.
func JoinedLetter(f From, name, signIn string) Letter {
	n := Notice{
		Title: f.T("Welcome to {studio}", "studio", f.named()), Button: f.T("Sign in"), Link: signIn,
		Last:  f.T("If you do not know {studio}, ignore this e-mail.", "studio", f.named()),
		Words: []string{f.T("{studio} has added you to its team as {name}. This address is your login: you sign in with a code, without a password.", "studio", f.named(), "name", name)},
	}
	if signIn == "" {
		n.Words = []string{f.T("{studio} lists you as {name} on its team. You do not have to do anything.", "studio", f.named(), "name", name)}
	}
	return f.notice(f.T("You are on the {studio} team", "studio", f.named()), n.Words[0], n)
}

// Notice is a message about one booking, one waitlist entry, or to a member of the team about one date.
type Notice struct {
	Title  string // for example "Your booking has been rescheduled"
	Line          // its subject; without a name, it has no time
	Words  []string
	Button string // text of the button for Link
	Link   string // absolute address; empty without a button
	Agree  string // absolute address to sign outstanding agreements; empty without any
	Map    string // absolute address of a map; empty if the reader needs no directions
	Add    []CalendarEntry
	Last   string // small print; may be empty
}

// NoticeLetter returns the mail about one booking, one waitlist entry or one date.
func NoticeLetter(f From, n Notice) Letter {
	return f.notice(f.subject(n.Title, n.Line), f.whens(n.Start, n.Minutes, n.Dates)[0], n)
}

// OwnerLetter returns a mail to the owner of a studio about its money. None of its contents has a time.
func OwnerLetter(f From, n Notice) Letter {
	return f.notice(f.T("{title}: {studio}", "title", n.Title, "studio", f.named()), n.Words[0], n)
}

// subject is the title of a letter and the time of its line.
func (f From) subject(title string, l Line) string {
	return f.T("{title}: {what}, {when}", "title", title, "what", l.Name, "when", f.inShort(l.Start, l.Dates))
}

// SeeYou returns the first sentence of a reminder, by the day of the booking.
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

// acts returns the reader's options, outstanding ones first.
func (n Notice) acts(f From) []Link {
	acts := f.actsOf(Link{n.Button, n.Link}, n.Map)
	if n.Agree == "" {
		return acts
	}
	return append([]Link{{f.T("Read and agree"), n.Agree}}, acts...)
}

// paper lays out the text of a letter: paragraphs, then the sender.
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
