// Package notice writes to those whom a booking or a date concerns: to customers what became of theirs, to the team who gives
// a date now, to the owners what concerns their money. Packages booking and billing enqueue the jobs with what is to be told; here the facts are read again, and what does not hold
// any more is not mailed. Before they begin it reminds of bookings, as often as their location wishes. Mails of the whole product that
// were lost it tells the studio. The words are package letters'.
package notice

import (
	"time"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// Options are what a Service needs.
type Options struct {
	DB   *pg.DB
	Mail mail.Sender
	// Write writes the mails about a booking, in the customer's language, and WriteTeam those that tell a member of the team
	// about a date, in theirs.
	Write     func(Notice) mail.Message
	WriteTeam func(TeamNotice) mail.Message
	// WriteDispute and WriteAccount write to the owners about their money, in their language.
	WriteDispute func(DisputeNotice) mail.Message
	WriteAccount func(AccountNotice) mail.Message
}

// Service has the jobs of this package. It is safe for concurrent use.
type Service struct {
	db *pg.DB
	o  Options
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.Mail == nil || o.Write == nil || o.WriteTeam == nil || o.WriteDispute == nil || o.WriteAccount == nil {
		panic("notice: an option is missing")
	}
	return &Service{db: o.DB, o: o}
}

// Notice is what a mail about a booking says.
type Notice struct {
	Kind             booking.NoticeKind
	To               string
	Name             string // may be empty
	Locale           string
	Booking          booking.CustomerBooking
	CostBasis        booking.CostBasis // what cancelling it is about, where Terms tells it
	business.Address                   // of the location
	Accent           string            // "#rrggbb": the location's colour
	Course           bool              // about all of Booking.Dates, and not about one of them only
	Several          bool              // about the recurring bookings of Booking.Dates that stand as Booking does
	Off              bool              // the date does not take place
	Minutes          int               // booking.ToldReminder: so long before it begins
	Outstanding      bool              // something is asked for it that nobody has agreed to yet
	Who              []string          // booking.ToldReminder: who comes, "" is the customer
	NewInstructor    bool              // booking.ToldMoved: another one teaches
	NewRoom          bool              // booking.ToldMoved, ToldSubstituted: it is in another space
	WasAt            *time.Time        // booking.ToldMoved: when it would have begun; nil when that is not known
	Words            string            // why, in the studio's words; may be empty
	RefundAmount     int64             // goes back to the card, in minor units of the booking's currency
	Held             bool              // BackAmount was held on the card only, and is let go
	CreditAmount     int64             // has become the customer's credit
	DeskAmount       int64             // was paid at the desk, and is refunded there
	AtStudioAmount   int64             // booking.ToldBooked: what each of them comes to at the studio, with tax
	MoreAmount       int64             // booking.ToldParty: to be paid at the studio, more than before
	FeeAmount        int64             // is due
}

// TeamNotice is what a mail to a member of the team says about a date.
type TeamNotice struct {
	What         schedule.NoticeKind `db:"-"` // taken or given
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
	Space        string       // empty: none is named
	Teaches      bool         // the date is theirs now
	Also         []TeamNotice `db:"-"` // further dates
}
