package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// watched is the address of the resource that changes every few seconds.
const watched = "test://watched-resource"

var (
	// pixel is a PNG of one pixel.
	pixel = decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
	// silence is a WAV without a sample.
	silence = decoded("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=")
)

func decoded(text string) []byte {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

func addResources(s *mcp.Server) {
	for _, r := range []mcp.ResourceContents{
		{URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource."},
		{URI: "test://static-binary", MIMEType: "image/png", Blob: pixel},
		{URI: watched, MIMEType: "text/plain", Text: "Watched resource content"},
	} {
		s.AddResource(&mcp.Resource{
			Name: strings.TrimPrefix(r.URI, "test://"), Description: "A resource for testing", MIMEType: r.MIMEType, URI: r.URI,
		}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&r}}, nil
		})
	}
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "template", Description: "A resource with a parameter", MIMEType: "application/json",
		URITemplate: "test://template/{id}/data",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
		text, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: req.Params.URI, MIMEType: "application/json", Text: string(text)},
		}}, nil
	})
}

// prompt returns the handler of a prompt with always the same messages.
func prompt(content ...mcp.Content) mcp.PromptHandler {
	return func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return messages(content...), nil
	}
}

func messages(content ...mcp.Content) *mcp.GetPromptResult {
	out := &mcp.GetPromptResult{}
	for _, c := range content {
		out.Messages = append(out.Messages, &mcp.PromptMessage{Role: "user", Content: c})
	}
	return out
}

func addPrompts(s *mcp.Server) {
	s.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "A prompt without arguments"},
		prompt(&mcp.TextContent{Text: "This is a simple prompt for testing."}))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "A prompt with a picture"},
		prompt(&mcp.ImageContent{Data: pixel, MIMEType: "image/png"},
			&mcp.TextContent{Text: "Please analyze the image above."}))
	s.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_arguments", Description: "A prompt with two arguments",
		Arguments: []*mcp.PromptArgument{{Name: "arg1", Required: true}, {Name: "arg2", Required: true}},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		in := req.Params.Arguments
		return messages(&mcp.TextContent{
			Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", in["arg1"], in["arg2"]),
		}), nil
	})
	s.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_embedded_resource", Description: "A prompt with a resource",
		Arguments: []*mcp.PromptArgument{{Name: "resourceUri", Required: true}},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return messages(embedded(req.Params.Arguments["resourceUri"], "Embedded resource content for testing."),
			&mcp.TextContent{Text: "Please process the embedded resource above."}), nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "A prompt that asks for its context"},
		func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			if about := word(req.Params.InputResponses, "user_context", "context"); about != "" {
				return messages(&mcp.TextContent{Text: "Context: " + about}), nil
			}
			return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{
				"user_context": question("Please provide context for the prompt", "context", "string"),
			}}, nil
		})
}
