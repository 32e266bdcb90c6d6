package mediatest

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ory/dockertest/v3"
	"github.com/ory/dockertest/v3/docker"

	"foyer/media/store"
)

// release is the MinIO of docker-compose.yml and of tools/setup.sh; a test compares the three.
const release = "RELEASE.2025-09-07T16-13-09Z"

const user, password = "foyer-test", "a password for tests"

// MinIO returns the settings of a real MinIO: that of TEST_S3_URL (http://access:secret@host:port), else one in a
// container if a Docker daemon answers, else one of the program minio, installed by "tools/setup.sh minio". It is
// removed after the test. Without a MinIO the test fails: only a store that checks signatures proves that ours are
// right.
func MinIO(t testing.TB) store.S3Config {
	t.Helper()
	if address := os.Getenv("TEST_S3_URL"); address != "" {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		secret, _ := u.User.Password()
		return store.S3Config{Endpoint: u.Scheme + "://" + u.Host, AccessKey: u.User.Username(), SecretKey: secret}
	}
	c := store.S3Config{AccessKey: user, SecretKey: password}
	var err error
	if pool, poolErr := dockertest.NewPool(""); poolErr == nil && pool.Client.Ping() == nil {
		c.Endpoint, err = inContainer(t, pool)
	} else {
		c.Endpoint, err = inProcess(t)
	}
	if err == nil {
		err = answers(t.Context(), c.Endpoint)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func inContainer(t testing.TB, pool *dockertest.Pool) (string, error) {
	r, err := pool.RunWithOptions(&dockertest.RunOptions{
		Repository: "minio/minio", Tag: release, Cmd: []string{"server", "/data"},
		Env: []string{"MINIO_ROOT_USER=" + user, "MINIO_ROOT_PASSWORD=" + password},
	}, func(h *docker.HostConfig) { h.AutoRemove = true })
	if err != nil {
		return "", err
	}
	t.Cleanup(func() { _ = pool.Purge(r) })
	return "http://" + r.GetHostPort("9000/tcp"), r.Expire(600)
}

// inProcess starts the program on a port that was free a moment ago.
func inProcess(t testing.TB) (string, error) {
	program, err := findMinIO()
	if err != nil {
		return "", err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		return "", err
	}
	c := exec.Command(program, "server", "--quiet", "--address", address, "--console-address", "127.0.0.1:0", t.TempDir())
	c.Env = append(os.Environ(), "MINIO_ROOT_USER="+user, "MINIO_ROOT_PASSWORD="+password, "MINIO_BROWSER=off", "MINIO_UPDATE=off", "HOME="+t.TempDir())
	var said strings.Builder
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		return "", err
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		if t.Failed() {
			t.Logf("minio said: %s", said.String())
		}
	})
	return "http://" + address, nil
}

func findMinIO() (string, error) {
	if program, err := exec.LookPath("minio"); err == nil {
		return program, nil
	}
	for _, dir := range append([]string{os.Getenv("GOBIN")}, filepath.SplitList(build.Default.GOPATH)...) {
		for _, program := range []string{filepath.Join(dir, "minio"), filepath.Join(dir, "bin", "minio")} {
			if _, err := exec.LookPath(program); dir != "" && err == nil {
				return program, nil
			}
		}
	}
	return "", errors.New("no MinIO to test with: type tools/setup.sh minio, start Docker, or set TEST_S3_URL")
}

// answers waits until a MinIO is ready.
func answers(ctx context.Context, endpoint string) error {
	var last error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		answer, _, err := fetch(ctx, endpoint+"/minio/health/ready")
		if err == nil && answer.StatusCode == http.StatusOK {
			return nil
		}
		last = fmt.Errorf("%v %w", answer, err)
	}
	return fmt.Errorf("MinIO at %s is not ready: %w", endpoint, last)
}
