package view

import (
	"html"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"foyer/app/agreement"
)

// Agreements are the agreements that a cart requires before it is booked.
type Agreements struct {
	Title    string // "Before you book"
	Form     Form   // takes the boxes, and "read": the document that is to be read on its own page
	Required []Agreement
	Agreed   []Agreed
	Order    *Order
	Trouble  *Trouble
}

// ticks reports whether an agreement has a box to tick.
func (v Agreements) ticks() bool {
	return slices.ContainsFunc(v.Required, func(a Agreement) bool { return a.Show == agreement.ShowList })
}

// Agreement is a required agreement.
type Agreement struct {
	Name   string
	Copy   string // its id
	Box    string // the name of its box
	Show   agreement.Show
	Ticked bool            // before the page was shown again
	For    []AgreeFor      // one per person, when the reader brings others; otherwise empty
	Href   string          // the text of an agreement with a box
	Words  templ.Component // nil where the text is not shown, and for a PDF
	PDF    *PDF            // nil for a text
	// On its own page:
	Form    Form   // submits the agreement; its Action is empty where the text is only shown
	Back    string // address of the page with the other agreements
	Order   *Order
	Trouble *Trouble
}

// AgreeFor is a box with which a reader agrees for themselves, or for another person in the booking.
type AgreeFor struct {
	Who    string // empty: themselves
	Box    string // the name of the box
	Ticked bool
}

// label is the text of the box. A child cannot agree for themselves, and a friend can but is absent: one sentence
// covers both, as a studio does not know ages.
func (f AgreeFor) label(w Words, document string) string {
	if f.Who == "" {
		return w.T("I agree to {name}", "name", document)
	}
	return w.T("I agree to {name} for {who}, as their parent or guardian or with their permission", "name", document, "who", f.Who)
}

// others returns the boxes for people other than the reader.
func (a Agreement) others() []AgreeFor {
	return slices.DeleteFunc(slices.Clone(a.For), func(f AgreeFor) bool { return f.Who == "" })
}

// full reports whether the customer must read the text to its end.
func (a Agreement) full() bool { return a.Show == agreement.ShowFull && a.Form.Action != "" }

// PDF is the file of a document.
type PDF struct {
	Show  string // where a browser shows it
	Save  string // where it saves it
	Pages *int   // nil if unknown
}

// Agreed is an agreement that a customer has accepted.
type Agreed struct {
	Name string
	At   time.Time
	Href string // the text at that time
}

// PlainWords renders a plain text as paragraphs, and keeps its line breaks.
func PlainWords(text string) templ.Component {
	var b strings.Builder
	for _, paragraph := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if paragraph = strings.Trim(paragraph, "\n"); paragraph != "" {
			b.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(paragraph), "\n", "<br>") + "</p>")
		}
	}
	return templ.Raw(b.String())
}
