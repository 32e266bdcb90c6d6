package processor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"foyer/app/fault"
	"foyer/app/money"
)

// Env is the world of a key, an account, a payment or an event. Objects of different worlds never meet: every row
// stores its env and every query filters by it.
type Env string

// The worlds.
const (
	EnvLive      Env = "live"
	EnvTest      Env = "test"      // the processor's own test mode
	EnvSimulated Env = "simulated" // stripesim or another stand-in; a production start refuses it
)

// All returns all worlds.
func (Env) All() []Env { return []Env{EnvLive, EnvTest, EnvSimulated} }

// Processor is a payment processor. Amounts are minor units of ours. Every call that changes something has a Key of
// ours: the same key with the same content returns the first answer, and with other content fails with ErrKeyReused.
// Errors are *Error; Retryable reports whether the same call, with the same key, can succeed later. A
// declined card is not an error, it is Intent.Failure.
type Processor interface {
	Env() Env
	// PublishableKey returns the key that a browser may see.
	PublishableKey() string

	CreateAccount(ctx context.Context, in NewAccount) (Account, error)
	// AccountLink creates a single-use address, valid for some minutes, where the studio completes its account. It is
	// created on the click and never stored or mailed. The return from it proves nothing: read the account again.
	AccountLink(ctx context.Context, in NewLink) (string, error)
	// GetAccount reads an account. One that the studio disconnected, or that never existed, is StateDisconnected.
	GetAccount(ctx context.Context, id string) (Account, error)
	// RegisterDomain enables the wallets of browsers on an account's pages of a domain. A second call checks the
	// domain again.
	RegisterDomain(ctx context.Context, in NewDomain) (Domain, error)

	CreatePayment(ctx context.Context, in NewPayment) (Intent, error)
	GetPayment(ctx context.Context, account, id string) (Intent, error)
	// CapturePayment captures an authorized payment (StatusAuthorized) in full. It returns ErrPaymentFinal if the
	// payment is not authorized.
	CapturePayment(ctx context.Context, account, id, key string) (Intent, error)
	// CancelPayment cancels a payment that has not succeeded, and releases its authorization. It returns
	// ErrPaymentFinal if it has succeeded.
	CancelPayment(ctx context.Context, account, id, key string) (Intent, error)

	Refund(ctx context.Context, in NewRefund) (Refund, error)
	GetRefund(ctx context.Context, account, id string) (Refund, error)
	// ReturnFee refunds a part of a payment's platform fee to the studio, and nothing to the customer. It is done
	// once for a key, at any later time too, and at most FeeReturn.Whole of the fee is refunded together with all fee
	// refunds before: nothing, if those are as much. It returns ErrFeeUnknown if the processor has not collected the
	// fee yet, and ErrRefundTooLarge if the refundable part of the fee is smaller.
	ReturnFee(ctx context.Context, in FeeReturn) (FeeReturned, error)

	Balances
	Wallet

	// ConstructEvent verifies that body was sent by the processor to the endpoint, signed with one of the endpoint's
	// secrets within the last five minutes, and returns the event. It returns:
	//
	//   - ErrEventTooLarge
	//   - ErrEventSignature
	//   - ErrEventVersion
	//   - ErrEventMalformed
	//   - ErrEventEndpoint
	ConstructEvent(at Endpoint, body []byte, signature string) (Event, error)
}

// NewDomain describes a domain to register for wallets: a host without scheme and port.
type NewDomain struct {
	Account string
	Name    string
	Key     string
}

// Domain is the state of wallets on a domain of an account.
type Domain struct {
	ID      string
	Trouble string // why Apple Pay is not offered there, in the processor's words; empty: it is
}

// FeeReturn describes a refund of a part of the platform's fee.
type FeeReturn struct {
	Account  string // of the payment
	Payment  string
	Amount   int64
	Whole    int64 // the total of all fee refunds after this one, by any cause
	Currency money.Currency
	Key      string
}

// FeeReturned is a refunded part of the platform's fee; the zero value is nothing.
type FeeReturned struct {
	ID     string
	Amount int64
}

// NewAccount describes a studio's account. Country, and with it the default currency, cannot be changed later.
type NewAccount struct {
	Business string // our id, kept on the account so that a lost answer can be reconciled
	Country  string // two letters, upper case
	Email    string
	Key      string
}

// NewLink describes a link to complete an account.
type NewLink struct {
	Account    string
	ReturnURL  string // where the studio returns when it is done or gives up
	RefreshURL string // where it goes if the link has expired: creates a new one and redirects
}

// NewPayment describes a direct charge on the studio's account, to be confirmed in the customer's browser.
type NewPayment struct {
	Account       string
	Amount        int64 // on the card
	Currency      money.Currency
	Fee           int64  // the platform's application fee, below Amount; 0 for none
	Description   string // for the studio's own dashboard; never a name, an address or a note
	Statement     string // on the customer's card statement, beside the account's own words; of StatementName
	Metadata      map[string]string
	Customer      string // of the processor, see Wallet; empty for none
	ManualCapture bool   // only authorize, for a week at most: CapturePayment captures it
	Key           string
}

// Status is the status of a payment at the processor.
type Status string

// The statuses. Succeeded and canceled are final.
const (
	StatusAwaitingMethod   Status = "awaiting_method"   // needs a card; with a Failure the last card was declined
	StatusAwaitingCustomer Status = "awaiting_customer" // the customer has to confirm, or to authenticate
	StatusProcessing       Status = "processing"
	StatusAuthorized       Status = "authorized" // authorized, not yet captured
	StatusSucceeded        Status = "succeeded"
	StatusCanceled         Status = "canceled"
)

// Final reports whether a payment in this status can no longer change.
func (s Status) Final() bool { return s == StatusSucceeded || s == StatusCanceled }

// Intent is a payment as the processor has it now.
type Intent struct {
	ID           string
	Account      string // the studio's account of the payment
	ClientSecret string // lets a browser confirm this payment; never logged, never in an address
	Status       Status
	Amount       int64
	Fee          int64 // the requested platform fee
	Currency     money.Currency
	Metadata     map[string]string
	RedirectURL  string      // the page where the customer authenticates, while StatusAwaitingCustomer
	Failure      *Failure    // of the last attempt, if it was declined
	ChargeID     string      // set from the first attempt
	CustomerID   string      // empty as long as no card is saved or was
	MethodID     string      // the card that was tried last
	SavesCard    bool        // the paying card is saved
	Card         *Card       // set once a card was charged
	Settlement   *Settlement // set some seconds after success: an event for the charge announces it
}

// Failure is the reason of a decline.
type Failure struct {
	Code        string // the processor's code: card_declined, expired_card, authentication_required …
	DeclineCode string // the issuer's finer code, may be empty: insufficient_funds …
	Message     string // fit to be shown to the customer
}

// Card is the part of a card that may be stored and shown.
type Card struct {
	Brand       string // visa, mastercard …
	Last4       string
	ExpMonth    int
	ExpYear     int
	Fingerprint string // the processor's, of the number: the same for a card that is typed again
	Wallet      string // apple_pay, google_pay, link …; empty: the card was typed, or is a saved one
}

// Settlement is the effect of a charge or a refund on the studio's balance at the processor. Gross - ProcessorFee -
// PlatformFee = Net; for a refund all are zero or negative.
type Settlement struct {
	ID           string // of the balance transaction
	Currency     money.Currency
	Gross        int64
	ProcessorFee int64 // the processor's own fee (A30)
	PlatformFee  int64
	Net          int64
}

// NewRefund describes a refund of a payment.
type NewRefund struct {
	Account   string // the account of the payment, which need not be the business's present one
	Payment   string
	Amount    int64
	Currency  money.Currency
	ReturnFee bool // refund the same share of the platform fee to the studio; false for a payment without one
	Metadata  map[string]string
	Key       string
}

// RefundStatus is the status of a refund. A refund that succeeded can still fail days later, if the card was closed.
type RefundStatus string

// The statuses of a refund.
const (
	RefundPending   RefundStatus = "pending"
	RefundSucceeded RefundStatus = "succeeded"
	RefundFailed    RefundStatus = "failed"
	RefundCanceled  RefundStatus = "canceled"
)

// Refund is a refund as the processor has it now.
type Refund struct {
	ID         string
	Status     RefundStatus
	Amount     int64
	Currency   money.Currency
	PaymentID  string
	ChargeID   string
	Reason     string      // why it failed
	Settlement *Settlement // the effect on the balance; PlatformFee is the part of the fee refunded
	Metadata   map[string]string
}

// Event is a message from the processor. It is a wake-up and not a fact: the handler reads the object it names again,
// with the account's header, and writes the result. The same event can come twice, and any order is possible.
type Event struct {
	ID         string
	Type       string // payment_intent.succeeded …
	Account    string // the studio's account; empty for the platform's own
	Live       bool
	Created    time.Time
	ObjectID   string
	ObjectKind string // payment_intent, charge, refund, account …
	PaymentID  string // the payment the object is or belongs to, may be empty
}

// Endpoint is an endpoint for the processor's events. Each has secrets of its own, so an event signed for one is
// invalid at the other.
type Endpoint string

// The endpoints.
const (
	EndpointConnect  Endpoint = "connect"  // of the studios' accounts: events about their payments
	EndpointPlatform Endpoint = "platform" // of the platform's own account: the fees that it earned
)

// Takes reports whether an event is of the kind that arrives at the endpoint: an event of a studio's account names
// it.
func (at Endpoint) Takes(e Event) bool { return (at == EndpointConnect) == (e.Account != "") }

// Of reports whether the event comes from the given world. Test events also reach live endpoints and are dropped.
func (e Event) Of(env Env) bool { return e.Live == (env == EnvLive) }

// State is the progress of a studio's account. It follows from the account at the processor and is computed again at
// every reading.
//
//	not_connected ─▶ onboarding ─▶ pending ─▶ active ⇄ active_payouts_paused
//	                                  ⇅          ⇅
//	                                restricted ◀─┘          any ─▶ disconnected
type State string

// The states. Cards are accepted in the two active ones only.
const (
	StateNotConnected State = "not_connected"         // there is no account
	StateOnboarding   State = "onboarding"            // the studio has not sent its details
	StatePending      State = "pending"               // the processor is checking them
	StateRestricted   State = "restricted"            // the processor has open requirements: Account.Due
	StateActive       State = "active"                // accepts cards
	StatePaused       State = "active_payouts_paused" // accepts cards, but no money reaches the bank
	StateDisconnected State = "disconnected"          // the studio disconnected us
)

// All returns all states.
func (State) All() []State {
	return []State{
		StateNotConnected, StateOnboarding, StatePending, StateRestricted, StateActive, StatePaused, StateDisconnected,
	}
}

// TakesCards reports whether the card tender can be offered.
func (s State) TakesCards() bool { return s == StateActive || s == StatePaused }

// Account is a studio's account at the processor.
type Account struct {
	ID              string // acct_…; empty when not connected
	Env             Env
	State           State
	Country         string
	DefaultCurrency money.Currency // cards are accepted at locations with this currency only
	Due             []string       // the processor's open requirements, in its own field names
	DueBy           time.Time      // the deadline for Due; zero for none
	Business        string         // our id, as given when it was created
}

// Errors of a call to the processor. An Error wraps exactly one of them.
var (
	// ErrDown means no answer, or a request to come back. The same call with the same key may be repeated.
	ErrDown = fault.New(fault.Internal, "processor_unavailable",
		"The payment processor is not responding. Nothing was lost; try again in a moment.").With("retryable", true).After(5)
	// ErrRefused means that the request itself is wrong. That is a fault of ours, and a repetition does not
	// help.
	ErrRefused = fault.New(fault.Internal, "processor_refused", "The payment processor refused the request.")
	// ErrKeyReused means that an idempotency key was used for another request before. A fault of ours.
	ErrKeyReused = fault.New(fault.Internal, "processor_key_reused", "The payment processor refused the request.")
	// ErrCardRemoved means that the card is no longer saved, or not for this customer.
	ErrCardRemoved = fault.New(fault.Conflict, "card_removed", "This card is no longer saved. Use another one.")
	// ErrCardConsent means that the card was saved without its customer's consent to charges off session.
	ErrCardConsent = fault.New(fault.Conflict, "card_without_consent",
		"The customer has not agreed that this card is charged without them. Have them pay, or save a card again.")
	// ErrAddressRefused means that the processor refuses a return address of the request, named by Fields.
	ErrAddressRefused = fault.New(fault.Validation, "address_refused", "The payment processor does not accept this return address.")
	// ErrUnknownObject means that the account has no such payment, refund or card.
	ErrUnknownObject = fault.New(fault.Internal, "processor_object_unknown", "The payment processor has no such payment.")
	// ErrAccountDisconnected means that the studio disconnected us.
	ErrAccountDisconnected = fault.New(fault.Conflict, "payment_account_disconnected", "The studio's payment account is not connected.")
	// ErrCardUnavailable means that the studio cannot accept cards here, or not now.
	ErrCardUnavailable = fault.New(fault.Conflict, "card_unavailable", "The studio does not take cards here at the moment.")
	// ErrAmountRefused means an amount below the minimum or above the maximum of a card payment.
	ErrAmountRefused = fault.New(fault.Conflict, "card_amount_refused", "This amount cannot be paid by card.")
	// ErrPaymentFinal means that the payment succeeded or was canceled before.
	ErrPaymentFinal = fault.New(fault.Conflict, "payment_final", "This payment can no longer be changed.")
	// ErrRefundTooLarge means that the refund exceeds the refundable amount of the payment.
	ErrRefundTooLarge = fault.New(fault.Conflict, "refund_too_large", "The refund is larger than the refundable amount of the payment.")
	// ErrRefundDisputed means that the bank has withdrawn the money of a dispute, or is about to.
	ErrRefundDisputed = fault.New(fault.Conflict, "refund_disputed", "The payment is disputed and cannot be refunded.")
	// ErrFeeUnknown means that the processor has not collected the payment's platform fee yet. It does so some
	// seconds later.
	ErrFeeUnknown = fault.New(fault.Conflict, "fee_unknown", "The payment processor has not collected the fee yet. Try again in a moment.")
	// ErrBalanceInsufficient means that the studio's balance cannot cover the refund.
	ErrBalanceInsufficient = fault.New(fault.Conflict, "balance_insufficient", "The studio's balance at the payment processor is too low for this refund.")
	// ErrCountryRefused means that the platform may not collect a fee from accounts of that country.
	ErrCountryRefused = fault.New(fault.Conflict, "country_refused", "Card payments are not available in this country.")
)

// Errors of an event. All answer 400. ErrEventVersion and ErrEventEndpoint are wrong settings at the processor, and
// no attack.
var (
	ErrEventTooLarge  = fault.New(fault.Validation, "event_too_large", "The event is too large.")
	ErrEventSignature = fault.New(fault.Validation, "event_signature", "The event is not signed by the payment processor, or the signature has expired.")
	ErrEventVersion   = fault.New(fault.Validation, "event_version", "The event has another API version than this program reads.")
	ErrEventEndpoint  = fault.New(fault.Validation, "event_endpoint", "The event belongs to the other endpoint: /webhooks/stripe has those of the platform's account, /webhooks/stripe/connect those of connected accounts.")
	ErrEventMalformed = fault.New(fault.Validation, "event_malformed", "The event cannot be read.")
)

// Error is a failed call to the processor. Its text is for logs: it has no secret and no card in it. Only
// the wrapped fault is shown to people.
type Error struct {
	Op        string // the operation: "create payment"
	Status    int    // HTTP status; 0 when there was no answer
	Code      string // the processor's code, may be empty
	Param     string // the refused parameter, may be empty
	RequestID string // for the processor's support
	Detail    string // the processor's words, or the transport's
	Kind      *fault.Error
}

func (e *Error) Error() string {
	return fmt.Sprintf("billing: %s: %s: status %d, code %q, param %q, request %q: %s",
		e.Op, e.Kind.Reason, e.Status, e.Code, e.Param, e.RequestID, e.Detail)
}

// Unwrap returns the sentinel, so that errors.Is finds it and a surface can translate it.
func (e *Error) Unwrap() error { return e.Kind }

// Retryable reports whether the same call with the same key can succeed later.
func (e *Error) Retryable() bool { return e.Kind == ErrDown }

// Retryable reports whether err is a failure of the processor that a repetition of the call, with the same key, can
// resolve.
func Retryable(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Retryable()
}

// Gone reports whether there is nothing to read: a repetition would not help.
func Gone(err error) bool {
	return errors.Is(err, ErrUnknownObject) || errors.Is(err, ErrAccountDisconnected)
}
