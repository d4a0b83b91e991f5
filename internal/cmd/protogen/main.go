// Command protogen regenerates the checked-in Go code of the wire contract
// (sandboxclient/envd) from its .proto files. It needs no protoc: the files are
// compiled in process and handed to the two plugins, which the module graph
// pins. Run it from the repository root.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const root = "sandboxclient"

// files are relative to root; the path becomes part of the registered file
// name, which keeps it apart from other programs' "process.proto".
var files = []string{"envd/process/process.proto", "envd/filesystem/filesystem.proto"}

var plugins = []struct{ pkg, parameter string }{
	{"google.golang.org/protobuf/cmd/protoc-gen-go", "paths=source_relative"},
	{"connectrpc.com/connect/cmd/protoc-gen-connect-go", "paths=source_relative,simple"},
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	request, err := compile(ctx)
	if err != nil {
		return err
	}
	for _, p := range plugins {
		request.Parameter = proto.String(p.parameter)
		if err := generate(ctx, p.pkg, request); err != nil {
			return fmt.Errorf("run %s: %w", p.pkg, err)
		}
	}
	return nil
}

func compile(ctx context.Context) (*pluginpb.CodeGeneratorRequest, error) {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{root}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	compiled, err := compiler.Compile(ctx, files...)
	if err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: files}
	seen := map[string]bool{}
	for _, f := range compiled {
		request.ProtoFile = appendWithImports(request.ProtoFile, f, seen)
	}
	return request, nil
}

// appendWithImports adds a file after everything that it imports, the order
// that plugins demand.
func appendWithImports(to []*descriptorpb.FileDescriptorProto, f linker.File, seen map[string]bool) []*descriptorpb.FileDescriptorProto {
	if seen[f.Path()] {
		return to
	}
	seen[f.Path()] = true
	for i := range f.Imports().Len() {
		to = appendWithImports(to, f.FindImportByPath(f.Imports().Get(i).Path()), seen)
	}
	if result, ok := f.(linker.Result); ok {
		return append(to, result.FileDescriptorProto())
	}
	return append(to, protodesc.ToFileDescriptorProto(f))
}

func generate(ctx context.Context, plugin string, request *pluginpb.CodeGeneratorRequest) error {
	input, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "run", plugin)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(output, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return fmt.Errorf("plugin: %s", response.GetError())
	}
	return write(response.GetFile())
}

func write(files []*pluginpb.CodeGeneratorResponse_File) error {
	for _, f := range files {
		path := filepath.Join(root, f.GetName())
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(f.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
