package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/fault"
	"foyer/app/web/op"
)

// scheme begins the addresses of resources.
const scheme = "foyer://"

// resource is something to read: an operation at an address with variables.
type resource struct {
	name, title, description string
	path                     string // after the scheme, with variables in braces: each is a whole segment
	operation                string
	arguments                func(variables map[string]string) map[string]any
	check                    func(variables map[string]string, data json.RawMessage) error // nil: any data is right
}

var resources = []resource{
	{
		name: "schedule", title: "Schedule of a day",
		description: "Published classes of a location on a day, with free spots, that have not started. date is a day of " +
			"the location, such as 2027-05-31, from today on.",
		path: "locations/{locationId}/schedule/{date}", operation: "getSchedule",
		arguments: func(v map[string]string) map[string]any {
			return map[string]any{"id": v["locationId"], "from": v["date"], "days": 1}
		},
		check: ofDay,
	},
	{
		name: "roster", title: "Roster of a date",
		description: "Bookings of one date of a class, with its seat counts. Both ids are in the schedule.",
		path:        "offerings/{offeringId}/occurrences/{occurrenceId}/roster", operation: "getRoster",
		arguments: func(v map[string]string) map[string]any {
			return map[string]any{"id": v["offeringId"], "occurrenceId": v["occurrenceId"], "limit": 200}
		},
	},
}

// ofDay refuses a schedule of another day: the operation returns today's for one in the past.
func ofDay(variables map[string]string, data json.RawMessage) error {
	if _, err := time.Parse(time.DateOnly, variables["date"]); err != nil {
		return fault.Invalid("date", "is not a day")
	}
	var shown struct{ From string }
	if json.Unmarshal(data, &shown) != nil || shown.From != variables["date"] {
		return fault.Invalid("date", "is in the past")
	}
	return nil
}

// addResources adds the templates of resources to a server. Reading one is a call of its operation by the caller.
func (m *surface) addResources(s *sdk.Server, byName map[string]*op.Tool) {
	for i := range resources {
		x := &resources[i]
		s.AddResourceTemplate(&sdk.ResourceTemplate{
			Name: x.name, Title: x.title, Description: x.description, MIMEType: op.JSONType, URITemplate: scheme + x.path,
		}, func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			text, err := m.read(ctx, x, byName[x.operation], req.Params.URI)
			if err != nil {
				return nil, err
			}
			return &sdk.ReadResourceResult{
				Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: op.JSONType, Text: text}},
			}, nil
		})
	}
}

// read returns the content of a resource.
func (m *surface) read(ctx context.Context, x *resource, t *op.Tool, address string) (string, error) {
	variables, ok := x.variables(address)
	if !ok || t == nil {
		return "", sdk.ResourceNotFoundError(address)
	}
	arguments, err := json.Marshal(x.arguments(variables))
	if err != nil {
		return "", err
	}
	status, body := m.carry(ctx, t, arguments)
	if status != http.StatusOK {
		return "", protocolError(status, body)
	}
	if len(body) > resultMost {
		return "", protocolError(refusal(errTooLarge))
	}
	data, ok := dataOf(body)
	if !ok {
		return "", protocolError(refusal(op.ErrInternal))
	}
	if x.check != nil {
		if err := x.check(variables, data); err != nil {
			return "", protocolError(refusal(err))
		}
	}
	text, err := encoded(map[string]any{"notice": strings.TrimSuffix(marked, "\n"), "data": data})
	return string(text), err
}

// variables returns the values of an address's variables.
func (x *resource) variables(address string) (map[string]string, bool) {
	rest, ok := strings.CutPrefix(address, scheme)
	names, values := strings.Split(x.path, "/"), strings.Split(rest, "/")
	if !ok || len(names) != len(values) {
		return nil, false
	}
	out := map[string]string{}
	for i, name := range names {
		if strings.HasPrefix(name, "{") {
			out[strings.Trim(name, "{}")] = values[i]
		} else if name != values[i] {
			return nil, false
		}
	}
	return out, true
}
