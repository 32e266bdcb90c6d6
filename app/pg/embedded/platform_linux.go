package embedded

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// unicodeLocale is the locale with upper and lower case for all of Unicode.
const unicodeLocale = "C.UTF-8"

func endWithParent(cred *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: cred, Setpgid: true, Pdeathsig: syscall.SIGINT}
}

// serves reports whether the process is a Postgres server of the data directory. A signal would find a zombie alive,
// and where orphans are not reaped a killed server stays one; its command line is empty.
func serves(pid int, dataDir string) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return false
	}
	args := strings.Split(string(line), "\x00")
	name := filepath.Base(args[0])
	return (name == "postgres" || name == "postmaster") && slices.Contains(args[1:], dataDir)
}

// self is this program, also when its file has been deleted meanwhile, as `go test` does.
func self() (string, error) { return "/proc/self/exe", nil }
