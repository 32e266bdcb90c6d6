//go:build !linux

package embedded

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// unicodeLocale is the locale with upper and lower case for all of Unicode.
const unicodeLocale = "en_US.UTF-8"

// endWithParent does as much as the system allows: only Linux signals a child at its parent's death. On other systems
// the server of a killed process goes on until the next Start adopts it.
func endWithParent(cred *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: cred, Setpgid: true}
}

// serves reports whether the process is a Postgres server of the data directory.
func serves(pid int, dataDir string) bool {
	out, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	line := strings.TrimSpace(string(out)) + " "
	return err == nil && strings.Contains(line, "postgres") && strings.Contains(line, " -D "+dataDir+" ")
}

// self is the file of this program.
func self() (string, error) { return os.Executable() }
