package today

import (
	"cmp"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/booking"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/waitlist"
	"foyer/app/words"
	"foyer/policy"
)

// about maps the job of a failed mail to its subject.
var about = map[string]words.Text{
	"order.confirmation":                "{name} did not receive the booking confirmation",
	"order.late_refund":                 "{name} was not notified about the refund of a late payment",
	"owed.charge_mail":                  "{name} was not notified about a fee",
	"business.team_invite":              "{name} did not receive the team invite",
	"booking.team_notice":               "{name} was not notified about the instructor of a date",
	"dispute.notice":                    "{name} was not notified about a dispute",
	"billing.account_notice":            "{name} was not notified about the payment account",
	"booking.reminder":                  "{name} did not receive the reminder",
	"booking.waitlist_letter":           "{name} was not notified about the waitlist",
	"booking.notice":                    "{name} was not notified about a booking",
	string(booking.ToldBooked):          "{name} was not notified about the booking you made",
	string(booking.ToldApproved):        "{name} was not notified about the approved request",
	string(booking.ToldDeclined):        "{name} was not notified about the declined request",
	string(booking.ToldRescheduled):     "{name} was not notified about the new time",
	string(booking.ToldRelocated):       "{name} was not notified about the new location",
	string(booking.ToldParty):           "{name} was not notified about the new number of spots",
	string(booking.ToldCancelled):       "{name} was not notified about the cancelled booking",
	string(booking.ToldStudioCancelled): "{name} was not notified about the cancelled date",
	string(booking.ToldSubstituted):     "{name} was not notified about the new instructor",
	string(booking.ToldRoom):            "{name} was not notified about the new room",
	string(booking.ToldRestored):        "{name} was not notified about the restored date",
	string(waitlist.LetterOffered):      "{name} was not notified about the offered spot",
	string(waitlist.LetterPromoted):     "{name} was not notified about their spot from the waitlist",
}

// mailWords describes a failed mail, with a link to act on it.
func mailWords(c *desk.Call, m agenda.FailedMail) (what, href string) {
	text, known := about[m.What]
	if !known {
		text = cmp.Or(about[m.Kind], words.Text("{name} did not receive an e-mail"))
	}
	switch {
	case m.BookingID != nil:
		href = c.To("/bookings/" + m.BookingID.String())
	case m.OccurrenceID != nil:
		href = c.To("/dates/" + m.OccurrenceID.String())
	case m.CustomerID != nil:
		href = c.To("/customers/" + m.CustomerID.String())
	case m.MemberID != nil:
		href = c.To("/settings")
	}
	return c.UI.T(text, "name", cmp.Or(m.Name, m.Email, c.UI.T("Unknown recipient"))), href
}

// why renders the reason of the failure.
func why(sh ui.Shell, m agenda.FailedMail) string {
	if m.Late {
		return sh.T("The e-mail could not be sent in time")
	}
	return sh.T("The mail server rejected it")
}

// mayDismiss reports whether the caller may dismiss it.
func mayDismiss(c *desk.Call, m agenda.FailedMail) bool {
	place := uuid.Nil // without a location: needs the right at any
	if m.LocationID != nil {
		place = *m.LocationID
	}
	return c.Scope.Grants.At(policy.BookingManage, place)
}
