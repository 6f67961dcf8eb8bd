# The machine of a reader, as far as it is not here. What is shown in the pages runs as it stands; these functions stand for
# what would install something, outlive its block or need what a test has not. What they leave out they say: a test holds the list.
set -eu

left_out() {
  echo "$1" >> "$WORLD/left-out"
}

# The command of @compliance/cli. With a composition's .env it is in the container that has these settings.
compliance() {
  case "$1" in
    serve) served command_line "$@" ;;
    *) (command_line "$@") > "$WORLD/said" 2>&1 || { cat "$WORLD/said"; return 1; } ;;
  esac
  cat "$WORLD/said"
  # A reader copies the key that is shown.
  if shown=$(grep -o 'cmpl_live_[A-Za-z0-9_]*' "$WORLD/said"); then KEY=$shown; fi
}

# What serves goes on in the background, until the reader has read the page.
served() {
  "$@" > "$WORLD/said" 2>&1 &
  pid=$!
  echo "$pid" >> "$WORLD/pids"
  until grep -q 'Stop with Ctrl-C' "$WORLD/said"; do
    kill -0 "$pid" || { cat "$WORLD/said"; return 1; }
    sleep 0.1
  done
}

# Becomes the command: who calls it gives it a shell of its own.
command_line() {
  if [ -f "$WORLD/.env" ]; then
    set -a
    . "$WORLD/.env"
    NODE_ENV=production COMPLIANCE_BASE_URL=https://$COMPLIANCE_HOST COMPLIANCE_TRUSTED_PROXIES=1
  fi
  exec node "$CHECKOUT/packages/cli/src/main.ts" "$@"
}

# The pnpm that the pages name, in a checkout.
npx() {
  [ "$1" != --yes ] || shift
  case "$1" in
    "$PNPM") shift; pnpm "$@" ;;
    pnpm*) echo "$1 is not $PNPM"; return 1 ;;
    *) "$@" ;;
  esac
}

pnpm() {
  case "$1 ${2-}" in
    "-s compliance") shift 2; compliance "$@" ;;
    "start ") compliance serve --port "$PORT" ;;
    "run docs") served documentation ;;
    "exec vitest") shift; (cd "$CHECKOUT" && VITEST_POOL_ID='' "$@") ;;
    *) left_out "pnpm $*" ;;
  esac
}

# The packages run from source here; from the registry they need no condition.
esbuild() { command esbuild --conditions=@compliance/source "$@"; }

documentation() { exec node "$CHECKOUT/packages/docs/src/main.ts" --port 0; }

# What a package manager is asked for is here already, or it has another name than the pages say.
npm() {
  shift
  for name; do [ "$name" = --global ] || [ -e "$WORLD/node_modules/$name" ] || [ -e "$CHECKOUT/examples/node_modules/$name" ]; done
}

pip() { [ "$*" = "install portfolio-compliance" ]; }

go() { [ "$*" = "get github.com/portfolio-compliance/compliance-go" ]; }

# Commands inside of a container are run; the containers are not.
docker() {
  case "$2" in
    exec | run)
      folder=$WORLD/$2
      while [ "$1" != app ]; do shift; done
      shift
      [ "$1" != compliance ] || shift
      mkdir -p "$folder"
      (cd "$folder" && compliance "$@")
      ;;
    *) left_out "docker $*" ;;
  esac
}
