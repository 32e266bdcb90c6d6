package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Client is a directory with pg_dump, pg_restore and psql of one version.
type Client struct {
	Dir     string
	Version string // "15.18"
	Major   int
}

// clientPlaces are the directories of packaged clients without a server.
var clientPlaces = []string{"/opt/homebrew/opt/libpq/bin", "/usr/local/opt/libpq/bin"}

// FindClient returns the oldest client that is not older than least: a client reads servers of its own version and of
// older ones, and its dumps are for servers of its own version or newer. The package from npm has none, so that a
// server of ours may need a client from another package. FindClient searches FOYER_PG_BIN first. The error names the
// package to install.
func FindClient(ctx context.Context, o Options, least int) (Client, error) {
	var best Client
	var others []string
	for _, dir := range programPlaces(ctx, settle(o)) {
		c, err := inspectClient(ctx, dir)
		switch {
		case err != nil:
		case c.Major < least:
			others = append(others, fmt.Sprintf("%s in %s", c.Version, dir))
		case best.Dir == "" || c.Major < best.Major:
			best = c
		}
	}
	if best.Dir == "" {
		return best, missingClient(least, others)
	}
	return best, nil
}

// programPlaces lists the directories to search for clients, best first. Debian's pg_dump in PATH chooses a version
// by itself, so PATH comes last.
func programPlaces(ctx context.Context, c config) []string {
	dirs := places(ctx, c)
	if c.Bin != "" { // excludes other servers, not other clients
		c.Bin = ""
		dirs = append(dirs, places(ctx, c)...)
	}
	dirs = append(dirs, clientPlaces...)
	if path, err := exec.LookPath("pg_dump"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(dirs, func(dir string) bool {
		was := seen[dir]
		seen[dir] = true
		return was
	})
}

var versionNumber = regexp.MustCompile(`[0-9][0-9.]*`)

// inspectClient asks pg_dump for its version.
func inspectClient(ctx context.Context, dir string) (Client, error) {
	for _, name := range []string{"pg_dump", "pg_restore", "psql"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return Client{}, err
		}
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "pg_dump"), "-V").Output()
	if err != nil {
		return Client{}, err
	}
	c := Client{dir, versionNumber.FindString(string(out)), versionIn(string(out))}
	if c.Major == 0 {
		return Client{}, fmt.Errorf("%s/pg_dump reports the version %q", dir, firstLine(out))
	}
	return c, nil
}

func missingClient(least int, others []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "no pg_dump, pg_restore and psql of version %d or newer were found", least)
	if len(others) > 0 {
		fmt.Fprintf(&b, " (found: %s)", strings.Join(others, "; "))
	}
	install := fmt.Sprintf("sudo apt-get install postgresql-client-%d (https://apt.postgresql.org has the versions that a system lacks)", least)
	if runtime.GOOS == "darwin" {
		install = fmt.Sprintf("brew install postgresql@%d", cmp.Or(least, pinnedMajor))
	}
	fmt.Fprintf(&b, ". Install them with: %s. Or set FOYER_PG_BIN to their directory", install)
	return errors.New(b.String())
}
