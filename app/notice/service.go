// Package notice mails the people concerned by a booking, a date or a payment: the customer about changes of theirs,
// the team about substitutes, the owners about their money. Packages booking and billing enqueue the jobs; here the
// data is read again, and an outdated notice is not sent. It also sends the reminders that a location has configured,
// and reports lost mails of the whole product to the studio. Package letters renders the mails.
package notice

import (
	"time"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// Options are the dependencies of a Service.
type Options struct {
	DB   *pg.DB
	Mail mail.Sender
	// Write renders the mails about a booking, in the customer's language, and WriteTeam those to a member of the
	// team about a date, in theirs.
	Write     func(Notice) mail.Message
	WriteTeam func(TeamNotice) mail.Message
	// WriteDispute, WriteAccount and WriteAccounting render the mails to owners about their money, in their language.
	WriteDispute    func(DisputeNotice) mail.Message
	WriteAccount    func(AccountNotice) mail.Message
	WriteAccounting func(AccountingNotice) mail.Message
}

// Service has the jobs of this package. It is safe for concurrent use.
type Service struct {
	db *pg.DB
	o  Options
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.Mail == nil || o.Write == nil || o.WriteTeam == nil || o.WriteDispute == nil ||
		o.WriteAccount == nil || o.WriteAccounting == nil {
		panic("notice: an option is missing")
	}
	return &Service{db: o.DB, o: o}
}

// Notice is the content of a mail about a booking.
type Notice struct {
	Kind             booking.NoticeKind
	To               string
	Name             string // may be empty
	Locale           string
	Booking          booking.CustomerBooking
	CostBasis        booking.CostBasis // basis of the cancellation cost, if Terms is true
	business.Address                   // of the location
	Accent           string            // "#rrggbb": the location's colour
	Course           bool              // about all of Booking.Dates, not about one of them
	Several          bool              // about the recurring bookings of Booking.Dates in the state of Booking
	Off              bool              // the date is cancelled
	Minutes          int               // booking.ToldReminder: minutes before the start
	LostPlan         string            // booking.ToldCancelled, too late: the plan that paid; may be empty
	LostCredits      int               // of it; 0: it is unlimited
	Outstanding      bool              // a required agreement is outstanding
	Who              []string          // booking.ToldReminder: who comes, "" is the customer
	NewInstructor    bool              // booking.ToldRescheduled: the instructor changed
	NewRoom          bool              // booking.ToldRescheduled, ToldSubstituted: the space changed
	WasAt            *time.Time        // booking.ToldRescheduled: the former start; nil if unknown
	Words            string            // reason, as the studio wrote it; may be empty
	RefundAmount     int64             // refunded to the card, in minor units of the booking's currency
	Held             bool              // RefundAmount was only authorized, and is released
	CreditAmount     int64             // added to the customer's account credit
	GiftCardAmount   int64             // refunded to the gift cards that it was paid with
	Plan             string            // that paid for it, if its use is returned to it
	PlanCredits      int               // returned to it; 0: it is unlimited
	DeskAmount       int64             // paid at the desk, refunded there
	AtStudioAmount   int64             // booking.ToldBooked: due at the studio for each booking, with tax
	MoreAmount       int64             // booking.ToldParty: additional amount due at the studio
	FeeAmount        int64             // fee due
}

// TeamNotice is the content of a mail to a member of the team about a date.
type TeamNotice struct {
	What         schedule.NoticeKind `db:"-"` // removed or assigned
	To           string
	Name         string
	Locale       string
	BusinessName string
	LocationName string
	Zone         string // IANA: the wall clock of the times
	business.Address
	Accent       string // "#rrggbb": the location's colour
	OfferingName string
	StartsAt     time.Time
	EndsAt       time.Time
	Space        string       // may be empty
	Teaches      bool         // the member teaches the date now
	Also         []TeamNotice `db:"-"` // further dates
}
