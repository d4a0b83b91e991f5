// Package mcpserver gives an AI agent sandboxes through the Model Context
// Protocol: tools to run code and commands and to work with files, on any
// backend that speaks the E2B sandbox protocol.
//
// A call passes these stages, each in its own file:
//
//	transport  stdio.go, or HTTP      supplies the session
//	normaliser normalize*.go          arguments as the schema says
//	handler    tool_<name>.go         the work of one tool
//	manager    manager*.go            which sandbox, its life, its end
//	shaper     shape.go, result.go    structured result, text, images
//	mapper     errormap.go            every failure gets one of the closed list of codes
package mcpserver
