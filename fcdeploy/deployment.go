package fcdeploy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Deployment is what runs on FC: the content of deployment.json, and the answer
// of a deployment to scripts. It holds no secret.
type Deployment struct {
	Name           string   `json:"name"`
	Region         string   `json:"region"`
	API            API      `json:"fc_api"`
	ARN            string   `json:"arn,omitempty"`
	Endpoint       string   `json:"endpoint"`
	Trigger        string   `json:"trigger"`
	TriggerID      string   `json:"trigger_id,omitempty"`
	Domain         string   `json:"custom_domain,omitempty"`
	DomainEndpoint string   `json:"custom_domain_endpoint,omitempty"`
	DomainCreated  bool     `json:"custom_domain_created,omitempty"` // by us: undeploy removes it once it has no route
	Affinity       Affinity `json:"session_affinity"`
	MinInstances   int      `json:"min_instances,omitempty"`
	Checksum       string   `json:"code_checksum"`
	Content        string   `json:"code_content_sha256"`
}

// Save writes deployment.json into an artifact directory.
func (d *Deployment) Save(dir string) error {
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return fmt.Errorf("encode deployment: %w", err)
	}
	return writeFile(filepath.Join(dir, recordName), append(text, '\n'), 0o644)
}

// LoadDeployment reads deployment.json; without one it returns nil.
func LoadDeployment(dir string) (*Deployment, error) {
	path := filepath.Join(dir, recordName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // no record is no error
	}
	if err != nil {
		return nil, fmt.Errorf("read deployment: %w", err)
	}
	d := &Deployment{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return d, nil
}

// ForgetDeployment removes deployment.json.
func ForgetDeployment(dir string) error {
	err := os.Remove(filepath.Join(dir, recordName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove deployment: %w", err)
	}
	return nil
}
