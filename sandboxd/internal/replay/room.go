package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// A Room is a process in which the paths and users of the captures exist:
// /home/user, /tmp/abx-capture, root and user. It is this test binary again,
// in a mount namespace of its own with private /home, /root and /tmp and its
// own /etc/passwd, so that nothing of the machine is touched. A path prefix
// would not do: the programs that captures start print their paths.
type Room struct {
	// Place is where setup steps reach the files of the room.
	Place *Place

	cmd    *exec.Cmd
	dir    string
	socket string
}

// roomEnv marks the process that is the inside of a room; its value is the
// configuration for the server.
const roomEnv = "ABX_REPLAY_ROOM"

// probeEnv marks a process that only tries whether a room can be furnished.
const probeEnv = "ABX_REPLAY_PROBE"

// Accounts inside a room, as in the recordings.
const (
	userID   = 1000
	passwd   = "root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000::/home/user:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n"
	groups   = "root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n"
	userHome = "/home/user"
)

// Enter must be the first call of TestMain. Inside a room it serves and never
// returns; elsewhere it does nothing. config is what OpenRoom was given.
func Enter(serve func(l net.Listener, config json.RawMessage) error) {
	config, room := os.LookupEnv(roomEnv)
	_, probe := os.LookupEnv(probeEnv)
	var err error
	switch {
	case probe:
		err = furnish()
	case room:
		err = serveInside(serve, config)
	default:
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "replay room:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serveInside(serve func(net.Listener, json.RawMessage) error, config string) error {
	if err := os.Unsetenv(roomEnv); err != nil {
		return err
	}
	file := os.NewFile(3, "listener")
	l, err := net.FileListener(file)
	if err != nil {
		return fmt.Errorf("take listener: %w", err)
	}
	_ = file.Close() // the listener has its own
	if err := furnish(); err != nil {
		return err
	}
	return serve(l, json.RawMessage(config))
}

// ErrNoRoom says that this process may not make rooms.
var ErrNoRoom = errors.New("replaying captures needs root and mount namespaces: they were recorded with the users root and user")

// CanOpenRoom says why rooms cannot be had here, nil when they can.
func CanOpenRoom() error {
	r := &Room{cmd: exec.Command("/proc/self/exe")}
	r.cmd.Env = []string{probeEnv + "=1"}
	var said bytes.Buffer
	r.cmd.Stderr = &said
	if err := r.launch(); err != nil {
		return err
	}
	if err := r.cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %s", ErrNoRoom, bytes.TrimSpace(said.Bytes()))
	}
	return nil
}

// OpenRoom starts a room whose server gets config. Close it.
func OpenRoom(config any) (*Room, error) {
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "abx-room-")
	if err != nil {
		return nil, err
	}
	r := &Room{dir: dir, socket: filepath.Join(dir, "s")}
	if err := r.start(string(text)); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	if err := r.ready(); err != nil {
		_ = r.Close()
		return nil, fmt.Errorf("wait for the room: %w", err)
	}
	r.Place = &Place{Root: filepath.Join("/proc", strconv.Itoa(r.cmd.Process.Pid), "root"), UID: userID, GID: userID}
	return r, nil
}

func (r *Room) start(config string) error {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: r.socket, Net: "unix"})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false) // the room goes on listening on it
	defer l.Close()
	file, err := l.File()
	if err != nil {
		return err
	}
	defer file.Close()
	r.cmd = exec.Command("/proc/self/exe")
	r.cmd.Env = []string{roomEnv + "=" + config, "HOME=/root", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"}
	r.cmd.Stderr = os.Stderr
	r.cmd.ExtraFiles = []*os.File{file}
	return r.launch()
}

// ready waits for any answer: before that the files are still the machine's.
func (r *Room) ready() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	answer, err := send(ctx, r.Dial, &Request{Method: http.MethodGet, Path: "/health"})
	if err != nil {
		return err
	}
	return answer.end(ctx)
}

// Dial connects to the server in the room.
func (r *Room) Dial(ctx context.Context) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "unix", r.socket)
}

// Player plays captures in this room.
func (r *Room) Player() *Player { return &Player{Dial: r.Dial, Place: r.Place} }

// Close ends the room with every process in it.
func (r *Room) Close() error {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait() // killed: says nothing new
	return os.RemoveAll(r.dir)
}
