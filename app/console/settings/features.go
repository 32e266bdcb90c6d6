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

// told is what a role or a feature is called, and what it is for.
type told struct{ Name, About words.Text }

var roleWords = map[policy.Role]told{
	policy.Owner:      {"Owner", "Everything, and the only one who closes the business or makes owners."},
	policy.Admin:      {"Admin", "Everything that an owner does, except about owners and the copy of all data."},
	policy.Manager:    {"Manager", "Runs places: what is sold, bookings, customers, money."},
	policy.FrontDesk:  {"Front desk", "Books, checks in, sells and takes money at places."},
	policy.Instructor: {"Instructor", "Sees the sessions they teach, with who comes, and checks them in."},
	policy.Accountant: {"Accountant", "Reads bookings, payments, pay and reports, and the record of changes."},
	policy.Marketer:   {"Marketer", "Sees customers and reports, and writes to customers."},
	policy.Viewer:     {"Viewer", "Looks at bookings and reports at places, and changes nothing."},
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
	policy.LocationView:     {"See the studio", "The business, its places, rooms, offerings, times and team."},
	policy.LocationManage:   {"Run a place", "Its details, hours, closures, rooms and look."},
	policy.BusinessManage:   {"Run the business", "Its settings, places, taxes, keys and connections."},
	policy.TeamManage:       {"Run the team", "Add people, give and take roles. Only an owner makes or changes owners."},
	policy.AuditView:        {"Read the record of changes", "Who changed what, and when."},
	policy.DataExport:       {"Take a copy of all data", "Everything that the business has written down."},
	policy.CatalogManage:    {"Change what is sold", "Offerings, times, prices, policies, photos, agreements and discounts."},
	policy.MembershipManage: {"Memberships and packs", "Sell, freeze, change and end them, and correct credits."},
	policy.StockManage:      {"Stock", "Receive, count, move and correct it."},
	policy.BookingView:      {"See bookings", "Bookings, rosters and waitlists."},
	policy.BookingManage:    {"Change bookings", "Make, move and cancel them, run the waitlist, cancel a date, name a substitute."},
	policy.BookingCheckin:   {"Check in", "Who came, and who did not."},
	policy.BookingOverride:  {"Set a rule aside", "With a reason: a full date, late cancelling, payment, notice."},
	policy.CRMView:          {"See customers", "Who they are, what they agreed to, and their history."},
	policy.CRMNotes:         {"Notes about customers", "Read and write them."},
	policy.CRMManage:        {"Change customers", "Add, change, tag, import and merge them."},
	policy.MessageSend:      {"Write to customers", "Send them messages."},
	policy.PaymentView:      {"See payments", "Payments, refunds, balances and gift cards."},
	policy.PaymentTake:      {"Take money", "Take payments and issue gift cards."},
	policy.PaymentRefund:    {"Give money back", "Refunds."},
	policy.BalanceAdjust:    {"Change a balance by hand", "With a reason."},
	policy.PayView:          {"See what people are paid", "Their rates and pay runs."},
	policy.PayManage:        {"Set what people are paid", "Rates, and making and approving pay runs."},
	policy.ReportView:       {"See reports", "Attendance, use and customers."},
	policy.ReportFinance:    {"See reports about money", "Revenue, tax and payouts."},
}

// limits are what the limited form of a feature allows.
var limits = map[tenancy.Feature]words.Text{
	policy.PaymentView:   "payments of today",
	policy.PaymentRefund: "up to the cap of the business",
	policy.CRMManage:     "no merging",
	policy.MessageSend:   "one customer at a time",
	policy.StockManage:   "receiving and selling",
}

// owned are what a feature for own rows is about.
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

// permitText is how far a role may do something; empty: not at all.
func permitText(sh ui.Shell, role policy.Role, f tenancy.Feature) (text, more string) {
	permit := policy.RoleBundle(role)[f]
	switch {
	case permit.Reach == policy.ReachNone:
		return "", ""
	case permit.Reach == policy.ReachOwn:
		return sh.C("permit", "Own"), sh.T(owned[f])
	case permit.Limited:
		return sh.C("permit", "Some"), sh.T(limits[f])
	}
	return sh.C("permit", "Yes"), ""
}

// roleHead is a role with how many people have it.
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
		Title: c.UI.T("What roles may do"), Area: area, Up: up(c, c.UI.T("Team"), "/settings/team"), Wide: true, Body: featuresBody(c, heads),
		Lead: c.UI.T("A role holds where it is given: in the whole business, or at one place. Several add up, and none takes away."),
	}, nil
}
