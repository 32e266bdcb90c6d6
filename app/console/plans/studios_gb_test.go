package plans_test

// frozen is what a freeze does.
const frozen = "You can freeze this plan. Until the freeze ends, it pays for no bookings and nothing is charged, " +
	"and its dates are postponed by as many days."

// withdraws is what the law gives a person who joins online, in Great Britain and Germany.
const withdraws = "You can withdraw within 14 days of joining by telling the studio. What you use until then is not " +
	"refunded."

// The studios of Great Britain.
var studiosGB = []studioTerms{
	{
		Name: "Boulder Yard", // 1
		Plans: []typed{{Kind: "membership", Form: []string{
			"name", "Monthly", "priceAmount", "48", "soldOnline", "1", "benefits[0].gives", "unlimited",
			"renewal.billingDay", "1", "renewal.minPeriods", "3", "renewal.noticeDays", "2",
		}}},
		Discount: []string{"name", "Goods", "ppm", "10", "appliesTo", "goods", "planIds", "{Monthly}"},
		Plan:     "Monthly",
		Gives:    []string{"Unlimited bookings.", "Goods: 10% off products."},
		Pays: []string{
			"The price is £48.00 a month. Payments are due on day 1 of the month. You first pay £24.00 for the days until then.",
			"The membership renews until you cancel it.", "It runs for at least 3 payments.",
			"To end it with a billing period, cancel at least 2 days before that period ends.", withdraws,
		},
		Joins: "2026-06-16", // 15 of the 30 days of June
		Year: []act{
			{"2026-06-20", mayCancel("Wednesday 30 September", "3 more payments are due until then.")},
			{"2026-10-20", reprices("Monthly", "52", "2026-12-01")},
			{"2027-01-10", all(staffCannotFreeze("2027-01-01", "2027-02-01"), staffFreezes("2027-02-01", "2027-03-01"))},
			{"2027-04-30", cancels("Monday 31 May", "1 more payment is due until then.")}, // one day before the next cycle
		},
		Charges: []string{
			"2026-06-16 24.00", "2026-07-01 48.00", "2026-08-01 48.00", "2026-09-01 48.00", "2026-10-01 48.00",
			"2026-11-01 48.00", "2026-12-01 52.00", "2027-01-01 52.00", "2027-03-01 52.00", "2027-04-01 52.00",
			"2027-05-01 52.00",
		},
		Last: "2027-05-31",
		Cannot: []string{
			"purchases on an account that are charged with the next billing period, up to an amount",
			"a discount for members on some products and not on others", "a notice of less than 30 days for a higher price",
		},
	},
	{
		Name: "Granite Hall", // 2
		Plans: []typed{
			{Kind: "membership", Form: []string{
				"name", "Monthly", "priceAmount", "58", "soldOnline", "1", "benefits[0].gives", "unlimited",
				"renewal.noticeDays", "20", "freeze.allowed", "1", "freeze.minDays", "30", "freeze.maxDays", "30",
				"freeze.onFirst", "1", "freeze.paidPeriods", "3",
			}},
			{Kind: "membership", Form: []string{
				"name", "Three months", "priceAmount", "52", "soldOnline", "1", "benefits[0].gives", "unlimited",
				"renewal.minPeriods", "3", "renewal.noticeDays", "20", "freeze.allowed", "1", "freeze.minDays", "30",
				"freeze.maxDays", "30", "freeze.onFirst", "1", "freeze.paidPeriods", "3",
			}},
		},
		Plan:  "Three months",
		Gives: []string{"Unlimited bookings."},
		Pays: []string{
			"The price is £52.00 a month.", "The membership renews until you cancel it.", "It runs for at least 3 payments.",
			"To end it with a billing period, cancel at least 20 days before that period ends.", withdraws,
		},
		Freezing: []string{
			frozen, "A freeze begins on the first day of a month.", "It lasts 30 days.",
			"Before the first freeze, 3 billing periods are paid.",
		},
		Joins: "2026-06-15",
		Year: []act{
			{"2026-06-20", friend("Ben", "Monthly", "", refunds)}, // no day was used
			{"2026-06-25", mayCancel("Monday 14 September", "2 more payments are due until then.")},
			{"2026-07-20", cannotFreeze("2026-08-01", "2026-08-30", "Before the first freeze, 3 billing periods are paid.")},
			{"2026-08-20", all(
				cannotFreeze("2026-09-02", "2026-10-01", "A freeze begins on the first day of a month."),
				cannotFreeze("2026-09-01", "2026-09-29", "It lasts at least 30 days."),
				freezes("2026-09-01", "2026-09-30", "on Thursday 15 October"),
			)},
			{"2026-12-30", cancels("Sunday 14 February 2027", "1 more payment is due until then.")}, // 16 days before 15 January
		},
		Charges: []string{
			"2026-06-15 52.00", "2026-06-20 58.00", "2026-06-20 -58.00 refunded", "2026-07-15 52.00", "2026-08-15 52.00",
			"2026-10-15 52.00", // the thirty days of September later
			"2026-11-15 52.00", "2026-12-15 52.00", "2027-01-15 52.00",
		},
		Last: "2027-02-14",
	},
	{
		Name:   "Pole Loft", // 8
		Policy: []string{"cancel.allowed", "1", "cancel.freeUntilMinutes", "12"},
		Plans: []typed{
			{Kind: "membership", Form: []string{
				"name", "Eight a month", "priceAmount", "72", "soldOnline", "1", "benefits[0].gives", "credits",
				"benefits[0].credits", "8", "freeze.allowed", "1", "freeze.wholePeriods", "1", "freeze.maxDays", "92",
				"freeze.noticeDays", "1",
			}},
			{Kind: "membership", Form: []string{
				"name", "Eight for three months", "priceAmount", "72", "soldOnline", "1", "benefits[0].gives", "credits",
				"benefits[0].credits", "8", "renewal.introAmount", "60", "renewal.introPeriods", "3", "renewal.minPeriods", "3",
				"freeze.allowed", "1", "freeze.wholePeriods", "1", "freeze.maxDays", "92", "freeze.noticeDays", "1",
			}},
		},
		Plan:  "Eight for three months",
		Gives: []string{"8 credits for all bookings in each billing period. Credits that are not used expire with it."},
		Pays: []string{
			"The first 3 payments are £60.00 each, and after that the price is £72.00 a month.",
			"The membership renews until you cancel it.",
			"It runs for at least 3 payments. If you cancel after that, it ends with the billing period that is paid.",
			withdraws,
		},
		Freezing: []string{
			frozen, "A freeze begins and ends with a billing period.", "It lasts at most 92 days.",
			"Set it at least 1 day before it begins.",
		},
		Joins: "2026-07-06",
		Year: []act{
			{"2026-07-06", all(booksAndCancels(13), has(8), booksAndCancels(11), has(7))},
			{"2026-07-20", all(books(24, 0), books(48, 0), has(5))},
			{"2026-08-06", has(8)}, // the five have lapsed
			{"2026-11-06", cannotFreeze("2026-11-06", "2026-12-05", "Set it at least 1 day before it begins.")},
			{"2026-12-05", freezes("2026-12-06", "2027-03-05", "on Saturday 6 March 2027")},
		},
		Charges: []string{
			"2026-07-06 60.00", "2026-08-06 60.00", "2026-09-06 60.00", "2026-10-06 72.00", "2026-11-06 72.00",
			"2027-03-06 72.00", "2027-04-06 72.00", "2027-05-06 72.00", "2027-06-06 72.00",
		},
	},
}
