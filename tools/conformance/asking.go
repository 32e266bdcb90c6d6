package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addAsking adds the tools that ask the client for something: in a request of their own, as the revisions with sessions
// have it, or in their result (SEP-2322).
func addAsking(s *mcp.Server) {
	add(s, "test_sampling", "Asks for a completion, in a session.", sample)
	add(s, "test_elicitation", "Asks for a name, in a session.", elicit(object("username", "string")))
	add(s, "test_elicitation_sep1034_defaults", "Asks with defaults, in a session.", elicit(defaults))
	add(s, "test_elicitation_sep1330_enums", "Asks for choices, in a session.", elicit(choices))

	add(s, "test_input_required_result_elicitation", "Asks for a name.", askName)
	add(s, "test_input_required_result_sampling", "Asks for a completion.", askCompletion)
	add(s, "test_input_required_result_list_roots", "Asks for the roots.", askRoots)
	add(s, "test_input_required_result_multiple_inputs", "Asks for three things.", askAll)
	add(s, "test_input_required_result_multi_round", "Asks twice.", askTwice)
	add(s, "test_input_required_result_capabilities", "Asks for what the client can.", askWhatItCan)
	add(s, "test_input_required_result_request_state", "Gives the client a state.", askWithState("request_state"))
	add(s, "test_input_required_result_tampered_state", "Refuses a changed state.", askWithState("tampered_state"))
}

// object is the schema of an object with one property.
func object(property, kind string) map[string]any {
	return map[string]any{
		"type": "object", "properties": map[string]any{property: map[string]any{"type": kind}},
		"required": []string{property},
	}
}

func sample(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	res, err := req.Session.CreateMessage(ctx, completion("Test prompt for sampling"))
	if err != nil {
		return nil, fmt.Errorf("sampling failed: %w", err)
	}
	answer, _ := res.Content.(*mcp.TextContent)
	if answer == nil {
		return nil, fmt.Errorf("sampling answered %T", res.Content)
	}
	return says("LLM response: %s", answer.Text), nil
}

func elicit(schema map[string]any) handler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Please answer.", RequestedSchema: schema})
		if err != nil {
			return nil, fmt.Errorf("elicitation failed: %w", err)
		}
		return says("Elicitation result: action=%s, content=%v", res.Action, res.Content), nil
	}
}

var defaults = map[string]any{"type": "object", "properties": map[string]any{
	"name":   map[string]any{"type": "string", "default": "John Doe"},
	"age":    map[string]any{"type": "integer", "default": 30},
	"score":  map[string]any{"type": "number", "default": 95.5},
	"status": map[string]any{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},

	"verified": map[string]any{"type": "boolean", "default": true},
}}

var (
	plain  = []string{"option1", "option2", "option3"}
	titled = []map[string]any{
		{"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"},
		{"const": "value3", "title": "Third Option"},
	}
	choices = map[string]any{"type": "object", "properties": map[string]any{
		"untitledSingle": map[string]any{"type": "string", "enum": plain},
		"titledSingle":   map[string]any{"type": "string", "oneOf": titled},
		"legacyEnum": map[string]any{
			"type": "string", "enum": []string{"opt1", "opt2", "opt3"},
			"enumNames": []string{"Option One", "Option Two", "Option Three"},
		},
		"untitledMulti": several(map[string]any{"type": "string", "enum": plain}),
		"titledMulti":   several(map[string]any{"type": "string", "anyOf": titled}),
	}}
)

func several(items map[string]any) map[string]any {
	return map[string]any{"type": "array", "minItems": 1, "maxItems": 3, "items": items}
}

// asks is a result that asks for more, by names for the answers.
func asks(state string, inputs mcp.InputRequestMap) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{InputRequests: inputs, RequestState: state}, nil
}

func question(message, property, kind string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: object(property, kind)}
}

func completion(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{
		Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}}, MaxTokens: 100,
	}
}

// accepted returns the answer to a question; nil if there is none, or the person declined.
func accepted(all mcp.InputResponseMap, name string) map[string]any {
	if answer, ok := all[name].(*mcp.ElicitResult); ok && answer != nil && answer.Action == "accept" {
		return answer.Content
	}
	return nil
}

// word returns a text of the answer to a question.
func word(all mcp.InputResponseMap, name, property string) string {
	text, _ := accepted(all, name)[property].(string)
	return text
}

// completed returns the text of a completion.
func completed(all mcp.InputResponseMap, name string) (string, bool) {
	answer, ok := all[name].(*mcp.CreateMessageWithToolsResult)
	if !ok || answer == nil {
		return "", false
	}
	for _, c := range answer.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			return text.Text, true
		}
	}
	return "", false
}

func roots(all mcp.InputResponseMap) (*mcp.ListRootsResult, bool) {
	answer, ok := all["client_roots"].(*mcp.ListRootsResult)
	return answer, ok && answer != nil
}

func askName(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if name := word(req.Params.InputResponses, "user_name", "name"); name != "" {
		return says("Hello, %s!", name), nil
	}
	return asks("", mcp.InputRequestMap{"user_name": question("What is your name?", "name", "string")})
}

func askCompletion(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if text, ok := completed(req.Params.InputResponses, "capital_question"); ok {
		return says("Sampling response: %s", text), nil
	}
	return asks("", mcp.InputRequestMap{"capital_question": completion("What is the capital of France?")})
}

func askRoots(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	list, ok := roots(req.Params.InputResponses)
	if !ok {
		return asks("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}})
	}
	var all []string
	for _, r := range list.Roots {
		all = append(all, r.URI)
	}
	return says("Client exposed %d root(s): %s", len(all), strings.Join(all, ", ")), nil
}

func askAll(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in := req.Params.InputResponses
	name := word(in, "user_name", "name")
	greeting, greeted := completed(in, "greeting")
	list, listed := roots(in)
	if name != "" && greeted && listed {
		return says("%s %s, %d root(s)", greeting, name, len(list.Roots)), nil
	}
	return asks("multiple_inputs", mcp.InputRequestMap{
		"user_name": question("What is your name?", "name", "string"), "greeting": completion("Generate a greeting"),
		"client_roots": &mcp.ListRootsParams{},
	})
}

// askTwice keeps the first answer in the state: there is no session to keep it in.
func askTwice(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in, second := req.Params.InputResponses, "round=2;name="
	switch name, found := strings.CutPrefix(req.Params.RequestState, second); {
	case found:
		return says("Multi-round complete: %s likes %s", name, word(in, "step2", "color")), nil
	case req.Params.RequestState == "round=1":
		return asks(second+word(in, "step1", "name"), mcp.InputRequestMap{
			"step2": question("Step 2: What is your favorite color?", "color", "string"),
		})
	}
	return asks("round=1", mcp.InputRequestMap{"step1": question("Step 1: What is your name?", "name", "string")})
}

func askWhatItCan(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(req.Params.InputResponses) > 0 {
		return says("answered"), nil
	}
	inputs := mcp.InputRequestMap{}
	if can := req.ClientCapabilities(); can != nil {
		if can.Elicitation != nil {
			inputs["user_name"] = question("What is your name?", "name", "string")
		}
		if can.Sampling != nil {
			inputs["greeting"] = completion("Generate a short greeting")
		}
		if can.RootsV2 != nil {
			inputs["client_roots"] = &mcp.ListRootsParams{}
		}
	}
	if len(inputs) == 0 {
		return says("the client can answer nothing"), nil
	}
	return asks("", inputs)
}

// askWithState refuses every state but its own.
func askWithState(state string) handler {
	return func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		switch answered := accepted(req.Params.InputResponses, "confirm") != nil; {
		case req.Params.RequestState != "" && req.Params.RequestState != state, answered && req.Params.RequestState == "":
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the state is not this tool's"}
		case answered:
			return says("state-ok: requestState received and confirmation accepted"), nil
		}
		return asks(state, mcp.InputRequestMap{"confirm": question("Please confirm", "ok", "boolean")})
	}
}
