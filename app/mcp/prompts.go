package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/fault"
	"foyer/app/web/op"
)

// job is something that a studio does often, and how an assistant does it with the tools. The names of operations in
// its steps are in needs.
type job struct {
	name, title, description string
	arguments                []argument
	needs                    []string // operations without which it cannot be done
	steps                    string
}

// argument is what the person may say about a job beforehand.
type argument struct{ name, description string }

// argumentMost is the length of an argument in bytes.
const argumentMost = 300

// jobs are the prompts. A caller gets those whose operations they may call.
var jobs = []job{
	{
		name: "move_class", title: "Move a class", description: "Moves one date of a class, with its bookings.",
		arguments: []argument{
			{"class", "Name of the class."}, {"date", "The date to move."}, {"to", "The new day and time."},
		},
		needs: []string{"listLocations", "listOfferings", "listOccurrences", "updateOccurrence"},
		steps: `Move one date of a class.

1. Find the class with listOfferings, at a location of listLocations, and the date with listOccurrences.
2. Call updateOccurrence with the new startsAt (UTC), the version of the date and dryRun true. If it answers with ` +
			`conflicts of the instructor or the space, show them and ask what to do.
3. Show me the effects: who is booked and notified. Wait for my answer.
4. When I agree, call updateOccurrence again with the same arguments, without dryRun, and with the quoteId.`,
	},
	{
		name: "cancel_class", title: "Cancel a class",
		description: "Cancels one date of a class, with refunds and messages to its customers.",
		arguments: []argument{
			{"class", "Name of the class."}, {"date", "The date to cancel."}, {"reason", "Reason, for the customers."},
		},
		needs: []string{"listLocations", "listOfferings", "listOccurrences", "cancelOccurrence"},
		steps: `Cancel one date of a class.

1. Find the class with listOfferings, at a location of listLocations, and the date with listOccurrences.
2. Call cancelOccurrence with the reason and dryRun true.
3. Show me the effects: which bookings are cancelled, what is refunded to whom, who is notified. Wait for my answer.
4. When I agree, call cancelOccurrence again with the same arguments, without dryRun, and with the quoteId. If the ` +
			`quote is stale, show me the new effects first.`,
	},
	{
		name: "find_lapsed_customers", title: "Find customers who have not come back",
		description: "Lists customers who attended before, and have neither attended since nor booked again.",
		arguments: []argument{
			{"weeks", "Weeks without a visit. The default is 6."}, {"location", "Name of the location. The default is all."},
		},
		needs: []string{"listBusinesses", "listBookings", "getCustomer"},
		steps: `List the customers who have not come back. Change nothing and write to nobody.

1. Read the bookings of the three months before the given weeks with listBookings (from, to, limit 200, and the ` +
			`cursor until nextCursor is null): once with state checked_in, and once with state completed.
2. Read the bookings of the given weeks and all upcoming ones in the same way, in every state.
3. The customers of the first list that are not in the second one have not come back. Read the names and addresses ` +
			`of at most 50 of them with getCustomer, those with most visits first.
4. Show me a table: name, email address, number of visits, last visit and the class of it. Say how many there are in ` +
			`all.`,
	},
	{
		name: "book_customer", title: "Book a customer", description: "Books a customer on a class or an appointment.",
		arguments: []argument{
			{"customer", "Name, email address or phone number."}, {"what", "The class or the service."},
			{"when", "Day and time."},
		},
		needs: []string{"listLocations", "listOfferings", "listCustomers", "createBooking"},
		steps: `Book a customer.

1. Find the customer with listCustomers (q). If there are several, ask me which one. If there is none, ask me for ` +
			`the name and the email address; createBooking takes both.
2. Find what to book with listOfferings, at a location of listLocations. For a class, find the date with ` +
			`listOccurrences. For an appointment or a rental, find a free time with searchAvailability.
3. Call createBooking with dryRun true, and show me the effects and the price. Never use override without being told.
4. When I agree, call createBooking again with the same arguments, without dryRun, and with the quoteId.`,
	},
	{
		name: "todays_roster", title: "Today's roster", description: "Lists who comes today, and checks customers in.",
		arguments: []argument{
			{"location", "Name of the location."}, {"class", "Name of the class. The default is all of the day."},
		},
		needs: []string{"listLocations", "listBookings", "checkInBooking"},
		steps: `Show me who comes today.

1. Find the location with listLocations. Its day is that of its own time zone.
2. Read the bookings of the day with listBookings (locationId, from, to, limit 200, and the cursor until nextCursor ` +
			`is null).
3. Show me each class or appointment with its time, its customers and their states: who has been checked in, and who ` +
			`has a note or a balance due.
4. When I say who has arrived, call checkInBooking for each of them. It can be undone with undoCheckIn.`,
	},
}

// jobOf returns the job of a prompt.
func jobOf(prompt string) *job {
	for i := range jobs {
		if jobs[i].name == prompt {
			return &jobs[i]
		}
	}
	return nil
}

// addPrompts adds the prompts to a server.
func (m *surface) addPrompts(s *sdk.Server, byName map[string]*op.Tool) {
	for i := range jobs {
		j := &jobs[i]
		p := &sdk.Prompt{Name: j.name, Title: j.title, Description: j.description}
		for _, a := range j.arguments {
			p.Arguments = append(p.Arguments, &sdk.PromptArgument{Name: a.name, Description: a.description})
		}
		s.AddPrompt(p, func(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			a := admittedOf(ctx)
			if err := m.know(ctx, a); err != nil {
				return nil, protocolError(refusal(err))
			}
			if err := m.barred(a, j, byName); err != nil {
				return nil, protocolError(refusal(err))
			}
			text, err := j.text(req.Params.Arguments)
			if err != nil {
				return nil, protocolError(refusal(err))
			}
			return &sdk.GetPromptResult{
				Description: j.description,
				Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
			}, nil
		})
	}
}

// barred returns the refusal of the first operation of a job that the caller may not call, nil if there is none.
func (m *surface) barred(a *admitted, j *job, byName map[string]*op.Tool) error {
	for _, name := range j.needs {
		if t := byName[name]; t == nil || !m.admits(a, t) {
			return op.ErrFeatureMissing.With("operation", name)
		}
	}
	return nil
}

// text is the message of a job: its steps, and what the person said.
func (j *job) text(given map[string]string) (string, error) {
	known := map[string]bool{}
	said := ""
	for _, a := range j.arguments {
		known[a.name] = true
		value := strings.Join(strings.Fields(given[a.name]), " ") // one line
		if len(value) > argumentMost {
			return "", fault.Invalid(a.name, "is too long")
		}
		if value != "" {
			said += "- " + a.name + ": " + value + "\n"
		}
	}
	for name := range given {
		if !known[name] {
			return "", fault.Invalid(name, "is not an argument of this prompt")
		}
	}
	if said == "" {
		return j.steps + "\n\nAsk me for what you need to know.", nil
	}
	return j.steps + "\n\nWhat I know so far; ask me for the rest:\n\n" + strings.TrimSuffix(said, "\n"), nil
}

// codeRefused is the code of a refusal in answers that are no results of tools. Its data is the error of the envelope.
// Libraries use -32001 to -32005 for states of their connections.
const codeRefused = -32010

// protocolError returns a refusal of REST as an error of the protocol.
func protocolError(status int, body []byte) error {
	var envelope struct{ Error json.RawMessage }
	var text struct{ Message string }
	if json.Unmarshal(body, &envelope) != nil || json.Unmarshal(envelope.Error, &text) != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: op.ErrInternal.Message}
	}
	code := int64(codeRefused)
	switch status {
	case 400, 404:
		code = jsonrpc.CodeInvalidParams
	case 500:
		code = jsonrpc.CodeInternalError
	}
	return &jsonrpc.Error{Code: code, Message: text.Message, Data: envelope.Error}
}
