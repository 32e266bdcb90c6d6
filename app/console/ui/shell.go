package ui

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/a-h/templ"

	"foyer/app/money"
	"foyer/app/view"
	"foyer/app/web"
)

// SheetFrame is the name of the side sheet, which the browser asks for a screen with.
const SheetFrame = "sheet"

// Names of the hidden fields of the console's forms, besides those of web.Forms.
const (
	FieldBack  = "_back"  // where the form was
	FieldSheet = "_sheet" // it was in the side sheet
	FieldQuote = "_quote" // what the page has promised
)

// Shell is what surrounds a screen, and what every component reads. The desk fills it once a request.
type Shell struct {
	view.Words
	Business  string // its name; empty on pages that are about none
	Base      string // address of its console
	Rail      []Entry
	Makes     []Entry          // what the New menu makes
	Locations []LocationOption // the locations to choose from; none hides the choice
	Person    string
	Email     string
	Practice  bool
	Scheme    string // Light or Dark when one was chosen; empty: as the system is
	KeysOff   bool   // single keys do nothing
	Said      *Said
	CSRF      func() string // the token of forms, made when the first one is written
	Self      string        // where the forms of this page come back to
	Sheet     bool          // shown in the side sheet
	Quote     string        // what the page promises, for its Ask form
	Opening   *Opening      // the way through the steps of an opening; nil on other screens

	Trouble *view.Trouble // why the form came back; nil when it did not
	Posted  url.Values    // what was typed into it
	Stale   bool          // somebody else changed the record meanwhile
}

// The colour schemes to choose from.
const (
	Light = "light"
	Dark  = "dark"
)

// colours are the schemes that a page is made for.
func (sh Shell) colours() string { return cmp.Or(sh.Scheme, Light+" "+Dark) }

// settings are what the scripts of a page read of what somebody has chosen.
func (sh Shell) settings() templ.Attributes {
	if !sh.KeysOff {
		return nil
	}
	return templ.Attributes{"data-keys": "off"}
}

// scheme is the same for the style sheet.
func (sh Shell) scheme() templ.Attributes {
	if sh.Scheme == "" {
		return nil
	}
	return templ.Attributes{"data-scheme": sh.Scheme}
}

// Entry is a way to a screen. Area is which screens it is lit on; Key is what opens it, after "g" in the rail.
type Entry struct {
	Area, Icon, Text, Href, Key string
}

// LocationOption is a location to choose.
type LocationOption struct {
	Name, Href string
	Now        bool
}

// Said is what was just done.
type Said struct {
	Text string `json:"t"`
	Undo *Undo  `json:"u,omitempty"`
	Bad  bool   `json:"b,omitempty"`
}

// Undo is the form that takes it back.
type Undo struct {
	Action string       `json:"a"`
	Fields []view.Param `json:"f,omitempty"`
	Text   string       `json:"t,omitempty"` // of the button; "Undo" when empty
}

// Screen is one page of the console.
type Screen struct {
	Title  string
	Lead   string // one line under it
	Area   string // the entry of the rail that is lit
	Up     *view.Link
	Acts   templ.Component // the buttons beside the title
	Tabs   []Tab
	Body   templ.Component
	Script string          // a script of its own: "calendar.js"
	Step   string          // the step of an opening that is done here
	Wide   bool            // it needs all of the width
	Sheet  bool            // it can be shown in the side sheet
	Frame  string          // the name of a frame that stands in Body
	Part   templ.Component // what is in it, for a browser that asks for that alone
}

// Tab is one of several screens about one thing.
type Tab struct {
	Text, Href string
	Now        bool
	Count      int // shown when it is not 0
}

// Problem is a page that says why there is none.
type Problem struct {
	Title, Text string
	Link        view.Link
}

// To is the address of a page of this business, from a path below it and pairs of parameters; an empty value leaves its
// parameter out.
func (sh Shell) To(path string, params ...string) string {
	var q url.Values
	for i := 0; i+1 < len(params); i += 2 {
		if params[i+1] != "" {
			if q == nil {
				q = url.Values{}
			}
			q.Set(params[i], params[i+1])
		}
	}
	if len(q) == 0 {
		return sh.Base + path
	}
	return sh.Base + path + "?" + q.Encode()
}

// Profile is the address of one's own profile, which belongs to the booking pages, with the way back from there.
func (sh Shell) Profile() string {
	return "/my/profile?" + url.Values{view.FieldDesk: {path.Base(sh.Base)}}.Encode()
}

// hidden are the fields that every form carries.
func (sh Shell) hidden() []view.Param {
	list := []view.Param{
		{Name: web.FieldToken, Value: sh.CSRF()}, {Name: web.FieldKey, Value: web.NewKey()},
		{Name: FieldBack, Value: sh.Self},
	}
	if sh.Sheet {
		list = append(list, view.Param{Name: FieldSheet, Value: "1"})
	}
	return list
}

// value is what a field shows: what was typed into it, else what it says.
func (sh Shell) value(name, now string) string {
	if sh.Posted != nil && sh.Posted.Has(name) {
		return sh.Posted.Get(name)
	}
	return now
}

// ticked is the same for a box: a form that came back without it has it empty.
func (sh Shell) ticked(name string, now bool) bool {
	if sh.Posted != nil {
		return sh.Posted.Has(name)
	}
	return now
}

// chosen is the same for a box of several of one name.
func (sh Shell) chosen(name, value string, now bool) bool {
	if sh.Posted == nil {
		return now
	}
	for _, v := range sh.Posted[name] {
		if v == value {
			return true
		}
	}
	return false
}

// other is what the record says now where that is not what was typed; empty when it is, or nobody changed it.
func (sh Shell) other(name, now string) string {
	if !sh.Stale || sh.Posted == nil || !sh.Posted.Has(name) || sh.Posted.Get(name) == now {
		return ""
	}
	return cmp.Or(now, sh.T("nothing"))
}

// others are the boxes of one name that are ticked now, where those are not the ones that were sent.
func (sh Shell) others(name string, options []Option, now []string) (text string, changed bool) {
	if !sh.Stale || sh.Posted == nil {
		return "", false
	}
	for _, o := range options {
		is := contains(now, o.Value)
		if is {
			text = view.Joined(", ", text, o.Text)
		}
		changed = changed || is != sh.chosen(name, o.Value, is)
	}
	return cmp.Or(text, sh.T("nothing")), changed
}

// boxWord is what a box says.
func (sh Shell) boxWord(ticked bool) string {
	if ticked {
		return sh.C("box", "ticked")
	}
	return sh.C("box", "not ticked")
}

// id is the id of a field by its name, which can have dots and brackets.
func id(name string) string {
	return "f-" + strings.Map(func(r rune) rune {
		if r == '.' || r == '[' || r == ']' {
			return '-'
		}
		return r
	}, name)
}

// Cash is an amount in minor units.
func (sh Shell) Cash(minor int64, cur money.Currency) string {
	return sh.Money(view.Price{Minor: minor, Currency: cur})
}

// Some is Cash; empty for nothing.
func (sh Shell) Some(minor int64, cur money.Currency) string {
	if minor == 0 {
		return ""
	}
	return sh.Cash(minor, cur)
}
