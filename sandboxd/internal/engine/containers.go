package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Config describes a container, in the field names of the API.
type Config struct {
	Image      string
	Hostname   string
	User       string
	WorkingDir string
	Entrypoint []string
	Cmd        []string
	Env        []string
	Labels     map[string]string
	// StdinOnce ends the container's input with the attached connection.
	AttachStdin, AttachStdout, AttachStderr, OpenStdin, StdinOnce bool
	HostConfig                                                    HostConfig
}

// HostConfig is what of the host a container may use.
type HostConfig struct {
	NetworkMode string
	Init        bool
	CapDrop     []string
	CapAdd      []string
	SecurityOpt []string
	PidsLimit   int64 `json:",omitempty"`
	Memory      int64 `json:",omitempty"`
	MemorySwap  int64 `json:",omitempty"` // with swap; equal to Memory: none
	OomScoreAdj int
	Ulimits     []Ulimit
	LogConfig   LogConfig
}

// Ulimit is a resource limit.
type Ulimit struct {
	Name       string
	Soft, Hard int64
}

// LogConfig says where output is kept; type "none" keeps nothing.
type LogConfig struct{ Type string }

// Container is an entry of a list.
type Container struct {
	ID     string `json:"Id"`
	Labels map[string]string
}

// State is how a container ended.
type State struct {
	Running, OOMKilled bool
	ExitCode           int
	Error              string
}

// Stats is what a container uses.
type Stats struct {
	Processes int
	CPUTime   time.Duration
	Memory    int64 // without the page cache that can be given back
	Limit     int64 // bytes; the machine's memory when there is no limit
	CPUs      int
}

// Ping asks whether the engine is there.
func (c *Client) Ping(ctx context.Context) error {
	return c.do(ctx, "reach Docker", http.MethodGet, "/_ping", nil, nil, nil)
}

// HasImage is nil, IsNotFound or another error.
func (c *Client) HasImage(ctx context.Context, name string) error {
	return c.do(ctx, "look for image "+name, http.MethodGet, "/images/"+name+"/json", nil, nil, nil)
}

// Import makes an image of a tar archive of a file tree.
func (c *Client) Import(ctx context.Context, repository, tag string, tree io.Reader) error {
	q := url.Values{"fromSrc": {"-"}, "repo": {repository}, "tag": {tag}}
	return c.do(ctx, "import image", http.MethodPost, "/images/create", q, tree, nil)
}

// RemoveImage removes an image.
func (c *Client) RemoveImage(ctx context.Context, name string) error {
	return c.do(ctx, "remove image", http.MethodDelete, "/images/"+name, url.Values{"force": {"1"}}, nil, nil)
}

// Create makes a container and returns its id.
func (c *Client) Create(ctx context.Context, name string, config *Config) (string, error) {
	var made struct {
		ID string `json:"Id"`
	}
	err := c.do(ctx, "create container", http.MethodPost, "/containers/create", url.Values{"name": {name}}, config, &made)
	return made.ID, err
}

// Upload unpacks a tar archive in the container.
func (c *Client) Upload(ctx context.Context, id, dir string, archive io.Reader) error {
	return c.do(ctx, "copy into container", http.MethodPut, "/containers/"+id+"/archive", url.Values{"path": {dir}}, archive, nil)
}

// Start starts the container.
func (c *Client) Start(ctx context.Context, id string) error {
	return c.do(ctx, "start container", http.MethodPost, "/containers/"+id+"/start", nil, nil, nil)
}

// Remove kills the container and removes it with its volumes. A container
// that is not there is what is wanted.
func (c *Client) Remove(ctx context.Context, id string) error {
	err := c.do(ctx, "remove container", http.MethodDelete, "/containers/"+id, url.Values{"force": {"1"}, "v": {"1"}}, nil, nil)
	if e, ok := errors.AsType[*Error](err); ok && e.Status == http.StatusConflict {
		return c.awaitRemoval(ctx, id) // somebody else is at it
	}
	if IsNotFound(err) {
		return nil
	}
	return err
}

const removalPoll = 20 * time.Millisecond

func (c *Client) awaitRemoval(ctx context.Context, id string) error {
	for {
		if _, err := c.State(ctx, id); err != nil {
			if IsNotFound(err) {
				return nil
			}
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("remove container: %w", context.Cause(ctx))
		case <-time.After(removalPoll):
		}
	}
}

// Pause freezes every process of the container.
func (c *Client) Pause(ctx context.Context, id string) error {
	return c.do(ctx, "pause container", http.MethodPost, "/containers/"+id+"/pause", nil, nil, nil)
}

// Unpause undoes Pause.
func (c *Client) Unpause(ctx context.Context, id string) error {
	return c.do(ctx, "resume container", http.MethodPost, "/containers/"+id+"/unpause", nil, nil, nil)
}

// State reports how the container is.
func (c *Client) State(ctx context.Context, id string) (*State, error) {
	var answer struct{ State State }
	err := c.do(ctx, "inspect container", http.MethodGet, "/containers/"+id+"/json", nil, nil, &answer)
	return &answer.State, err
}

// List lists the containers, stopped ones too, that have the label.
func (c *Client) List(ctx context.Context, label string) ([]Container, error) {
	filters, err := json.Marshal(map[string][]string{"label": {label}})
	if err != nil {
		return nil, err
	}
	var list []Container
	q := url.Values{"all": {"1"}, "filters": {string(filters)}}
	err = c.do(ctx, "list containers", http.MethodGet, "/containers/json", q, nil, &list)
	return list, err
}

// Stats measures the container.
func (c *Client) Stats(ctx context.Context, id string) (*Stats, error) {
	var answer struct {
		PIDs struct{ Current int } `json:"pids_stats"`
		CPU  struct {
			Usage struct {
				Total int64 `json:"total_usage"` // nanoseconds
			} `json:"cpu_usage"`
			Online int `json:"online_cpus"`
		} `json:"cpu_stats"`
		Memory struct {
			Usage, Limit int64
			Stats        struct {
				InactiveFile int64 `json:"inactive_file"`
			}
		} `json:"memory_stats"`
	}
	q := url.Values{"stream": {"0"}, "one-shot": {"1"}}
	if err := c.do(ctx, "measure container", http.MethodGet, "/containers/"+id+"/stats", q, nil, &answer); err != nil {
		return nil, err
	}
	return &Stats{
		Processes: answer.PIDs.Current,
		CPUTime:   time.Duration(answer.CPU.Usage.Total),
		Memory:    max(0, answer.Memory.Usage-answer.Memory.Stats.InactiveFile),
		Limit:     answer.Memory.Limit,
		CPUs:      answer.CPU.Online,
	}, nil
}
