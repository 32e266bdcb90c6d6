package view

import (
	"fmt"
	"strings"
)

// Guide is the page for developers who add booking to a studio's own website.
type Guide struct {
	Studio string
	Base   string // address of the service, without a slash at the end
	Slug   string // the slug of the location
	Tags   []GuideTag
}

// GuideTag is one tag and its snippet.
type GuideTag struct {
	Name       string // "svc-schedule"
	Title      string
	Text       string
	Fallback   string  // text of the link inside the tag until the script has run
	To         string  // address of that link
	Attributes []Param // besides theme
	More       []GuideAttribute
	Example    bool // a value in Attributes is invented, as the studio has no such record: there is no preview
}

// GuideAttribute explains an optional attribute.
type GuideAttribute struct{ Name, Text string }

// before and after are the snippet of a tag, around the place of the theme (E149).
func (v Guide) before(t GuideTag) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<script src=\"%s/embed/v1.js\" async></script>\n<%s", v.Base, t.Name)
	for _, a := range v.attributes(t) {
		fmt.Fprintf(&b, " %s=\"%s\"", a.Name, quoted.Replace(a.Value))
	}
	return b.String()
}

func (v Guide) after(t GuideTag) string {
	return fmt.Sprintf(">\n  <a href=\"%s\">%s</a>\n</%s>", quoted.Replace(t.To), quoted.Replace(t.Fallback), t.Name)
}

// quoted escapes a text for the HTML that the guide shows as text.
var quoted = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// Snippet returns the snippet of a tag in a theme. A tag without a theme has the theme "clean".
func (v Guide) Snippet(t GuideTag, theme string) string {
	if theme != "" && theme != guideThemes[0].Name {
		return v.before(t) + " theme=\"" + quoted.Replace(theme) + "\"" + v.after(t)
	}
	return v.before(t) + v.after(t)
}

// Frame returns the snippet of the booking frame (E123).
func (v Guide) Frame() string { return v.iframe("1", "Book at "+v.Studio) }

// Live returns the snippet of the walk-ins bar in a frame.
func (v Guide) Live() string { return v.iframe("live", "Walk in at "+v.Studio) }

func (v Guide) iframe(embed, title string) string {
	return fmt.Sprintf("<script src=\"%[1]s/embed.js\" async></script>\n"+
		"<iframe data-svc src=\"%[1]s/%[2]s?embed=%[3]s\" title=\"%[4]s\"\n  allow=\"payment\" height=\"48\" style=\"display: block; width: 100%%; border: 0\"></iframe>",
		v.Base, v.Slug, embed, quoted.Replace(title))
}

// printed is the server-side code that includes the schedule in a page (E151).
func (v Guide) printed() string {
	return fmt.Sprintf(`<link rel="stylesheet" href="%[1]s/embed/v1/themes/card.css">
<link rel="stylesheet" href="%[1]s/embed/v1/%[2]s/custom.css">
<svc-schedule location="%[2]s" theme="card">
  … the body of %[1]s/embed/v1/%[2]s/schedule …
</svc-schedule>`, v.Base, v.Slug)
}

// policy is the addition to the Content-Security-Policy of a website.
func (v Guide) policy() string {
	return fmt.Sprintf("script-src  %[1]s\nstyle-src   %[1]s\nconnect-src %[1]s\nframe-src   %[1]s", v.Base)
}

// GuideTags returns the seven tags. listing is a listing with times and group a heading; empty ones are replaced by
// invented values. home is the address of the location's pages.
func GuideTags(studio, home, listing, group string) []GuideTag {
	made := listing == ""
	if made {
		listing = "your-class"
	}
	if group == "" {
		group = "Workshops"
	}
	at := " at " + studio
	return []GuideTag{
		{Name: "svc-schedule", Title: "Schedule", Text: "The next 14 days of classes, by day. Each row books that date.",
			Fallback: "See the schedule and book" + at, To: home, More: []GuideAttribute{
				{"data", "Without a value. Adds the same classes as schema.org events, for search engines."},
			}},
		{Name: "svc-classes", Title: "Classes", Text: "Every class, with a link to its page.", Fallback: "See the classes" + at, To: home},
		{Name: "svc-appointments", Title: "Appointments", Text: "Every appointment, with its lengths and prices.",
			Fallback: "Book an appointment" + at, To: home},
		{Name: "svc-rentals", Title: "Rentals", Text: "Every room and place that can be rented, per person or whole.",
			Fallback: "Rent a place" + at, To: home},
		{Name: "svc-listings", Title: "One heading", Text: "What stands under one heading of the studio’s page, of any kind.",
			Fallback: "See what can be booked" + at, To: home, Attributes: []Param{{"group", group}}, More: []GuideAttribute{
				{"group", "The heading, in singular or plural, in any letter case. Leave it out for everything."},
			}},
		{Name: "svc-times", Title: "Times of one listing", Text: "When one class, appointment or rental can be booked, with a field to jump to a date.",
			Fallback: "See the times" + at, To: home + "/" + listing, Attributes: []Param{{"listing", listing}}, Example: made, More: []GuideAttribute{
				{"listing", "The last part of the listing’s address."},
			}},
		{Name: "svc-walkins", Title: "Walk-ins", Text: "Whether there is room right now. It asks again every 30 seconds while somebody looks.",
			Fallback: "Book" + at, To: home, More: []GuideAttribute{
				{"listing", "Counts only the rooms of these walk-in listings, with commas between them."},
				{"book", "A listing that the Book link goes to."},
				{"hide-when", "closed, full, or both with a comma: shows nothing then, and takes no room."},
				{"target", "_self or _blank, for the Book link."},
			}},
	}
}
