package api

import (
	"foyer/app/business"
)

// Address is where a location is. Any part may be empty.
type Address struct {
	Street     string `json:"street"`
	City       string `json:"city"`
	Region     string `json:"region"`
	PostalCode string `json:"postalCode"`
	Country    string `json:"country" doc:"ISO 3166, two capital letters." example:"US"`
}

func showAddress(a business.Address) Address {
	return Address{Street: a.Street, City: a.City, Region: a.Region, PostalCode: a.PostalCode, Country: a.Country}
}

// Hours is the opening week of a location, from Sunday on.
type Hours struct {
	Intervals []OpenInterval `json:"intervals"`
}

func showHours(h business.Hours) Hours {
	return Hours{Intervals: show(h.Intervals, showInterval)}
}

// PublicClosure is what the public sees of a closure.
type PublicClosure struct {
	Name     string         `json:"name"`
	StartsOn string         `json:"startsOn" format:"date"`
	EndsOn   string         `json:"endsOn" format:"date" doc:"The last day."`
	Hours    []SpecialHours `json:"hours" doc:"Of each of the days. None: closed."`
}
