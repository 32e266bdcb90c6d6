package view

import (
	"encoding/base64"
	"time"

	"github.com/a-h/templ"

	"foyer/app/agreement"
	"foyer/app/civil"
)

// PolicyAlone is the Content-Security-Policy of a page that has everything in itself: it runs nothing, loads nothing, and its files may be
// kept.
const PolicyAlone = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-downloads allow-modals"

// Evidence is a page about one acceptance that needs nothing but itself: with the exact words, or the file, and how anybody can check them.
// It is in the language of the location and can be printed.
func Evidence(e agreement.Evidence) ([]byte, error) {
	kept, err := e.Record()
	if err != nil {
		return nil, err
	}
	p := proof{Words: WordsAt(e.Language, e.Country, civil.ZoneOrUTC(e.Zone), e.CreatedAt), Evidence: e, Record: evidenceFile("record.json", "application/json", kept)}
	p.Said = evidenceFile("words.txt", "text/plain;charset=utf-8", e.Content())
	if e.Copy.Kind == agreement.KindPDF {
		p.Said = evidenceFile("document.pdf", "application/pdf", e.Content())
	}
	return []byte(markup(evidencePage(p))), nil
}

// proof is Evidence with the files that the page holds.
type proof struct {
	Words
	agreement.Evidence
	Record, Said keptFile
}

// keptFile is a file inside a page.
type keptFile struct {
	Name string
	Href templ.SafeURL
	Sum  string // SHA-256
}

func evidenceFile(name, media string, data []byte) keptFile {
	return keptFile{name, templ.SafeURL("data:" + media + ";base64," + base64.StdEncoding.EncodeToString(data)), agreement.Sum(data)}
}

// who is the customer as they are called.
func (p proof) who() string { return Joined(" · ", p.Customer, p.Email) }

// whom is whom they agreed for, and by what right; empty: for themselves.
func (p proof) whom() string {
	if p.For() == "" {
		return ""
	}
	return p.T("{name}, as their parent or guardian or with their permission", "name", p.For())
}

// how says how the words were put before the customer.
func (p proof) how() string {
	switch {
	case p.Shown == nil:
		return p.T("On paper")
	case *p.Shown == agreement.ShownFull:
		return p.T("The words, which were read to their end")
	}
	return p.T("A box to tick, or the words with a button")
}

// source says where they agreed.
func (p proof) source() string {
	switch {
	case p.Source == agreement.SourceCheckout && p.CartID == nil:
		return p.T("By the customer themselves, for what they have booked")
	case p.Source == agreement.SourceCheckout:
		return p.T("By the customer themselves, when booking")
	case p.ActorName != "":
		return p.T("Written down by {name}, of the studio", "name", p.ActorName)
	}
	return p.T("Written down by the studio")
}

// seconds is a time to the second, with the offset from UTC: what is proven is not rounded.
func (p proof) seconds(t time.Time) string {
	return t.In(civil.ZoneOrUTC(p.Evidence.Zone)).Format("2006-01-02 15:04:05 -07:00") + " (" + p.Evidence.Zone + ")"
}

func (p proof) utc(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// CopyWords are the words of a copy as customers read them; nil for a PDF. Markdown is shown as the HTML that is kept with the copy, and as it
// was typed where there is none.
func CopyWords(k agreement.Copy) templ.Component {
	if k.Body == nil {
		return nil
	}
	if page, is := k.HTML(); is {
		return templ.Raw(page)
	}
	return PlainWords(*k.Body)
}
