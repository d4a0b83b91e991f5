package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func addPrompts(s *mcp.Server) {
	addPrompt(s, &mcp.Prompt{Name: "test_simple_prompt"}, func(map[string]string) []mcp.Content {
		return []mcp.Content{text("a simple prompt")}
	})
	addPrompt(s, &mcp.Prompt{Name: "test_prompt_with_arguments", Arguments: []*mcp.PromptArgument{
		{Name: "arg1", Required: true}, {Name: "arg2", Required: true},
	}}, func(args map[string]string) []mcp.Content {
		return []mcp.Content{text("arg1 is '" + args["arg1"] + "', arg2 is '" + args["arg2"] + "'")}
	})
	addPrompt(s, &mcp.Prompt{Name: "test_prompt_with_embedded_resource", Arguments: []*mcp.PromptArgument{
		{Name: "resourceUri", Required: true},
	}}, func(args map[string]string) []mcp.Content {
		return []mcp.Content{embedded(args["resourceUri"]), text("read the resource above")}
	})
	addPrompt(s, &mcp.Prompt{Name: "test_prompt_with_image"}, func(map[string]string) []mcp.Content {
		return []mcp.Content{image(), text("look at the image above")}
	})
}

// addPrompt adds a prompt whose messages hold one content each.
func addPrompt(s *mcp.Server, prompt *mcp.Prompt, contents func(args map[string]string) []mcp.Content) {
	prompt.Description = "A fixture of the conformance suite."
	s.AddPrompt(prompt, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		result := &mcp.GetPromptResult{Description: prompt.Description}
		for _, content := range contents(req.Params.Arguments) {
			result.Messages = append(result.Messages, &mcp.PromptMessage{Role: "user", Content: content})
		}
		return result, nil
	})
}

// complete has nothing to propose.
func complete(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
}
