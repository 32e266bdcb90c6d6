package plan

import (
	"slices"
	"strconv"
	"strings"
)

// Law is what the law of a location asks of memberships, whatever their plan says.
type Law struct {
	ReminderDays    int // before the renewal of a membership that is paid by the year, it is announced
	PriceNoticeDays int // at least, between the mail about a new price for members and its first period
	// AnyDayAfterTerm lets a customer end a membership on any day once its first term is over, and FreeMonths is the
	// longest notice for that.
	AnyDayAfterTerm bool
	FreeMonths      int
	// WithdrawalDays is how long after joining online a customer can withdraw; 0: the law has no such right.
	WithdrawalDays int
}

// usual is what the product does where nothing else is known: as California asks, whose rules for renewals are the
// strictest of those that bind most places.
//
//   - California Automatic Renewal Law (Business and Professions Code 17600 to 17606): a renewal after a year is
//     announced 15 to 45 days before it, a new price 7 to 30 days before.
//   - Restore Online Shoppers' Confidence Act, of the United States: the terms are said before joining, and a
//     membership is canceled as easily as it was bought. The product does that everywhere.
var usual = Law{ReminderDays: 21, PriceNoticeDays: 30}

// distance is usual with the right to withdraw from a contract that was made online.
//
//   - Directive 2011/83/EU on consumer rights, articles 9 and 16: 14 days, and what was used by then is paid.
//   - Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013, of the United Kingdom:
//     likewise.
var distance = Law{ReminderDays: usual.ReminderDays, PriceNoticeDays: usual.PriceNoticeDays, WithdrawalDays: 14}

// europe are the countries of the European Economic Area, and the United Kingdom.
var europe = strings.Fields(`AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI
	SK`)

// stateLaws are the laws of countries, and of states of them, that change usual or distance.
var stateLaws = []struct {
	country string
	region  []string // names of the state, in small letters; nil: the whole country
	change  func(*Law)
}{
	// Civil Code (BGB) section 309 number 9, as of 1 March 2022 by the Act for Fair Consumer Contracts: a contract that
	// goes on after its first term is ended at any time, with one month of notice at most.
	{"DE", nil, func(l *Law) { l.AnyDayAfterTerm, l.FreeMonths = true, 1 }},
	// Civil Code, book 6, articles 236 j and 237 l (Van Dam Act): likewise.
	{"NL", nil, func(l *Law) { l.AnyDayAfterTerm, l.FreeMonths = true, 1 }},
	// Code of Economic Law, article VI.91: likewise, with two months of notice at most.
	{"BE", nil, func(l *Law) { l.AnyDayAfterTerm, l.FreeMonths = true, 2 }},
	// Consumer Code, article L215-1 (Chatel Act): a renewal is announced one to three months before it.
	{"FR", nil, func(l *Law) { l.ReminderDays = 45 }},
	// Civil Code 1812.85 (Health Studio Services Contract Law): five business days.
	{"US", []string{"ca", "california"}, func(l *Law) { l.WithdrawalDays = 7 }},
	// General Business Law 624 (Health Club Services): three days.
	{"US", []string{"ny", "new york"}, func(l *Law) { l.WithdrawalDays = 3 }},
	// Consumer Protection Act, 2002, section 35 (personal development services): ten days.
	{"CA", []string{"on", "ontario"}, func(l *Law) { l.WithdrawalDays = 10 }},
}

// LawOf returns the law of a country, by its ISO code of two letters, and of a region of it as an address has it: the
// usual one where no other is known.
func LawOf(country, region string) Law {
	l := usual
	if slices.Contains(europe, country) {
		l = distance
	}
	region = strings.ToLower(strings.TrimSpace(region))
	for _, s := range stateLaws {
		if s.country == country && (s.region == nil || slices.Contains(s.region, region)) {
			s.change(&l)
		}
	}
	return l
}

// reminderMost is the largest ReminderDays of any law.
var reminderMost = func() int {
	most := usual.ReminderDays
	for _, s := range stateLaws {
		most = max(most, LawOf(s.country, "").ReminderDays)
	}
	return most
}()

// reminderDaysSQL is the ReminderDays of a location l. No law of a region has its own.
var reminderDaysSQL = func() string {
	days := "case l.country"
	for _, s := range stateLaws {
		if n := LawOf(s.country, "").ReminderDays; s.region == nil && n != usual.ReminderDays {
			days += " when '" + s.country + "' then " + strconv.Itoa(n)
		}
	}
	return days + " else " + strconv.Itoa(usual.ReminderDays) + " end"
}()
