package embed

import "foyer/app/view"

func (s specimens) list(title, text, kind string, items ...view.EmbedItem) view.State {
	for i := range items {
		items[i].Page = s.home.listing("listing")
	}
	return view.State{Title: title, Text: text, Fragment: view.EmbedListFragment(s.words(), view.EmbedList{Kind: kind, Items: items})}
}

// sample are the listings of all lists.
var sample = struct{ flow, talk, workshop, massage, climbing, room, long, bare view.EmbedItem }{
	flow:     view.EmbedItem{Name: "Sunrise Vinyasa", Next: "Next: Today 6:30 am", Length: "60 min", Price: "$22", Text: "A slow start for a quick day. Mats are here; bring water."},
	talk:     view.EmbedItem{Name: "Open House", Next: "Next: Tomorrow 9:00 am", Length: "45 min", Price: "Free"},
	workshop: view.EmbedItem{Name: "Handstands from the ground", Length: "3 h", Price: "$65", Text: "An afternoon upside down, for people who have never been."},
	massage:  view.EmbedItem{Name: "Deep Tissue Massage", Next: "Next: Today 9:00 am", Length: "60 to 90 min", Price: "from $80", Text: "Firm pressure for shoulders that sit at desks all day. We have towels, oil and tea."},
	climbing: view.EmbedItem{Name: "Open Climbing", Next: "Next: Today 10:00 am", Length: "2 h", Price: "$18", Mode: "per person", Text: "Walls for everybody, shoes at the desk."},
	room:     view.EmbedItem{Name: "Studio B", Length: "1 to 4 h", Price: "from $45", Mode: "whole space"},
	long: view.EmbedItem{
		Name: "Reformer Basics for people who have never seen a reformer before", Next: "Next: Wednesday 30 September 2027, 12:15 pm",
		Length: "1 h 50 min", Price: "from $1,234.50",
		Text: "Everything about the machine, from the springs to the straps, and then an hour on it, slowly; nobody has to know anything, and nobody has to…",
	},
	bare: view.EmbedItem{Name: "Something new"},
}

func (s specimens) classes() []view.State {
	return []view.State{
		s.list("Classes", "With the next date, and with nothing to say but a name.", "class", sample.flow, sample.talk, sample.bare),
		s.list("Long names", "A name of many words, a far date, and a description at its longest.", "class", sample.long, sample.flow),
		s.list("Nothing published", "One paragraph, and no list.", "class"),
	}
}

func (s specimens) listings() []view.State {
	names := []view.EmbedItem{{Name: "יוגה לזריחה", Next: "Next: Today 6:30 am", Length: "60 min", Price: "$22", Text: "התחלה איטית ליום מהיר."}, sample.flow}
	rtl := s.list("Right to left", "A page that reads from right to left.", "group", names...)
	rtl.Dir = "rtl"
	return []view.State{
		s.list("A heading", "Listings of every kind, in the order of the studio’s page.", "group", sample.workshop, sample.massage, sample.room),
		rtl,
		s.list("No such heading", "One paragraph, and no list.", "group"),
	}
}
