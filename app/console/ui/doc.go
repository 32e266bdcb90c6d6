// Package ui has the components of the console's screens: the shell around them and one component for each common
// element. A screen composes; it has no markup of its own for these, and no style.
//
//	ScreenPage     the shell: rail, locations, search, New, notices, the side sheet
//	Field, Area, Select, Choices, Tick, Money, Date, Clock, People   one labelled input each
//	Form, Hidden   a POST with the fields of every form; Ask is the form that carries a quote
//	Table, Cells   rows that become two lines on a phone
//	Facts, Badge, Note, Empty, Outcomes, History, Log, Tabs, Filters, Pager, Menu
//	OnceForm, Secret   a form with a response shown once, and its content
//
// A field shows its typed value (Shell.Posted), its error (Shell.Trouble) and the current value after a change by
// another member (Shell.Stale), so no screen does anything for it. The gallery at /manage/gallery, in dev, shows each
// component in every state.
package ui
