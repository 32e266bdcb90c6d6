package view

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"foyer/app/fault"
)

// Shell is what surrounds a page. The surface fills it once a request.
type Shell struct {
	Words
	Studio       Studio // the zero value on Foyer's own pages
	Branding     Branding
	BrandingHref string // address of the look's stylesheet (Look.Href); empty for the house's look
	Mine         string // address of My bookings; empty hides the link
	Back         *Back  // the way back to the studio's website, in place of the mark; nil without, and never shown in the frame
	Ref          string // where the customer came from; carried through links and forms as given, so validate it before
	Embed        bool   // inside the booking frame: no header, no footer, natural height
	Ticket       Ticket // what the frame carries in its links and forms instead of cookies; nil outside the frame
	CSRF         string
	Bar          *CartBar   // what is in the customer's cart; nil without
	Location     *Location  // which of several locations this is; nil where there is one only
	Locations    []Location // the others
	Said         string     // what has just been done, on top of the page; empty without
	Languages    []Language // the ways to read the page in another language; none hides the choice
	Self         string     // absolute address of this page, printed under it; empty leaves it out
}

// Ticket is what a page in the frame carries on: Text in links and forms, empty while there is nothing to carry, and the
// Version that a newer one has a higher of. Both are asked for while the page is written, after everything was decided.
type Ticket interface {
	Text() string
	Version() int64
}

// Studio is the business and location whose page it is.
type Studio struct {
	Name    string
	Home    string // address of its schedule
	Address string // one line
}

// Back is the way to the studio's website. Host is what the link says, without "www.".
type Back struct{ Host, Href string }

// Link is an address and its words.
type Link struct{ Text, Href string }

// Language is a language that the page can be read in, in its own words.
type Language struct {
	Tag, Name, Href string
	Now             bool // it is in this one
}

// Param is a name and a value in a form or an address.
type Param struct{ Name, Value string }

// Form is where a POST goes. An empty Action means that the form is not offered.
type Form struct {
	Action string
	Key    string  // idempotency key, new for each rendered form
	Hidden []Param // further hidden fields
	Away   bool    // it goes to somebody else, and takes nothing along but Hidden
}

// Names of the hidden fields of every form, and of the address parameters that stay with the customer.
const (
	FieldCSRF   = "_token"
	FieldKey    = "_key"
	FieldTicket = "_ticket"
	FieldRef    = "ref"
	FieldEmbed  = "embed"
	FieldDesk   = "desk" // of the profile: the business whose console somebody came from
)

// Hold is a group of seats kept until an instant.
type Hold struct {
	Until  time.Time
	Extend Form // "Keep for 10 more minutes"; not offered when empty
}

// Trouble is why a form came back. Fields name inputs of the form by their name attribute.
type Trouble struct {
	Title  string // "There is a problem" when empty
	Text   string
	Fields []fault.Field
}

// About is what is wrong with the input of that name, or empty.
func (t *Trouble) About(name string) string {
	if t == nil {
		return ""
	}
	for _, f := range t.Fields {
		if f.Field == name {
			return f.Message
		}
	}
	return ""
}

// Link keeps the customer's ref and the booking frame on a local address. Addresses of other hosts and of places within
// the page stay as they are.
func (s Shell) Link(to string) string {
	if (s.Ref == "" && !s.Embed) || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") {
		return to
	}
	u, err := url.Parse(to)
	if err != nil {
		return to
	}
	q := u.Query()
	for _, p := range s.carried() {
		q.Set(p.Name, p.Value)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func (s Shell) carried() []Param {
	var ps []Param
	if s.Ref != "" {
		ps = append(ps, Param{FieldRef, s.Ref})
	}
	if s.Embed {
		ps = append(ps, Param{FieldEmbed, "1"})
		if t := s.ticket(); t != "" {
			ps = append(ps, Param{FieldTicket, t})
		}
	}
	return ps
}

func (s Shell) ticket() string {
	if s.Ticket == nil {
		return ""
	}
	return s.Ticket.Text()
}

// frame are the marks of a page in the frame, for its scripts.
func (s Shell) frame() templ.Attributes {
	a := templ.Attributes{"class": "embed", "data-frame": true}
	if t := s.ticket(); t != "" {
		a["data-ticket"], a["data-version"] = t, strconv.FormatInt(s.Ticket.Version(), 10)
	}
	return a
}

// file is the address of a file to be saved: opening it leads nowhere, so it takes along only what the frame needs.
func (s Shell) file(to string) string {
	if !s.Embed {
		return to
	}
	return s.Link(to)
}

// Outside are the marks of a link that leads away: from inside the frame it must not take the frame along.
func (s Shell) Outside() templ.Attributes {
	if !s.Embed {
		return nil
	}
	return templ.Attributes{"target": "_blank", "rel": "noopener"}
}

func (s Shell) hidden(f Form) []Param {
	if f.Away {
		return f.Hidden
	}
	ps := append([]Param{{FieldCSRF, s.CSRF}, {FieldKey, f.Key}}, s.carried()...)
	return append(ps, f.Hidden...)
}

// Named is the studio's name, or the product's on its own pages.
func (s Shell) Named() string { return cmp.Or(s.Studio.Name, "Foyer") }

// Home is the address of the schedule, or of the house without a studio.
func (s Shell) Home() string {
	if s.Studio.Home == "" {
		return "/"
	}
	return s.Link(s.Studio.Home)
}

// Title is what the browser's tab says.
func (s Shell) Title(page string) string {
	if page == s.Named() {
		return page
	}
	return page + " · " + s.Named()
}

// At is the shell with the wall clock of a place.
func (s Shell) At(zone *time.Location) Shell {
	s.Zone = cmp.Or(zone, s.Zone)
	return s
}
