package stripemock

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/stripe/stripe-mock/embedded"
)

// Names knows the parameters of every address, also those inside others, which stripe-mock does not look at.
type Names struct {
	paths map[string]map[string]operation
}

type operation struct {
	RequestBody struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
}

type schema struct {
	Properties           map[string]schema `json:"properties"`
	Items                *schema           `json:"items"`
	AnyOf                []schema          `json:"anyOf"`
	AdditionalProperties json.RawMessage   `json:"additionalProperties"`
}

// ReadNames reads them from the description that is compiled in.
func ReadNames() (Names, error) {
	var spec struct {
		Paths map[string]map[string]operation `json:"paths"`
	}
	err := json.Unmarshal(embedded.OpenAPISpec, &spec)
	return Names{spec.Paths}, err
}

// Has tells whether the body of a POST to a path can have a parameter, written as it is sent: controller[fees][payer].
func (n Names) Has(path, parameter string) bool {
	for template, methods := range n.paths {
		if matches(template, path) {
			op := methods[strings.ToLower(http.MethodPost)]
			return op.RequestBody.Content["application/x-www-form-urlencoded"].Schema.has(parts(parameter))
		}
	}
	return false
}

// matches tells whether a path is of a template: /v1/refunds/{refund}.
func matches(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i, part := range want {
		if part != got[i] && !strings.HasPrefix(part, "{") {
			return false
		}
	}
	return true
}

// parts are the names that lead to a parameter.
func parts(parameter string) []string {
	return strings.Split(strings.ReplaceAll(parameter, "]", ""), "[")
}

func (s schema) has(names []string) bool {
	if len(names) == 0 {
		return true
	}
	if inner, ok := s.Properties[names[0]]; ok {
		return inner.has(names[1:])
	}
	if s.Items != nil && s.Items.has(names[1:]) { // the name is a place in a list
		return true
	}
	for _, one := range s.AnyOf {
		if one.has(names) {
			return true
		}
	}
	free := len(s.AdditionalProperties) > 0 && s.AdditionalProperties[0] == '{' // as metadata is
	return free && len(names) == 1
}
