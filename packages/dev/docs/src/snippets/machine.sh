# Simulates a reader's machine. Commands on the pages run as shown. The functions below replace commands that would
# install something, outlive their block, or need resources that tests don't have. The functions record the skipped
# commands, and a test checks the list.
set -eu

left_out() {
  echo "$1" >> "$WORLD/left-out"
}

# Runs the `compliance` command from @compliance/cli.
compliance() {
  case "$1" in
    serve) served command_line "$@" ;;
    *) (command_line "$@") > "$WORLD/said" 2>&1 || { cat "$WORLD/said"; return 1; } ;;
  esac
  cat "$WORLD/said"
  # Store the printed API key for later commands, because a reader would copy the key.
  if shown=$(grep -o 'cmpl_live_[A-Za-z0-9_]*' "$WORLD/said"); then KEY=$shown; fi
}

# Starts a background server, which keeps running until all of the page's blocks have run.
served() {
  "$@" > "$WORLD/said" 2>&1 &
  pid=$!
  echo "$pid" >> "$WORLD/pids"
  until grep -q 'Stop with Ctrl-C' "$WORLD/said"; do
    kill -0 "$pid" || { cat "$WORLD/said"; return 1; }
    sleep 0.1
  done
}

# Replaces the current shell with the command, so call this function in a subshell. Removes `COMPLIANCE_BASE_URL` for `serve` and `doctor`: the variable contains the URL that clients call, and a service that a page starts has a different URL.
command_line() {
  case "$1" in serve | doctor) unset COMPLIANCE_BASE_URL ;; esac
  exec node "$CLI" "$@"
}

# Accepts only the repository's pnpm version, and runs other commands directly.
npx() {
  [ "$1" != --yes ] || shift
  case "$1" in
    "$PNPM") shift; pnpm "$@" ;;
    pnpm*) echo "$1 instead of $PNPM"; return 1 ;;
    *) "$@" ;;
  esac
}

pnpm() {
  case "$1 ${2-}" in
    "-s compliance") shift 2; compliance "$@" ;;
    "start ") compliance serve --port "$PORT" ;;
    "run docs") served documentation ;;
    "exec node") shift; "$@" ;;
    "exec vitest") shift; (cd "$CHECKOUT" && VITEST_POOL_ID='' "$@") ;;
    *) left_out "pnpm $*" ;;
  esac
}

# In this repository, the packages run from source, so `esbuild` needs an export condition that packages from the
# registry don't need.
esbuild() { command esbuild --conditions=@compliance/source "$@"; }

documentation() { exec node "$CHECKOUT/packages/dev/docs/src/main.ts" --port 0; }

# The replacements for npm, pip, and go don't install anything. They verify that a page's packages are already
# available.
npm() {
  shift
  for name; do [ "$name" = --global ] || [ -e "$WORLD/node_modules/$name" ] || [ -e "$CHECKOUT/examples/node_modules/$name" ]; done
}

pip() { [ "$*" = "install portfolio-compliance" ]; }

go() { [ "$*" = "get github.com/portfolio-compliance/compliance-go" ]; }

docker() { left_out "docker $*"; }
