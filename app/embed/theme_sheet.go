package embed

import (
	"strings"

	"foyer/app/view"
	"foyer/app/web/assets"
)

// The sheets are written with two words that are no CSS (app/web/assets/src/embed/clean.css), so that one source
// serves every theme: the selector of the theme's tags, and the weight of a rule.
const (
	tagWord    = "svc-tag"
	weightWord = ":not(x)"
)

// allTags are the seven of the contract (E10).
const allTags = ":is(svc-schedule,svc-classes,svc-appointments,svc-rentals,svc-listings,svc-times,svc-walkins)"

// The selectors of the themes (E74, E79). A tag with none of the four words has clean.
const (
	asksClean  = allTags + ":not([theme=card],[theme=studio],[theme=none])"
	asksCard   = allTags + "[theme=card]"
	asksStudio = allTags + "[theme=studio]"
)

// weight never matches anything but counts as sixteen elements: more than a chain of a site's element selectors, and
// less than one class (E80, E81).
var weight = ":not(" + strings.TrimSuffix(strings.Repeat("x ", 16), " ") + ")"

// sheetOf is a built sheet for the tags of its theme. The minifier writes pseudo-elements in their old way, with one
// colon: they get their second colon back.
func sheetOf(name, asks string) string {
	css := strings.TrimSpace(string(assets.Content(name).Body))
	for _, pseudo := range []string{"before", "after"} {
		css = strings.ReplaceAll(css, "):"+pseudo, ")::"+pseudo)
	}
	return sheet(css, asks)
}

func sheet(css, asks string) string {
	return strings.NewReplacer(tagWord, asks, weightWord, weight).Replace(css)
}

// studioSheet is the theme of one location: the cards, and its branding in their variables. The branding is for the
// tags that name the location by the slug of this sheet's address, so several locations can stand on one page. The
// typeface is included: another site has none of ours.
func studioSheet(cards, slug string, look view.Branding) string {
	variables, dark := look.Theme()
	rules := ":where(svc-tag):not(x){" + variables + "}"
	if dark {
		rules += ":where(svc-tag :is([data-pf=item],[data-pf=walkins],[data-pf=empty])):not(x){color-scheme:dark}"
	}
	face := ""
	if look.HasFace() {
		face = strings.TrimSpace(string(assets.Content("face.css").Body))
	}
	return face + cards + sheet(rules, asksStudio+`[location~="`+slug+`" i]`)
}
