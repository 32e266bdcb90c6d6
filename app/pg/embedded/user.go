package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the operating system account of the server. The zero value is this process's own.
type account struct {
	name     string
	uid, gid int
	drop     bool // this process is root and must become the account
}

// runAs chooses the account. Postgres refuses to be root, so root drops its rights: for FOYER_PG_USER, else for the
// owner of an existing data directory, else for postgres, else for nobody.
func runAs(c config) (account, error) {
	if uid := os.Geteuid(); uid != 0 {
		return account{name: strconv.Itoa(uid), uid: uid, gid: os.Getegid()}, nil
	}
	if c.User != "" {
		u, err := user.Lookup(c.User)
		if err != nil {
			return account{}, fmt.Errorf("FOYER_PG_USER: %w", err)
		}
		return drop(u)
	}
	if st, ok := stat(c.DataDir); ok && st.Uid != 0 {
		if u, err := user.LookupId(strconv.Itoa(int(st.Uid))); err == nil {
			return drop(u)
		}
		return account{strconv.Itoa(int(st.Uid)), int(st.Uid), int(st.Gid), true}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			return drop(u)
		}
	}
	return account{}, errors.New("PostgreSQL does not run as root, and there is no account postgres or nobody: set FOYER_PG_USER")
}

func drop(u *user.User) (account, error) {
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return account{}, err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return account{}, err
	}
	if uid == 0 {
		return account{}, fmt.Errorf("FOYER_PG_USER: PostgreSQL does not run as root, and %s is root", u.Username)
	}
	return account{u.Username, uid, gid, true}, nil
}

// credential is nil when no rights have to be dropped.
func (a account) credential() *syscall.Credential {
	if !a.drop {
		return nil
	}
	return &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
}

// take makes the account the owner of a directory and of all below it: data that root restored from a copy belongs to
// root. The directory itself comes last, so that an interrupted run starts over.
func (a account) take(dir string) error {
	st, ok := stat(dir)
	if !a.drop || ok && int(st.Uid) == a.uid {
		return nil
	}
	root, err := os.OpenRoot(dir) // the owner of the data could otherwise lead root out of it through a link
	if err != nil {
		return err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		return root.Lchown(path, a.uid, a.gid)
	})
	if err != nil {
		return err
	}
	return os.Lchown(dir, a.uid, a.gid)
}

// closedTo names the first directory on the way to path that the account may not pass; "" when there is none. It
// checks mode bits only, so it serves to explain a failure and never to refuse.
func (a account) closedTo(path string) string {
	var dirs []string
	for dir := path; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		dirs = append([]string{dir}, dirs...)
	}
	for _, dir := range dirs {
		st, ok := stat(dir)
		if !ok {
			return ""
		}
		pass := uint32(0o001)
		switch {
		case int(st.Uid) == a.uid:
			pass = 0o100
		case int(st.Gid) == a.gid:
			pass = 0o010
		}
		if uint32(st.Mode)&pass == 0 {
			return dir
		}
	}
	return ""
}

// explain adds to a failure of a server program a reason that the program cannot see itself.
func (a account) explain(err error, paths ...string) error {
	for _, path := range paths {
		if dir := a.closedTo(path); a.drop && dir != "" {
			return fmt.Errorf("the account %s, which runs PostgreSQL, cannot pass through %s on the way to %s: "+
				"choose another directory, or open that one with chmod o+x (%w)", a.name, dir, path, err)
		}
	}
	return err
}

func stat(path string) (*syscall.Stat_t, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return st, ok
}
