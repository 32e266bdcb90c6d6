package bookings

import (
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/tenancy"
)

// did is what a transition of a booking was, as the history tells it.
func did(sh ui.Shell, t booking.Transition) string {
	switch t {
	case booking.TransitionHold:
		return sh.C("history", "Seat held")
	case booking.TransitionConfirm:
		return sh.C("history", "Booked online")
	case booking.TransitionRequest:
		return sh.C("history", "Asked for")
	case booking.TransitionExpire:
		return sh.C("history", "The time to pay ran out")
	case booking.TransitionRelease:
		return sh.C("history", "Let go")
	case booking.TransitionRetake:
		return sh.C("history", "Paid late, and the seat was still free")
	case booking.TransitionBook:
		return sh.C("history", "Booked by the studio")
	case booking.TransitionPromote:
		return sh.C("history", "Got a place from the waitlist")
	case booking.TransitionApprove:
		return sh.C("history", "Approved")
	case booking.TransitionDecline:
		return sh.C("history", "Declined")
	case booking.TransitionReschedule:
		return sh.C("history", "Moved to another time")
	case booking.TransitionRetime:
		return sh.C("history", "The date itself was moved")
	case booking.TransitionRelocate:
		return sh.C("history", "The date itself moved to another place")
	case booking.TransitionCancel:
		return sh.C("history", "Cancelled in time")
	case booking.TransitionCancelLate:
		return sh.C("history", "Cancelled late")
	case booking.TransitionStudioCancel:
		return sh.C("history", "Cancelled by the studio")
	case booking.TransitionCheckIn:
		return sh.C("history", "Checked in")
	case booking.TransitionUndoCheckIn:
		return sh.C("history", "Check-in taken back")
	case booking.TransitionNoShow:
		return sh.C("history", "Marked as a no-show")
	case booking.TransitionUndoNoShow:
		return sh.C("history", "No-show taken back")
	}
	return sh.C("history", "It took place")
}

// by is who did it, and where.
func by(sh ui.Shell, ch booking.Change) string {
	switch {
	case ch.ActorName != "":
		return ch.ActorName
	case ch.ActorKind == tenancy.ActorSystem:
		return sh.T("By itself")
	case ch.ActorKind == tenancy.ActorKey:
		return sh.T("A program with a key")
	}
	return sh.T("The customer")
}

// events are the history of a booking, the latest first.
func events(c *desk.Call, b booking.StudioBooking, list []booking.Change) []ui.Event {
	sh := c.UI
	w := wordsAt(c, b.Zone)
	out := make([]ui.Event, 0, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		ch := list[i]
		e := ui.Event{At: ch.At, Text: did(sh, ch.Transition), Who: by(sh, ch), More: ch.Words}
		if ch.FromStart != nil {
			e.Text = sh.T("{what}, was {when}", "what", e.Text, "when", w.ShortWhen(*ch.FromStart))
		}
		out = append(out, e)
	}
	return out
}

// why is what keeps a date from being booked, by its code.
func why(sh ui.Shell, reason string) string {
	switch reason {
	case booking.ErrFull.Reason, string(availability.CodeFull):
		return sh.T("It is full.")
	case booking.ErrDuplicate.Reason:
		return sh.T("They are booked then already.")
	case booking.ErrStarted.Reason:
		return sh.T("It has begun.")
	case booking.ErrCancelled.Reason:
		return sh.T("It is cancelled.")
	case booking.ErrTooLate.Reason:
		return sh.T("It is too late to book it.")
	case booking.ErrTooEarly.Reason:
		return sh.T("It is too early to book it.")
	case string(availability.CodeStaffBusy):
		return sh.T("The person is busy.")
	case string(availability.CodeSpaceBusy):
		return sh.T("The room is in use.")
	case string(availability.CodeClosed):
		return sh.T("The studio is closed.")
	case string(availability.CodePaused):
		return sh.T("The studio takes no bookings.")
	case string(availability.CodeWaitlist):
		return sh.T("What is free is on offer to the waitlist.")
	}
	return sh.T("It cannot be booked.")
}

// aside is a rule that was set aside.
func aside(sh ui.Shell, over string) string {
	switch over {
	case booking.OverCapacity:
		return sh.T("The date is full and gets one seat more")
	case booking.OverStarted:
		return sh.T("It has begun already")
	case booking.OverNotice:
		return sh.T("It is later than the policy allows")
	case booking.OverWindow:
		return sh.T("It is earlier than the policy allows")
	case booking.OverCourse:
		return sh.T("It is one date of a course, booked alone")
	}
	return sh.T("Opening hours, notice and length are set aside")
}
