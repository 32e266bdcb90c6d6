package view_test

import (
	"encoding/base64"
	"fmt"

	"github.com/a-h/templ"

	"foyer/app/hosted/studio"
	"foyer/app/view"
)

// drawn is a photo that needs no server: a sky over water, in a colour of its own.
func drawn(hue int, alt string) view.Photo {
	draw := func(w, h int) string {
		svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 4 3" preserveAspectRatio="none">`+
			`<rect width="4" height="3" fill="hsl(%d 60%% 78%%)"/><rect y="1.7" width="4" height="1.3" fill="hsl(%d 45%% 38%%)"/>`+
			`<circle cx="2.8" cy="1" r=".45" fill="hsl(%d 90%% 92%%)"/></svg>`, w, h, hue, hue+10, hue-30)
		return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg))
	}
	return view.Photo{
		Alt: alt, Width: 1280, Height: 960, Blur: draw(16, 12), Src: draw(1280, 960),
		JPEG: draw(320, 240) + " 320w, " + draw(1280, 960) + " 1280w", WebP: draw(320, 240) + " 320w, " + draw(1280, 960) + " 1280w",
	}
}

// pictured are the pages that show photos.
func pictured(sh view.Shell) map[string]templ.Component {
	hall, boats, sea := drawn(200, "The hall with its windows to the harbour."), drawn(30, "Boats in the evening."), drawn(150, "")
	one, many := listing(), chosen(view.ActionBook)
	one.Photos, many.Photos = []view.Photo{hall}, []view.Photo{hall, boats, sea}
	page := schedule()
	page.Photo = &boats
	page.Groups = []view.Group{{Heading: "Appointments", Rows: []view.GroupRow{
		{Name: "Thai massage", Lengths: "60 min", Price: "$60", Href: "/harbour/massage", Photo: &sea},
		{Name: "Private class", Lengths: "45 to 90 min", Price: "from $45", Href: "/harbour/private"},
	}}}
	return map[string]templ.Component{
		"schedule-whole":  view.SchedulePage(filled(several(sh)), whole(boats)),
		"listing-photo":   view.ListingPage(sh, one),
		"listing-photos":  view.ListingPage(sh, many),
		"schedule-photos": view.SchedulePage(filled(sh), page),
		"places-photos": studio.LocationsPage(sh, []view.Location{
			{Name: "Harbour", Address: "12 Quay Street, Lisbon", Href: "/harbour", Photo: &hall}, {Name: "Hill", Address: "3 Castle Road, Lisbon", Href: "/hill"},
		}),
	}
}

// several is a shell of one of several locations.
func several(sh view.Shell) view.Shell {
	sh.Location = &view.Location{Name: "Harbour", Address: "12 Quay Street, Lisbon"}
	sh.Locations = []view.Location{{Name: "Hill", Address: "3 Castle Road, Lisbon", Href: "/hill"}, {Name: "Riverside", Href: "/riverside"}}
	return sh
}

// whole is a timetable with everything above it that there can be.
func whole(photo view.Photo) view.Schedule {
	v := narrowed()
	v.Filter.On, v.Photo, v.Walkin = false, &photo, &view.WalkinStatus{Open: true, Words: "Walk in now: 7 spots free", Until: "Open until 9:00 pm"}
	v.Policy = "Choose what you would like to book: classes for everybody from the first morning on, in a hall above the harbour. Free to cancel up to 12 hours before."
	for _, heading := range []string{"Appointments", "Rentals"} {
		v.Groups = append(v.Groups, view.Group{Heading: heading, Rows: []view.GroupRow{{Name: "Thai massage", Lengths: "60 min", Price: "$60", Href: "/harbour/massage"}}})
	}
	return v
}
