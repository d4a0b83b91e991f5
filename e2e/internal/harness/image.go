package harness

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

// image is the tag of the backend's image, which is built on first use; see
// image.sh.
var image = sync.OnceValues(func() (string, error) {
	sandboxd, err := SandboxdBinary()
	if err != nil {
		return "", err
	}
	script, err := moduleFile("image.sh")
	if err != nil {
		return "", err
	}
	tag := imageTag()
	cmd := exec.Command(script, sandboxd, tag)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := Run(cmd); err != nil {
		return "", fmt.Errorf("build image: %w\n%s", err, &stderr)
	}
	imageBuilt = true
	return tag, nil
})

// imageBuilt is read after every test has ended.
var imageBuilt bool

// imageTag is of this process, so that test binaries that run at once do not
// take each other's.
func imageTag() string { return fmt.Sprintf("abx-e2e:%d", os.Getpid()) }

// removeImage removes the image, whose base stays for the next run.
func removeImage() {
	if imageBuilt {
		_ = Run(exec.Command("docker", "image", "rm", "-f", imageTag()))
	}
}

// moduleFile is the path of a file of this module.
func moduleFile(name string) (string, error) {
	_, here, _, ok := runtime.Caller(0)
	if !ok {
		return "", fmt.Errorf("find %s: the program has no source paths", name)
	}
	path := filepath.Join(filepath.Dir(here), "..", "..", name)
	_, err := os.Stat(path)
	return path, err
}
