package contract

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

var fileCases = []one{
	{"write and read", writeAndRead},
	{"odd names", oddNames},
	{"missing, and a directory", missingAndDirectory},
	{"part of a file", partOfAFile},
	{"large, as a stream", largeStream},
	{"list by depth", listByDepth},
	{"make, move, remove", makeMoveRemove},
	{"stat", statFile},
	{"watch", watchDirectory},
}

func writeAndRead(r *run) {
	sandbox := r.create(nil)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for name, content := range map[string][]byte{
		"text.txt": []byte("héllo 漢字 😀\n"), "bytes.bin": all, "empty": {}, "deep/er/file": []byte("parents are made"),
	} {
		_, err := sandbox.Files.Write(r.ctx, name, content, nil)
		r.check("write "+name, err)
		got, err := sandbox.Files.Read(r.ctx, name, nil)
		r.check("read "+name, err)
		if !bytes.Equal(got, content) {
			r.Errorf("%s: read %q, want %q", name, got, content)
		}
	}
	_, err := sandbox.Files.Write(r.ctx, "text.txt", []byte("short"), nil)
	r.check("overwrite", err)
	if got := r.sh(sandbox, "cat text.txt"); got != "short" {
		r.Errorf("overwritten: %q", got)
	}
}

func oddNames(r *run) {
	sandbox := r.create(nil)
	for _, name := range []string{
		"with space", "single'quote", `double"quote`, "new\nline", "漢字", "é😀", "-dash", "$HOME", "a;b&c|d", "per%20cent", "plus+", "hash#?",
	} {
		path := "odd/" + name
		_, err := sandbox.Files.Write(r.ctx, path, []byte(name), nil)
		if err != nil {
			r.Errorf("write %q: %v", name, err)
			continue
		}
		if got, err := sandbox.Files.Read(r.ctx, path, nil); err != nil || string(got) != name {
			r.Errorf("read %q: %q, %v", name, got, err)
		}
		if entry, err := sandbox.Files.Stat(r.ctx, path, nil); err != nil || entry.Name != name {
			r.Errorf("stat %q: %+v, %v", name, entry, err)
		}
	}
}

func missingAndDirectory(r *run) {
	sandbox := r.create(nil)
	_, err := sandbox.Files.Read(r.ctx, "missing", nil)
	r.wantCode("read a missing file", err, sandboxclient.CodeNotFound)
	_, err = sandbox.Files.List(r.ctx, "missing", nil)
	r.wantCode("list a missing directory", err, sandboxclient.CodeNotFound)
	_, err = sandbox.Files.Stat(r.ctx, "missing", nil)
	r.wantCode("stat a missing file", err, sandboxclient.CodeNotFound)
	exists, err := sandbox.Files.Exists(r.ctx, "missing", nil)
	if err != nil || exists {
		r.Errorf("a missing file exists: %t, %v", exists, err)
	}
	if _, err := sandbox.Files.Read(r.ctx, "/etc", nil); err == nil {
		r.Error("a directory was read")
	}
	if _, err := sandbox.Files.Write(r.ctx, "/etc", []byte("x"), nil); err == nil {
		r.Error("a directory was overwritten")
	}
}

func partOfAFile(r *run) {
	sandbox := r.create(nil)
	_, err := sandbox.Files.Write(r.ctx, "digits", []byte("0123456789"), nil)
	r.check("write", err)
	for _, c := range []struct {
		opts sandboxclient.ReadOptions
		want string
	}{
		{sandboxclient.ReadOptions{Offset: 3, Length: 4}, "3456"},
		{sandboxclient.ReadOptions{Offset: 7}, "789"},
		{sandboxclient.ReadOptions{Length: 2}, "01"},
		{sandboxclient.ReadOptions{Offset: 8, Length: 100}, "89"},
	} {
		got, err := sandbox.Files.Read(r.ctx, "digits", &c.opts)
		if err != nil || string(got) != c.want {
			r.Errorf("read %+v: %q, %v; want %q", c.opts, got, err, c.want)
		}
	}
}

// largeSize is more than any buffer on the way.
const largeSize = 24 << 20

func largeStream(r *run) {
	sandbox := r.create(nil)
	sent := sha256.New()
	_, err := sandbox.Files.WriteFrom(r.ctx, "large", io.TeeReader(io.LimitReader(rand.Reader, largeSize), sent), nil)
	r.check("write", err)
	if got, want := r.sh(sandbox, "sha256sum < large"), fmt.Sprintf("%x  -\n", sent.Sum(nil)); got != want {
		r.Errorf("in the sandbox: %q, want %q", got, want)
	}
	file, err := sandbox.Files.Open(r.ctx, "large", nil)
	r.check("open", err)
	defer file.Close()
	received := sha256.New()
	n, err := io.Copy(received, file)
	if err != nil || n != largeSize || !bytes.Equal(received.Sum(nil), sent.Sum(nil)) {
		r.Errorf("read %d bytes, %v, with the same sum: %t", n, err, bytes.Equal(received.Sum(nil), sent.Sum(nil)))
	}
}

func listByDepth(r *run) {
	sandbox := r.create(nil)
	r.sh(sandbox, "mkdir -p tree/a/b && touch tree/.hidden tree/file tree/a/b/c && ln -s file tree/link")
	names := func(depth int) (names []string) {
		entries, err := sandbox.Files.List(r.ctx, "tree", &sandboxclient.ListFilesOptions{Depth: depth})
		r.check("list", err)
		for _, e := range entries {
			_, below, _ := strings.Cut(e.Path, "tree/")
			names = append(names, below)
		}
		slices.Sort(names)
		return names
	}
	if got, want := names(1), []string{".hidden", "a", "file", "link"}; !slices.Equal(got, want) {
		r.Errorf("depth 1 listed %q, want %q", got, want)
	}
	if got, want := names(3), []string{".hidden", "a", "a/b", "a/b/c", "file", "link"}; !slices.Equal(got, want) {
		r.Errorf("depth 3 listed %q, want %q", got, want)
	}
}

func makeMoveRemove(r *run) {
	sandbox := r.create(nil)
	files := sandbox.Files
	r.check("make", files.MakeDir(r.ctx, "made/deep", nil))
	_, err := files.Write(r.ctx, "made/old", []byte("content"), nil)
	r.check("write", err)
	moved, err := files.Move(r.ctx, "made/old", "elsewhere/new", nil)
	r.check("move", err)
	if moved.Name != "new" {
		r.Errorf("moved to %q", moved.Name)
	}
	_, err = files.Move(r.ctx, "made/old", "x", nil)
	r.wantCode("move what is not there", err, sandboxclient.CodeNotFound)
	r.check("remove", files.Remove(r.ctx, "made", nil))
	if got := r.sh(sandbox, "ls -d made 2>/dev/null | wc -l; cat elsewhere/new"); got != "0\ncontent" {
		r.Errorf("afterwards: %q", got)
	}
}

func statFile(r *run) {
	sandbox := r.create(nil)
	r.sh(sandbox, "printf 12345 > five && chmod 640 five && ln -s five link")
	entry, err := sandbox.Files.Stat(r.ctx, "five", nil)
	r.check("stat", err)
	if entry.Size != 5 || entry.Mode != 0o640 || entry.Type != sandboxclient.EntryFile || entry.ModTime.IsZero() {
		r.Errorf("stat answered %+v", entry)
	}
	link, err := sandbox.Files.Stat(r.ctx, "link", nil)
	r.check("stat link", err)
	if !link.IsSymlink() || !strings.HasSuffix(link.SymlinkTarget, "/five") {
		r.Errorf("stat of a link answered %+v", link)
	}
}

func watchDirectory(r *run) {
	sandbox := r.create(nil)
	r.check("make", sandbox.Files.MakeDir(r.ctx, "watched", nil))
	watcher, err := sandbox.Files.Watch(r.ctx, "watched", nil)
	r.check("watch", err)
	defer watcher.Close()
	_, err = sandbox.Files.Write(r.ctx, "watched/fresh", []byte("x"), nil)
	r.check("write", err)
	r.check("remove", sandbox.Files.Remove(r.ctx, "watched/fresh", nil))
	want := []sandboxclient.WatchEventType{sandboxclient.WatchCreate, sandboxclient.WatchRemove}
	for event, err := range watcher.Events() {
		r.check("event", err)
		if event.Name == "fresh" && event.Type == want[0] {
			want = want[1:]
		}
		if len(want) == 0 {
			return
		}
	}
	r.Errorf("the events ended before %q", want)
}
