package settings

import (
	"slices"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/tenancy"
	"foyer/app/words"
	"foyer/policy"
)

// told is the name of a role or a feature, with its description.
type told struct{ Name, About words.Text }

var roleWords = map[policy.Role]told{
	policy.Owner:      {"Owner", "Everything. Only owners can close the business and add owners."},
	policy.Admin:      {"Admin", "Everything an owner can do, except managing owners and exporting all data."},
	policy.Manager:    {"Manager", "Runs locations: catalog, bookings, customers, payments."},
	policy.FrontDesk:  {"Front desk", "Books, checks in, sells and takes payments at locations."},
	policy.Instructor: {"Instructor", "Sees and checks in customers of the sessions they teach."},
	policy.Accountant: {"Accountant", "Sees bookings, payments, pay and reports, and the activity log."},
	policy.Marketer:   {"Marketer", "Sees customers and reports, and sends messages to customers."},
	policy.Viewer:     {"Viewer", "Views bookings and reports at locations, and changes nothing."},
}

func roleName(sh ui.Shell, role policy.Role) string {
	if w, ok := roleWords[role]; ok {
		return sh.T(w.Name)
	}
	return string(role)
}

func roleAbout(sh ui.Shell, role policy.Role) string { return sh.T(roleWords[role].About) }

// featureGroup is a part of the table of features.
type featureGroup struct {
	Title    words.Text
	Features []tenancy.Feature
}

// featureGroups are all features; a test compares them with the policy.
var featureGroups = []featureGroup{
	{"Studio", []tenancy.Feature{
		policy.LocationView, policy.LocationManage, policy.BusinessManage, policy.TeamManage, policy.AuditView, policy.DataExport,
	}},
	{"Selling", []tenancy.Feature{policy.CatalogManage, policy.MembershipManage, policy.StockManage}},
	{"Bookings", []tenancy.Feature{policy.BookingView, policy.BookingManage, policy.BookingCheckin, policy.BookingOverride}},
	{"Customers", []tenancy.Feature{policy.CRMView, policy.CRMNotes, policy.CRMManage, policy.MessageSend}},
	{"Money", []tenancy.Feature{policy.PaymentView, policy.PaymentTake, policy.PaymentRefund, policy.BalanceAdjust}},
	{"Pay and reports", []tenancy.Feature{policy.PayView, policy.PayManage, policy.ReportView, policy.ReportFinance}},
}

var featureWords = map[tenancy.Feature]told{
	policy.LocationView:     {"See the studio", "The business, its locations, rooms, offerings, times and team."},
	policy.LocationManage:   {"Manage a location", "Its details, hours, closures, rooms and branding."},
	policy.BusinessManage:   {"Manage the business", "Its settings, locations, taxes, API keys and connections."},
	policy.TeamManage:       {"Manage the team", "Add staff members, assign and remove roles. Only an owner can add or change owners."},
	policy.AuditView:        {"See the activity log", "Every change with its author and time."},
	policy.DataExport:       {"Export all data", "All records of the business."},
	policy.CatalogManage:    {"Manage the catalog", "Offerings, times, prices, policies, photos, agreements and discounts."},
	policy.MembershipManage: {"Memberships and packs", "Sell, freeze, change and end them, and adjust credits."},
	policy.StockManage:      {"Stock", "Receive, count, transfer and adjust it."},
	policy.BookingView:      {"See bookings", "Bookings, rosters and waitlists."},
	policy.BookingManage:    {"Manage bookings", "Create, reschedule and cancel them, manage the waitlist, cancel a class date, assign a substitute."},
	policy.BookingCheckin:   {"Check in", "Mark customers as attended or no-show."},
	policy.BookingOverride:  {"Override rules", "With a reason: full dates, late cancellations, payment, lead time."},
	policy.CRMView:          {"See customers", "Their details, signed agreements and history."},
	policy.CRMNotes:         {"Customer notes", "View and edit them."},
	policy.CRMManage:        {"Manage customers", "Add, change, tag, import and merge them."},
	policy.MessageSend:      {"Message customers", "Send messages to customers."},
	policy.PaymentView:      {"See payments", "Payments, refunds, balances and gift cards."},
	policy.PaymentTake:      {"Take payment", "Take payments and issue gift cards."},
	policy.PaymentRefund:    {"Refund payment", "Refunds."},
	policy.BalanceAdjust:    {"Adjust balances", "With a reason."},
	policy.PayView:          {"See staff pay", "Their rates and pay runs."},
	policy.PayManage:        {"Set staff pay", "Rates, and creating and approving pay runs."},
	policy.ReportView:       {"See reports", "Attendance, utilization and customers."},
	policy.ReportFinance:    {"See financial reports", "Revenue, tax and payouts."},
}

// limits describes the limited form of a feature.
var limits = map[tenancy.Feature]words.Text{
	policy.PaymentView:   "today's payments",
	policy.PaymentRefund: "up to the refund limit of the business",
	policy.CRMManage:     "no merging",
	policy.MessageSend:   "one customer at a time",
	policy.StockManage:   "receiving and selling",
}

// owned describes a feature limited to own rows.
var owned = map[tenancy.Feature]words.Text{
	policy.BookingView:    "the sessions they teach",
	policy.BookingManage:  "the sessions they teach",
	policy.BookingCheckin: "the sessions they teach",
	policy.CRMView:        "customers of the sessions they teach",
	policy.CRMNotes:       "customers of the sessions they teach",
	policy.MessageSend:    "the roster of the sessions they teach",
	policy.PayView:        "their own pay",
	policy.ReportView:     "the sessions they teach",
}

// permitText renders the extent of a feature in a role; empty: none.
func permitText(sh ui.Shell, role policy.Role, f tenancy.Feature) (text, more string) {
	permit := policy.RoleBundle(role)[f]
	switch {
	case permit.Reach == policy.ReachNone:
		return "", ""
	case permit.Reach == policy.ReachOwn:
		return sh.C("permit", "Own"), sh.T(owned[f])
	case permit.Limited:
		return sh.C("permit", "Limited"), sh.T(limits[f])
	}
	return sh.C("permit", "Yes"), ""
}

// roleHead is a role with its number of members.
type roleHead struct {
	Role   policy.Role
	People int
	Mine   bool // the caller's
}

func (s *screens) showFeatures(c *desk.Call) (ui.Screen, error) {
	all, err := s.everybody(c)
	if err != nil {
		return ui.Screen{}, err
	}
	var heads []roleHead
	for _, role := range policy.Roles() {
		h := roleHead{Role: role}
		for _, m := range all {
			has := m.Access != nil && slices.ContainsFunc(m.Access.Roles, func(r business.RoleAt) bool { return r.Role == role })
			h.Mine = h.Mine || has && m.ID == c.Workspace.Member
			if has && m.Active {
				h.People++
			}
		}
		heads = append(heads, h)
	}
	return ui.Screen{
		Title: c.UI.T("Role permissions"), Area: area, Up: up(c, c.UI.T("Team"), "/settings/team"), Wide: true, Body: featuresBody(c, heads),
		Lead: c.UI.T("A role applies where it is assigned: to the whole business, or to one location. Permissions of several roles add up."),
	}, nil
}
