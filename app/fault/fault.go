// Package fault is the one error type of the product.
//
// A domain declares sentinels (var ErrSlotTaken = fault.New(fault.Conflict, "slot_taken", "…")) and returns them, or
// a copy with details. Only app/web (HTTP) and app/mcp translate a fault into an answer; everything that is not a
// fault is an internal error, and its text never leaves the process.
package fault

import (
	"errors"
	"maps"
	"slices"
)

// Kind is one of the contract's seven error codes (rest-api.md, Errors). The kind decides the HTTP status.
type Kind string

// The closed list of kinds. A67 to A73.
const (
	Validation   Kind = "validation"        // 400: the input is invalid; Fields list the errors
	Unauthorized Kind = "unauthorized"      // 401: no credential, or not a valid one
	Forbidden    Kind = "forbidden"         // 403: a valid credential that may not do this
	NotFound     Kind = "not_found"         // 404: unknown, or of another account: the two look alike
	Conflict     Kind = "conflict"          // 409: the state does not allow it; Reason has the reason
	TooMany      Kind = "too_many_requests" // 429: RetryAfter has the waiting time
	Internal     Kind = "internal_error"    // 500
)

// Field is one invalid field with its error message for people. A domain uses its own name of the field
// ("items[0].occurrenceId", "limit"); app/web adds the position in the request ("body.items[0].occurrenceId",
// "query.limit").
type Field struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Error is a refusal with a reason that is safe to show.
type Error struct {
	Kind       Kind
	Reason     string         // stable machine code, shown as details.reason when set
	Message    string         // for a person
	Fields     []Field        // for Validation
	Details    map[string]any // further members of details, all JSON-encodable
	RetryAfter int            // whole seconds, for TooMany and for an outage
	base       *Error         // the sentinel this was derived from
}

// New declares a sentinel.
func New(kind Kind, reason, message string) *Error {
	return &Error{Kind: kind, Reason: reason, Message: message}
}

// Invalid is a Validation error about one field. Add more with And.
func Invalid(field, message string) *Error {
	return &Error{Kind: Validation, Message: "The request is not valid.", Fields: []Field{{field, message}}}
}

// Missing is the answer for an id that does not exist or belongs to another business: same bytes for both (A47).
func Missing() *Error {
	return &Error{Kind: NotFound, Message: "Not found."}
}

// ErrStale refuses a change that was made from an old copy. details.version is the current version.
var ErrStale = New(Conflict, "stale_version", "This was changed in the meantime. Reload it and try again.")

// Stale is ErrStale unless the version that a change was made from is the current one.
func Stale(from, current int64) error {
	if from != current {
		return ErrStale.With("version", current)
	}
	return nil
}

// When ends a check of a refusal: it returns err if the check failed, refusal if refused, else nil.
func When(refused bool, refusal, err error) error {
	if err == nil && refused {
		return refusal
	}
	return err
}

func (e *Error) Error() string {
	if e.Reason != "" {
		return e.Reason + ": " + e.Message
	}
	return string(e.Kind) + ": " + e.Message
}

// Is makes errors.Is(err, ErrSlotTaken) hold for every copy derived from ErrSlotTaken.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	if !ok {
		return false
	}
	for b := e; b != nil; b = b.base {
		if b == t {
			return true
		}
	}
	return false
}

// With returns a copy of e that carries one more detail.
func (e *Error) With(key string, value any) *Error {
	c := e.derive()
	if c.Details == nil {
		c.Details = map[string]any{}
	}
	c.Details[key] = value
	return c
}

// Without returns a copy of e that lacks one detail.
func (e *Error) Without(key string) *Error {
	c := e.derive()
	delete(c.Details, key)
	return c
}

// After returns a copy of e with a waiting time, in seconds.
func (e *Error) After(seconds int) *Error {
	c := e.derive()
	c.RetryAfter = seconds
	return c
}

// WithMessage returns a copy of e with another message.
func (e *Error) WithMessage(message string) *Error {
	c := e.derive()
	c.Message = message
	return c
}

// And returns a copy of e that names one more wrong field.
func (e *Error) And(field, message string) *Error {
	c := e.derive()
	c.Fields = append(c.Fields, Field{field, message})
	return c
}

// At returns a copy of e with the fields named by place, as the called surface names them.
func (e *Error) At(place func(field string) string) *Error {
	c := e.derive()
	for i := range c.Fields {
		c.Fields[i].Field = place(c.Fields[i].Field)
	}
	return c
}

func (e *Error) derive() *Error {
	c := *e
	c.base = e
	c.Details = maps.Clone(e.Details)
	c.Fields = slices.Clone(e.Fields)
	return &c
}

// Checks collects wrong fields, so that one answer names all of them.
type Checks struct{ fields []Field }

// That records message about field unless ok.
func (c *Checks) That(ok bool, field, message string) {
	if !ok {
		c.fields = append(c.fields, Field{field, message})
	}
}

// Err is nil when every check held.
func (c *Checks) Err() error {
	if len(c.fields) == 0 {
		return nil
	}
	return &Error{Kind: Validation, Message: "The request is not valid.", Fields: c.fields}
}

// From finds the fault in an error chain; nil when there is none.
func From(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// IsKind reports whether err is a fault of that kind.
func IsKind(err error, kind Kind) bool {
	e := From(err)
	return e != nil && e.Kind == kind
}
