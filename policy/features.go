package policy

import "foyer/app/tenancy"

// The features. The first six are the contract's (A54); the others are ours (A218).
const (
	BusinessManage   tenancy.Feature = "business.manage"
	LocationView     tenancy.Feature = "location.view"
	CatalogManage    tenancy.Feature = "catalog.manage"
	BookingManage    tenancy.Feature = "booking.manage"
	CRMView          tenancy.Feature = "crm.view"
	CRMNotes         tenancy.Feature = "crm.notes"
	LocationManage   tenancy.Feature = "location.manage"
	BookingView      tenancy.Feature = "booking.view"
	BookingCheckin   tenancy.Feature = "booking.checkin"
	BookingOverride  tenancy.Feature = "booking.override"
	PaymentView      tenancy.Feature = "payment.view"
	PaymentTake      tenancy.Feature = "payment.take"
	PaymentRefund    tenancy.Feature = "payment.refund"
	BalanceAdjust    tenancy.Feature = "balance.adjust"
	MembershipManage tenancy.Feature = "membership.manage"
	CRMManage        tenancy.Feature = "crm.manage"
	MessageSend      tenancy.Feature = "message.send"
	StockManage      tenancy.Feature = "stock.manage"
	TeamManage       tenancy.Feature = "team.manage"
	PayView          tenancy.Feature = "pay.view"
	PayManage        tenancy.Feature = "pay.manage"
	ReportView       tenancy.Feature = "report.view"
	ReportFinance    tenancy.Feature = "report.finance"
	AuditView        tenancy.Feature = "audit.view"
	DataExport       tenancy.Feature = "data.export"
)

// KeyRule is the rule for a feature in API keys.
type KeyRule string

// The rules. A key never holds more than the person who made it.
const (
	Default   KeyRule = "default"    // harmless reading and checking in: the usual features of a key
	IfGranted KeyRule = "if_granted" // held if the creator of the key holds it
	Never     KeyRule = "never"      // for people only
)

// All lists the rules.
func (KeyRule) All() []KeyRule { return []KeyRule{Default, IfGranted, Never} }

// Description describes a feature for people.
type Description struct {
	Feature     tenancy.Feature
	Description string  // its permission, in one sentence
	Limit       string  // the limited form; empty without one
	Own         string  // the meaning of "own" for it; empty when no role has it for own rows
	Contract    bool    // one of the six of the contract
	Key         KeyRule // rule for API keys
}

// All has the descriptions of all features, in the order of the published table. Read only.
var All = []Description{
	{Feature: BusinessManage, Contract: true, Key: IfGranted,
		Description: "Change the settings of the business, its locations, taxes, keys, webhooks and ledger connection."},
	{Feature: LocationView, Contract: true, Key: Default,
		Description: "See the business, its locations, spaces, offerings, times, products and team."},
	{Feature: LocationManage, Key: IfGranted,
		Description: "Change a location: details, hours, closures, spaces, branding."},
	{Feature: CatalogManage, Contract: true, Key: IfGranted,
		Description: "Change the catalog: offerings, times, prices, policies, products, photos, agreements, discounts."},
	{Feature: BookingView, Key: Default, Own: "the sessions they teach",
		Description: "See bookings, rosters and waitlists."},
	{Feature: BookingManage, Contract: true, Key: IfGranted, Own: "the sessions they teach",
		Description: "Create, reschedule and cancel bookings, run the waitlist, cancel a date, assign a substitute."},
	{Feature: BookingCheckin, Key: Default, Own: "the sessions they teach",
		Description: "Check customers in and mark no-shows."},
	{Feature: BookingOverride, Key: Never,
		Description: "Override a booking rule with a reason: capacity, late cancellation, payment, lead time."},
	{Feature: PaymentView, Key: IfGranted, Limit: "today's payments",
		Description: "See payments, refunds, balances and gift cards."},
	{Feature: PaymentTake, Key: IfGranted,
		Description: "Take payments and issue gift cards."},
	{Feature: PaymentRefund, Key: Never, Limit: "refunds up to the cap that the business sets",
		Description: "Refund payments."},
	{Feature: BalanceAdjust, Key: Never,
		Description: "Adjust a customer's balance, with a reason."},
	{Feature: MembershipManage, Key: IfGranted,
		Description: "Sell, freeze, change and end customers' plans, and correct credits."},
	{Feature: CRMView, Contract: true, Key: IfGranted, Own: "the customers of the sessions they teach",
		Description: "See customers, their signed agreements and their history."},
	{Feature: CRMNotes, Contract: true, Key: IfGranted, Own: "the customers of the sessions they teach",
		Description: "Read and write notes about customers."},
	{Feature: CRMManage, Key: IfGranted, Limit: "everything except merging two customers",
		Description: "Add, change, tag, import and merge customers."},
	{Feature: MessageSend, Key: Never, Limit: "messages to one customer at a time", Own: "the roster of the sessions they teach",
		Description: "Send messages to customers."},
	{Feature: StockManage, Key: IfGranted, Limit: "receiving and selling, no corrections, transfers or counts",
		Description: "Receive, count, transfer and correct stock."},
	{Feature: TeamManage, Key: Never,
		Description: "Invite people, and assign and remove roles. Only an owner can make or change owners."},
	{Feature: PayView, Key: Never, Own: "their own pay",
		Description: "See the pay of the team."},
	{Feature: PayManage, Key: Never,
		Description: "Set pay rates, and make and approve pay runs."},
	{Feature: ReportView, Key: IfGranted, Own: "the sessions they teach",
		Description: "See reports about attendance, use and customers."},
	{Feature: ReportFinance, Key: IfGranted,
		Description: "See reports about money."},
	{Feature: AuditView, Key: Never,
		Description: "See the activity log."},
	{Feature: DataExport, Key: Never,
		Description: "Export all data of the business."},
}

var described = func() map[tenancy.Feature]Description {
	m := make(map[tenancy.Feature]Description, len(All))
	for _, d := range All {
		m[d.Feature] = d
	}
	return m
}()

// Known reports whether f is a feature.
func Known(f tenancy.Feature) bool { _, ok := described[f]; return ok }
