package op

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/pg"
)

// statusOf is the contract's pairing of codes and statuses. A67 to A73.
var statusOf = map[fault.Kind]int{
	fault.Validation:   http.StatusBadRequest,
	fault.Unauthorized: http.StatusUnauthorized,
	fault.Forbidden:    http.StatusForbidden,
	fault.NotFound:     http.StatusNotFound,
	fault.Conflict:     http.StatusConflict,
	fault.TooMany:      http.StatusTooManyRequests,
	fault.Internal:     http.StatusInternalServerError,
}

// kindOf is the reverse of statusOf.
var kindOf = map[int]fault.Kind{}

func init() {
	for kind, status := range statusOf {
		kindOf[status] = kind
	}
}

// Generic refusals.
var (
	ErrInternal = fault.New(fault.Internal, "", "Something went wrong on our side. Try again later.")
	ErrInvalid  = fault.New(fault.Validation, "", "The request is not valid.")
)

// Refusal is the body of every error answer: {error: {code, message, details}}. A66.
type Refusal struct {
	Status int         `json:"-"`
	Retry  int         `json:"-"` // seconds, of the header Retry-After; 0: no header
	Body   refusalBody `json:"error"`
}

type refusalBody struct {
	Code    fault.Kind     `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// Error implements error and huma.StatusError.
func (r *Refusal) Error() string { return string(r.Body.Code) + ": " + r.Body.Message }

// GetStatus implements huma.StatusError.
func (r *Refusal) GetStatus() int { return r.Status }

// GetHeaders implements huma.HeadersError.
func (r *Refusal) GetHeaders() http.Header {
	h := http.Header{}
	if r.Retry > 0 || r.Status == http.StatusTooManyRequests {
		h.Set("Retry-After", strconv.Itoa(max(r.Retry, 1)))
	}
	if r.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	return h
}

// Refuse returns a fault as the envelope.
func Refuse(f *fault.Error) *Refusal {
	details := map[string]any{}
	for k, v := range f.Details {
		details[k] = v
	}
	if f.Reason != "" {
		details["reason"] = f.Reason
	}
	message := f.Message
	if len(f.Fields) > 0 {
		details["fields"] = f.Fields
		if message == ErrInvalid.Message {
			message = told(f.Fields)
		}
	}
	return &Refusal{
		Status: statusOf[f.Kind], Retry: f.RetryAfter,
		Body: refusalBody{Code: f.Kind, Message: message, Details: details},
	}
}

// Send writes the error envelope.
func (r *Refusal) Send(c *fiber.Ctx) {
	body, err := plainJSON(r)
	if err != nil { // details that are not JSON: a mistake of the program
		r = Refuse(ErrInternal)
		body, _ = plainJSON(r)
	}
	c.Status(r.Status)
	for name, values := range r.GetHeaders() {
		c.Set(name, values[0])
	}
	c.Response().Header.SetContentType(JSONType)
	c.Response().SetBody(append(body, '\n'))
}

// settle converts any error of an operation into a refusal that the operation declares.
//
// A status that an operation does not list must not leave the server (A78): an input error on an operation without
// 400 is a 404 (A20, A96), a reused Idempotency-Key on a frozen operation is a 400 (A231). Every other undeclared
// status is a mistake in the program: it is reported, and the nearest listed status is returned.
func (r *Registry) settle(ctx context.Context, d *declared, err error) *Refusal {
	f := fault.From(err)
	if f == nil || f.Kind == fault.Internal {
		r.log.LogAttrs(ctx, slog.LevelError, "internal error", slog.String("operation", d.ID),
			slog.String("request_id", RequestID(ctx)), slog.Any("error", err))
	}
	if f == nil {
		return Refuse(ErrInternal)
	}
	if errors.Is(err, ErrOtherLocation) || errors.Is(err, ErrOtherBusiness) || errors.Is(err, ErrLost) {
		return Refuse(f)
	}
	if x := callFrom(ctx); x != nil && x.caller.file != nil && errors.Is(err, pg.ErrKeyReused) {
		return Refuse(ErrUploaded) // an answer of the address, which the operation need not list
	}
	if d.Frozen && errors.Is(err, pg.ErrKeyReused) {
		f = ErrInvalid.And("header."+keyHeader, f.Message)
	}
	status := statusOf[f.Kind]
	switch {
	case d.answers(status):
		return Refuse(f.At(d.input.place))
	case errors.Is(err, errNotID) && d.answers(http.StatusNotFound):
		return Refuse(fault.Missing().WithMessage(told(f.Fields)))
	case status == http.StatusBadRequest && d.answers(http.StatusNotFound):
		return Refuse(fault.Missing())
	}
	r.undeclared(d.ID, status, err)
	if near := d.nearest(status); near != 0 {
		return Refuse(fault.New(kindOf[near], f.Reason, f.Message))
	}
	return Refuse(ErrInternal)
}

// nearest is the declared status to answer instead of an undeclared one; 0 when there is none.
func (d *declared) nearest(status int) int {
	order := []int{http.StatusNotFound, http.StatusBadRequest}
	if status == http.StatusConflict {
		slices.Reverse(order)
	}
	for _, near := range order {
		if d.answers(near) {
			return near
		}
	}
	return 0
}

// The two functions below are how huma makes errors of its own: input that does not fit, and nothing else, as handlers
// return refusals. They are variables of huma's package, hence set once for the process.
func init() {
	huma.DefaultArrayNullable = false
	huma.ValidateStrictCasing = true
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return Refuse(fromHuma(nil, status, msg, errs))
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		d := declaredOf(ctx.Operation())
		return d.registry.settle(ctx.Context(), d, fromHuma(d, status, msg, errs))
	}
}

// fromHuma names the wrong fields.
func fromHuma(d *declared, status int, msg string, errs []error) *fault.Error {
	if status >= http.StatusInternalServerError {
		return ErrInternal
	}
	f := *ErrInvalid
	for _, err := range errs {
		var detail huma.ErrorDetailer
		switch {
		case errors.As(err, &detail):
			f.Fields = append(f.Fields, d.unfit(detail.ErrorDetail())...)
		case err != nil:
			f.Fields = append(f.Fields, d.unfit(&huma.ErrorDetail{Message: err.Error()})...)
		}
	}
	if len(f.Fields) == 0 {
		f.Fields = d.unfit(&huma.ErrorDetail{Message: msg})
	}
	return &f
}
