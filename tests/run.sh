#!/usr/bin/env bash
# Every test, in two lanes side by side, since much of their time goes by waiting: for session time-outs, for Spark, for
# images. One for containers, the contract of all backends, the labs, and what starts clusters of its own; one for the quick
# tests first of all (a run which will fail says so early), then the shared local cluster, Spark and the browser. (Three were
# tried: two cores are busy with two.)
#   tests/run.sh [what to hand to pytest, and then nothing is split]
set -uo pipefail
cd "$(dirname "$0")/.."
pytest=(.venv/bin/python -m pytest)

[ $# -gt 0 ] && exec "${pytest[@]}" "$@"

own=(tests/integration/test_{cli,java_wheel,owner,robust_data,robust_side_by_side,robust_start,shapes}.py)
containers=(tests/docker tests/contract tests/labs --ignore=tests/labs/test_gallery.py "${own[@]}")
browser=(tests/browser tests/integration tests/labs/test_gallery.py "${own[@]/#/--ignore=}")

lane() { # "exec" or nothing, its name, then what it runs
    local how=$1 name=$2
    shift 2
    rm -rf ".pytest_cache/$name"
    # It goes when this script goes, however that happens (where the system can be told so).
    # shellcheck disable=SC2086  # several words, or none
    $how $bound "${pytest[@]}" -o "cache_dir=.pytest_cache/$name" --durations=12 "$@"
}
bound=$(command -v setpriv >/dev/null && echo "setpriv --pdeathsig TERM")

# Lanes of real brokers, Spark and a browser on a small machine can starve one another. A few tests that failed so get a
# second chance; all of them are named, and who fails twice fails the run. Many at once are no accident.
again() { # a lane's name, how it ended, what it runs
    local name=$1 ended=$2 last=.pytest_cache/$1/v/cache/lastfailed count
    shift 2
    [ "$ended" -eq 1 ] || return "$ended"
    count=$(grep -c '"tests/' "$last") || return 1
    printf '\n%s of the lane "%s" failed beside the other:\n' "$count" "$name"
    grep -o '"tests/[^"]*"' "$last"
    [ "$count" -le 8 ] || return 1
    printf 'Once more:\n'
    "${pytest[@]}" -o "cache_dir=.pytest_cache/$name" --last-failed --last-failed-no-failures none "$@"
}

said=$(mktemp)
# With job control: without it what runs in the background, and all that it starts, would be deaf to Ctrl-C.
set -m
lane exec containers "${containers[@]}" >"$said" 2>&1 &
of_containers=$!
set +m
# A Ctrl-C is for what runs in the foreground; what the other lane had running ends with it.
give_up() { # with which exit code
    kill "$of_containers" 2>/dev/null
    wait "$of_containers"
    cat "$said"
    rm -f "$said"
    exit "$1"
}
trap 'give_up 130' INT TERM HUP

quick=(tests/unit tests/architecture)
lane "" quick "${quick[@]}" || again quick $? "${quick[@]}" || give_up $?
lane "" browser "${browser[@]}"
browser_ended=$?
wait "$of_containers"
containers_ended=$?
printf '\nThe lane "containers":\n'
cat "$said"
rm -f "$said"

worst=0
again containers "$containers_ended" "${containers[@]}" || worst=$?
again browser "$browser_ended" "${browser[@]}" || worst=$?
exit "$worst"
