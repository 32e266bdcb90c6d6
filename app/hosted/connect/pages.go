package connect

import (
	"slices"

	"foyer/app/business"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/words"
	"foyer/policy"
)

// Consent is the page on which a person allows an assistant, and the choice before it.
type Consent struct {
	Form     view.Form // of the decision: decision=allow or decision=deny
	Leave    view.Form // signs out
	Base     string
	Client   string
	Document string // the host that says who the client is; empty: nobody does
	Host     string // where the person is sent
	Local    bool   // which is this computer
	Email    string // of the person
	Business *business.Membership
	Several  bool // there are other businesses to choose
	Choices  []business.Membership
	May      []string
}

// facts are what the person checks before they agree: labels with their values.
func (v Consent) facts(w view.Words) [][2]string {
	out := [][2]string{{w.T("Signed in as"), v.Email}, {w.T("You will be sent to"), v.Host}}
	if v.Document != "" {
		out = append(out, [2]string{w.T("Identified by"), v.Document})
	}
	return out
}

// caution says why the name of the assistant proves nothing; empty if its document does.
func (v Consent) caution(w view.Words) string {
	switch {
	case v.Local:
		return w.T("The assistant runs on this device. Connect it only if you have just started this yourself: " +
			"any program here can use this name.")
	case v.Document == "":
		return w.T("The assistant chose this name itself. Check the address that you will be sent to.")
	}
	return ""
}

// ability is what a person with one of the features may do, in words.
type ability struct {
	features []tenancy.Feature
	text     words.Text
}

// all are what assistants can do, from the usual to the grave. Everybody with a role sees the schedule.
var all = []ability{
	{[]tenancy.Feature{policy.LocationView}, "See the schedule, prices and team"},
	{[]tenancy.Feature{policy.BookingView}, "See bookings, and who comes"},
	{[]tenancy.Feature{policy.BookingCheckin, policy.BookingManage}, "Book, reschedule, cancel and check in customers"},
	{[]tenancy.Feature{policy.CRMView, policy.CRMManage, policy.CRMNotes}, "See and change customers’ details and notes"},
	{[]tenancy.Feature{policy.CatalogManage, policy.LocationManage},
		"Change classes, prices, hours and the branding of the pages"},
	{[]tenancy.Feature{policy.PaymentView, policy.ReportFinance, policy.ReportView}, "See payments and reports"},
	{[]tenancy.Feature{policy.PaymentTake, policy.PaymentRefund, policy.BalanceAdjust, policy.MembershipManage},
		"Record payments, refund them and change balances"},
	{[]tenancy.Feature{policy.TeamManage, policy.PayManage, policy.PayView}, "Change the team, its roles and its pay"},
	{[]tenancy.Feature{policy.BusinessManage, policy.AuditView, policy.DataExport},
		"Change the settings of the business, and see its activity log"},
}

// abilities are those of somebody who holds these features.
func abilities(w view.Words, held []tenancy.Feature) (out []string) {
	for _, a := range all {
		if slices.ContainsFunc(a.features, func(f tenancy.Feature) bool { return slices.Contains(held, f) }) {
			out = append(out, w.T(a.text))
		}
	}
	return out
}
