package ledgeronline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Class is the decision that a failure asks of the caller.
type Class string

// The classes of failures.
const (
	// Token: the access token is expired or revoked. Refresh once, call again, and ask the owner to reconnect if that
	// fails.
	Token Class = "token"
	// Rights: the right to this company was withdrawn from the person of the connection. Connect again.
	Rights Class = "rights"
	// Throttled: too many requests. Nothing was carried out. Call again after Error.RetryAfter.
	Throttled Class = "throttled"
	// Transient: the provider or the network failed. Call again later, with the same request id.
	Transient Class = "transient"
	// DuplicateDocument: the document number is in use, perhaps by an earlier attempt. FindDoc decides.
	DuplicateDocument Class = "duplicate_document"
	// AccountUnusable: an account of the request was deleted or made inactive. It has to be mapped again.
	AccountUnusable Class = "account_unusable"
	// BooksClosed: the books are closed on the document's date.
	BooksClosed Class = "books_closed"
	// SubscriptionLapsed: the company's subscription at the provider ended, so that no documents are accepted.
	SubscriptionLapsed Class = "subscription_lapsed"
	// DuplicateName: the account's name is in use by Error.ExistingID.
	DuplicateName Class = "duplicate_name"
	// Invalid: the provider, or the client before it sent anything, refuses the content.
	Invalid Class = "invalid"
	// InvalidGrant: the code or the refresh token is expired, used or revoked. The owner has to reconnect.
	InvalidGrant Class = "invalid_grant"
	// Misconfigured: an address or a credential of this installation is wrong, or a gateway in front of the provider
	// refuses it. No owner can change that: leave connections as they are, and call again later.
	Misconfigured Class = "misconfigured"
)

// Error is a failed call. Its text is for logs and for the owner: it has no token in it.
type Error struct {
	Op         string // the operation: "post journal"
	Class      Class
	Status     int           // HTTP status; 0 without an answer
	Code       string        // the provider's code without leading zeros, or the error of its authorization server
	Message    string        // the provider's words, in the company's language; else the client's
	Detail     string        // more of them; may be empty
	Trace      string        // id of the answer, for the provider's support
	Unknown    bool          // the request may have been carried out
	RetryAfter time.Duration // the least time to wait, for Throttled and Transient; 0 if not known
	ExistingID string        // DuplicateName: the account; DuplicateDocument: the document; may be empty
	AccountID  string        // AccountUnusable: the account, if the provider names it
	cause      error         // context.Canceled, context.DeadlineExceeded, or a failure of the network
}

// Error returns a line for logs.
func (e *Error) Error() string {
	text := e.Message
	if e.Detail != "" && e.Detail != e.Message {
		text += ": " + e.Detail
	}
	unknown := ""
	if e.Unknown {
		unknown = ", outcome unknown"
	}
	return fmt.Sprintf("ledgeronline: %s: %s: status %d, code %q, trace %q%s: %s",
		e.Op, e.Class, e.Status, e.Code, e.Trace, unknown, text)
}

// Unwrap returns the end of the context or the failure of the network that caused the error, or nil.
func (e *Error) Unwrap() error { return e.cause }

// ClassOf returns the class of an error of this package, or an empty one for other errors.
func ClassOf(err error) Class {
	var e *Error
	if errors.As(err, &e) {
		return e.Class
	}
	return ""
}

// Unknown reports whether the request that failed with err may have been carried out.
func Unknown(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Unknown
}

// invalid is the error of content that the client does not send.
func invalid(op, format string, args ...any) error {
	return &Error{Op: op, Class: Invalid, Message: fmt.Sprintf(format, args...)}
}

// text is a JSON value read as text, because gateways write codes and ids as numbers, and null for an absent text.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	var s string
	switch err := json.Unmarshal(raw, &s); {
	case err == nil:
		*t = text(s)
	case raw[0] == '{' || raw[0] == '[': // nothing that we could show
		*t = ""
	default: // a number or a boolean
		*t = text(raw)
	}
	return nil
}

// faultBody is the refusal in an answer. encoding/json matches names of any letter case, and the provider uses two.
type faultBody struct {
	Type  text
	Error faultErrors
}

// faultErrors is a list of errors, or a single one.
type faultErrors []faultError

type faultError struct{ Message, Detail, Code text }

func (f *faultErrors) UnmarshalJSON(raw []byte) error {
	var list []faultError
	if json.Unmarshal(raw, &list) == nil {
		*f = list
		return nil
	}
	var one faultError
	if json.Unmarshal(raw, &one) == nil {
		*f = faultErrors{one}
		return nil
	}
	var message text
	_ = message.UnmarshalJSON(raw)
	*f = faultErrors{{Message: message}}
	return nil
}

// present reports whether an answer is a refusal: some have "fault": null.
func (f *faultBody) present() bool { return f != nil && (f.Type != "" || len(f.Error) > 0) }

// precedence orders classes: an answer with several errors is of the first of them.
var precedence = []Class{
	Token, Rights, Throttled, SubscriptionLapsed, DuplicateDocument, BooksClosed, AccountUnusable, DuplicateName,
	Transient, Invalid,
}

// classify returns the class of a refusal, and the error in it that decided.
func classify(status int, f *faultBody) (Class, faultError) {
	list := f.Error
	if len(list) == 0 {
		list = faultErrors{{}}
	}
	best, at := len(precedence), 0
	for i, e := range list {
		class := classOf(status, string(f.Type), code(e.Code), string(e.Message)+" "+string(e.Detail))
		for rank, c := range precedence[:best] {
			if c == class {
				best, at = rank, i
				break
			}
		}
	}
	return precedence[min(best, len(precedence)-1)], list[at]
}

// code is a provider's code without leading zeros: its gateways write 003200 where its ledger writes 3200.
func code(raw text) string { return strings.TrimLeft(strings.TrimSpace(string(raw)), "0") }

// classOf is the table of failures. Texts decide where a code has several meanings in the provider's documents: 6210
// is a closed period in one, a duplicate number in another. Elsewhere the code does, as texts are in the company's
// language.
func classOf(status int, faultType, code, message string) Class {
	message, faultType = strings.ToLower(message), strings.ToLower(faultType)
	says := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(message, w) {
				return true
			}
		}
		return false
	}
	switch {
	case status == http.StatusTooManyRequests, code == "3001", says("throttleexceeded"):
		return Throttled
	case code == "120", code == "3100", code == "3201", says("authorizationfail"):
		return Rights // also with status 401
	case code == "3200", says("authenticationfail"):
		return Token
	case code == "6140", says("duplicate doc"):
		return DuplicateDocument
	case code == "6240", says("duplicate name"):
		return DuplicateName
	case code == "6190", says("invalid company status"):
		return SubscriptionLapsed
	case code == "6200", code == "6210", says("period closed", "period has closed"):
		return BooksClosed
	case code == "2500" && says("currenc", "names element"):
		return Invalid // the other references of a request
	case code == "610", code == "2500":
		return AccountUnusable
	case strings.HasPrefix(faultType, "authentication"):
		return Token
	case strings.HasPrefix(faultType, "authorization"):
		return Rights
	case strings.HasPrefix(faultType, "system"), strings.HasPrefix(faultType, "service"), code == "10000":
		return Transient
	}
	if class := classOfStatus(status, true); class != Misconfigured {
		return class
	}
	return Invalid
}

// classOfStatus returns the class of an answer without a fault, by its status and by whether it is JSON. A refusal in
// HTML comes from a gateway in front of the provider, not from its ledger: it says nothing about the connection.
func classOfStatus(status int, isJSON bool) Class {
	switch {
	case status == http.StatusUnauthorized:
		return Token
	case status == http.StatusForbidden && isJSON:
		return Rights
	case status == http.StatusTooManyRequests:
		return Throttled
	case status >= http.StatusInternalServerError, status == http.StatusRequestTimeout, status == http.StatusTooEarly:
		return Transient
	case status == http.StatusBadRequest && isJSON, status == http.StatusConflict,
		status == http.StatusUnprocessableEntity:
		return Invalid
	}
	return Misconfigured
}

var (
	existingForm = regexp.MustCompile(`\b(?:Txn)?Id=(\w+)`)
	accountForm  = regexp.MustCompile(`(?i)\baccounts? element id (\w+)`)
	tokenForm    = regexp.MustCompile(`[A-Za-z0-9_.~+-]{24,}`)
)

// first returns the first group of a match, or nothing.
func first(form *regexp.Regexp, s string) string {
	if m := form.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// maxShown is the length of a message or a detail of an error, in characters.
const maxShown = 500

// shown prepares a text of the provider for logs and screens: one line of a limited length, without the secrets of
// the request and without anything of the form of a token. The provider quotes tokens, also cut off and also those of
// others.
func shown(s string, secrets []string) string {
	for _, secret := range secrets {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, "…")
		}
	}
	s = tokenForm.ReplaceAllStringFunc(s, func(word string) string {
		if strings.ContainsFunc(word, unicode.IsDigit) && strings.ContainsFunc(word, unicode.IsLetter) {
			return "…"
		}
		return word
	})
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "�"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if runes := []rune(s); len(runes) > maxShown {
		s = string(runes[:maxShown]) + "…"
	}
	return s
}

// retryAfter reads the header, in seconds or as a date, and limits it: a provider's mistake must not stop a company
// for days.
func retryAfter(h http.Header, now time.Time) time.Duration {
	raw := strings.TrimSpace(h.Get("Retry-After"))
	if raw == "" {
		return 0
	}
	if seconds, err := strconv.ParseUint(raw, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxResting)
	}
	at, err := http.ParseTime(raw)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxResting)
}

// words returns the message and the detail of a refusal, ready to show.
func (f faultError) words(class Class, secrets []string) (message, detail string) {
	message = cmp.Or(shown(string(f.Message), secrets), "the provider refuses the request without a reason")
	detail = shown(string(f.Detail), secrets)
	if class == Token {
		detail = "" // it quotes the token
	}
	return message, detail
}
