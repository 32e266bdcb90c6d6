//go:build !linux

package embedded

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// unicodeLocale is the locale whose upper and lower case know all of Unicode.
const unicodeLocale = "en_US.UTF-8"

// endWithParent does what the system can: only Linux tells a child that its parent has died. Elsewhere the server of a
// killed process goes on until the next Start adopts it.
func endWithParent(cred *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: cred, Setpgid: true}
}

// serves tells whether the process is a Postgres server of the data directory.
func serves(pid int, dataDir string) bool {
	out, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	line := strings.TrimSpace(string(out)) + " "
	return err == nil && strings.Contains(line, "postgres") && strings.Contains(line, " -D "+dataDir+" ")
}

// self is the file of this program.
func self() (string, error) { return os.Executable() }
