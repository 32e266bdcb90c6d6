package billing

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/stripe/stripe-go/v79"

	"foyer/app/fault"
)

// failed turns what stripe-go returns into a ProcessorError; nil stays nil. The original is not wrapped: its text is the
// whole answer and holds client secrets.
func failed(op string, err error) error {
	if err == nil {
		return nil
	}
	var se *stripe.Error
	if !errors.As(err, &se) {
		// No answer, or one that is not Stripe's JSON: a proxy's error page, a connection cut in the middle. The request
		// may have been carried out, which its key makes harmless.
		return &ProcessorError{Op: op, Detail: transport(err), kind: ErrProcessorDown}
	}
	return &ProcessorError{
		Op: op, Status: se.HTTPStatusCode, Code: string(se.Code), Param: se.Param,
		RequestID: se.RequestID, Detail: se.Msg, kind: kindOf(se),
	}
}

// transport words a failure without an answer. stripe-go quotes the body of an answer that it cannot read, and that body
// can be half a payment with its secret.
func transport(err error) string {
	var ue *url.Error
	switch {
	case errors.As(err, &ue):
		return ue.Err.Error()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err.Error()
	}
	return "the answer cannot be read"
}

func kindOf(se *stripe.Error) *fault.Error {
	switch {
	case se.HTTPStatusCode >= http.StatusInternalServerError,
		se.HTTPStatusCode == http.StatusTooManyRequests,
		se.HTTPStatusCode == http.StatusConflict: // the same key is being worked on, which is an idempotency_error too
		return ErrProcessorDown
	case se.Type == stripe.ErrorTypeIdempotency:
		return ErrKeyReused
	}
	if kind, ok := kindByCode[se.Code]; ok {
		return kind
	}
	if se.HTTPStatusCode == http.StatusForbidden {
		return ErrAccountDisconnected
	}
	return ErrProcessorRefused
}

var kindByCode = map[stripe.ErrorCode]*fault.Error{
	stripe.ErrorCodeLockTimeout:               ErrProcessorDown,
	stripe.ErrorCodeRateLimit:                 ErrProcessorDown,
	stripe.ErrorCodeIdempotencyKeyInUse:       ErrProcessorDown,
	stripe.ErrorCodeResourceMissing:           ErrUnknownObject,
	stripe.ErrorCodeAccountInvalid:            ErrAccountDisconnected,
	stripe.ErrorCodePlatformAccountRequired:   ErrAccountDisconnected,
	stripe.ErrorCodeAmountTooSmall:            ErrAmountRefused,
	stripe.ErrorCodeAmountTooLarge:            ErrAmountRefused,
	stripe.ErrorCodeChargeAlreadyRefunded:     ErrRefundTooLarge,
	stripe.ErrorCodeRefundDisputedPayment:     ErrRefundDisputed,
	stripe.ErrorCodeChargeDisputed:            ErrRefundDisputed,
	stripe.ErrorCodeBalanceInsufficient:       ErrBalanceInsufficient,
	stripe.ErrorCodeApplicationFeesNotAllowed: ErrCountryRefused,
}

// declined returns the payment inside a card error. A decline is a result: the payment exists and waits for another card.
func declined(err error) *stripe.PaymentIntent {
	var se *stripe.Error
	if errors.As(err, &se) && se.Type == stripe.ErrorTypeCard {
		return se.PaymentIntent
	}
	return nil
}
