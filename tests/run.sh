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
containers=(-o cache_dir=.pytest_cache/containers tests/contract tests/docker tests/labs "${own[@]}")
rest=(-o cache_dir=.pytest_cache/rest tests/integration tests/browser "${own[@]/#/--ignore=}")
rm -rf .pytest_cache/containers .pytest_cache/rest

said=$(mktemp)
# With job control: without it what runs in the background, and all that it starts, would be deaf to Ctrl-C.
set -m
# It goes when this script goes, however that happens (where the system can be told so).
bound=$(command -v setpriv >/dev/null && echo "setpriv --pdeathsig TERM")
# shellcheck disable=SC2086  # several words, or none
$bound "${pytest[@]}" "${containers[@]}" >"$said" 2>&1 &
half=$!
set +m
# A Ctrl-C is for what runs in the foreground; what the other half had running ends with it.
trap 'kill "$half" 2>/dev/null; wait "$half"; cat "$said"; rm -f "$said"; exit 130' INT TERM HUP

"${pytest[@]}" "${rest[@]}"
ends=("$?")
wait "$half"
ends+=("$?")
printf '\nThe half with containers, the contract of all backends, and the labs:\n'
cat "$said"
rm -f "$said"

# Two halves of real brokers, Spark and a browser on a small machine can starve one another. A few tests that failed so get a
# second chance, alone; all of them are named, and who fails twice fails the run. Many at once are no accident.
again() { # which half, its exit code, its arguments
    local which=$1 ended=$2 last=.pytest_cache/$1/v/cache/lastfailed count
    shift 2
    [ "$ended" -eq 1 ] || return "$ended"
    count=$(grep -c '"tests/' "$last") || return 1
    printf '\n%s of the half "%s" failed beside the other half:\n' "$count" "$which"
    grep -o '"tests/[^"]*"' "$last"
    [ "$count" -le 8 ] || return 1
    printf 'Once more, alone:\n'
    "${pytest[@]}" "$@" --last-failed --last-failed-no-failures none
}
again containers "${ends[1]}" "${containers[@]}" && ends[1]=0
again rest "${ends[0]}" "${rest[@]}" && ends[0]=0
exit $((ends[0] ? ends[0] : ends[1]))
