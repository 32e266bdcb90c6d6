package view

import (
	"html"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"foyer/app/agreement"
)

// Agreements are what a cart asks its customer to agree to before it is booked.
type Agreements struct {
	Title   string // "Before you book"
	Form    Form   // takes the boxes, and "read": the document that is to be read on its own page
	Asks    []Agreement
	Agreed  []Agreed
	Order   *Order
	Trouble *Trouble
}

// ticks tells whether something is asked with a box to tick.
func (v Agreements) ticks() bool {
	return slices.ContainsFunc(v.Asks, func(a Agreement) bool { return a.Show == agreement.ShowList })
}

// Agreement is a document that is asked.
type Agreement struct {
	Name   string
	Copy   string // its id
	Box    string // the name of its box
	Show   agreement.Show
	Ticked bool            // it was before the page came back
	For    []AgreeFor      // each for whom it is asked, when somebody comes with the reader; else empty
	Href   string          // its words, of one that is asked with a box
	Words  templ.Component // nil where they are not shown, and of a PDF
	PDF    *PDF            // nil of a text
	// On its own page:
	Form    Form   // takes that it is agreed to; its Action is empty where the words are only shown
	Back    string // address of what else is asked
	Order   *Order
	Trouble *Trouble
}

// AgreeFor is a box with which a reader agrees for themselves, or for somebody who comes with them.
type AgreeFor struct {
	Who    string // empty: themselves
	Box    string // the name of the box
	Ticked bool
}

// label is what the box says. A child does not agree for themselves, and a friend does but is not here: both are said in one sentence, as a
// studio does not know how old somebody is.
func (f AgreeFor) label(w Words, document string) string {
	if f.Who == "" {
		return w.T("I agree to {name}", "name", document)
	}
	return w.T("I agree to {name} for {who}, as their parent or guardian or with their permission", "name", document, "who", f.Who)
}

// others are those who come with the reader.
func (a Agreement) others() []AgreeFor {
	return slices.DeleteFunc(slices.Clone(a.For), func(f AgreeFor) bool { return f.Who == "" })
}

// full tells whether it is to be read to its end.
func (a Agreement) full() bool { return a.Show == agreement.ShowFull && a.Form.Action != "" }

// PDF is the file of a document.
type PDF struct {
	Show  string // where a browser shows it
	Save  string // where it saves it
	Pages *int   // nil when nobody could tell
}

// Agreed is what a customer has agreed to.
type Agreed struct {
	Name string
	At   time.Time
	Href string // the words that it said then
}

// PlainWords are the words of a plain text: paragraphs, and lines where it has them.
func PlainWords(text string) templ.Component {
	var b strings.Builder
	for _, paragraph := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if paragraph = strings.Trim(paragraph, "\n"); paragraph != "" {
			b.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(paragraph), "\n", "<br>") + "</p>")
		}
	}
	return templ.Raw(b.String())
}
