package business

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
)

// Status is the state of a business.
type Status string

// Statuses of a business.
const (
	Active Status = "active"
	Paused Status = "paused" // no new bookings for now
	Closed Status = "closed" // service ended: nothing is public; it can return for a while
)

// All returns all values.
func (Status) All() []Status { return []Status{Active, Paused, Closed} }

// FeeMode determines how the platform fee is split between studio and customer. The values are those of billing.Mode.
type FeeMode string

// Fee modes. A26, A27, A28.
const (
	FeeAbsorb   FeeMode = "absorb"
	FeeSplit    FeeMode = "split"
	FeeCustomer FeeMode = "customer"
)

// All returns all values.
func (FeeMode) All() []FeeMode { return []FeeMode{FeeAbsorb, FeeSplit, FeeCustomer} }

// Business is the tenant.
type Business struct {
	ID       uuid.UUID
	Name     string
	Slug     string         // its root address
	Currency money.Currency // for new locations
	Zone     string         // IANA, for new locations
	FeeMode  FeeMode        // split of the platform fee
	FeePPM   int64          // the platform fee, 20000 is 2 %; set by the platform, not by the studio
	SplitPPM int64          // the customer's share of the fee with FeeSplit, 500000 is half (A27)
	Words
	Status    Status
	ClosedAt  *time.Time // nil unless it is closed; set even if the row was closed by hand
	Version   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Words are the default headings of listings, by kind.
type Words struct {
	ClassWord       string
	AppointmentWord string
	RentalWord      string
}

// defaultWords are the headings of a new business.
var defaultWords = Words{ClassWord: "Classes", AppointmentWord: "Appointments", RentalWord: "Rentals"}

// The platform fee of a new business, 2 % (A24), and its maximum; the customer's share of it in the split mode until
// the studio changes it (A27), and its maximum.
const (
	defaultFeePPM   = 20_000
	MaxFeePPM       = 300_000
	defaultSplitPPM = 500_000
	MaxSplitPPM     = 1_000_000
)

// ErrCurrencyFrozen is returned for a change of the currency after a payment, or during one.
var ErrCurrencyFrozen = fault.New(fault.Conflict, "currency_frozen", "The currency cannot change after the first payment.")
