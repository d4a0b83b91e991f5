package sandboxclient

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem/filesystemconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
)

// rpcClients are the clients of envd's two services in one codec.
type rpcClients struct {
	process    processconnect.ProcessClient
	filesystem filesystemconnect.FilesystemClient
}

// newRPCClients gives the protobuf clients and, at index 1, the JSON ones.
// Neither asks for compression: it costs more than loopback or a data centre
// saves.
func newRPCClients(d *dataPlane) [2]*rpcClients {
	plain := connect.WithAcceptCompression("gzip", nil, nil)
	make := func(opts ...connect.ClientOption) *rpcClients {
		opts = append(opts, plain)
		return &rpcClients{
			process:    processconnect.NewProcessClient(d, d.base, opts...),
			filesystem: filesystemconnect.NewFilesystemClient(d, d.base, opts...),
		}
	}
	return [2]*rpcClients{make(), make(connect.WithProtoJSON())}
}

// codec gives the clients of the codec that envd takes.
func (s *Sandbox) codec() *rpcClients {
	if s.jsonOnly.Load() {
		return s.rpc[1]
	}
	return s.rpc[0]
}

// withCodec runs exchange, and once more in JSON, for good, when envd refuses
// protobuf.
func (s *Sandbox) withCodec(exchange func(*rpcClients) error) error {
	err := exchange(s.codec())
	if errors.Is(err, errMediaType) && !s.jsonOnly.Swap(true) {
		err = exchange(s.codec())
	}
	return err
}

// rpcCall says who calls what.
type rpcCall struct {
	op         string
	user       string   // "": envd's default user
	resource   Resource // what a not_found is about
	idempotent bool
	patient    bool // may take as long as ctx allows
}

// processRPC runs one unary RPC of the process service; method is a method
// expression such as processconnect.ProcessClient.List.
func processRPC[Req, Res any](ctx context.Context, s *Sandbox, call *rpcCall, method func(processconnect.ProcessClient, context.Context, *Req) (*Res, error), req *Req) (*Res, error) {
	return unary(ctx, s, call, func(ctx context.Context, c *rpcClients) (*Res, error) { return method(c.process, ctx, req) })
}

// filesystemRPC is processRPC for the filesystem service.
func filesystemRPC[Req, Res any](ctx context.Context, s *Sandbox, call *rpcCall, method func(filesystemconnect.FilesystemClient, context.Context, *Req) (*Res, error), req *Req) (*Res, error) {
	return unary(ctx, s, call, func(ctx context.Context, c *rpcClients) (*Res, error) { return method(c.filesystem, ctx, req) })
}

// unary runs one exchange, under the client's request timeout unless it is
// patient.
func unary[Res any](ctx context.Context, s *Sandbox, call *rpcCall, exchange func(context.Context, *rpcClients) (*Res, error)) (*Res, error) {
	if !call.patient {
		var cancel context.CancelFunc
		ctx, cancel = s.client.withDefaultDeadline(ctx, 0)
		defer cancel()
	}
	var res *Res
	err := s.envd.call(ctx, call.idempotent, func() error {
		err := s.withCodec(func(c *rpcClients) error {
			var err error
			res, err = exchange(s.rpcContext(ctx, call.user), c)
			return err
		})
		if err != nil {
			return rpcError(call.op, s.ID, call.resource, err)
		}
		return nil
	})
	return res, err
}

// rpcContext carries the headers of a unary RPC.
func (s *Sandbox) rpcContext(ctx context.Context, user string) context.Context {
	ctx, info := connect.NewClientContext(ctx)
	s.setUser(info.RequestHeader(), user)
	return ctx
}

// streamContext carries the headers of a streaming RPC, whose server then
// pings often enough for the watchdog.
func (s *Sandbox) streamContext(ctx context.Context, user string) context.Context {
	ctx, info := connect.NewClientContext(ctx)
	s.setUser(info.RequestHeader(), user)
	info.RequestHeader().Set(api.HeaderKeepalive, keepaliveSeconds)
	return ctx
}

// setUser names the OS user, as Basic authentication without a password.
func (s *Sandbox) setUser(h http.Header, user string) {
	if user = s.user(user); user != "" {
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user+":")))
	}
}

// user is the OS user to name: before 0.4.0 envd has no default of its own.
func (s *Sandbox) user(asked string) string {
	if asked == "" && !s.version.atLeast(envdDefaultUser) {
		return "user"
	}
	return asked
}
