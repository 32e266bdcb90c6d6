package demo

import (
	"time"

	"foyer/app/accounting/ledgersim"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
)

var (
	everyDay = []time.Weekday{time.Sunday, time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday}
	workdays = everyDay[1:6]
)

func ptr[T any](v T) *T { return &v }

func at(hour, minute int) civil.Clock { return civil.NewClock(hour, minute) }

// studios are the studios of the demo: one that adds sales tax, one with VAT included in its prices.
var studios = []studioPlan{
	{
		photos: harbourPhotos, goods: harbourGoods,
		online: 3, counter: 2, refunds: []int{15, 28, 43, 52}, missed: []int{6, 19, 33, 47, 54}, late: []int{10, 24, 25, 38, 53}, disputed: []int{52},
		name: "Harbour Yoga", domain: "harbour.example.com", owner: "Vera Lund",
		zone: "America/New_York", currency: "USD", country: "US", company: ledgersim.RealmUSD,
		tax:  business.TaxRateInput{Name: "Sales tax", PPM: 88_750},
		look: business.Branding{Accent: "#a4472b", Background: "paper", Type: "figtree", Corners: "soft"},
		locations: []business.LocationInput{
			{Name: "Harbour Yoga", Website: "https://harbouryoga.com", Address: business.Address{
				Street: "12 Pier Street", City: "Brooklyn", Region: "NY", PostalCode: "11201", Country: "US"}},
			{Name: "Riverside", Slug: "harbour-riverside", Address: business.Address{
				Street: "400 River Road", City: "Hoboken", Region: "NJ", PostalCode: "07030", Country: "US"}},
		},
		spaces:      []business.SpaceInput{{Name: "Studio A", Capacity: 24}, {Name: "Studio B", Capacity: 16}, {Name: "Reformer room", Capacity: 8}},
		instructors: []string{"Ana Ruiz", "Jo Park", "Sam Okafor"},
		classes: []classPlan{
			{name: "Sunrise Vinyasa", about: "Wake up with breath and movement. All levels; mats are here.",
				price: 2200, minutes: 60, capacity: 10, regulars: 5, popular: 0.4, instructor: 0, space: 0, days: everyDay, at: at(6, 30)},
			{name: "Reformer Basics", about: "The machine, explained. Small group, grip socks on.",
				price: 3400, minutes: 50, capacity: 6, regulars: 6, popular: 0.75, instructor: 1, space: 2, days: workdays, at: at(9, 0)},
			{name: "Lunch Flow", about: "Forty-five minutes away from the desk.",
				price: 1800, minutes: 45, capacity: 10, regulars: 5, popular: 0.35, instructor: 2, space: 0, days: workdays, at: at(12, 15)},
			{name: "Slow Burn", about: "Long holds, low light, a strong middle.",
				price: 2200, minutes: 60, capacity: 8, regulars: 5, popular: 0.45, instructor: 0, space: 1, days: everyDay, at: at(17, 30)},
			{name: "Community Class", about: "Free for everybody. Bring a neighbour.",
				price: 0, minutes: 60, capacity: 12, regulars: 6, popular: 0.4, instructor: 2, space: 0, days: []time.Weekday{time.Sunday}, at: at(16, 0)},
			{name: "Riverside Flow", about: "On the deck when the weather allows.",
				price: 2000, minutes: 60, capacity: 8, regulars: 4, popular: 0.4, location: 1, instructor: 1, days: []time.Weekday{time.Tuesday, time.Thursday, time.Saturday}, at: at(8, 0)},
		},
		course: &classPlan{name: "Handstands from the Ground Up", about: "Eight Tuesday evenings, each built on the last. Start with your hands.",
			price: 16000, minutes: 75, capacity: 10, instructor: 2, space: 1, days: []time.Weekday{time.Tuesday}, at: at(19, 0), count: ptr(8),
			settings: catalog.Settings{Enrolment: catalog.BySeries}, category: "Workshops"},
		services: []servicePlan{
			{name: "Private Session", about: "One to one, with a plan to take home. Choose an instructor, or take whoever is free.",
				kind: catalog.Appointment, capacity: 1, lengths: []catalog.Duration{{Minutes: 60, PriceAmount: 9500}, {Minutes: 90, PriceAmount: 13500}},
				instructors: []int{0, 1, 2}, settings: catalog.Settings{BufferAfterMinutes: 15, GridMinutes: ptr(30)},
				category: "Private coaching"},
			{name: "Studio B by the hour", about: "A quiet room with mirrors, mats and a piano. For rehearsals and small groups.",
				kind: catalog.Rental, capacity: 16, lengths: []catalog.Duration{{Minutes: 60, PriceAmount: 4000}, {Minutes: 120, PriceAmount: 7500}},
				spaces: []int{1}, settings: catalog.Settings{SoldAs: catalog.WholeSpace, GridMinutes: ptr(60), BufferAfterMinutes: 15}},
			{name: "Open Reformer", about: "The machines are yours for an hour. For people who know them.",
				kind: catalog.Rental, capacity: 8, lengths: []catalog.Duration{{Minutes: 60, PriceAmount: 1800}},
				spaces: []int{2}, settings: catalog.Settings{GridMinutes: ptr(30), Walkins: true}},
		},
	},
	{
		photos: northsidePhotos, goods: northsideGoods,
		online: 5, counter: 2, refunds: []int{22, 45}, missed: []int{12, 40}, late: []int{17, 18, 31, 32},
		name: "Northside Climbing", domain: "northside.example.com", owner: "Priya Nair",
		zone: "Europe/London", currency: "GBP", country: "GB",
		tax:  business.TaxRateInput{Name: "VAT", PPM: 200_000},
		look: business.Branding{Accent: "#1f6f5c", Background: "white", Type: "system", Corners: "round"},
		locations: []business.LocationInput{
			{Name: "Northside Climbing", Slug: "northside-leeds", TaxMode: business.TaxInclusive, Website: "https://northsideclimbing.co.uk",
				Address: business.Address{Street: "8 Mill Lane", City: "Leeds", PostalCode: "LS2 7EE", Country: "GB"}},
		},
		spaces:      []business.SpaceInput{{Name: "Main wall", Capacity: 40}, {Name: "Boulder cave", Capacity: 20}},
		instructors: []string{"Dan Frost", "Mei Wong"},
		classes: []classPlan{
			{name: "Intro to Climbing", about: "Knots, belaying and your first routes. Shoes and harness included.",
				price: 2500, minutes: 90, capacity: 8, regulars: 5, popular: 0.45, instructor: 0, space: 0, days: []time.Weekday{time.Monday, time.Wednesday, time.Saturday}, at: at(18, 0)},
			{name: "Boulder Technique", about: "Feet first: how to climb what you could not last week.",
				price: 1500, minutes: 60, capacity: 10, regulars: 5, popular: 0.45, instructor: 1, space: 1, days: workdays, at: at(19, 30)},
			{name: "Kids Club", about: "For climbers from eight to fourteen.",
				price: 1200, minutes: 75, capacity: 10, regulars: 5, popular: 0.4, children: children, instructor: 1, space: 1, days: []time.Weekday{time.Saturday, time.Sunday}, at: at(10, 0)},
		},
		services: []servicePlan{
			{name: "Coaching Hour", about: "A coach for you alone, on the wall or in the cave.",
				kind: catalog.Appointment, capacity: 1, lengths: []catalog.Duration{{Minutes: 60, PriceAmount: 5500}},
				instructors: []int{0, 1}, settings: catalog.Settings{GridMinutes: ptr(15), Approval: true}},
			{name: "Wall Time", about: "Climb as long as you like within your hours. Come as you are, or book ahead.",
				kind: catalog.Rental, capacity: 40, lengths: []catalog.Duration{{Minutes: 120, PriceAmount: 1100}, {Minutes: 240, PriceAmount: 1600}},
				spaces: []int{0}, settings: catalog.Settings{GridMinutes: ptr(30), Walkins: true}},
			{name: "The Cave for Parties", about: "The whole boulder cave, for birthdays and teams.",
				kind: catalog.Rental, capacity: 20, lengths: []catalog.Duration{{Minutes: 120, PriceAmount: 12000}},
				spaces: []int{1}, settings: catalog.Settings{SoldAs: catalog.WholeSpace, GridMinutes: ptr(60)},
				deposit: catalog.DepositRules{Percent: 30, NonRefundable: true, BalanceMinutes: 48 * 60}},
		},
	},
}
