package settings

import (
	"strings"
	"sync"
	"unicode"

	"foyer/app/assembly"
	"foyer/app/console/ui"
	"foyer/app/tenancy"
	"foyer/app/words"
)

// recordWords are the kinds of record that changes are written down of, as one of them is called: what the domains declare of
// their tables. A test compares them with the tables, and the words of fields with their columns.
var recordWords = sync.OnceValue(func() map[string]words.Text {
	out := map[string]words.Text{}
	for name, t := range assembly.Tables() {
		if t.Record != "" {
			out[name] = words.Text(t.Record)
		}
	}
	return out
})

func recordName(sh ui.Shell, record string) string {
	if w, ok := recordWords()[record]; ok {
		return sh.T(w)
	}
	return strings.ReplaceAll(record, "_", " ")
}

// surfaceWords are the doors that a change can come through.
var surfaceWords = map[tenancy.Surface]words.Text{
	tenancy.SurfaceConsole: "in the console",
	tenancy.SurfaceHosted:  "on the booking pages",
	tenancy.SurfaceAPI:     "through the API",
	tenancy.SurfaceJob:     "by the product itself",
	tenancy.SurfaceCLI:     "on the server",
}

func surfaceName(sh ui.Shell, s tenancy.Surface) string {
	if w, ok := surfaceWords[s]; ok {
		return sh.T(w)
	}
	return string(s)
}

// fieldWords are the fields of records as people call them. What only one domain has may stand in its declare.go instead (Fields).
var fieldWords = map[string]words.Text{
	"dismissedAt": "Dismissed", "disputeId": "Dispute", "dueBy": "Details asked for until", "submittedAt": "Handed in", "refused": "Why it was not taken",
	"takenAt": "Taken by the processor", "words": "Words",
	"job":    "Job",
	"late":   "Too late",
	"what":   "What it told",
	"accent": "Accent", "amount": "Amount", "appointmentWord": "Word for appointments", "approval": "Needs a yes", "archivedAt": "Archived",
	"actorId": "Who", "actorKind": "Who", "actorName": "Who", "closedBy": "Counted by", "countedAmount": "Counted", "drawerId": "Drawer", "expectedAmount": "Had to be in it",
	"floatAmount": "In it at the start", "foundAmount": "Had to be in it at the start", "leftAmount": "Left in it", "method": "How", "ofId": "Of", "openedBy": "Opened by",
	"code": "Code", "combines": "Together with others", "creditAmount": "Paid with account credit", "customerUsesMax": "How often each customer", "discountAmount": "Discount", "firstDay": "First day",
	"firstTime": "Only for a first booking", "lastDay": "Last day", "leastAmount": "From this price on", "locationIds": "Places", "offeringIds": "Offerings", "usesMax": "How often in all",
	"attendee": "Who comes", "bookable": "Can be booked", "bookingId": "Booking", "bufferAfterMinutes": "Minutes free after", "bufferBeforeMinutes": "Minutes free before",
	"cancelReason": "Why it was cancelled", "cancelledAt": "Cancelled", "capacity": "Seats", "cartId": "Cart", "checkedInAt": "Checked in", "checkedOutAt": "Left",
	"city": "City", "classWord": "Word for classes", "closedAt": "Closed", "closes": "Closes", "compact": "Close together", "confirmedAt": "Booked", "consentAt": "Agreed",
	"corners": "Corners", "country": "Country", "createdBy": "Made by", "css": "Stylesheet", "currency": "Currency", "customerId": "Customer", "dailyCap": "Most appointments a day",
	"deactivatedAt": "Deactivated", "defaultCurrency": "Currency", "description": "Description", "dropIfPromoted": "Leaves the list when there is a place", "due": "Details asked for", "dueAmount": "To pay at the studio",
	"durationMinutes": "Length in minutes", "durations": "Lengths and prices", "email": "E-mail address", "endedAt": "Ended", "endsAt": "End", "endsOn": "Last day",
	"enrolment": "Enrolment", "env": "Environment", "every": "Every", "exceptDates": "Left-out dates", "expiresAt": "Works until", "externalId": "Account",
	"extraDates": "Extra dates", "features": "Features", "feeAmount": "Fee", "feeLaterAmount": "Fee that came back later", "feeMode": "Who bears the fee", "feePpm": "Fee", "freq": "Repeats", "graceUntil": "Paid at the latest",
	"gridMinutes": "Starts every … minutes", "ground": "Ground", "groupId": "Group", "heading": "Heading", "holdId": "Held as", "hours": "Hours", "kind": "Kind",
	"language": "Language", "lastStartMinute": "Last start", "localDate": "Day", "locationId": "Place", "maxCount": "How often", "memberId": "Person",
	"monthlyBy": "Monthly by", "name": "Name", "needsMember": "Needs a person", "note": "Note", "occurrenceId": "Date", "offerUntil": "Offer ends", "offered": "On offer",
	"offeredAt": "Offered", "offeringId": "Offering", "online": "Booked online", "onlineCapacity": "Seats online", "opens": "Opens", "orderId": "Order",
	"otherLanguages": "Other languages", "otherSites": "Other websites", "overrides": "Differs from its series", "parentId": "Part of", "party": "People", "paymentChoice": "Payment",
	"paymentId": "Payment", "personId": "Person", "phone": "Phone", "policy": "Policy", "policyId": "Policy", "position": "Order on the page", "postalCode": "Postal code",
	"ppm": "Rate", "prefix": "Begins with", "priceAmount": "Price", "priceDisplay": "Prices in lists", "publishedAt": "Published", "rank": "Place in line", "reason": "Reason", "region": "State or region",
	"refundCapAmount": "The front desk may give back", "reminders": "Reminders", "rentalWord": "Word for rentals", "reschedules": "Times moved", "restAskedAt": "Rest of the deposit asked for", "reviewAt": "Looked at by", "reviewUntil": "Can be waived until",
	"revokedAt": "Revoked", "role": "Role", "ruleDate": "Day of its series", "rules": "Rules", "seriesId": "Series", "serviceFeeAmount": "Service fee", "settledAt": "Paid",
	"slug": "Address", "soldAs": "Sold as", "spaceId": "Room", "splitFrom": "Split from", "splitPpm": "Customer’s share of the fee", "startsAt": "Start", "startsAtMinute": "Time of day",
	"startsOn": "First day", "state": "State", "status": "State", "street": "Street", "subtotalAmount": "Before tax", "taken": "Seats taken", "takenOnline": "Seats taken online",
	"taxAmount": "Tax", "taxMode": "Prices and tax", "taxRateId": "Tax", "totalAmount": "Total", "type": "Type", "walkins": "Takes walk-ins", "walkinsOff": "No walk-ins",
	"wallet": "Wallet", "walkinsPausedUntil": "No walk-ins until", "website": "Website", "weekday": "Day of the week", "weekdays": "Days of the week", "weeklyCap": "Most appointments a week", "zone": "Time zone",
	"account": "Account", "balance": "Balance", "brand": "Brand", "consentText": "Agreed to", "consentVersion": "Version of what was agreed to", "consentedAt": "Agreed", "destination": "Goes to", "expMonth": "Good until, month", "expYear": "Good until, year", "last4": "Last digits", "refundId": "Refund", "removedAt": "Removed", "removedBy": "Removed by", "manualPaymentId": "Money of the desk",
	"alt": "What is to be seen", "assetId": "Photo", "bytes": "Size of the file", "chargeFailed": "Why the card was not charged", "format": "Format", "height": "Height", "sizes": "Widths", "tags": "Tags", "title": "Title", "width": "Width",
	"copyId": "Copy", "copyNumber": "Copy", "documentId": "Agreement", "everyListing": "Asked by everything that can be booked", "frequency": "How often", "round": "Round", "show": "How it is shown", "shown": "How it was shown", "source": "Where",
}

// fieldWord is the word for a field; empty when nobody has one.
func fieldWord(field string) words.Text {
	for _, d := range assembly.Declared() {
		if w, ok := d.Fields[field]; ok {
			return words.Text(w)
		}
	}
	return fieldWords[field]
}

func fieldName(sh ui.Shell, field string) string {
	if w := fieldWord(field); w != "" {
		return sh.T(w)
	}
	return spaced(field)
}

// spaced is "startsAt" as "starts at", for a field that has no words.
func spaced(field string) string {
	var b strings.Builder
	for _, r := range field {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
