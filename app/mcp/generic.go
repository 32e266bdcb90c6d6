package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/fault"
	"foyer/app/web/op"
)

// foundMost is how many operations a search returns.
const foundMost = 20

// wordsMost is the number of characters of what is searched: each word is searched in every operation.
const wordsMost = 200

// addGeneric adds the three tools through which a client of the compact list reaches all others. The full list has
// them, too, so that the compact one is a part of it (A42).
func (m *surface) addGeneric(
	add func(*sdk.Tool, *op.Tool, sdk.ToolHandler), list []op.Tool, byName map[string]*op.Tool,
) {
	yes, no := true, false
	named := json.RawMessage(`{"type":"object","additionalProperties":false,"required":["operation"],"properties":` +
		`{"operation":{"type":"string","description":"Name of the operation, as find_operation returns it."}}}`)
	add(&sdk.Tool{
		Name: "find_operation", Title: "Find an operation",
		Description: "Searches all operations by words. Returns their names and what they do.",
		InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["words"],"properties":` +
			`{"words":{"type":"string","minLength":1,"maxLength":200,"description":"What to do, such as: waive fee"}}}`),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
	}, nil, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in struct{ Words string }
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil || strings.TrimSpace(in.Words) == "" {
			return refused(fault.Invalid("words", "is required")), nil
		}
		if utf8.RuneCountInString(in.Words) > wordsMost {
			return refused(fault.Invalid("words", "has more than 200 characters")), nil
		}
		a := admittedOf(ctx)
		if err := m.know(ctx, a); err != nil {
			return refused(err), nil
		}
		return shown(map[string]any{"operations": m.find(a, list, in.Words)}), nil
	})
	add(&sdk.Tool{
		Name: "describe_operation", Title: "Describe an operation",
		Description: "Returns what an operation does, and the JSON Schema of its arguments.", InputSchema: named,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
	}, nil, func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		t, err := operationOf(req.Params.Arguments, byName)
		if err != nil {
			return refused(err), nil
		}
		return shown(map[string]any{
			"operation": t.ID, "title": t.Summary, "description": toolOf(t, false).Description, "arguments": t.Schema,
		}), nil
	})
	add(&sdk.Tool{
		Name: "run_operation", Title: "Run an operation",
		Description: "Calls an operation with arguments that fit its schema (describe_operation).",
		InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["operation","arguments"],` +
			`"properties":{"operation":{"type":"string"},"arguments":{"type":"object"}}}`),
		Annotations: &sdk.ToolAnnotations{DestructiveHint: &yes, OpenWorldHint: &no},
	}, nil, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		t, err := operationOf(req.Params.Arguments, byName)
		if err != nil {
			return refused(err), nil
		}
		var in struct{ Arguments json.RawMessage }
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return refused(fault.Invalid("arguments", "must be an object")), nil
		}
		return m.call(ctx, t, in.Arguments)
	})
}

// operationOf returns the operation that the arguments name.
func operationOf(arguments json.RawMessage, byName map[string]*op.Tool) (*op.Tool, error) {
	var in struct{ Operation string }
	if err := json.Unmarshal(arguments, &in); err != nil || byName[in.Operation] == nil {
		return nil, fault.Invalid("operation", "is not an operation: search with find_operation")
	}
	return byName[in.Operation], nil
}

// found is an operation in the result of a search.
type found struct {
	Operation string `json:"operation"`
	Title     string `json:"title"`
	Does      string `json:"description"`
	points    int
}

// find returns the operations that the caller may call, those with most of the words first. A word in the name or the
// title counts three times.
func (m *surface) find(a *admitted, list []op.Tool, words string) []found {
	out := []found{}
	terms := strings.Fields(strings.ToLower(words))
	for i := range list {
		t := &list[i]
		if !m.admits(a, t) {
			continue
		}
		f := found{Operation: t.ID, Title: t.Summary, Does: t.Description}
		head, text := strings.ToLower(t.ID+" "+t.Summary), strings.ToLower(t.Description)
		for _, term := range terms {
			switch {
			case strings.Contains(head, term):
				f.points += 3
			case strings.Contains(text, term):
				f.points++
			}
		}
		if f.points > 0 {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b found) int { return cmp.Compare(b.points, a.points) })
	return out[:min(len(out), foundMost)]
}

// shown is the result of a tool of this package's own.
func shown(v any) *sdk.CallToolResult {
	body, err := json.Marshal(v)
	if err != nil {
		return refused(err)
	}
	return &sdk.CallToolResult{
		StructuredContent: json.RawMessage(body), Content: []sdk.Content{&sdk.TextContent{Text: string(body)}},
	}
}
