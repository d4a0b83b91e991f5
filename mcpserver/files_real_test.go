package mcpserver_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (r *real) home(t testing.TB) string {
	t.Helper()
	return strings.TrimSpace(r.command(t, "echo $HOME")["stdout"].(string))
}

func TestBinaryRoundTrip(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	data := make([]byte, 256)
	for i := range data {
		data[i] = byte(i)
	}
	content, path := base64.StdEncoding.EncodeToString(data), r.home(t)+"/all.bin"
	wrote := r.run(t, "write_file", toJSON(t, "path", path, "content", content, "encoding", "base64"))
	if wrote["bytes_written"] != 256.0 {
		t.Errorf("wrote %v", wrote)
	}
	if sum := r.command(t, "sha256sum <"+path)["stdout"].(string); !strings.HasPrefix(sum, "40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880") {
		t.Errorf("in the sandbox: %s", sum)
	}
	got := r.run(t, "read_file", toJSON(t, "path", path, "encoding", "base64"))
	if got["content"] != content || got["encoding"] != "base64" || got["size"] != 256.0 {
		t.Errorf("read %v", got)
	}
	code, message, _ := failure(t, r.client, "read_file", toJSON(t, "path", path))
	if code != "invalid_argument" || !strings.Contains(message, "base64") {
		t.Errorf("read as text: %s: %s", code, message)
	}
}

func TestTextThatLooksLikeBase64IsText(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	path := r.home(t) + "/x"
	r.run(t, "write_file", toJSON(t, "path", path, "content", "abcd"))
	if got := r.command(t, "cat "+path); got["stdout"] != "abcd" {
		t.Errorf("got %v", got)
	}
}

func TestRefusedWritesLeaveTheFile(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	home := r.home(t)
	r.run(t, "write_file", toJSON(t, "path", home+"/old", "content", "old"))
	r.command(t, "mkdir "+home+"/dir")
	for _, c := range []struct{ arguments, code, says string }{
		{toJSON(t, "path", home+"/old", "content", "!!", "encoding", "base64"), "invalid_argument", "base64"},
		{toJSON(t, "path", home+"/old", "content", "数", "encoding", "latin1"), "invalid_argument", "数"},
		{toJSON(t, "path", home+"/old", "content", "x", "encoding", "klingon"), "invalid_argument", "klingon"},
		{toJSON(t, "path", home+"/dir", "content", "x"), "is_directory", "dir"},
		{toJSON(t, "path", home+"/old/", "content", "x"), "invalid_argument", "directory"},
		{toJSON(t, "path", home+"/old/below", "content", "x"), "not_directory", "old"},
		{toJSON(t, "path", "old", "content", "x"), "invalid_argument", "absolute"},
		{toJSON(t, "path", "~/old", "content", "x"), "invalid_argument", "absolute"},
		{toJSON(t, "path", home+"/o\x00ld", "content", "x"), "invalid_argument", "NUL"},
	} {
		code, message, _ := failure(t, r.client, "write_file", c.arguments)
		if code != c.code || !strings.Contains(message, c.says) {
			t.Errorf("%s: %s: %s; want %s, %q", c.arguments, code, message, c.code, c.says)
		}
	}
	if got := r.command(t, "cat "+home+"/old"); got["stdout"] != "old" {
		t.Errorf("the old file became %v", got)
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	home := r.home(t)
	r.command(t, "printf 'a\\nb\\n' >f; ln -s nowhere dangling")
	for _, c := range []struct{ arguments, code, says string }{
		{toJSON(t, "path", home+"/missing"), "path_not_found", "list_files"},
		{toJSON(t, "path", home), "is_directory", home},
		{toJSON(t, "path", home+"/f", "start_line", 0), "invalid_argument", "start_line must be at least 1"},
		{toJSON(t, "path", home+"/f", "offset", -1), "invalid_argument", "offset must be at least 0"},
		{toJSON(t, "path", home+"/f", "offset", 0, "start_line", 1), "invalid_argument", "one pair or the other"},
		{toJSON(t, "path", home+"/f", "start_line", 1, "encoding", "base64"), "invalid_argument", "base64 has no lines"},
	} {
		code, message, _ := failure(t, r.client, "read_file", c.arguments)
		if code != c.code || !strings.Contains(message, c.says) {
			t.Errorf("%s: %s: %s; want %s, %q", c.arguments, code, message, c.code, c.says)
		}
	}
}

func TestCharsets(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	home := r.home(t)
	for encoding, hex := range map[string]string{"gbk": "cafdbedd0a41", "utf-16": "fffe70656e630a004100", "shift_jis": "909481980a41"} {
		text := map[bool]string{true: "数§\nA", false: "数据\nA"}[encoding == "shift_jis"]
		path := home + "/" + encoding
		r.run(t, "write_file", toJSON(t, "path", path, "content", text, "encoding", encoding))
		if got := r.command(t, "od -An -tx1 -v "+path+" | tr -d ' \\n'"); got["stdout"] != hex {
			t.Errorf("%s: wrote %v, want %s", encoding, got["stdout"], hex)
		}
		if got := r.run(t, "read_file", toJSON(t, "path", path, "encoding", encoding)); got["content"] != text || got["encoding"] != encoding {
			t.Errorf("%s: read %v, want %q", encoding, got, text)
		}
		if got := r.run(t, "read_file", toJSON(t, "path", path, "encoding", encoding, "start_line", 2)); got["content"] != "A" {
			t.Errorf("%s: line 2 is %v", encoding, got)
		}
	}
}

func TestPagingByLine(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	path := r.home(t) + "/lines"
	r.command(t, "seq 1 10 >"+path)
	for _, c := range []struct {
		first, lines int
		want         string
		truncated    bool
		says         string
	}{
		{1, 3, "1\n2\n3\n", true, "start_line 4"},
		{4, 100, "4\n5\n6\n7\n8\n9\n10\n", false, ""},
		{10, 1, "10\n", false, ""},
		{11, 1, "", false, ""},
		{12, 1, "", false, "10 lines"},
	} {
		got := r.run(t, "read_file", toJSON(t, "path", path, "start_line", c.first, "max_lines", c.lines))
		if got["content"] != c.want || got["truncated"] != c.truncated || !strings.Contains(notes(got), c.says) || got["size"] != 21.0 {
			t.Errorf("lines %d+%d: %v; want %q, %v, %q", c.first, c.lines, got, c.want, c.truncated, c.says)
		}
	}
}

func TestPagingByByte(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	path := r.home(t) + "/bytes"
	r.run(t, "write_file", toJSON(t, "path", path, "content", "ab数据"))
	for _, c := range []struct {
		offset, length int
		want           string
		truncated      bool
		says           string
	}{
		{0, 2, "ab", true, "offset 2"},
		{0, 4, "ab", true, "offset 2"},    // half of a character is left out
		{3, 5, "据", false, "begins at 5"}, // the rest of one, too
		{5, 100, "据", false, ""},
		{8, 1, "", false, ""},
		{100, 1, "", false, ""},
	} {
		got := r.run(t, "read_file", toJSON(t, "path", path, "offset", c.offset, "length", c.length))
		if got["content"] != c.want || got["truncated"] != c.truncated || !strings.Contains(notes(got), c.says) || got["size"] != 8.0 {
			t.Errorf("bytes %d+%d: %v; want %q, %v, %q", c.offset, c.length, got, c.want, c.truncated, c.says)
		}
	}
}

// Only what a call gives is downloaded.
func TestLargeFilesAreCapped(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	path := r.home(t) + "/large"
	r.command(t, "head -c 3000000 /dev/zero | tr '\\0' x >"+path)
	r.backend.ForgetRequests()
	got := r.run(t, "read_file", toJSON(t, "path", path))
	if n := len(got["content"].(string)); n != 1<<20 || got["truncated"] != true || got["size"] != 3e6 || !strings.Contains(notes(got), "offset 1048576") {
		t.Errorf("%d bytes, truncated %v, size %v, notes %q", n, got["truncated"], got["size"], notes(got))
	}
	for _, q := range r.backend.Requests() {
		if strings.HasPrefix(q.Path, "/files") && q.Header.Get("Range") == "" {
			t.Errorf("%s %s asked for the whole file", q.Method, q.Path)
		}
	}
	if got := r.run(t, "read_file", toJSON(t, "path", path, "start_line", 1)); got["truncated"] != true || !strings.Contains(notes(got), "offset and length") {
		t.Errorf("one long line: truncated %v, notes %q", got["truncated"], notes(got))
	}
}

func TestListFiles(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	home := r.home(t)
	r.command(t, `mkdir l && cd l && printf 12345 >.hidden && mkdir sub && touch sub/inner 'new
line' && ln -s sub link && ln -s nowhere dangling && ln -s loop loop && mkfifo fifo`)
	got := r.run(t, "list_files", toJSON(t, "path", home+"/l"))
	want := map[string]string{".hidden": "file", "sub": "directory", "new\nline": "file", "link": "symlink", "dangling": "symlink", "loop": "symlink", "fifo": "other"}
	last := ""
	for _, f := range got["files"].([]any) {
		file := f.(map[string]any)
		name := file["name"].(string)
		if file["type"] != want[name] || file["path"] != home+"/l/"+name || name < last {
			t.Errorf("entry %v, want type %q in name order", file, want[name])
		}
		if name == ".hidden" && file["size"] != 5.0 || name == "link" && file["target"] != home+"/l/sub" {
			t.Errorf("entry %v", file)
		}
		last = name
		delete(want, name)
	}
	if len(want) > 0 || got["total"] != 7.0 || got["truncated"] != false {
		t.Errorf("missing %v, total %v, truncated %v", want, got["total"], got["truncated"])
	}
	if code, _, _ := failure(t, r.client, "list_files", toJSON(t, "path", home+"/l/.hidden")); code != "not_directory" {
		t.Errorf("list of a file: %s", code)
	}
	if code, _, _ := failure(t, r.client, "list_files", toJSON(t, "path", home+"/none")); code != "path_not_found" {
		t.Errorf("list of nothing: %s", code)
	}
}

func TestListIsCapped(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	home := r.home(t)
	r.command(t, "mkdir many && cd many && seq -f f%05g 1 3000 | xargs touch")
	got := r.run(t, "list_files", toJSON(t, "path", home+"/many"))
	files := got["files"].([]any)
	if len(files) != 1000 || got["total"] != 3000.0 || got["truncated"] != true || files[999].(map[string]any)["name"] != "f01000" {
		t.Errorf("%d files, total %v, truncated %v", len(files), got["total"], got["truncated"])
	}
}

// onePixel is a PNG of one red pixel.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"

// Picture files that a run makes are shown as pictures, once, and not as text.
func TestPicturesOfARun(t *testing.T) {
	t.Parallel()
	r := onReal(t, nil, nil)
	code := fmt.Sprintf("import base64\nd = base64.b64decode(%q)\nfor n in 'a.png', 'same.png': open(n, 'wb').write(d)\nopen('v.svg', 'w').write('<svg/>')\nopen('fake.png', 'w').write('no picture')", onePixel)
	res := call(t, r.client, "run_code", toJSON(t, "code", code))
	if res.IsError {
		t.Fatal(text(t, res))
	}
	var images, texts []string
	for _, c := range res.Content {
		switch block := c.(type) {
		case *mcp.ImageContent:
			images = append(images, block.MIMEType+" "+base64.StdEncoding.EncodeToString(block.Data))
		case *mcp.TextContent:
			texts = append(texts, block.Text)
		}
	}
	if len(images) != 1 || images[0] != "image/png "+onePixel {
		t.Errorf("images %q", images)
	}
	if len(texts) != 2 || texts[1] != "<svg/>" || strings.Contains(texts[0], onePixel) {
		t.Errorf("texts %q", texts)
	}
}
