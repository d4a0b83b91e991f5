package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pause is what the suite wants between notifications, to see that they come
// one by one.
const pause = 50 * time.Millisecond

// addTalkingTools adds tools that say or ask something before they answer.
func addTalkingTools(s *mcp.Server) {
	addTool(s, "test_tool_with_logging", emptyObject, logging)
	addTool(s, "test_tool_with_progress", emptyObject, progress)
	addTool(s, "test_sampling", json.RawMessage(`{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`), sampling)
}

func logging(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for _, line := range []string{"started", "at work", "done"} {
		if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: line}); err != nil {
			return nil, err
		}
		time.Sleep(pause)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{text("logged")}}, nil
}

func progress(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	token := req.Params.GetProgressToken()
	for _, done := range []float64{0, 50, 100} {
		if token == nil {
			break
		}
		if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100}); err != nil {
			return nil, err
		}
		time.Sleep(pause)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{text("progressed")}}, nil
}

func sampling(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct{ Prompt string }
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return nil, err
	}
	answer, err := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{
		MaxTokens: 100, Messages: []*mcp.SamplingMessage{{Role: "user", Content: text(in.Prompt)}},
	})
	if err != nil {
		return nil, err
	}
	said, ok := answer.Content.(*mcp.TextContent)
	if !ok {
		return nil, fmt.Errorf("the model answered with %T", answer.Content)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{text("the model said: " + said.Text)}}, nil
}
