package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

const (
	maxImage     = 4 << 20  // bytes of pictures in one result
	maxSVG       = 64 << 10 // bytes of one SVG picture
	maxFilesRead = 8        // picture files that one result shows
)

// gallery collects the pictures of a run, within a limit and each once.
type gallery struct {
	res  *Result
	size int
	seen map[[sha256.Size]byte]bool
}

func newGallery(res *Result) *gallery {
	return &gallery{res: res, seen: map[[sha256.Size]byte]bool{}}
}

// add shows a picture, unless it is shown already. It tells whether there was
// room for it.
func (g *gallery) add(data []byte) bool {
	sum := sha256.Sum256(data)
	kind := http.DetectContentType(data)
	switch {
	case g.seen[sum], !shownKinds[kind]:
		return true
	case g.size+len(data) > maxImage:
		return false
	}
	g.seen[sum] = true
	g.size += len(data)
	g.res.Images = append(g.res.Images, Image{MIMEType: kind, Data: data})
	return true
}

// shownKinds are the kinds of pictures that clients show.
var shownKinds = map[string]bool{"image/png": true, "image/jpeg": true, "image/webp": true, "image/gif": true}

// addResult shows the pictures of a displayed value, and keeps in a file of the
// sandbox what is too large. It tells whether the value has a picture.
func (g *gallery) addResult(ctx context.Context, box *Box, r *sandboxclient.CodeResult) bool {
	if r.SVG != "" {
		g.addSVG(r.SVG, "a figure")
	}
	encoded := r.PNG
	if encoded == "" {
		encoded = r.JPEG
	}
	if encoded == "" {
		return r.SVG != ""
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(encoded), ""))
	if err != nil {
		g.res.notef("A figure could not be decoded: %v.", err)
		return true
	}
	if !g.add(data) {
		g.keep(ctx, box, data)
	}
	return true
}

func (g *gallery) addSVG(text, name string) {
	if len(text) > maxSVG {
		g.res.notef("The SVG of %s has %d bytes, more than a result shows.", name, len(text))
		return
	}
	g.res.Texts = append(g.res.Texts, text)
}

// keep saves a figure that is too large to show.
func (g *gallery) keep(ctx context.Context, box *Box, data []byte) {
	name := fmt.Sprintf("%s/figure-%x.%s", scratchDir, sha256.Sum256(data), strings.TrimPrefix(http.DetectContentType(data), "image/"))
	if err := box.Write(ctx, name, strings.NewReader(string(data))); err != nil {
		g.res.notef("A figure of %d bytes is too large to show and could not be kept: %v.", len(data), err)
		return
	}
	g.res.notef("A figure of %d bytes is too large to show; it is in %s.", len(data), name)
}

// pictureFiles are the extensions of files that are looked at.
var pictureFiles = map[string]bool{".png": true, ".jpg": true, ".jpeg": true, ".webp": true, ".gif": true, ".svg": true}

// addFiles shows the picture files that a run made.
func (g *gallery) addFiles(ctx context.Context, box *Box, files []outputFile) {
	read := 0
	for _, file := range files {
		ext := strings.ToLower(path.Ext(file.Name))
		if !pictureFiles[ext] {
			continue
		}
		if read++; read > maxFilesRead || file.Size > maxImage {
			g.res.notef("%s (%d bytes) is not shown; it is too large or one too many.", file.Path, file.Size)
			continue
		}
		g.addFile(ctx, box, file, ext == ".svg")
	}
}

func (g *gallery) addFile(ctx context.Context, box *Box, file outputFile, svg bool) {
	content, _, err := box.Open(ctx, file.Path, 0, maxImage)
	if err != nil {
		g.res.notef("%s could not be read: %v.", file.Path, err)
		return
	}
	defer func() { _ = content.Close() }()
	data, err := io.ReadAll(io.LimitReader(content, maxImage))
	switch {
	case err != nil:
		g.res.notef("%s could not be read: %v.", file.Path, err)
	case svg:
		g.addSVG(string(data), file.Path)
	case !g.add(data):
		g.res.notef("%s (%d bytes) is not shown: the pictures of a result have at most %d bytes.", file.Path, file.Size, maxImage)
	}
}
