package embed

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/view"
	"foyer/app/web"
)

// conformance shows every state of every fragment, in all themes or in one. It reads nothing and is the same
// everywhere.
func (e *surface) conformance(c *fiber.Ctx) error {
	theme := view.StatesTheme(c.Query("theme"))
	return e.send(c, uuid.Nil, aMinute, asked{"conformance " + theme, func(ctx context.Context) (web.PageBody, error) {
		s := specimens{home: home(e.BaseURL + "/embed/conformance#")}
		return pageOf(ctx, view.StatesPage(view.Shell{Words: s.words()}, view.States{
			Rooms: s.rooms(), Theme: theme, Sheet: "/embed/conformance/studio.css",
		}))
	}})
}

// conformanceSheet is the theme studio in the default branding.
func (e *surface) conformanceSheet(c *fiber.Ctx) error {
	return e.send(c, uuid.Nil, aMinute, asked{"conformance.css", func(context.Context) (web.PageBody, error) {
		css := studioSheet(sheetOf("card.css", asksStudio), view.StatesSlug, view.Branding{Accent: view.DefaultAccent})
		return web.PageBody{Type: typeCSS, Body: []byte(css)}, nil
	}})
}

// specimens are invented content. home is the base of their links.
type specimens struct{ home home }

// specimenDay is the day of the content: a Friday.
var specimenDay = time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)

func (s specimens) words() view.Words {
	return view.Words{Locale: "en-US", Zone: time.UTC, Now: specimenDay.Add(5 * time.Hour)}
}

func (s specimens) rooms() []view.StatesRoom {
	return []view.StatesRoom{
		{Tag: "svc-schedule", Title: "Schedule", States: s.schedules()},
		{Tag: "svc-classes", Title: "Classes", States: s.classes()},
		{Tag: "svc-appointments", Title: "Appointments", States: []view.State{
			s.list("Appointments", "Several lengths and prices.", "appointment", sample.massage, sample.talk),
		}},
		{Tag: "svc-rentals", Title: "Rentals", States: []view.State{
			s.list("Rentals", "The last part says what the price is for.", "rental", sample.climbing, sample.room),
		}},
		{Tag: "svc-listings", Title: "One heading", States: s.listings()},
		{Tag: "svc-times", Title: "Times", States: s.times()},
		{Tag: "svc-walkins", Title: "Walk-ins", States: s.walkins()},
	}
}
