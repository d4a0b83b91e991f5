package replay

import (
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// protoJSON decodes the response message of the RPC at path. Its package must
// be linked into the test.
func protoJSON(path string, body []byte) (any, error) {
	service, method, ok := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if !ok {
		return nil, fmt.Errorf("%q is no path of an RPC", path)
	}
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
	if err != nil {
		return nil, fmt.Errorf("find service %s: %w", service, err)
	}
	descriptor, ok := found.(protoreflect.ServiceDescriptor)
	if !ok || descriptor.Methods().ByName(protoreflect.Name(method)) == nil {
		return nil, fmt.Errorf("no method %s in %s", method, service)
	}
	output := descriptor.Methods().ByName(protoreflect.Name(method)).Output().FullName()
	kind, err := protoregistry.GlobalTypes.FindMessageByName(output)
	if err != nil {
		return nil, fmt.Errorf("find message %s: %w", output, err)
	}
	msg := kind.New().Interface()
	if err := proto.Unmarshal(body, msg); err != nil {
		return nil, fmt.Errorf("decode %s: %w", output, err)
	}
	text, err := protojson.Marshal(msg)
	if err != nil {
		return nil, err
	}
	var value any
	err = json.Unmarshal(text, &value)
	return value, err
}
