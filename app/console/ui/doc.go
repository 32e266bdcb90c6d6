// Package ui is what the console's screens are made of: the shell around them and one component for each thing that screens have
// in common. A screen composes; it has no markup of its own for what stands here, and no style.
//
//	ScreenPage     the shell: rail, places, search, New, what was just done, the side sheet
//	Field, Area, Select, Choices, Tick, Money, Date, Clock, People   one labelled input each
//	Form, Hidden   a POST with what every form carries; Ask is the form that carries a promise
//	Table, Cells   rows that become two lines on a phone
//	Facts, Badge, Note, Empty, Outcomes, History, Log, Tabs, Filters, Pager, Menu
//	OnceForm, Secret   a form whose answer is shown once, and what it shows
//
// Fields know what was typed (Shell.Posted), what is wrong with it (Shell.Trouble) and what it says now where somebody else
// changed it meanwhile (Shell.Stale), so no screen does anything for it. The gallery at /manage/gallery, in dev, shows each
// component in every state.
package ui
