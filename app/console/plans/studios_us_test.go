package plans_test

// The studios of the United States that are paid on the first of a month.
var studiosUSFirst = []studioTerms{
	{
		Name: "North Face Gym", // 3
		Plans: []typed{{Kind: "membership", Form: []string{
			"name", "Dues", "priceAmount", "80", "soldOnline", "1", "benefits[0].gives", "unlimited",
			"renewal.billingDay", "1", "renewal.joiningAmount", "49", "renewal.joiningWhole", "1",
			"renewal.lateAmount", "10", "renewal.lateDays", "10", "renewal.noticeDays", "5", "freeze.allowed", "1",
			"freeze.wholePeriods", "1", "freeze.noticeDays", "5", "freeze.feeAmount", "8", "freeze.feeMonthly", "1",
		}}},
		Plan:  "Dues",
		Gives: []string{"Unlimited bookings."},
		Pays: []string{
			"The price is $80.00 a month. Payments are due on day 1 of the month. You first pay $120.00 for the days until " +
				"then and the whole period after them. Joining fee: $49.00, once. A payment that is 10 days late costs a fee " +
				"of $10.00.",
			"The membership renews until you cancel it.",
			"To end it with a billing period, cancel at least 5 days before that period ends.",
		},
		Freezing: []string{
			frozen, "A freeze begins and ends with a billing period.", "Set it at least 5 days before it begins.",
			"A freeze costs $8.00 for each month that begins in it, with the next payment.",
		},
		Joins: "2026-06-16", // 15 of the 30 days of June
		Year: []act{
			{"2026-09-20", freezes("2026-10-01", "2026-11-30", "$16.00", "on Tuesday, December 1")},
			{"2026-12-10", friend("Ben", "Dues", cardOnce)}, // 22 of 31 days, the fee and January
			{"2027-02-10", of("Ben", sees("A payment of $80.00 has been overdue"))},
			{"2027-02-12", of("Ben", paysLink("Pay $90.00"))},
			{"2027-02-20", of("Ben", cancels("Sunday, February 28"))},
			{"2027-03-28", cannotFreeze("2027-04-01", "2027-04-30", "Set it at least 5 days before it begins.")},
			{"2027-05-27", cancels("Monday, May 31", "Nothing more is charged.")},
		},
		Charges: []string{
			"2026-06-16 169.00", "2026-08-01 80.00", "2026-09-01 80.00", "2026-12-01 96.00", "2026-12-10 185.77",
			"2027-01-01 80.00", "2027-02-01 80.00", "2027-02-12 90.00", // of Ben
			"2027-03-01 80.00", "2027-04-01 80.00", "2027-05-01 80.00",
		},
		Last: "2027-05-31",
	},
	{
		Name: "Overhang", // 4
		Plans: []typed{{Kind: "membership", Form: []string{
			"name", "Monthly", "priceAmount", "75", "soldOnline", "1", "benefits[0].gives", "unlimited",
			"renewal.billingDay", "1", "renewal.onWeekdays", "1", "freeze.allowed", "1", "freeze.wholePeriods", "1",
			"freeze.minDays", "28", "freeze.feeAmount", "10", "freeze.feeMonthly", "1",
		}}},
		Plan:  "Monthly",
		Gives: []string{"Unlimited bookings."},
		Pays: []string{
			"The price is $75.00 a month. Payments are due on day 1 of the month. You first pay $37.50 for the days until " +
				"then. A payment that is due on a weekend is charged on the next weekday.",
			"The membership renews until you cancel it.", "If you cancel, it ends with the billing period that is paid.",
		},
		Freezing: []string{
			frozen, "A freeze begins and ends with a billing period.", "It lasts at least 28 days.",
			"A freeze costs $10.00 for each month that begins in it, with the next payment.",
		},
		Joins: "2026-06-16",
		Year: []act{
			{"2026-09-15", freezes("2026-10-01", "", "Nothing is charged until you end the freeze.")},
			{"2026-12-15", unfreezes}, // for 1 January, with October, November and December
		},
		Charges: []string{
			"2026-06-16 37.50", "2026-07-01 75.00",
			"2026-08-03 75.00", // 1 August is a Saturday
			"2026-09-01 75.00", "2027-01-01 105.00", "2027-02-01 75.00", "2027-03-01 75.00", "2027-04-01 75.00",
			"2027-05-03 75.00", // likewise
			"2027-06-01 75.00",
		},
		Cannot: []string{"a fee for a freeze that is charged while it lasts: it is added to the next payment"},
	},
	{
		Name: "Crux Club", // 6
		Plans: []typed{{Kind: "membership", Form: []string{
			"name", "Monthly", "priceAmount", "90", "soldOnline", "1", "benefits[0].gives", "unlimited",
			"renewal.billingDay", "1", "renewal.minPeriods", "3", "renewal.noticeBy", "25", "renewal.endAmount", "25",
			"freeze.allowed", "1", "freeze.wholePeriods", "1", "freeze.maxDays", "123", "freeze.perYear", "2",
			"freeze.apart", "28", "freeze.noticeDays", "6", "freeze.feeAmount", "15", "freeze.feeMonthly", "1",
		}}},
		Plan:  "Monthly",
		Gives: []string{"Unlimited bookings."},
		Pays: []string{
			"The price is $90.00 a month. Payments are due on day 1 of the month. You first pay $45.00 for the days until then.",
			"The membership renews until you cancel it.", "It runs for at least 3 payments.",
			"You can end it before that, with the billing period that is paid, for a fee of $25.00.",
			"If you cancel on or before day 25 of a month, it ends with that month, and otherwise with the next one.",
		},
		Freezing: []string{
			frozen, "A freeze begins and ends with a billing period.", "It lasts at most 123 days.",
			"You can do that 2 times in twelve months.", "Between two freezes there are at least 28 days.",
			"Set it at least 6 days before it begins.",
			"A freeze costs $15.00 for each month that begins in it, with the next payment.",
		},
		Joins: "2026-06-16",
		Year: []act{
			{"2026-06-20", friend("Ben", "Monthly", "")}, // 11 of 30 days
			{"2026-07-10", of("Ben", endsEarly("$25.00", "Friday, July 31"))},
			{"2026-08-20", freezes("2026-09-01", "2026-12-31", "$60.00", "on Friday, January 1")},
			{"2026-12-10", all(
				cannotFreeze("2027-01-01", "2027-01-31", "Between two freezes there are at least 28 days."),
				types(typed{Edits: "Monthly", Form: []string{"priceAmount", "99"}}), // the member keeps the former price
			)},
			{"2027-04-26", cancels("Monday, May 31", "1 more payment is due until then.")},
		},
		Charges: []string{
			"2026-06-16 45.00", "2026-06-20 33.00", "2026-07-01 90.00", "2026-07-01 90.00", "2026-07-10 25.00",
			"2026-08-01 90.00", "2027-01-01 150.00", "2027-02-01 90.00", "2027-03-01 90.00", "2027-04-01 90.00",
			"2027-05-01 90.00",
		},
		Last: "2027-05-31",
		Cannot: []string{
			"a last day of the month for a freeze or a change of plan: both have a notice in days",
			"the end of a freeze within a billing period, for a membership with a billing day",
			"a month in which a membership cannot be canceled after a freeze",
			"another price for the other people on a plan while its buyer has frozen it",
		},
	},
}

// The other studios of the United States.
var studiosUS = []studioTerms{
	{
		Name: "Stillwater Yoga", // 7
		Plans: []typed{
			{Kind: "membership", Form: []string{
				"name", "Twelve months", "priceAmount", "110", "soldOnline", "1", "benefits[0].gives", "unlimited",
				"renewal.minPeriods", "12", "renewal.ends", "1", "renewal.endPpm", "50",
			}},
			{Kind: "membership", Form: []string{
				"name", "Six months", "priceAmount", "120", "soldOnline", "1", "benefits[0].gives", "unlimited",
				"renewal.minPeriods", "6", "renewal.ends", "1", "renewal.endPpm", "50",
			}},
		},
		Plan:  "Six months",
		Gives: []string{"Unlimited bookings."},
		Pays: []string{
			"The price is $120.00 a month.", "The membership ends after 6 payments.",
			"You can end it before that, with the billing period that is paid, for 50% of the remaining payments.",
		},
		Joins: "2026-07-10",
		Year: []act{
			{"2026-07-15", friend("Ben", "Twelve months", "")},
			{"2026-08-13", staffFreezes("2026-08-20", "2026-09-19")},                 // thirty days, seven days ahead
			{"2026-10-20", of("Ben", endsEarly("$440.00", "Saturday, November 14"))}, // half of eight payments
		},
		Charges: []string{
			"2026-07-10 120.00", "2026-07-15 110.00", "2026-08-10 120.00", "2026-08-15 110.00", "2026-09-15 110.00",
			"2026-10-10 120.00", // thirty days later
			"2026-10-15 110.00", "2026-10-20 440.00", "2026-11-10 120.00", "2026-12-10 120.00", "2027-01-10 120.00",
		},
		Last: "2027-02-09",
		Cannot: []string{
			"a freeze that a customer asks for and the studio approves: staff set it",
			"a number of freezes for a contract: it is for twelve months",
		},
	},
	{
		Name: "Lotus Room", // 9
		Plans: []typed{{Kind: "membership", Form: []string{
			"name", "Monthly", "priceAmount", "99", "soldOnline", "1", "benefits[0].gives", "unlimited", "freeze.allowed", "1",
			"freeze.maxDays", "92", "freeze.noticeDays", "10", "freeze.feeAmount", "5", "freeze.feeMonthly", "1",
		}}},
		Plan:  "Monthly",
		Gives: []string{"Unlimited bookings."},
		Pays: []string{
			"The price is $99.00 a month.", "The membership renews until you cancel it.",
			"If you cancel, it ends with the billing period that is paid.",
		},
		Freezing: []string{
			frozen, "It lasts at most 92 days.", "Set it at least 10 days before it begins.",
			"A freeze costs $5.00 for each month that begins in it, with the next payment.",
		},
		Joins: "2026-06-18",
		Year: []act{
			{"2026-06-20", friend("Ben", "Monthly", cardOnce)},
			{"2026-07-23", of("Ben", books(24, 0))}, // the third day of grace is for today
			{"2026-07-24", of("Ben", sees("A payment of $99.00 has been overdue"), books(24, 2200))},
			{"2026-08-03", of("Ben", over)},
			{"2026-09-01", all(
				cannotFreeze("2026-09-10", "2026-10-09", "Set it at least 10 days before it begins."),
				freezes("2026-09-12", "2026-12-10", "$15.00", "on Thursday, December 17"), // ninety days, three months
			)},
			{"2026-11-01", types(typed{Edits: "Monthly", Form: []string{"priceAmount", "119"}})},
		},
		Charges: []string{
			"2026-06-18 99.00", "2026-06-20 99.00", "2026-07-18 99.00", "2026-08-18 99.00",
			"2026-12-17 114.00", // 18 September and ninety days, and the fee of three months
			"2027-01-17 99.00", "2027-02-17 99.00", "2027-03-17 99.00", "2027-04-17 99.00", "2027-05-17 99.00",
			"2027-06-17 99.00",
		},
		Cannot: []string{
			"an end after several unpaid periods, or days after one: it comes after fourteen days",
			"a fee that a refund keeps: staff refund less",
		},
	},
	{
		Name: "Slab Works", // 5
		Plans: []typed{
			{Kind: "membership", Form: []string{
				"name", "Monthly", "priceAmount", "85", "soldOnline", "1", "benefit", "0", "benefit", "1",
				"benefits[0].gives", "unlimited", "benefits[0].kinds", "class",
				"benefits[1].gives", "credits", "benefits[1].credits", "2", "benefits[1].guestsOnly", "only",
			}},
		},
		Plan: "Monthly",
		Gives: []string{
			"Unlimited bookings for all classes.",
			"2 guest passes for all bookings in each billing period. Passes that are not used expire with it.",
		},
		Pays: []string{
			"The price is $85.00 a month.", "The membership renews until you cancel it.",
			"If you cancel, it ends with the billing period that is paid.",
		},
		Joins: "2026-06-15",
		Year: []act{
			{"2026-06-20", all(books(24, 0), booksFor("Ben", 48, 0), has(0, 1))},
			{"2026-07-15", has(0, 2)}, // one was not used, and does not accrue
			{"2026-07-16", friend("Cy", "Monthly", cardOnce)},
			{"2026-08-17", of("Cy", sees("Your card could not be charged."))},
			{"2026-08-30", of("Cy", sees("Ended"))},
			{"2027-05-01", cancels("Friday, May 14")},
		},
		Charges: []string{
			"2026-06-15 85.00", "2026-07-15 85.00", "2026-07-16 85.00", // of Cy
			"2026-08-15 85.00", "2026-09-15 85.00",
			"2026-10-15 85.00", "2026-11-15 85.00", "2026-12-15 85.00", "2027-01-15 85.00", "2027-02-15 85.00",
			"2027-03-15 85.00", "2027-04-15 85.00",
		},
		Last: "2027-05-14",
		Cannot: []string{
			"how often one guest comes, or whether they were there before",
			"guest passes that begin later than the membership",
			"a least number of people of a family, or one address for them",
			"an end after several unpaid periods, or days after one: it comes after fourteen days",
		},
	},
	{
		Name:   "Reform Room", // 13
		Policy: []string{"cancel.allowed", "1", "cancel.freeUntilMinutes", "12", "cancel.lateFeeAmount", "30"},
		Plans: []typed{
			{Kind: "membership", Form: []string{
				"name", "Four", "priceAmount", "120", "soldOnline", "1", "validCount", "30", "validUnit", "day",
				"benefits[0].gives", "credits", "benefits[0].credits", "4", "renewal.minPeriods", "3", "freeze.allowed", "1",
				"freeze.minDays", "14", "freeze.maxDays", "30", "freeze.perYear", "4", "freeze.apart", "60",
			}},
			{Kind: "membership", Form: []string{
				"name", "Unlimited", "priceAmount", "300", "soldOnline", "1", "validCount", "30", "validUnit", "day",
				"benefits[0].gives", "unlimited", "benefits[0].dayMax", "1", "renewal.minPeriods", "3",
				"renewal.downgradePeriods", "3", "changeIds", "{Four}", "freeze.allowed", "1", "freeze.minDays", "14",
				"freeze.maxDays", "30", "freeze.perYear", "4", "freeze.apart", "60",
			}},
			{Kind: "membership", Form: []string{
				"name", "Eight", "priceAmount", "200", "soldOnline", "1", "validCount", "30", "validUnit", "day",
				"benefits[0].gives", "credits", "benefits[0].credits", "8", "renewal.minPeriods", "3",
				"renewal.downgradePeriods", "3", "changeIds", "{Four}", "changeIds", "{Unlimited}", "freeze.allowed", "1",
				"freeze.minDays", "14", "freeze.maxDays", "30", "freeze.perYear", "4", "freeze.apart", "60",
			}},
		},
		Plan:  "Eight",
		Gives: []string{"8 credits for all bookings in each billing period. Credits that are not used expire with it."},
		Pays: []string{
			"The price is $200.00 every 30 days.", "The membership renews until you cancel it.",
			"It runs for at least 3 payments. If you cancel after that, it ends with the billing period that is paid.",
		},
		Freezing: []string{
			frozen, "It lasts at least 14 days.", "It lasts at most 30 days.", "You can do that 4 times in twelve months.",
			"Between two freezes there are at least 60 days.",
		},
		Joins: "2026-06-12",
		Year: []act{
			{"2026-06-20", mayCancel("Wednesday, September 9", "2 more payments are due until then.")},
			{"2026-07-22", all(
				cannotChange("Four", "You can change to a plan with a lower price after 3 billing periods are paid."),
				changes("Unlimited", "$66.67", "on Tuesday, August 11"),
			)},
			{"2026-07-24", all(books(24, 0), books(25, 2200), books(48, 0))}, // one class a day
			{"2026-08-20", changes("Four", "Thursday, September 10")},
			{"2026-10-15", all(
				cannotFreeze("2026-10-20", "2026-11-01", "It lasts at least 14 days."),
				freezes("2026-10-20", "2026-11-08", "on Sunday, November 29"),
			)},
			{"2026-12-10", cannotFreeze("2026-12-15", "2026-12-30", "Between two freezes there are at least 60 days.")},
			{"2027-03-01", cancels("Sunday, March 28")},
		},
		Charges: []string{
			"2026-06-12 200.00", "2026-07-12 200.00",
			"2026-07-22 66.67", // 20 of 30 days of 300, less those of 200
			"2026-08-11 300.00",
			"2026-09-10 120.00", "2026-10-10 120.00", "2026-11-29 120.00", // after fifty days
			"2026-12-29 120.00", "2027-01-28 120.00", "2027-02-27 120.00",
		},
		Last: "2027-03-28",
		Cannot: []string{
			"a fee for a late cancellation, and exceptions to it, by the plan of the customer",
		},
	},
}
