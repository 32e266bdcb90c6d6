package op

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"foyer/app/fault"
)

// The message about a field is a predicate: with the field's name in front it is a sentence (see told). huma keeps
// its messages in variables of its package, hence they are set once for the process, before any schema is made. %.0v
// consumes an argument of huma's, the error of some parser, and prints nothing.
func init() {
	validation.MsgUnexpectedProperty = "is not a field of this request"
	validation.MsgExpectedRequiredProperty = missingPrefix + "%s"
	validation.MsgExpectedRFC3339DateTime = notTime
	validation.MsgExpectedRFC3339Date = "must be a date like 2026-03-08"
	validation.MsgExpectedRFC3339Time = "must be a time of day like 14:30:00"
	validation.MsgExpectedRFC5322Email = "must be an e-mail address like name@example.com%.0v"
	validation.MsgExpectedRFC3986URI = "must be an address like https://example.com%.0v"
	validation.MsgExpectedRFC4122UUID = notID + "%.0v"
	validation.MsgExpectedBoolean = mustBe + "true or false"
	validation.MsgExpectedNumber = mustBe + "a number"
	validation.MsgExpectedInteger = mustBe + "a whole number"
	validation.MsgExpectedString = mustBe + "a string"
	validation.MsgExpectedArray = mustBe + "a list"
	validation.MsgExpectedObject = mustBe + "an object"
	validation.MsgExpectedArrayItemsUnique = "names something twice"
	validation.MsgExpectedOneOf = "must be one of: %s"
	validation.MsgExpectedMinimumNumber = bound + "at least %v"
	validation.MsgExpectedMaximumNumber = bound + "at most %v"
	validation.MsgExpectedMinLength = size + "at least %d characters"
	validation.MsgExpectedMaxLength = size + "at most %d characters"
	validation.MsgExpectedMinItems = size + "at least %d entries"
	validation.MsgExpectedMaxItems = size + "at most %d entries"
	validation.MsgExpectedBePattern = bound + "%s"
	validation.MsgExpectedMatchPattern = bound + "text of the pattern %s"
	validation.MsgExpectedMatchAtLeastOneSchema = noOption
}

// Prefixes of messages, by the detail that can be added: the actual type after mustBe, the actual size after size,
// the meaning of the field after bound. Prefixes in angle brackets are not shown.
const (
	missingPrefix = "<missing>"
	noOption      = "<no option>"
	mustBe        = "<type>must be "
	size          = "must have "
	bound         = "<bound>must be "

	notTime = "must be a time like 2026-03-08T14:30:00Z"
	notID   = "must be an id like 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"
)

// unfit converts huma's findings about an input. The rejected values are left out: they may be secrets.
func (d *declared) unfit(detail *huma.ErrorDetail) []fault.Field {
	place, message := detail.Location, detail.Message
	if place == "" {
		place = "body"
	}
	say := func(format string, args ...any) []fault.Field {
		return []fault.Field{{Field: place, Message: fmt.Sprintf(format, args...)}}
	}
	if name, ok := strings.CutPrefix(message, missingPrefix); ok {
		place += "." + name
		return say("is missing")
	}
	if rest, ok := strings.CutPrefix(message, mustBe); ok {
		return say("must be %s, and is %s", rest, kindOfJSON(detail.Value))
	}
	if rest, ok := strings.CutPrefix(message, bound); ok {
		return say("must be %s%s", rest, d.meaning(place))
	}
	if strings.HasPrefix(message, size) {
		if n, ok := length(detail.Value); ok && n > 0 {
			return say("%s, and has %d", message, n)
		}
		return say("must not be empty")
	}
	if message == noOption {
		if inner := d.insideOption(place, detail.Value); len(inner) > 0 {
			return inner
		}
		return say("has the wrong type")
	}
	if known, ok := paramWords[message]; ok {
		return say("%s", known)
	}
	if strings.HasPrefix(message, "json: ") { // encoding/json's words name Go types
		if _, rest, ok := strings.Cut(message, "Go struct field "); ok {
			name, _, _ := strings.Cut(rest, " ")
			if _, path, ok := strings.Cut(name, "."); ok {
				place += "." + path
			}
		}
		return say("has the wrong type")
	}
	return say("%s", strings.ReplaceAll(message, "<nil>", "null"))
}

// paramWords are our messages for huma's messages about parameters, which are constants in its code.
var paramWords = map[string]string{
	"required query parameter is missing":                              "is missing",
	"required header parameter is missing":                             "is missing",
	"required path parameter is missing":                               "is missing",
	"expected at most one value, but received multiple values":         "appears more than once",
	"invalid integer":                                                  "must be a whole number",
	"invalid float":                                                    "must be a number",
	"invalid boolean":                                                  "must be true or false",
	"invalid date/time for format 2006-01-02T15:04:05.999999999Z07:00": notTime,
	"invalid date/time for format " + "Mon, 02 Jan 2006 15:04:05 GMT":  notTime,
	"write only property is non-zero":                                  "cannot be sent",
	"expected value to match exactly one schema but matched multiple":  "has the wrong type",
	"expected value to match exactly one schema but matched none":      "has the wrong type",
}

// kindOfJSON returns the JSON type of a value.
func kindOfJSON(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		if v != math.Trunc(v) {
			return "a number with a fraction"
		}
		return "a number"
	case string:
		return "a string"
	case []any:
		return "a list"
	}
	return "an object"
}

// length counts as the schema does: characters of a text, entries of a list.
func length(v any) (int, bool) {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v), true
	case []any:
		return len(v), true
	}
	return 0, false
}

// meaning returns the description of a member of the body as a second sentence; "" without one.
func (d *declared) meaning(place string) string {
	if d == nil {
		return ""
	}
	text := ""
	d.walk(place, func(s *huma.Schema) {
		if s.Description != "" {
			text = ". " + strings.TrimRight(s.Description, ".")
		}
	})
	return text
}

// insideOption returns the error of a value that may also be null: huma reports only that neither schema fits.
func (d *declared) insideOption(place string, value any) (out []fault.Field) {
	if d == nil || value == nil {
		return nil
	}
	var last *huma.Schema
	d.walk(place, func(s *huma.Schema) { last = s })
	if last == nil || len(last.AnyOf) == 0 {
		return nil
	}
	var found huma.ValidateResult
	huma.Validate(d.registry.api.OpenAPI().Components.Schemas, last.AnyOf[0], huma.NewPathBuffer([]byte(place), len(place)),
		huma.ModeWriteToServer, value, &found)
	for _, err := range found.Errors {
		var detail *huma.ErrorDetail
		if errors.As(err, &detail) {
			out = append(out, d.unfit(detail)...)
		}
	}
	return out
}

var placeSteps = regexp.MustCompile(`\.[^.\[]+|\[\d+\]`)

// walk shows the schemas on the way to a member of the body, such as body.items[0].quantity, the member's own last.
func (d *declared) walk(place string, show func(*huma.Schema)) {
	steps, ok := strings.CutPrefix(place, "body")
	s := d.registry.resolved(d.body)
	for _, step := range placeSteps.FindAllString(steps, -1) {
		if !ok || s == nil {
			return
		}
		if len(s.AnyOf) > 0 {
			s = d.registry.resolved(s.AnyOf[0])
		}
		if step[0] == '[' {
			s = s.Items
		} else {
			s = s.Properties[step[1:]]
		}
		if s != nil {
			show(s)
			s = d.registry.resolved(s)
		}
	}
}

// told returns the sentence of a refusal about wrong fields, for people: "`at` is missing."
func told(fields []fault.Field) string {
	const most = 3
	var said []string
	for _, f := range fields[:min(len(fields), most)] {
		said = append(said, subject(f.Field, f.Message)+strings.TrimRight(f.Message, "."))
	}
	text := strings.Join(said, "; ")
	if more := len(fields) - most; more > 0 {
		text += "; and " + strconv.Itoa(more) + " more"
	}
	return text + "."
}

// subject returns the name of a field in front of its message, which is a predicate or, in the domains, a sentence.
func subject(field, message string) string {
	for _, part := range []string{"body.", "query.", "path.", "header."} {
		field = strings.TrimPrefix(field, part)
	}
	name := "`" + field + "`"
	if field == "body" || field == "header" {
		name = "The " + field
	}
	if first, _ := utf8.DecodeRuneInString(message); unicode.IsUpper(first) {
		return name + ": "
	}
	return name + " "
}

// errNotID refuses a path parameter that cannot be the id of a record. Its message depends only on the parameter: it
// reveals no more about existing records than the address itself. A20.
var errNotID = fault.New(fault.Validation, "", ErrInvalid.Message)

func notAnID(name, value string) error {
	message := notID
	if slugForm.MatchString(value) {
		message += ", and looks like a slug: records are named by id here"
	}
	return errNotID.And("path."+name, message)
}

// slugForm is the form of the words in web addresses.
var slugForm = regexp.MustCompile(`^[a-z0-9]*[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
