package embed

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/web"
)

// events is the schedule as schema.org events, for search engines: the script inserts it for a tag with the attribute
// "data", and a server may do so itself. It is not part of a fragment, as that holds no script (E31, E137). The JSON
// can stand inside a script element as it is: all markup characters are escaped. One trip.
func (e *surface) events(_ *fiber.Ctx, at pg.Location) (asked, error) {
	return asked{keyOf("events", at), func(ctx context.Context) (web.PageBody, error) {
		t, site, err := e.timetable(ctx, at)
		if err != nil {
			return web.PageBody{}, err
		}
		body, err := json.Marshal(graphOf(e.homeOf(site.Slug), site, t))
		return web.PageBody{Type: "application/ld+json; charset=utf-8", Body: body}, err
	}}, nil
}

// The types of schema.org, with the fields used.
type (
	graph struct {
		Context string  `json:"@context"`
		Graph   []event `json:"@graph"`
	}
	event struct {
		Type      string  `json:"@type"`
		Name      string  `json:"name"`
		URL       string  `json:"url"`
		Start     string  `json:"startDate"` // on the location's wall clock, with its offset from UTC
		End       string  `json:"endDate"`
		Status    string  `json:"eventStatus"`
		Mode      string  `json:"eventAttendanceMode"`
		Location  place   `json:"location"`
		Organizer named   `json:"organizer"`
		Performer *named  `json:"performer,omitempty"`
		Offer     *ticket `json:"offers,omitempty"`
	}
	place struct {
		Type    string   `json:"@type"`
		Name    string   `json:"name"`
		Address *address `json:"address,omitempty"`
	}
	address struct {
		Type       string `json:"@type"`
		Street     string `json:"streetAddress,omitempty"`
		City       string `json:"addressLocality,omitempty"`
		Region     string `json:"addressRegion,omitempty"`
		PostalCode string `json:"postalCode,omitempty"`
		Country    string `json:"addressCountry,omitempty"`
	}
	named struct {
		Type string `json:"@type"`
		Name string `json:"name"`
		URL  string `json:"url,omitempty"`
	}
	ticket struct {
		Type         string `json:"@type"`
		URL          string `json:"url"`
		Price        string `json:"price"`
		Currency     string `json:"priceCurrency"`
		Availability string `json:"availability"`
	}
)

const schemaOrg = "https://schema.org"

func graphOf(at home, site business.Site, t schedule.Timetable) graph {
	g := graph{Context: schemaOrg, Graph: []event{}}
	where := venueOf(site)
	organizer := named{Type: "Organization", Name: site.Studio, URL: string(at)}
	for _, d := range t.Days {
		for _, x := range d.Occurrences {
			v := event{
				Type: "Event", Name: x.Name, URL: at.row(t.Location, x, false).Href, Start: local(x.StartsAt, t.Location), End: local(x.EndsAt, t.Location),
				Status: schemaOrg + "/EventScheduled", Mode: schemaOrg + "/OfflineEventAttendanceMode", Location: where,
				Organizer: organizer,
			}
			if x.Instructor != "" {
				v.Performer = &named{Type: "Person", Name: x.Instructor}
			}
			if x.OnSale() {
				v.Offer = ticketOf(v.URL, x, t.Location.Currency)
			}
			g.Graph = append(g.Graph, v)
		}
	}
	return g
}

func venueOf(site business.Site) place {
	p := place{Type: "Place", Name: site.Name}
	if a := site.Address; a != (business.Address{}) {
		p.Address = &address{"PostalAddress", a.Street, a.City, a.Region, a.PostalCode, a.Country}
	}
	return p
}

func ticketOf(url string, x schedule.PublicOccurrence, cur money.Currency) *ticket {
	info, _ := money.Lookup(cur) // a location's currency is one of them
	o := &ticket{Type: "Offer", URL: url, Price: info.Decimal(order.ListPriceOf(x.PriceAmount, x.Party, x.Pricing, cur).Amount), Currency: string(cur), Availability: schemaOrg + "/InStock"}
	if x.Full() {
		o.Availability = schemaOrg + "/SoldOut"
	}
	return o
}

func local(t time.Time, p schedule.Location) string { return t.In(p.Loc).Format(time.RFC3339) }
