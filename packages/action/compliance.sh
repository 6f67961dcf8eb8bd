#!/usr/bin/env bash
# Runs the compliance command from the same release as the action.
set -euo pipefail
version=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).version' \
  "$GITHUB_ACTION_PATH/../cli/package.json")
exec npx --yes --package "@compliance/cli@$version" -- compliance "$@"
