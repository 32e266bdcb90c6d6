package view

import (
	"encoding/base64"
	"time"

	"github.com/a-h/templ"

	"foyer/app/agreement"
	"foyer/app/civil"
)

// PolicyAlone is the Content-Security-Policy of a self-contained page: it runs nothing and loads nothing, and its
// files can be saved.
const PolicyAlone = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-downloads allow-modals"

// Evidence returns a self-contained page about one acceptance: the exact text or the file, and how to verify them. It
// is in the language of the location and can be printed.
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

// proof is Evidence with the files in the page.
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

// who is the customer's name and e-mail address.
func (p proof) who() string { return Joined(" · ", p.Customer, p.Email) }

// whom is the person the customer agreed for, and the authority for it; empty for the customer.
func (p proof) whom() string {
	if p.For() == "" {
		return ""
	}
	return p.T("{name}, as their parent or guardian or with their permission", "name", p.For())
}

// how returns how the text was presented to the customer.
func (p proof) how() string {
	switch {
	case p.Shown == nil:
		return p.T("On paper")
	case *p.Shown == agreement.ShownFull:
		return p.T("Full text, read to the end")
	}
	return p.T("Checkbox, or text with a button")
}

// source returns where the customer agreed.
func (p proof) source() string {
	switch {
	case p.Source == agreement.SourceCheckout && p.CartID == nil:
		return p.T("By the customer, for an existing booking")
	case p.Source == agreement.SourceCheckout:
		return p.T("By the customer, when booking")
	case p.ActorName != "":
		return p.T("Recorded by {name} of the studio", "name", p.ActorName)
	}
	return p.T("Recorded by the studio")
}

// seconds returns a time to the second, with the offset from UTC: evidence is not rounded.
func (p proof) seconds(t time.Time) string {
	return t.In(civil.ZoneOrUTC(p.Evidence.Zone)).Format("2006-01-02 15:04:05 -07:00") + " (" + p.Evidence.Zone + ")"
}

func (p proof) utc(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// CopyWords renders the text of a copy as customers read it; nil for a PDF. Markdown is rendered from the HTML stored
// with the copy, or as typed if there is none.
func CopyWords(k agreement.Copy) templ.Component {
	if k.Body == nil {
		return nil
	}
	if page, is := k.HTML(); is {
		return templ.Raw(page)
	}
	return PlainWords(*k.Body)
}
