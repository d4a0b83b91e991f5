package sandboxclient_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem/filesystemconnect"
)

// fileService is envd's filesystem service and /files below a directory of
// this machine.
type fileService struct {
	filesystemconnect.UnimplementedFilesystemHandler
	root    string
	version string
}

func (s *fileService) real(path string) string {
	return filepath.Join(s.root, filepath.FromSlash(path))
}

func (s *fileService) entry(path string) (*filesystem.EntryInfo, error) {
	info, err := os.Lstat(s.real(path))
	if err != nil {
		return nil, fileRPCError(path, err)
	}
	e := &filesystem.EntryInfo{
		Name: filepath.Base(path), Path: path, Type: filesystem.FileType_FILE_TYPE_FILE, Size: info.Size(),
		Mode: uint32(info.Mode().Perm()), Permissions: info.Mode().String(), ModifiedTime: timestamppb.New(info.ModTime()),
	}
	if info.IsDir() {
		e.Type = filesystem.FileType_FILE_TYPE_DIRECTORY
	}
	return e, nil
}

func fileRPCError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return connect.NewError(connect.CodeNotFound, fmt.Errorf("file not found: '%s'", path))
	default:
		return connect.NewError(connect.CodeInternal, err) // a path through a file, as with envd
	}
}

func (s *fileService) Stat(_ context.Context, req *filesystem.StatRequest) (*filesystem.StatResponse, error) {
	e, err := s.entry(req.GetPath())
	if err != nil {
		return nil, err
	}
	return &filesystem.StatResponse{Entry: e}, nil
}

func (s *fileService) ListDir(_ context.Context, req *filesystem.ListDirRequest) (*filesystem.ListDirResponse, error) {
	root, err := s.entry(req.GetPath())
	if err != nil {
		return nil, err
	}
	if root.GetType() != filesystem.FileType_FILE_TYPE_DIRECTORY {
		return nil, connect.NewError(connect.CodeInvalidArgument, errors.New("path is not a directory"))
	}
	res := &filesystem.ListDirResponse{}
	err = s.walk(req.GetPath(), int(max(req.GetDepth(), 1)), res)
	return res, err
}

func (s *fileService) walk(dir string, depth int, res *filesystem.ListDirResponse) error {
	children, err := os.ReadDir(s.real(dir))
	if err != nil || depth == 0 {
		return err
	}
	for _, c := range children {
		e, err := s.entry(strings.TrimRight(dir, "/") + "/" + c.Name())
		if err != nil {
			return err
		}
		res.Entries = append(res.Entries, e)
		if c.IsDir() {
			if err := s.walk(e.GetPath(), depth-1, res); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *fileService) MakeDir(_ context.Context, req *filesystem.MakeDirRequest) (*filesystem.MakeDirResponse, error) {
	if info, err := os.Stat(s.real(req.GetPath())); err == nil {
		if info.IsDir() {
			return nil, connect.NewError(connect.CodeAlreadyExists, errors.New("directory already exists"))
		}
		return nil, connect.NewError(connect.CodeInvalidArgument, errors.New("path already exists but it is not a directory"))
	}
	if err := os.MkdirAll(s.real(req.GetPath()), 0o755); err != nil {
		return nil, fileRPCError(req.GetPath(), err)
	}
	e, err := s.entry(req.GetPath())
	return &filesystem.MakeDirResponse{Entry: e}, err
}

func (s *fileService) Move(_ context.Context, req *filesystem.MoveRequest) (*filesystem.MoveResponse, error) {
	if err := os.Rename(s.real(req.GetSource()), s.real(req.GetDestination())); err != nil {
		return nil, fileRPCError(req.GetSource(), err)
	}
	e, err := s.entry(req.GetDestination())
	return &filesystem.MoveResponse{Entry: e}, err
}

func (s *fileService) Remove(_ context.Context, req *filesystem.RemoveRequest) (*filesystem.RemoveResponse, error) {
	return &filesystem.RemoveResponse{}, os.RemoveAll(s.real(req.GetPath()))
}

func (s *fileService) get(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Query().Get("path")
	info, err := os.Stat(s.real(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		writeJSON(w, http.StatusNotFound, api.Error{Code: 404, Message: fmt.Sprintf("path '%s' does not exist", path)})
	case err != nil:
		writeJSON(w, http.StatusInternalServerError, api.Error{Code: 500, Message: err.Error()})
	case info.IsDir():
		writeJSON(w, http.StatusBadRequest, api.Error{Code: 400, Message: fmt.Sprintf("path '%s' is a directory", path)})
	default:
		http.ServeFile(w, r, s.real(path))
	}
}

func (s *fileService) post(w http.ResponseWriter, r *http.Request) {
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	path, body := r.URL.Query().Get("path"), io.Reader(r.Body)
	switch {
	case mediaType == "multipart/form-data":
		form, err := r.MultipartReader()
		if err != nil {
			writeJSON(w, http.StatusInternalServerError, api.Error{Code: 500, Message: err.Error()})
			return
		}
		part, err := form.NextPart()
		if err != nil || part.FormName() != "file" {
			writeJSON(w, http.StatusOK, []api.WrittenFile{})
			return
		}
		body = part
	case s.version < "0.5.7":
		writeJSON(w, http.StatusBadRequest, api.Error{Code: 400, Message: "unsupported content type"})
		return
	}
	if err := s.store(path, body); err != nil {
		status := http.StatusInternalServerError
		if errors.Is(err, syscall.EISDIR) {
			status = http.StatusBadRequest
		}
		writeJSON(w, status, api.Error{Code: int32(status), Message: err.Error()})
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = fmt.Fprintf(w, `[{"name":%q,"path":%q,"type":"file"}]`, filepath.Base(path), path)
}

func (s *fileService) store(path string, body io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(s.real(path)), 0o755); err != nil {
		return err
	}
	f, err := os.Create(s.real(path))
	if err != nil {
		return err
	}
	_, err = io.Copy(f, body)
	return errors.Join(err, f.Close())
}
