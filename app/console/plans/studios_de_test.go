package plans_test

// The studios of Germany.
var studiosDE = []studioTerms{
	{
		Name: "Yogahaus", // 10
		Plans: []typed{{Kind: "membership", Form: []string{
			"name", "Monatlich", "priceAmount", "69", "soldOnline", "1", "benefits[0].gives", "unlimited",
			"benefits[0].excludedIds", "{Workshop}", "renewal.billingDay", "1", "renewal.minPeriods", "6",
			"renewal.noticeMonths", "1", "renewal.endsQuarter", "1",
		}}},
		Plan:  "Monatlich",
		Gives: []string{"Unlimited bookings.", "Not for Workshop."},
		Pays: []string{
			"The price is 69,00 € a month. Payments are due on day 1 of the month. You first pay 34,50 € for the days " +
				"until then.",
			"The membership renews until you cancel it.", "It runs for at least 6 payments.",
			"To end it with a quarter of the year, cancel at least 1 month before the quarter ends.",
			"By law, you can end it on any day after the first 6 months, with at most 1 month of notice.", withdraws,
		},
		Joins: "2026-06-16",
		Year: []act{
			{"2026-08-10", friend("Ben", "Monatlich", "")}, // 22 of 31 days
			{"2026-09-15", staffFreezes("2026-10-01", "2026-11-01")},
			{"2026-09-20", reprices("Monatlich", "75", "2026-11-01")},
			{"2026-10-05", of("Ben", cancels("Saturday 31 October", "Nothing more is charged."))}, // for the higher price
			// After July, August, September, November, December and January.
			{"2026-12-01", mayCancel("Sunday 31 January")},
			// The law's month instead of the quarter: the last charge is for nine days of March.
			{"2027-02-10", all(cancels("Tuesday 9 March", "1 more payment is due until then."), checksBooks)},
		},
		Charges: []string{
			"2026-06-16 34.50", "2026-07-01 69.00", "2026-08-01 69.00", "2026-08-10 48.97", "2026-09-01 69.00",
			"2026-09-01 69.00", "2026-10-01 69.00", // of Ben
			"2026-11-01 75.00", "2026-12-01 75.00", "2027-01-01 75.00", "2027-02-01 75.00", "2027-03-01 21.77",
		},
		Last: "2027-03-09",
	},
	{
		Name: "Kraftwerk", // 11
		Plans: []typed{{Kind: "membership", Form: []string{
			"name", "Jahr", "priceAmount", "29.90", "soldOnline", "1", "benefits[0].gives", "unlimited",
			"renewal.minPeriods", "12", "renewal.termRenews", "1", "renewal.noticeMonths", "3", "freeze.allowed", "1",
			"freeze.wholePeriods", "1", "freeze.feeAmount", "15",
		}}},
		Plan:  "Jahr",
		Gives: []string{"Unlimited bookings."},
		Pays: []string{
			"The price is 29,90 € a month.", "The membership renews until you cancel it.",
			"It runs for 12 payments, and then for 12 more each time, unless you cancel it before.",
			"To end it then, cancel at least 3 months before.",
			"By law, you can end it on any day after the first 12 months, with at most 1 month of notice.", withdraws,
		},
		Freezing: []string{
			frozen, "A freeze begins and ends with a billing period.", "A freeze costs 15,00 €, with the next payment.",
		},
		Joins: "2026-06-11",
		Year: []act{
			{"2026-08-20", all(
				cannotFreeze("2026-09-11", "2026-10-01", "A freeze begins and ends with a billing period."),
				freezes("2026-09-11", "2026-10-10", "15,00 €", "on Sunday 11 October"),
			)},
			// Too late for three months, but not for the law. The month of the freeze comes after the twelfth.
			{"2027-05-20", cancels("Saturday 10 July", "1 more payment is due until then.")},
		},
		Charges: []string{
			"2026-06-11 29.90", "2026-07-11 29.90", "2026-08-11 29.90", "2026-10-11 44.90", "2026-11-11 29.90",
			"2026-12-11 29.90", "2027-01-11 29.90", "2027-02-11 29.90", "2027-03-11 29.90", "2027-04-11 29.90",
			"2027-05-11 29.90", "2027-06-11 29.90",
		},
		Last: "2027-07-10",
	},
	{
		Name: "Mattenklub", // 12
		Plans: []typed{
			{Kind: "membership", Form: []string{
				"name", "Two a week", "priceAmount", "960", "soldOnline", "1", "validCount", "1", "validUnit", "year",
				"benefits[0].gives", "credits", "benefits[0].credits", "96", "benefits[0].weekMax", "2",
			}},
			{Kind: "membership", Form: []string{
				"name", "Students", "priceAmount", "720", "validCount", "1", "validUnit", "year",
				"benefits[0].gives", "credits", "benefits[0].credits", "96", "benefits[0].weekMax", "2",
				"changeIds", "{Two a week}",
			}},
		},
		Plan: "Two a week",
		Gives: []string{
			"96 credits for all bookings in each billing period. Credits that are not used expire with it.",
			"At most 2 bookings a week.",
		},
		Pays: []string{
			"The price is 960,00 € a year.", "The membership renews until you cancel it.",
			"If you cancel, it ends with the billing period that is paid.", withdraws,
		},
		Joins: "2026-06-20",
		Year: []act{
			{"2026-06-22", all(books(24, 0), books(48, 0), books(72, 2200), books(8*24, 0))},
		},
		Charges: []string{"2026-06-20 960.00", "2027-06-20 960.00"},
		Cannot: []string{
			"days instead of bookings: any number of them on two days a week",
			"credits by the month of a membership that is paid by the year",
			"a change to a higher price on a later day, as when the proof of a student ends",
		},
	},
}
