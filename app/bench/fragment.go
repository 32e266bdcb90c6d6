package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// fragment compares a schedule as a page prints it, cached in the server's memory, with nginx and the same bytes in a
// file. Neither compresses: the client does not accept it. Without nginx only the product's own figures are reported.
func (b *bench) fragment(ctx context.Context) (rows []Row, err error) {
	request := head("GET", "/embed/v1/the-loft/schedule", "", "")
	body, err := b.answer(request) // which also fills the cache
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("cached fragment of %.0f KB", float64(len(body))/1e3)
	foyer, closeFoyer, err := b.asking("foyer", b.server.address, request, cpuOf{others: []int{b.server.cmd.Process.Pid}})
	if err != nil {
		return nil, err
	}
	defer closeFoyer()
	web, err := startNginx(ctx, b.Dir, body)
	if err != nil {
		b.Say("nginx: " + err.Error())
		rounds, err := b.compare(ctx, name, foyer)
		if err != nil {
			return nil, err
		}
		return []Row{{Workload: name + ", per second; there is no nginx to compare with", Foyer: of(rounds[0], sample.perSecond).median(), Floor: math.NaN()}}, nil
	}
	defer func() { err = errors.Join(err, web.stop()) }()
	floor, closeFloor, err := b.asking("nginx", web.address, head("GET", web.path, "", ""), cpuOf{postmaster: web.cmd.Process.Pid})
	if err != nil {
		return nil, err
	}
	defer closeFloor()
	rounds, err := b.compare(ctx, name, foyer, floor)
	if err != nil {
		return nil, err
	}
	return against(name+", floor nginx", rounds[0], rounds[1], Aim{Least: 0.45}, Aim{Most: 2.5}), nil
}

// answer sends one request to the server.
func (b *bench) answer(request []byte) ([]byte, error) {
	c, err := dial(b.server.address)
	if err != nil {
		return nil, err
	}
	defer c.conn.Close()
	body, err := c.do(request)
	return bytes.Clone(body), err
}

// nginx serves one file, as a distribution's nginx does: with sendfile, a worker for each core, and no log of requests.
type nginx struct {
	cmd           *exec.Cmd
	address, path string
}

const nginxConfig = `%[3]sdaemon off;
pid %[1]s/nginx.pid;
error_log stderr crit;
worker_processes auto;
events { worker_connections 512; }
http {
	access_log off;
	sendfile on;
	tcp_nopush on;
	keepalive_requests 1000000000;
	default_type "text/html; charset=utf-8";
	client_body_temp_path %[1]s;
	proxy_temp_path %[1]s;
	fastcgi_temp_path %[1]s;
	uwsgi_temp_path %[1]s;
	scgi_temp_path %[1]s;
	server {
		listen %[2]s;
		root %[1]s;
		add_header Cache-Control "public, max-age=60";
	}
}
`

// startNginx starts an nginx with that body in a directory of its own below dir.
func startNginx(ctx context.Context, dir string, body []byte) (*nginx, error) {
	program, err := findNginx()
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "nginx")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;\n" // else its workers become another account, which may not get through to the file
	}
	config := filepath.Join(dir, "nginx.conf")
	for path, text := range map[string][]byte{
		config: fmt.Appendf(nil, nginxConfig, dir, address, user), filepath.Join(dir, "fragment"): body,
	} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return nil, err
		}
	}
	n := &nginx{address: address, path: "/fragment"}
	n.cmd = exec.CommandContext(ctx, program, "-e", "stderr", "-p", dir, "-c", config) //nolint:gosec // found on this machine
	if err := n.cmd.Start(); err != nil {
		return nil, err
	}
	if err := n.ready(); err != nil {
		return nil, errors.Join(err, n.stop())
	}
	return n, nil
}

func findNginx() (string, error) {
	for _, name := range []string{"nginx", "/usr/sbin/nginx", "/usr/local/sbin/nginx"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is none; install it with: apt-get install nginx")
}

// freeAddress returns an unused address.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// ready waits until it answers.
func (n *nginx) ready() (err error) {
	for range 100 {
		var c net.Conn
		if c, err = net.Dial("tcp", n.address); err == nil {
			return c.Close()
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// stop ends it and its workers.
func (n *nginx) stop() error {
	if err := n.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	err := n.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) { // its state has the reason
		return nil
	}
	return err
}
