package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// nginx is the balancer in front of two servers, configured as docs/operations.md tells operators to.
type nginx struct {
	cmd     *exec.Cmd
	address string
}

var (
	nginxBlock = regexp.MustCompile("(?s)```nginx\n(.*?)```")
	upstreams  = regexp.MustCompile(`(?m)^(\s*server )[0-9.]+:[0-9]+`)
	listening  = regexp.MustCompile(`(?m)^(\s*listen ).*;`)
	ssl        = regexp.MustCompile(`(?m)^\s*ssl_.*\n`)
)

// nginxConfig is the document's block with addresses of this machine, and without its certificate.
func nginxConfig(document, dir, address string, servers []string) (string, error) {
	text, err := os.ReadFile(document)
	if err != nil {
		return "", err
	}
	found := nginxBlock.FindStringSubmatch(string(text))
	if found == nil {
		return "", fmt.Errorf("%s has no block of nginx", document)
	}
	n := 0
	block := upstreams.ReplaceAllStringFunc(found[1], func(line string) string {
		lead := upstreams.FindStringSubmatch(line)[1]
		n++
		return lead + servers[(n-1)%len(servers)]
	})
	if n != len(servers) {
		return "", fmt.Errorf("%s names %d servers, there are %d", document, n, len(servers))
	}
	block = ssl.ReplaceAllString(listening.ReplaceAllString(block, "${1}"+address+";"), "")
	var temporary strings.Builder
	for _, what := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s/%s;\n", what, dir, what)
	}
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;\n" // else its workers become another account, which may not write here
	}
	return fmt.Sprintf("%sdaemon off;\nworker_processes 1;\npid %s/pid;\nevents {}\nhttp {\naccess_log off;\n%s%s}\n",
		user, dir, temporary.String(), block), nil
}

// startNginx starts it in front of these servers.
func startNginx(ctx context.Context, document, dir string, servers ...string) (*nginx, error) {
	program, err := findNginx()
	if err != nil {
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	text, err := nginxConfig(document, dir, address, servers)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	n := &nginx{address: address, cmd: exec.CommandContext(ctx, program, "-e", filepath.Join(dir, "error.log"), "-p", dir, "-c", file)} //nolint:gosec // found on this machine
	if err := n.cmd.Start(); err != nil {
		return nil, err
	}
	_, ok := until(ctx, 5*time.Second, func() bool {
		c, err := net.Dial("tcp", address)
		return err == nil && c.Close() == nil
	})
	if !ok {
		return nil, errors.Join(errors.New("nginx does not answer"), n.stop())
	}
	return n, nil
}

var errNoNginx = errors.New("there is no nginx; tools/setup.sh nginx installs it")

func findNginx() (string, error) {
	for _, name := range []string{"nginx", "/usr/sbin/nginx", "/usr/local/sbin/nginx"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoNginx
}

func (n *nginx) stop() error {
	if err := n.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	var exit *exec.ExitError
	if err := n.cmd.Wait(); err != nil && !errors.As(err, &exit) { // it says how it was told to end
		return err
	}
	return nil
}

// freeAddress is an address that nobody listens on now.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
