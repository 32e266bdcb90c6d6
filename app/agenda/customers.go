package agenda

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CustomerSort is the order of a list of customers.
type CustomerSort string

// Orders of customers. Customers without a value come last.
const (
	SortNewest    CustomerSort = "newest" // the newest record first
	SortOldest    CustomerSort = "oldest"
	SortName      CustomerSort = "name"
	SortNext      CustomerSort = "next"    // the soonest next visit first
	SortLast      CustomerSort = "last"    // the latest visit first
	SortByBalance CustomerSort = "balance" // the largest balance due first
)

// All lists them.
func (CustomerSort) All() []CustomerSort {
	return []CustomerSort{SortNewest, SortOldest, SortName, SortNext, SortLast, SortByBalance}
}

// CustomersInput chooses customers.
type CustomersInput struct {
	Query  string       // a part of the name, or the beginning of the address or phone number, in any letter case; empty for all
	Sort   CustomerSort // empty: SortNewest
	Limit  int          // 1 to paging.Max; 0: paging.Default
	Offset int
}

const customerQueryMax = 120

// Validate fills in the order and checks the input. The error names every wrong field.
func (in *CustomersInput) Validate() error {
	var c fault.Checks
	if in.Sort == "" {
		in.Sort = SortNewest
	}
	paging.Check(&c, in.Limit)
	c.That(slices.Contains(in.Sort.All(), in.Sort), "sort", "Use newest, oldest, name, next, last or balance.")
	c.That(in.Offset >= 0, "offset", "Use 0 or more.")
	c.That(utf8.RuneCountInString(in.Query) <= customerQueryMax, "q", "Use at most "+strconv.Itoa(customerQueryMax)+" characters.")
	c.That(utf8.ValidString(in.Query) && !strings.ContainsRune(in.Query, 0), "q", "There is a character in it that cannot be searched.")
	return c.Err()
}

// Customer is a customer with their next date, number of bookings and balance due.
type Customer struct {
	ID        uuid.UUID
	Name      string
	Email     string
	Phone     string
	CreatedAt time.Time
	// Of the bookings that the caller may see; zero values for a caller without booking.view.
	Bookings   int // all that were more than held
	NextAt     *time.Time
	NextZone   string // time zone of the next date's location
	LastAt     *time.Time
	LastZone   string
	AmountsDue []AmountDue // one for each currency
}

// AmountDue is an amount due, in minor units.
type AmountDue struct {
	Amount   int64          `json:"amount"`
	Currency money.Currency `json:"currency"`
}

// CustomersPage is a part of the list.
type CustomersPage struct {
	Customers []Customer
	Total     int // of all pages
	Limit     int
	Offset    int
}

// Customers lists the customers that the caller's grants of crm.view open, as crm.List does, with their bookings and
// amounts due: of the bookings that the caller's booking.view opens. One round trip, for a page of any length.
// Errors: policy.ErrMissingFeature, Validation.
func (s *Service) Customers(ctx context.Context, sc tenancy.Scope, in CustomersInput) (CustomersPage, error) {
	cover, err := policy.Where(sc, policy.CRMView)
	if err == nil {
		err = in.Validate()
	}
	if err != nil {
		return CustomersPage{}, err
	}
	return customers(ctx, s.db.View(sc.Tenant), sc, in, cover)
}

// BalanceDue is a booking with an amount due.
type BalanceDue struct {
	BookingID    uuid.UUID
	OfferingName string
	StartsAt     time.Time
	Zone         string
	State        booking.State
	Due          int64 // to be paid at the studio, in minor units of Currency
	FeesDue      int64 // for cancelling late or not coming
	Currency     money.Currency
}

// debtsMost is how many bookings Debts names.
const debtsMost = 100

// BalancesDue lists the bookings of a customer with an amount due, the latest first: those that Customers adds up, of
// the bookings that the caller's booking.view opens. It needs booking.view. The caller may see the customer.
func (s *Service) BalancesDue(ctx context.Context, sc tenancy.Scope, customer uuid.UUID) ([]BalanceDue, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return nil, err
	}
	return debts(ctx, s.db.View(sc.Tenant), sc, customer)
}
