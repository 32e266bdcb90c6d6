package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A tool of the suite, as its handler sees it.
type handler func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error)

// add adds a tool that takes any arguments.
func add(s *mcp.Server, name, description string, h handler) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: description},
		func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
			res, err := h(ctx, req)
			return res, nil, err
		})
}

// says is a result of one text.
func says(format string, args ...any) *mcp.CallToolResult {
	return holds(&mcp.TextContent{Text: fmt.Sprintf(format, args...)})
}

func holds(content ...mcp.Content) *mcp.CallToolResult { return &mcp.CallToolResult{Content: content} }

// always is a tool with one answer.
func always(res *mcp.CallToolResult) handler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return res, nil }
}

func embedded(uri, content string) mcp.Content {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: content}}
}

func addTools(s *mcp.Server) {
	picture := &mcp.ImageContent{Data: pixel, MIMEType: "image/png"}
	add(s, "test_simple_text", "Returns a text.", always(says("This is a simple text response for testing.")))
	add(s, "test_image_content", "Returns a picture.", always(holds(picture)))
	add(s, "test_audio_content", "Returns a sound.", always(holds(&mcp.AudioContent{Data: silence,
		MIMEType: "audio/wav"})))
	add(s, "test_embedded_resource", "Returns a resource.",
		always(holds(embedded("test://embedded-resource", "This is an embedded resource"))))
	add(s, "test_multiple_content_types", "Returns a text, a picture and a resource.", always(holds(
		&mcp.TextContent{Text: "This is text content"}, picture,
		embedded("test://embedded-in-multiple", "This is an embedded resource"),
	)))
	add(s, "test_streaming_elicitation", "Returns a text, and asks nothing.", always(says("nothing was asked")))
	add(s, "test_error_handling", "Fails.", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("this tool intentionally returns an error for testing")
	})
	add(s, "test_tool_with_logging", "Writes three lines to the log.", logs(
		"Tool execution started", "Tool processing data", "Tool execution completed"))
	add(s, "test_logging_tool", "Writes a line to the log.", logs("test_logging_tool executed"))
	add(s, "test_tool_with_progress", "Reports progress three times.", progress)
	add(s, "test_reconnection", "Ends its stream before the answer.", reconnect)
	add(s, "test_missing_capability", "Needs a client that samples.", needsSampling)
	add(s, "test_trigger_tool_change", "Changes the list of tools.",
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			add(s, "changing_tool", "Comes again with each change.", always(&mcp.CallToolResult{}))
			return says("the list of tools has changed"), nil
		})
	add(s, "test_trigger_prompt_change", "Changes the list of prompts.",
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.AddPrompt(&mcp.Prompt{Name: "changing_prompt", Description: "Comes again with each change."}, prompt())
			return says("the list of prompts has changed"), nil
		})
	addWithSchema(s, "json_schema_2020_12_tool", schema2020)
	addWithSchema(s, "test_x_mcp_header", schemaHeader)
}

// addWithSchema adds a tool that returns its arguments.
func addWithSchema(s *mcp.Server, name, schema string) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: "Returns its arguments.", InputSchema: json.RawMessage(schema)},
		func(_ context.Context, _ *mcp.CallToolRequest, in json.RawMessage) (*mcp.CallToolResult, any, error) {
			return says("called with %s", in), nil, nil
		})
}

func logs(lines ...string) handler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i, line := range lines {
			if i > 0 {
				time.Sleep(50 * time.Millisecond)
			}
			if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: line}); err != nil {
				return nil, err
			}
		}
		return says("Tool with logging executed successfully"), nil
	}
}

func progress(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	token := req.Params.GetProgressToken()
	for _, done := range []float64{0, 50, 100} {
		if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: done, Total: 100, Message: fmt.Sprintf("Completed step %.0f of 100", done),
		}); err != nil {
			return nil, err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return says("%v", token), nil
}

func reconnect(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Extra != nil && req.Extra.CloseSSEStream != nil {
		req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
	}
	time.Sleep(100 * time.Millisecond)
	return says("Reconnection test completed successfully."), nil
}

func needsSampling(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if can := req.ClientCapabilities(); can != nil && can.Sampling != nil {
		return says("the client samples"), nil
	}
	needs, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
		RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}},
	})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{
		Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client does not sample", Data: needs,
	}
}

// schema2020 has what must come through tools/list as it is: $defs, $anchor, allOf, anyOf, if, then, else.
const schema2020 = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {
		"$anchor": "addressDef", "type": "object",
		"properties": {"street": {"type": "string"}, "city": {"type": "string"}}
	}},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

// schemaHeader has an argument that the header Mcp-Param-Region repeats.
const schemaHeader = `{"type": "object", "properties": {
	"region": {"type": "string", "x-mcp-header": "Region"},
	"level": {"type": "integer"}
}}`
