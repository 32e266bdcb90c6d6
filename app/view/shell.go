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

// Shell is the frame of a page. The surface fills it once a request.
type Shell struct {
	Words
	Studio       Studio // the zero value on Foyer's own pages
	Branding     Branding
	BrandingHref string // address of the branding's stylesheet (Branding.Href); empty for the default
	Mine         string // address of My bookings; empty hides the link
	Back         *Back  // link back to the studio's website, in place of the mark; nil without, never shown in the frame
	Ref          string // the customer's source; carried through links and forms as given, so validate it first
	Embed        bool   // inside the booking frame: no header, no footer, natural height
	Ticket       Ticket // token of the frame in its links and forms, instead of cookies; nil outside the frame
	CSRF         string
	Bar          *CartBar   // the customer's cart; nil without
	Location     *Location  // the current one of several locations; nil if there is only one
	Locations    []Location // the others
	Said         string     // confirmation of the last action, on top of the page; empty without
	Languages    []Language // other languages of the page; none hides the choice
	Self         string     // absolute address of this page, printed under it; empty leaves it out
}

// MyPlans is the address of My plans, with the studio that that of My bookings has.
func (s Shell) MyPlans() string { return "/my/plans" + strings.TrimPrefix(s.Mine, "/my") }

// Ticket is the state that a page in the frame carries on. Text is its form in links and forms, empty without state.
// Version is higher in a newer ticket. Both are read during rendering, after every decision.
type Ticket interface {
	Text() string
	Version() int64
}

// Studio is the business and location of a page.
type Studio struct {
	Name    string
	Home    string // address of its schedule
	Address string // one line
}

// Back is the link to the studio's website. Host is its text, without "www.".
type Back struct{ Host, Href string }

// Link is an address and its words.
type Link struct{ Text, Href string }

// Language is a language of the page, named in that language.
type Language struct {
	Tag, Name, Href string
	Now             bool // the current one
}

// Param is a name and a value in a form or an address.
type Param struct{ Name, Value string }

// Form is the target of a POST. With an empty Action the form is not offered.
type Form struct {
	Action string
	Key    string  // idempotency key, new for each rendered form
	Hidden []Param // further hidden fields
	Away   bool    // posts to another site, with only Hidden
}

// Names of the hidden fields of every form, and of the address parameters that stay with the customer.
const (
	FieldCSRF   = "_token"
	FieldKey    = "_key"
	FieldTicket = "_ticket"
	FieldRef    = "ref"
	FieldEmbed  = "embed"
	FieldDesk   = "desk" // of the profile: the business whose console linked to it
)

// Hold is a group of seats, or of other items, held until an instant.
type Hold struct {
	Until  time.Time
	Items  bool // there is no seat among them
	Extend Form // "Keep for 10 more minutes"; not offered when empty
}

// over is the text of a hold that has expired.
func (h *Hold) over(w Words) string {
	if h.Items {
		return w.T("The hold has expired. Your items may be gone.")
	}
	return w.T("The hold has expired. Your spots may be gone.")
}

// Trouble is the reason a form was rejected. Fields are keyed by the inputs' name attributes.
type Trouble struct {
	Title  string // "There is a problem" when empty
	Text   string
	Fields []fault.Field
}

// About returns the error of the input with that name, or empty.
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

// Link adds the customer's ref and the booking frame's parameters to a local address. Addresses of other hosts and
// anchors within the page stay as they are.
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

// file is the address of a file to be saved: opening it leaves the page in place, so it carries only the frame's
// parameters.
func (s Shell) file(to string) string {
	if !s.Embed {
		return to
	}
	return s.Link(to)
}

// Outside returns the attributes of a link that leads away: from inside the frame it must not navigate the frame.
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

// Named returns the studio's name, or the product's on its own pages.
func (s Shell) Named() string { return cmp.Or(s.Studio.Name, "Foyer") }

// Home returns the address of the schedule, or of Foyer's home page without a studio.
func (s Shell) Home() string {
	if s.Studio.Home == "" {
		return "/"
	}
	return s.Link(s.Studio.Home)
}

// Title returns the title for the browser tab.
func (s Shell) Title(page string) string {
	if page == s.Named() {
		return page
	}
	return page + " · " + s.Named()
}

// At returns the shell with the wall clock of a location.
func (s Shell) At(zone *time.Location) Shell {
	s.Zone = cmp.Or(zone, s.Zone)
	return s
}
