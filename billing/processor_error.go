package billing

import (
	"errors"
	"fmt"

	"foyer/app/fault"
)

// What a call to the processor can fail with. A ProcessorError wraps exactly one of them.
var (
	// ErrProcessorDown: no answer, or one that says to come back. The same call with the same key may be repeated.
	ErrProcessorDown = fault.New(fault.Internal, "processor_unavailable",
		"The payment processor does not answer. Nothing was lost; try again in a moment.").With("retryable", true)
	// ErrProcessorRefused: the request itself is wrong. That is a fault of ours and repeating it does not help.
	ErrProcessorRefused = fault.New(fault.Internal, "processor_refused", "The payment processor refused the request.")
	// ErrKeyReused: an idempotency key was used for another request before. A fault of ours.
	ErrKeyReused = fault.New(fault.Internal, "processor_key_reused", "The payment processor refused the request.")
	// ErrUnknownObject: the account has no such payment or refund.
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
	// ErrBalanceInsufficient: the studio's balance cannot cover the refund.
	ErrBalanceInsufficient = fault.New(fault.Conflict, "balance_insufficient", "The studio's balance at the payment processor is too low for this refund.")
	// ErrCountryRefused: the platform may not take a fee from accounts of that country.
	ErrCountryRefused = fault.New(fault.Conflict, "country_refused", "Card payments are not available in this country.")
)

// What an event can fail with. All answer 400; ErrEventVersion is a wrong setting of the endpoint and not an attack.
var (
	ErrEventTooLarge  = fault.New(fault.Validation, "event_too_large", "The event is too large.")
	ErrEventSignature = fault.New(fault.Validation, "event_signature", "The event is not signed by the payment processor, or not lately.")
	ErrEventVersion   = fault.New(fault.Validation, "event_version", "The event has another API version than this program reads.")
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
