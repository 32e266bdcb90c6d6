package billing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"foyer/app/fault"
	"foyer/app/money"
)

// Env says which world a key, an account, a payment or an event belongs to. Objects of different worlds never meet: every
// row keeps its env and every look-up filters by it.
type Env string

// The worlds.
const (
	EnvLive      Env = "live"
	EnvTest      Env = "test"      // the processor's own test mode
	EnvSimulated Env = "simulated" // stripesim or another stand-in; a production start refuses it
)

// All lists them.
func (Env) All() []Env { return []Env{EnvLive, EnvTest, EnvSimulated} }

// Processor is what the product asks of a payment processor. Amounts are minor units of ours. Every call that changes
// something takes a Key of ours: the same key with the same content returns the first answer, with other content it
// fails with ErrKeyReused. Errors are *ProcessorError; Retryable reports whether sending the same again, with the same key,
// can help. A declined card is not an error, it is Intent.Failure.
type Processor interface {
	Env() Env
	// PublishableKey is the key that a browser may see.
	PublishableKey() string

	CreateAccount(ctx context.Context, in NewAccount) (Account, error)
	// AccountLink makes a single-use address of a few minutes where the studio completes its account. It is made on the
	// click and never stored or mailed. Coming back from it proves nothing: read the account again.
	AccountLink(ctx context.Context, in NewLink) (string, error)
	// GetAccount reads an account. One that the studio disconnected, or that never existed, is StateDisconnected.
	GetAccount(ctx context.Context, id string) (Account, error)
	// RegisterDomain lets the wallets of browsers pay on an account's pages of a domain. Asked again it looks at the domain anew.
	RegisterDomain(ctx context.Context, in NewDomain) (Domain, error)

	CreatePayment(ctx context.Context, in NewPayment) (Intent, error)
	GetPayment(ctx context.Context, account, id string) (Intent, error)
	// CapturePayment takes the money of a payment that holds it (StatusAuthorized), all of it: ErrPaymentFinal when it holds nothing.
	CapturePayment(ctx context.Context, account, id, key string) (Intent, error)
	// CancelPayment gives up a payment that has not succeeded, and lets go what it holds: ErrPaymentFinal when it has succeeded.
	CancelPayment(ctx context.Context, account, id, key string) (Intent, error)

	Refund(ctx context.Context, in NewRefund) (Refund, error)
	GetRefund(ctx context.Context, account, id string) (Refund, error)
	// ReturnFee gives a part of the platform's fee of a payment back to the studio, and nothing to the customer. It is done once for a
	// key, however long ago that was, and no more than FeeReturn.Whole goes back of the fee with all that went back of it before: nothing,
	// when that is as much. ErrFeeUnknown: the processor has not taken it yet. ErrRefundTooLarge: there is not so much left of it.
	ReturnFee(ctx context.Context, in FeeReturn) (FeeReturned, error)

	Balances
	Wallet

	// ConstructEvent proves that body came from the processor to one of our endpoints, signed with a secret of that and within the
	// last five minutes, and says what it is about. It fails with ErrEventTooLarge, ErrEventSignature, ErrEventVersion,
	// ErrEventMalformed or ErrEventEndpoint.
	ConstructEvent(at Endpoint, body []byte, signature string) (Event, error)
}

// NewDomain asks for wallets on a domain: a host without scheme and port.
type NewDomain struct {
	Account string
	Name    string
	Key     string
}

// Domain is how wallets stand on a domain of an account.
type Domain struct {
	ID      string
	Trouble string // why Apple Pay is not offered there, in the processor's words; empty: it is
}

// FeeReturn asks for a part of the platform's fee to be refunded.
type FeeReturn struct {
	Account  string // whose payment it is
	Payment  string
	Amount   int64
	Whole    int64 // what of the fee is to be back when this is: whoever returned some of it before, and with what
	Currency money.Currency
	Key      string
}

// FeeReturned is a part of the platform's fee that went back; the zero value is nothing.
type FeeReturned struct {
	ID     string
	Amount int64
}

// NewAccount asks for a studio's account. Country, and with it the default currency, cannot be changed later.
type NewAccount struct {
	Business string // our id, kept on the account so that a lost answer can be reconciled
	Country  string // two letters, upper case
	Email    string
	Key      string
}

// NewLink asks for a link to complete an account.
type NewLink struct {
	Account    string
	ReturnURL  string // where the studio goes when it is done or gives up
	RefreshURL string // where it goes when the link is used up: makes a new one and redirects
}

// NewPayment asks for a direct charge on the studio's account, to be confirmed in the customer's browser.
type NewPayment struct {
	Account       string
	Amount        int64 // on the card
	Currency      money.Currency
	Fee           int64  // the platform's application fee, below Amount; 0 for none
	Description   string // for the studio's own dashboard; never a name, an address or a note
	Metadata      map[string]string
	Customer      string // of the processor, see Wallet; empty for none
	ManualCapture bool   // only hold the money on the card, for a week at most: CapturePayment takes it
	Key           string
}

// Status is where a payment stands at the processor.
type Status string

// The statuses. Succeeded and canceled are final.
const (
	StatusAwaitingMethod   Status = "awaiting_method"   // needs a card; with a Failure the last card was declined
	StatusAwaitingCustomer Status = "awaiting_customer" // the customer has to confirm or to prove who they are
	StatusProcessing       Status = "processing"
	StatusAuthorized       Status = "authorized" // held on the card, not yet taken
	StatusSucceeded        Status = "succeeded"
	StatusCanceled         Status = "canceled"
)

// Final reports whether a payment in this status can no longer change.
func (s Status) Final() bool { return s == StatusSucceeded || s == StatusCanceled }

// Intent is a payment as the processor has it now.
type Intent struct {
	ID           string
	Account      string // the studio's account it is on
	ClientSecret string // lets a browser confirm this payment; never logged, never in an address
	Status       Status
	Amount       int64
	Fee          int64 // the platform fee asked for
	Currency     money.Currency
	Metadata     map[string]string
	RedirectURL  string      // where the customer proves who they are, while StatusAwaitingCustomer
	Failure      *Failure    // why the last try was declined
	ChargeID     string      // set from the first try
	CustomerID   string      // whose it is; empty for nobody's, as long as no card is kept or was
	MethodID     string      // the card that was tried last
	SavesCard    bool        // the card that pays it is kept
	Card         *Card       // set once a card was charged
	Settlement   *Settlement // set some seconds after success: an event for the charge announces it
}

// Failure is why a card was declined.
type Failure struct {
	Code        string // the processor's code: card_declined, expired_card, authentication_required …
	DeclineCode string // the issuer's finer code, may be empty: insufficient_funds …
	Message     string // fit to be shown to the customer
}

// Card is what may be kept and shown of a card.
type Card struct {
	Brand       string // visa, mastercard …
	Last4       string
	ExpMonth    int
	ExpYear     int
	Fingerprint string // the processor's, of the number: the same for a card that is typed again
	Wallet      string // that it was paid with: apple_pay, google_pay, link …; empty: the card was typed, or is kept
}

// Settlement is what a charge or a refund did to the studio's balance at the processor. Gross - ProcessorFee - PlatformFee
// = Net; for a refund all are zero or negative.
type Settlement struct {
	ID           string // of the balance transaction
	Currency     money.Currency
	Gross        int64
	ProcessorFee int64 // the processor's own fee (A30)
	PlatformFee  int64
	Net          int64
}

// NewRefund asks to give money back from a payment.
type NewRefund struct {
	Account   string // the account of the payment, which need not be the business's present one
	Payment   string
	Amount    int64
	Currency  money.Currency
	ReturnFee bool // give the same share of the platform fee back to the studio; false for a payment that carried none
	Metadata  map[string]string
	Key       string
}

// RefundStatus is where a refund stands. A refund that succeeded can still fail days later, when the card was closed.
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
	Settlement *Settlement // what it did to the balance; PlatformFee is what came back of the fee
	Metadata   map[string]string
}

// Event is a message from the processor. It is a wake-up and not a fact: the handler reads the object it names again,
// with the account's header, and writes what it finds. The same event can come twice, and any order is possible.
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

// Endpoint is where the processor sends events. Each has secrets of its own, so that what is signed for one is nothing at the other.
type Endpoint string

// The endpoints.
const (
	EndpointConnect  Endpoint = "connect"  // of the studios' accounts: what moves their payments
	EndpointPlatform Endpoint = "platform" // of the platform's own account: the fees that it earned
)

// takes reports whether an event is of the kind that arrives at the endpoint: one of a studio's account says of which.
func (at Endpoint) takes(e Event) bool { return (at == EndpointConnect) == (e.Account != "") }

// Of reports whether the event comes from the given world. Test events also reach live endpoints and are dropped.
func (e Event) Of(env Env) bool { return e.Live == (env == EnvLive) }

// State is how far a studio's account is. It follows from the account as it is at the processor and is computed again
// whenever that is read.
//
//	not_connected ─▶ onboarding ─▶ pending ─▶ active ⇄ active_payouts_paused
//	                                  ⇅          ⇅
//	                                restricted ◀─┘          any ─▶ disconnected
type State string

// The states. Cards can be taken in the two active ones only.
const (
	StateNotConnected State = "not_connected"         // there is no account
	StateOnboarding   State = "onboarding"            // the studio has not sent its details
	StatePending      State = "pending"               // the processor is checking them
	StateRestricted   State = "restricted"            // the processor wants something: Account.Due
	StateActive       State = "active"                // takes cards
	StatePaused       State = "active_payouts_paused" // takes cards, but no money reaches the bank
	StateDisconnected State = "disconnected"          // the studio has taken our access away
)

// All lists them.
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
	DefaultCurrency money.Currency // must be the location's for cards to be taken there: otherwise amounts are converted
	Due             []string       // what the processor asks for now, in its own field names
	DueBy           time.Time      // the deadline for Due; zero for none
	Business        string         // our id, as given when it was created
}

// facts are the parts of a processor account that its state follows from.
type facts struct {
	submitted      bool
	charges        bool
	payouts        bool
	cards          bool   // the card capability is active
	due            bool   // something is due now or overdue
	disabledReason string // why charges are off
}

// awaitingProcessor is the disabled reason that asks nothing of the studio.
const awaitingProcessor = "requirements.pending_verification"

func (f facts) state() State {
	switch {
	case !f.submitted:
		return StateOnboarding
	case f.charges && f.cards && f.payouts:
		return StateActive
	case f.charges && f.cards:
		return StatePaused
	case f.due || (f.disabledReason != "" && f.disabledReason != awaitingProcessor):
		return StateRestricted
	}
	return StatePending
}

// What a call to the processor can fail with. A ProcessorError wraps exactly one of them.
var (
	// ErrProcessorDown: no answer, or one that says to come back. The same call with the same key may be repeated.
	ErrProcessorDown = fault.New(fault.Internal, "processor_unavailable",
		"The payment processor does not answer. Nothing was lost; try again in a moment.").With("retryable", true).After(5)
	// ErrProcessorRefused: the request itself is wrong. That is a fault of ours and repeating it does not help.
	ErrProcessorRefused = fault.New(fault.Internal, "processor_refused", "The payment processor refused the request.")
	// ErrKeyReused: an idempotency key was used for another request before. A fault of ours.
	ErrKeyReused = fault.New(fault.Internal, "processor_key_reused", "The payment processor refused the request.")
	// ErrCardRemoved: the card is not kept any more, or not for this customer.
	ErrCardRemoved = fault.New(fault.Conflict, "card_gone", "This card is not kept any more. Use another one.")
	// ErrCardConsent: the card was saved without its customer's agreement that it pays when they are not there.
	ErrCardConsent = fault.New(fault.Conflict, "card_without_consent",
		"The customer has not agreed that this card is charged without them. Have them pay, or save a card again.")
	// ErrAddressRefused: the processor does not lead a browser back to an address of the request, which Fields name.
	ErrAddressRefused = fault.New(fault.Validation, "address_refused", "The payment processor does not lead back to this address.")
	// ErrUnknownObject: the account has no such payment, refund or card.
	ErrUnknownObject = fault.New(fault.Internal, "processor_object_unknown", "The payment processor does not know this payment.")
	// ErrAccountDisconnected: the studio has taken our access away.
	ErrAccountDisconnected = fault.New(fault.Conflict, "payment_account_disconnected", "The studio's payment account is not connected.")
	// ErrAmountRefused: below the least or above the largest amount of a card payment.
	ErrAmountRefused = fault.New(fault.Conflict, "card_amount_refused", "This amount cannot be paid by card.")
	// ErrPaymentFinal: the payment succeeded or was canceled before.
	ErrPaymentFinal = fault.New(fault.Conflict, "payment_final", "This payment can no longer be changed.")
	// ErrRefundTooLarge: more than what is left of the payment.
	ErrRefundTooLarge = fault.New(fault.Conflict, "refund_too_large", "The refund is larger than what is left of the payment.")
	// ErrRefundDisputed: the bank is already taking the money back.
	ErrRefundDisputed = fault.New(fault.Conflict, "refund_disputed", "The payment is disputed and cannot be refunded.")
	// ErrFeeUnknown: the processor has not taken the platform's fee of the payment yet. It does some seconds after it.
	ErrFeeUnknown = fault.New(fault.Conflict, "fee_unknown", "The payment processor has not taken the fee yet. Try again in a moment.")
	// ErrBalanceInsufficient: the studio's balance cannot cover the refund.
	ErrBalanceInsufficient = fault.New(fault.Conflict, "balance_insufficient", "The studio's balance at the payment processor is too low for this refund.")
	// ErrCountryRefused: the platform may not take a fee from accounts of that country.
	ErrCountryRefused = fault.New(fault.Conflict, "country_refused", "Card payments are not available in this country.")
)

// What an event can fail with. All answer 400; ErrEventVersion and ErrEventEndpoint are wrong settings at the processor, and no attack.
var (
	ErrEventTooLarge  = fault.New(fault.Validation, "event_too_large", "The event is too large.")
	ErrEventSignature = fault.New(fault.Validation, "event_signature", "The event is not signed by the payment processor, or not lately.")
	ErrEventVersion   = fault.New(fault.Validation, "event_version", "The event has another API version than this program reads.")
	ErrEventEndpoint  = fault.New(fault.Validation, "event_endpoint", "The event belongs to the other endpoint: /webhooks/stripe has those of the platform's account, /webhooks/stripe/connect those of connected accounts.")
	ErrEventMalformed = fault.New(fault.Validation, "event_malformed", "The event cannot be read.")
)

// ProcessorError is a failed call to the processor. Its text is for logs: it has no secret and no card in it. Only the
// wrapped fault is shown to people.
type ProcessorError struct {
	Op        string // what was tried: "create payment"
	Status    int    // HTTP status; 0 when there was no answer
	Code      string // the processor's code, may be empty
	Param     string // the parameter it complains about, may be empty
	RequestID string // for the processor's support
	Detail    string // the processor's words, or the transport's
	kind      *fault.Error
}

func (e *ProcessorError) Error() string {
	return fmt.Sprintf("billing: %s: %s: status %d, code %q, param %q, request %q: %s",
		e.Op, e.kind.Reason, e.Status, e.Code, e.Param, e.RequestID, e.Detail)
}

// Unwrap returns the sentinel, so that errors.Is finds it and a surface can translate it.
func (e *ProcessorError) Unwrap() error { return e.kind }

// Retryable reports whether the same call with the same key can succeed later.
func (e *ProcessorError) Retryable() bool { return e.kind == ErrProcessorDown }

// Retryable reports whether err is a failure of the processor that repeating the call, with the same key, can mend.
func Retryable(err error) bool {
	var e *ProcessorError
	return errors.As(err, &e) && e.Retryable()
}
