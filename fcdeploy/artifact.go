package fcdeploy

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Artifact is a written directory.
type Artifact struct {
	Dir   string
	Files []string // names, in the order written
	Code  *Code
}

// artifactFile is a file of the directory before it is written.
type artifactFile struct {
	name string
	mode fs.FileMode
	data []byte
}

// WriteArtifact writes the deployable directory for spec around the Linux
// binary. Nothing is written when spec, binary or directory are refused, and no
// file contains a secret. The same input gives the same bytes.
func WriteArtifact(dir string, spec Spec, binary []byte) (*Artifact, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if err := CheckOutputDir(dir); err != nil {
		return nil, err
	}
	spec = spec.WithDefaults()
	code, err := PackCode(spec.Flavor, binary)
	if err != nil {
		return nil, err
	}
	files, err := spec.artifactFiles(binary, code)
	if err != nil {
		return nil, err
	}
	return writeArtifact(dir, files, code)
}

// PackCode packs what FC unpacks to /code.
func PackCode(flavor Flavor, binary []byte) (*Code, error) {
	files := []codeFile{{name: bootstrapName, mode: 0o755, data: binary}}
	if flavor == FlavorPython {
		files = append(files,
			codeFile{name: appName, mode: 0o644, data: pythonApp},
			codeFile{name: requireName, mode: 0o644, data: pythonRequirements})
	}
	return newCode(files)
}

func (s *Spec) artifactFiles(binary []byte, code *Code) ([]artifactFile, error) {
	config, err := s.manifest(code)
	if err != nil {
		return nil, err
	}
	serverless, err := s.serverlessDevs()
	if err != nil {
		return nil, err
	}
	policy, err := s.ramPolicy()
	if err != nil {
		return nil, err
	}
	files := []artifactFile{
		{manifestName, 0o600, config}, // first: it marks the directory as ours
		{bootstrapName, 0o755, binary},
		{codeName, 0o644, code.Zip},
		{serverlessName, 0o644, serverless},
		{readmeName, 0o644, s.readme()},
		{exampleName, 0o644, s.envExample()},
		{policyName, 0o644, policy},
	}
	if s.Flavor == FlavorPython {
		files = append(files, artifactFile{appName, 0o644, pythonApp}, artifactFile{requireName, 0o644, pythonRequirements})
	}
	return files, nil
}

func writeArtifact(dir string, files []artifactFile, code *Code) (*Artifact, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make output directory: %w", err)
	}
	artifact := &Artifact{Dir: dir, Code: code}
	for _, f := range files {
		if err := writeFile(filepath.Join(dir, f.name), f.data, f.mode); err != nil {
			return nil, err
		}
		artifact.Files = append(artifact.Files, f.name)
	}
	return artifact, nil
}

func (s *Spec) envExample() []byte {
	var text strings.Builder
	text.WriteString("# Copy to .env (mode 0600) or export; abx and Serverless Devs read them.\n")
	refs := s.environmentRefs(func(string) string { return "" })
	for _, name := range sortedKeys(refs) {
		if refs[name] == "" {
			text.WriteString(name + "=\n")
		}
	}
	return []byte(text.String())
}
