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

// SheetFrame is the name of the side sheet, in the browser's request for a screen.
const SheetFrame = "sheet"

// Names of the hidden fields of the console's forms, besides those of web.Forms.
const (
	FieldBack  = "_back"  // page of the form
	FieldSheet = "_sheet" // the form was in the side sheet
	FieldQuote = "_quote" // quote of the page
)

// Shell is the context of a screen and of every component. The desk fills it once a request.
type Shell struct {
	view.Words
	Business  string // its name; empty on pages without one
	Base      string // address of its console
	Rail      []Entry
	Makes     []Entry          // entries of the New menu
	Locations []LocationOption // locations to choose from; empty hides the choice
	Person    string
	Email     string
	Practice  bool
	Scheme    string // Light or Dark if chosen; empty: the system's
	KeysOff   bool   // single keys are off
	Said      *Said
	CSRF      func() string // token of forms, created with the first one
	Self      string        // page that its forms return to
	Sheet     bool          // shown in the side sheet
	Quote     string        // quote of the page, for its Ask form
	Opening   *Opening      // setup steps; nil on other screens

	Trouble *view.Trouble // error of a returned form; nil without one
	Posted  url.Values    // its typed values
	Stale   bool          // another member changed the record meanwhile
}

// Colour schemes.
const (
	Light = "light"
	Dark  = "dark"
)

// colours returns the schemes that a page supports.
func (sh Shell) colours() string { return cmp.Or(sh.Scheme, Light+" "+Dark) }

// settings returns the preferences that a page's scripts read.
func (sh Shell) settings() templ.Attributes {
	if !sh.KeysOff {
		return nil
	}
	return templ.Attributes{"data-keys": "off"}
}

// scheme returns the same for the style sheet.
func (sh Shell) scheme() templ.Attributes {
	if sh.Scheme == "" {
		return nil
	}
	return templ.Attributes{"data-scheme": sh.Scheme}
}

// Entry is a link to a screen. Area is the group of screens on which it is highlighted; Key is its keyboard shortcut,
// after "g" in the rail.
type Entry struct {
	Area, Icon, Text, Href, Key string
}

// LocationOption is a location to choose.
type LocationOption struct {
	Name, Href string
	Now        bool
}

// Said is a notice about a completed action.
type Said struct {
	Text string `json:"t"`
	Undo *Undo  `json:"u,omitempty"`
	Bad  bool   `json:"b,omitempty"`
}

// Undo is the form that undoes it.
type Undo struct {
	Action string       `json:"a"`
	Fields []view.Param `json:"f,omitempty"`
	Text   string       `json:"t,omitempty"` // of the button; "Undo" when empty
}

// Screen is one page of the console.
type Screen struct {
	Title  string
	Lead   string // one line under it
	Area   string // highlighted entry of the rail
	Up     *view.Link
	Acts   templ.Component // the buttons beside the title
	Tabs   []Tab
	Body   templ.Component
	Script string          // a script of its own: "calendar.js"
	Step   string          // setup step of the screen
	Wide   bool            // uses the full width
	Sheet  bool            // it can be shown in the side sheet
	Frame  string          // name of a frame in Body
	Part   templ.Component // its content, for a browser that requests it alone
}

// Tab is one of several screens about one record.
type Tab struct {
	Text, Href string
	Now        bool
	Count      int // shown when it is not 0
}

// Problem is an error page.
type Problem struct {
	Title, Text string
	Link        view.Link
}

// To returns the address of a page of this business, from a path below it and pairs of parameters; an empty value
// omits its parameter.
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

// Profile returns the address of one's own profile, on the booking pages, with a way back from there.
func (sh Shell) Profile() string {
	return "/my/profile?" + url.Values{view.FieldDesk: {path.Base(sh.Base)}}.Encode()
}

// hidden returns the fields of every form.
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

// value returns the value of a field: the typed one, else the record's.
func (sh Shell) value(name, now string) string {
	if sh.Posted != nil && sh.Posted.Has(name) {
		return sh.Posted.Get(name)
	}
	return now
}

// ticked is the same for a box: a returned form without it has it empty.
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

// other returns the record's current value if it differs from the typed one; empty otherwise, or if it was not
// changed.
func (sh Shell) other(name, now string) string {
	if !sh.Stale || sh.Posted == nil || !sh.Posted.Has(name) || sh.Posted.Get(name) == now {
		return ""
	}
	return cmp.Or(now, sh.T("empty"))
}

// others returns the currently ticked boxes of one name, if they differ from those sent.
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
	return cmp.Or(text, sh.T("empty")), changed
}

// boxWord renders the state of a box.
func (sh Shell) boxWord(ticked bool) string {
	if ticked {
		return sh.C("box", "selected")
	}
	return sh.C("box", "not selected")
}

// id returns the id of a field by its name, possibly with dots and brackets.
func id(name string) string {
	return "f-" + strings.Map(func(r rune) rune {
		if r == '.' || r == '[' || r == ']' {
			return '-'
		}
		return r
	}, name)
}

// Cash formats an amount in minor units.
func (sh Shell) Cash(minor int64, cur money.Currency) string {
	return sh.Money(view.Price{Minor: minor, Currency: cur})
}

// Some is Cash; empty for zero.
func (sh Shell) Some(minor int64, cur money.Currency) string {
	if minor == 0 {
		return ""
	}
	return sh.Cash(minor, cur)
}
