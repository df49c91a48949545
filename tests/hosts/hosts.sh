# shellcheck shell=bash
# Several hosts on one machine: network, PID, IPC, UTS and mount namespaces on a bridge, so that they
# share neither memory nor processes nor names, only the files. Sourced by tests/cli/lib.sh. Needs root;
# `hosts_needed` skips the test where namespaces are not allowed.
#
# The launcher runs on a host of its own, "front", and enters the others by `enter`, which stands in
# for ssh: sibling PID namespaces cannot enter each other, so the front has the outer one.
#
# With HALOBEAT_HOSTS_DELAY=10ms what a host sends arrives 10 ms later on another one (whole
# milliseconds or "0.5ms"); the front is near to all. It needs the program tests/hosts/wire.c, in
# $HALOBEAT_WIRE or beside the tests' tools. Hosts that were killed cannot come back then.
: "${work:?}" "${launcher:?}" "${mpiexec:?}"

hosts_folder=$work/hosts
hosts=()
hosts_processes=()
# Open MPI would try all networks that it finds.
openmpi_network=(--mca pml ob1 --mca btl 'tcp,self' --mca oob_tcp_if_include 10.77.0.0/24
    --mca btl_tcp_if_include 10.77.0.0/24)
trap 'case $BASHPID in "$$") hosts_end; clean_up ;; esac' EXIT
trap 'exit 143' TERM INT HUP

# hosts_needed: can this machine have hosts?
hosts_needed() {
    [ "$(id -u)" = 0 ] || skip "hosts need root"
    local program
    for program in ip nsenter unshare pgrep; do
        command -v "$program" >/dev/null || skip "hosts, not installed: iproute2 procps util-linux"
    done
    unshare -nuimpf --mount-proc true 2>/dev/null || skip "namespaces are not allowed here"
    # In a folder made the root, as schroot does, a host would see the files of the machine around it.
    [ "$(nsenter -t $$ -m stat -c %d:%i / 2>/dev/null)" = "$(stat -c %d:%i /)" ] ||
        skip "namespaces have another root than this one"
    unshare -n ip link add br0 type bridge 2>/dev/null || skip "network bridges are not allowed here"
}

# hosts_start COUNT: host0, host1, ... and a front, 10.77.0.1, .2, ... and .254.
hosts_start() {
    local count=$1 i
    mkdir "$hosts_folder"
    {
        echo "127.0.0.1 localhost"
        echo "10.77.0.254 front"
        for ((i = 0; i < count; i++)); do echo "10.77.0.$((i + 1)) host$i"; done
    } >"$hosts_folder/names"
    make_enter
    start_front
    for ((i = 0; i < count; i++)); do start_host "$i"; done
    if [ -n "${HALOBEAT_HOSTS_DELAY:-}" ]; then start_wire "$count"; fi
}

# wait_for FILE: until what was started says that it is there, by a line in FILE.
wait_for() {
    local tries
    for ((tries = 0; tries < 500; tries++)); do
        [ -s "$1" ] && return
        sleep 0.02
    done
    echo "hosts.sh: nothing came to $1" >&2
    cat "$hosts_folder"/*.log >&2
    exit 1
}

# A bridge takes the address of one of its ports, and another one when ports come and go, unless it is
# given one: then the hosts would send to an address that nobody has.
start_front() {
    unshare -num sh -c "hostname front; mount --bind $hosts_folder/names /etc/hosts; ip link set lo up
        ip link add br0 address 02:00:00:00:00:fe type bridge; ip addr add 10.77.0.254/24 dev br0; ip link set br0 up
        echo up >$hosts_folder/front.up; exec sleep infinity" &
    front=$!
    hosts_processes+=("$front")
    disown "$front"
    wait_for "$hosts_folder/front.up"
}

# start_wire COUNT: a switch with a delay takes the place of the bridge.
start_wire() {
    local i ports=(front1)
    nsenter -t "$front" -n sh -c "ip link delete br0; ip link add front0 type veth peer name front1
        ip addr add 10.77.0.254/24 dev front0; ip link set front0 up; ip link set front1 up"
    for ((i = 0; i < $1; i++)); do ports+=("port$i"); done
    nsenter -t "$front" -n "${HALOBEAT_WIRE:-${tools:-}/wire}" "${HALOBEAT_HOSTS_DELAY%ms}" \
        "${ports[@]}" >"$hosts_folder/wire" &
    hosts_processes+=("$!")
    disown "$!"
    wait_for "$hosts_folder/wire"
}

# start_host NUMBER: also after kill_host, when it comes back.
start_host() {
    local name=host$1 keeper init
    rm -f "$hosts_folder/$name.up"
    # Killed, unshare has a word to say.
    unshare -nuimpf --mount-proc --kill-child sh -c "hostname $name
        mount --bind $hosts_folder/names /etc/hosts; mount -t tmpfs tmpfs /dev/shm
        ip link set lo up; echo up >$hosts_folder/$name.up; while :; do sleep 60; done" \
        2>"$hosts_folder/$name.log" &
    keeper=$!
    hosts_processes+=("$keeper")
    disown "$keeper"
    wait_for "$hosts_folder/$name.up"
    init=$(child_of "$keeper")
    echo "$init" >"$hosts_folder/$name.pid"
    nsenter -t "$front" -n ip link add "port$1" type veth peer name eth0 netns "$init"
    nsenter -t "$front" -n ip link set "port$1" master br0 up
    nsenter -t "$init" -n sh -c "ip addr add 10.77.0.$(($1 + 1))/24 dev eth0; ip link set eth0 up"
    hosts[$1]=$name
}

child_of() { tr -d ' ' <"/proc/$1/task/$1/children"; }

# make_enter: what mpiexec starts its proxies with, as ssh: OPTION... HOST COMMAND...
make_enter() {
    cat >"$hosts_folder/enter" <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
host=\$1
shift
ip link show "port\${host#host}" | grep -q '[<,]UP[,>]' || exit 255
if [ -e "$hosts_folder/\$host.group" ]; then
    echo \$\$ >"\$(cat "$hosts_folder/\$host.group")/cgroup.procs"
fi
exec nsenter -t "\$(cat "$hosts_folder/\$host.pid")" -n -u -i -m -p --wd="\$PWD" sh -c "\$*"
END
    chmod +x "$hosts_folder/enter"
}

# on HOST COMMAND...: run it there.
on() {
    local pid
    pid=$(cat "$hosts_folder/$1.pid")
    nsenter -t "$pid" -n -u -i -m -p --wd="$PWD" "${@:2}"
}

# start_on_hosts RANKS: leaves in $starter what goes before the program, as start_with does.
start_on_hosts() {
    local list
    list=$(IFS=,; echo "${hosts[*]}")
    starter=(nsenter -t "$front" -n -u -m --wd="$PWD" "$mpiexec")
    if [ "$launcher" = openmpi ]; then
        starter+=("${flags[@]}" "${openmpi_network[@]}" --mca plm_rsh_agent "$hosts_folder/enter"
            --host "${list//,/:64,}:64" --map-by node)
    else
        starter+=(-launcher ssh -launcher-exec "$hosts_folder/enter" -hosts "$list")
    fi
    starter+=(-n "$1")
}

# Faults. cut_host HOST: its link is down for ever. stop_host HOST: its processes stand still.
# kill_host HOST: it loses power. mend_host HOST: after a cut.
cut_host() { nsenter -t "$front" -n ip link set "port${1#host}" down; }
mend_host() { nsenter -t "$front" -n ip link set "port${1#host}" up; }
# shellcheck disable=SC2016  # for the shell there
stop_host() {
    on "$1" sh -c 'for p in /proc/[0-9]*; do
        p=${p#/proc/}
        [ "$p" = 1 ] || [ "$p" = $$ ] || kill -STOP "$p"
    done'
}
# kill_processes HOST: and those that have entered it, which stand still where these do.
kill_processes() {
    local pid
    pid=$(cat "$hosts_folder/$1.pid")
    kill -KILL "$pid" 2>/dev/null
    pkill -KILL -f "^nsenter -t $pid "
}
kill_host() {
    cut_host "$1"
    kill_processes "$1"
    nsenter -t "$front" -n ip link delete "port${1#host}" 2>/dev/null
}

# throttle_host HOST PERCENT: jobs that are started from now on get so much of one core there; false
# where control groups are not allowed to say so.
throttle_host() {
    local group=/sys/fs/cgroup/cpu/halobeat-$$-$1 quota=$(($2 * 1000))
    if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
        group=/sys/fs/cgroup/halobeat-$$-$1
        mkdir "$group" && echo "$quota 100000" >"$group/cpu.max" || return 1
    else
        mkdir "$group" && echo 100000 >"$group/cpu.cfs_period_us" &&
            echo "$quota" >"$group/cpu.cfs_quota_us" || return 1
    fi 2>/dev/null
    echo "$group" >"$hosts_folder/$1.group"
}

# Whoever calls it may stop at the first command that fails (set -e); here some do.
hosts_end() {
    local process name group
    set +e
    for name in "${hosts[@]}"; do kill_processes "$name"; done
    for process in "${hosts_processes[@]}"; do
        kill -KILL "$process" 2>/dev/null
    done
    for group in "$hosts_folder"/*.group; do
        [ ! -e "$group" ] || rmdir "$(cat "$group")" 2>/dev/null
    done
}
