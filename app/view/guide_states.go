package view

import (
	"slices"

	"github.com/a-h/templ"
)

// States is every state of every fragment, worn in each theme.
type States struct {
	Rooms []StatesRoom
	Theme string // the one that is shown; empty: all of them
	Sheet string // address of a theme "studio" for StatesSlug
}

// StatesSlug is the location that the tags of this page name.
const StatesSlug = "specimen"

// StatesRoom holds the states of one tag.
type StatesRoom struct {
	Tag, Title string
	States     []State
}

// State is one of them.
type State struct {
	Title, Text string
	Fragment    templ.Component
	Dir         string // which way the page around it reads: "rtl", or left to right when empty
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

// StatesTheme is the theme of that name, or empty.
func StatesTheme(name string) string {
	if slices.ContainsFunc(guideThemes, func(t guideTheme) bool { return t.Name == name }) {
		return name
	}
	return ""
}
