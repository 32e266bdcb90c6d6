package embedded_test

import (
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"foyer/app/pg/embedded"
)

func owner(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return int(info.Sys().(*syscall.Stat_t).Uid)
}

// Root drops its rights for the server; any other account runs it as itself.
func TestServerIsNeverRoot(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: filepath.Join(workDir(t), "pg"), Fast: true}
	want := os.Geteuid()
	if want == 0 {
		nobody, err := user.Lookup("nobody")
		must(t, err)
		want, err = strconv.Atoi(nobody.Uid)
		must(t, err)
		o.Getenv = settings(map[string]string{"FOYER_PG_USER": "nobody"})
	}
	s := start(t, o)
	for _, path := range []string{o.DataDir, socketDir(root(s)), filepath.Join(o.DataDir, "PG_VERSION")} {
		if got := owner(t, path); got != want {
			t.Errorf("%s belongs to %d, expected %d", path, got, want)
		}
	}
	must(t, s.Stop(t.Context()))
	o.Getenv = nil // the owner of the data runs it from now on
	start(t, o)
	if got := owner(t, o.DataDir); got != want {
		t.Errorf("the data went to %d", got)
	}
}

// As root: data that belongs to root, as after restoring a copy, is handed over to the account. As any other account:
// unreadable data is refused in plain words.
func TestDataOfAnotherAccount(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true}
	if os.Geteuid() != 0 {
		must(t, os.Chmod(o.DataDir, 0))
		defer os.Chmod(o.DataDir, 0o700)
		contains(t, fails(t, o), "belongs to another account")
		return
	}
	if out, err := exec.Command("chown", "-R", "0:0", o.DataDir).CombinedOutput(); err != nil {
		t.Fatalf("chown: %v %s", err, out)
	}
	start(t, o)
	for _, path := range []string{".", "base", "PG_VERSION", "global/pg_control"} {
		if owner(t, filepath.Join(o.DataDir, path)) == 0 {
			t.Errorf("%s still belongs to root", path)
		}
	}
}

func TestClosedParent(t *testing.T) {
	t.Parallel()
	closed := workDir(t)
	o := embedded.Options{DataDir: filepath.Join(closed, "pg"), Fast: true}
	if os.Geteuid() != 0 {
		must(t, os.Chmod(closed, 0))
		defer os.Chmod(closed, 0o700)
		contains(t, fails(t, o), closed, "permission denied")
		return
	}
	must(t, os.Chmod(closed, 0o700))
	contains(t, fails(t, o), "cannot pass through "+closed+" on the way to")
	must(t, os.Chmod(closed, 0o711))
	start(t, o)
}

func TestUnknownAccount(t *testing.T) {
	t.Parallel()
	o := embedded.Options{DataDir: dataDir(t), Fast: true}
	for name, want := range map[string]string{"no-such-account": "no-such-account", "root": "does not run as root"} {
		o.Getenv = settings(map[string]string{"FOYER_PG_USER": name})
		if os.Geteuid() != 0 {
			must(t, start(t, o).Stop(t.Context())) // there is nothing to choose: the setting is not read
			continue
		}
		contains(t, fails(t, o), "FOYER_PG_USER", want)
	}
}

// The same for a program of an ordinary account, from the first start to the last user of a detached server. Run by an
// ordinary account, this is that account itself.
func TestOrdinaryAccount(t *testing.T) {
	t.Parallel()
	home := workDir(t)
	ordinary := func(*exec.Cmd) {}
	if os.Geteuid() == 0 {
		binary := filepath.Join(home, "program") // `go test` keeps the original where only root can enter
		from, err := os.Open(os.Args[0])
		must(t, err)
		defer from.Close()
		to, err := os.OpenFile(binary, os.O_WRONLY|os.O_CREATE, 0o755)
		must(t, err)
		_, err = io.Copy(to, from)
		must(t, err)
		must(t, to.Close())
		must(t, os.Chmod(binary, 0o755)) // whatever the umask
		const uid = 65534
		home = filepath.Join(home, "home")
		must(t, os.Mkdir(home, 0o700))
		must(t, os.Chown(home, uid, uid))
		ordinary = func(cmd *exec.Cmd) {
			cmd.Path, cmd.Dir = binary, home
			cmd.Env = append(cmd.Env, "HOME="+home, "XDG_RUNTIME_DIR="+home)
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		}
	}
	o := embedded.Options{DataDir: filepath.Join(home, "data", "pg"), Fast: true}
	own := startProgram(t, o, ordinary)
	if got := ask(t, own.url, "select 1::text"); got != "1" {
		t.Errorf("got %q", got)
	}
	own.end()
	if serverPID(o.DataDir) != 0 {
		t.Error("the server still runs")
	}
	o.Detach, o.Linger = true, shortLinger
	shared := startProgram(t, o, ordinary)
	ask(t, shared.url, "select 1::text")
	shared.end()
	within(t, patience, "the detached server ended", func() bool { return serverPID(o.DataDir) == 0 })
}
