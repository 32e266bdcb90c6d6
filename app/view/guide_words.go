package view

// guideVariable is a line of the contract's table.
type guideVariable struct{ Name, Default, Text string }

var guideVariables = []guideVariable{
	{"--pf-font", "inherit", "The typeface."},
	{"--pf-text", "currentColor", "Names, times and descriptions."},
	{"--pf-muted", "currentColor at 62%", "Lengths, prices, instructors, spots."},
	{"--pf-accent", "the site’s link or text colour", "What is pressed. In the theme studio: the studio’s accent."},
	{"--pf-accent-text", "Canvas", "The words on it. In the theme studio: the text of the accent."},
	{"--pf-line", "currentColor at 16%", "Edges of cards and quiet buttons."},
	{"--pf-card", "transparent", "The ground of a card. In card and studio: a ground."},
	{"--pf-radius", "8px", "Corners of cards and buttons. In studio: the look’s."},
	{"--pf-gap", "0.75rem", "The space between things."},
	{"--pf-status-open", "green", "Walk-ins: there is room."},
	{"--pf-status-busy", "amber", "Walk-ins: nearly full."},
	{"--pf-status-full", "red", "Walk-ins: no room."},
}

// guideTheme is one of the four themes.
type guideTheme struct{ Name, Text string }

var guideThemes = []guideTheme{
	{"clean", "Spacing and list layout. Your site’s own type and colours do the rest."},
	{"card", "Each item is a card, in your site’s colours."},
	{"studio", "Cards in the look of the studio’s booking page: accent, ground, type and corners."},
	{"none", "No CSS of ours at all, and not the location’s own stylesheet either."},
}

// GuideBuilder has the steps to add booking with one site builder.
type GuideBuilder struct {
	Name  string
	Steps []string
	Note  string
}

// GuideBuilders returns the site builders that studios use most, with the steps in each.
func GuideBuilders() []GuideBuilder { return guideBuilders }

var guideBuilders = []GuideBuilder{
	{"WordPress", []string{
		"Edit the page and add a block “Custom HTML”.",
		"Paste the snippet, and update the page. The block’s own preview does not run scripts; look at the page itself.",
	}, "Only roles that may write unfiltered HTML keep the script. If it disappears when you save, ask an administrator to paste it. In Elementor and Divi the block is called “HTML” and “Code”."},
	{"Squarespace", []string{
		"Edit the page, add a block “Code” and choose HTML.",
		"Paste the snippet and turn “Display source” off. Save, and look at the page from outside the editor: while you are signed in, scripts may be held back.",
	}, "Needs a plan on which code blocks may hold scripts."},
	{"Wix", []string{
		"For your site’s own type and colours: Add, Embed Code, Custom Element. Choose “Server URL”, enter the address of v1.js, and the tag name, for example svc-schedule. Set the attributes location and theme.",
		"Or: Add, Embed Code, Embed HTML, and paste the snippet. That is a frame of the builder’s.",
	}, "In the builder’s frame your site’s CSS does not reach the fragment. Use the theme card or studio there; links open in a new tab."},
	{"Webflow", []string{
		"Add an element “Code Embed” where the bookings should stand, and paste the snippet.",
		"Publish. The canvas does not run scripts; the published page does.",
	}, "Your classes do not reach inside the tag by themselves: style the hooks, in an embed in the page’s head."},
	{"Shopify", []string{
		"Online Store, Themes, Customize. Add a section “Custom Liquid” to the page.",
		"Paste the snippet and save.",
	}, "The theme’s own colours apply. A section can be put on any template that has sections."},
	{"Framer", []string{
		"Insert, Embed, HTML, and paste the snippet. That is a frame of the builder’s: use the theme card or studio; links open in a new tab.",
		"For your site’s own type, put the script into the site’s custom code and the tag into a code component.",
	}, "Give the embed a height of its own, or “fit content” where it is offered."},
	{"Your own HTML", []string{
		"Paste the snippet where the bookings should stand. One script is enough for all tags of a page, in any place.",
	}, "In React and Vue the tags are ordinary custom elements; attributes may change at any time."},
}
