package business

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
)

// Status says whether a business takes bookings.
type Status string

// The statuses.
const (
	Active Status = "active"
	Paused Status = "paused" // no new bookings for now
	Closed Status = "closed" // the end of service: nothing is shown any more, and for a while it can return
)

// All lists them.
func (Status) All() []Status { return []Status{Active, Paused, Closed} }

// FeeMode says who bears the platform fee. The values are those of billing.Mode.
type FeeMode string

// The modes. A26, A27, A28.
const (
	FeeAbsorb   FeeMode = "absorb"
	FeeSplit    FeeMode = "split"
	FeeCustomer FeeMode = "customer"
)

// All lists them.
func (FeeMode) All() []FeeMode { return []FeeMode{FeeAbsorb, FeeSplit, FeeCustomer} }

// Business is the tenant itself.
type Business struct {
	ID       uuid.UUID
	Name     string
	Slug     string         // its root address
	Currency money.Currency // for new locations
	Zone     string         // IANA, for new locations
	FeeMode  FeeMode        // who bears the platform fee
	FeePPM   int64          // the platform fee, 20000 is 2 %; set by the platform, not by the studio
	SplitPPM int64          // the customer's share of the fee with FeeSplit, 500000 is half (A27)
	Words
	Status    Status
	ClosedAt  *time.Time // nil unless it is closed; of one that was closed by hand, too
	Version   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Words are the headings for listings without one of their own, by kind.
type Words struct {
	ClassWord       string
	AppointmentWord string
	RentalWord      string
}

// defaultWords are what a business starts with.
var defaultWords = Words{ClassWord: "Classes", AppointmentWord: "Appointments", RentalWord: "Rentals"}

// The platform fee that a business starts with, 2 % (A24), and the most it can be; the share of it that a customer bears where
// it is split, until the studio chooses another (A27), and the most of that.
const (
	defaultFeePPM   = 20_000
	MaxFeePPM       = 300_000
	defaultSplitPPM = 500_000
	MaxSplitPPM     = 1_000_000
)

// ErrCurrencyFrozen refuses another currency once a payment has been made or is being made.
var ErrCurrencyFrozen = fault.New(fault.Conflict, "currency_frozen", "The currency cannot change after the first payment.")
