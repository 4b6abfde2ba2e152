#!/usr/bin/env bash
# Every test. The quick ones first, so that a run which will fail says so early; then two halves side by side, since most
# of their time goes by waiting: for session time-outs, for Spark, for images. Containers, the labs, and what starts clusters
# of its own are one half; the shared local cluster, Spark and the browser the other.
#   tests/run.sh [what to hand to pytest, and then nothing is split]
set -uo pipefail
cd "$(dirname "$0")/.."
pytest=(.venv/bin/python -m pytest)

[ $# -gt 0 ] && exec "${pytest[@]}" "$@"

"${pytest[@]}" tests/unit tests/architecture || exit

own=(tests/integration/test_{cli,java_wheel,owner,robust_data,robust_side_by_side,robust_start,shapes}.py)

said=$(mktemp)
# With job control: without it what runs in the background, and all that it starts, would be deaf to Ctrl-C.
set -m
# It goes when this script goes, however that happens (where the system can be told so).
bound=$(command -v setpriv >/dev/null && echo "setpriv --pdeathsig TERM")
# shellcheck disable=SC2086  # several words, or none
$bound "${pytest[@]}" -o cache_dir=.pytest_cache/containers tests/contract tests/docker tests/labs "${own[@]}" >"$said" 2>&1 &
containers=$!
set +m
# A Ctrl-C is for what runs in the foreground; what the other half had running ends with it.
trap 'kill "$containers" 2>/dev/null; wait "$containers"; cat "$said"; rm -f "$said"; exit 130' INT TERM HUP

"${pytest[@]}" tests/integration tests/browser "${own[@]/#/--ignore=}"
rest=$?
wait "$containers"
half=$?
printf '\nThe half with containers, the contract of all backends, and the labs:\n'
cat "$said"
rm -f "$said"
exit $((rest ? rest : half))
