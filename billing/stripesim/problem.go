package stripesim

import (
	"fmt"
	"net/http"
)

// problem is an error answer of the API.
type problem struct {
	Type          string `json:"type"`
	Code          string `json:"code,omitempty"`
	DeclineCode   string `json:"decline_code,omitempty"`
	Message       string `json:"message"`
	Param         string `json:"param,omitempty"`
	Charge        string `json:"charge,omitempty"`
	PaymentIntent any    `json:"payment_intent,omitempty"`
	PaymentMethod any    `json:"payment_method,omitempty"`

	status int
	early  bool // found before anything was carried out: not kept for its idempotency key
}

// invalid is the ordinary 400.
func invalid(code, param, message string) *problem {
	return &problem{Type: "invalid_request_error", Code: code, Param: param, Message: message, status: http.StatusBadRequest}
}

// mistaken is a 400 about the form of the request itself.
func mistaken(code, param, message string) *problem {
	p := invalid(code, param, message)
	p.early = true
	return p
}

// missing is the answer for an object that the account does not have, or that another account has.
func missing(kind, id string) *problem {
	p := invalid("resource_missing", "id", fmt.Sprintf("No such %s: '%s'", kind, id))
	p.status = http.StatusNotFound
	return p
}
