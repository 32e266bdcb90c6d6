package view

import (
	"slices"

	"github.com/a-h/templ"
)

// States is every state of every fragment, in each theme.
type States struct {
	Rooms []StatesRoom
	Theme string // the one shown; empty: all of them
	Sheet string // address of a theme "studio" for StatesSlug
}

// StatesSlug is the location in the tags of this page.
const StatesSlug = "specimen"

// StatesRoom holds the states of one tag.
type StatesRoom struct {
	Tag, Title string
	States     []State
}

// State is one state of a fragment.
type State struct {
	Title, Text string
	Fragment    templ.Component
	Dir         string // text direction of the page around it: "rtl", or left to right when empty
}

func (v States) themes() []string {
	if v.Theme != "" {
		return []string{v.Theme}
	}
	var all []string
	for _, t := range guideThemes {
		all = append(all, t.Name)
	}
	return all
}

// StatesTheme returns the theme with that name, or empty.
func StatesTheme(name string) string {
	if slices.ContainsFunc(guideThemes, func(t guideTheme) bool { return t.Name == name }) {
		return name
	}
	return ""
}
