# Signals a process tree: sh -c SCRIPT sh SIGNAL PID MARK
# PID is the tree's root, 0 when unknown. MARK is an environment entry
# (NAME=value) that members carry, "" when unknown. Members that left the tree
# are found by MARK, members that cleared their environment by their parents.
# Needs a POSIX shell and /proc, nothing else. Exits 1 when members survive KILL.
sig=$1 root=$2 mark=$3

carriers() { # sets marked to the pids that carry the mark, blank-separated
	marked=" "
	[ -n "$mark" ] || return 0
	if command -v grep >/dev/null; then
		for file in $(grep -lF -e "$mark" /proc/[0-9]*/environ 2>/dev/null); do
			file=${file#/proc/}
			marked="$marked${file%/environ} "
		done
		return 0
	fi
	for dir in /proc/[0-9]*; do
		if carries "$dir"; then marked="$marked${dir#/proc/} "; fi
	done
}

carries() { # does process $1 carry the mark? The shell drops the NULs.
	{ while IFS= read -r line || [ -n "$line" ]; do
		case $line in *"$mark"*) return 0 ;; esac
		line=
	done <"$1/environ"; } 2>/dev/null
	return 1
}

parent() { # sets ppid of process $1; fails for one that is gone or a zombie
	ppid= state=
	{ while read -r key value rest; do
		case $key in
		State:) state=$value ;;
		PPid:) ppid=$value && break ;;
		esac
	done <"/proc/$1/status"; } 2>/dev/null
	[ -n "$ppid" ] && [ "$state" != Z ]
}

members() { # sets tree to the pids of the members, blank-separated
	carriers
	tree=" " pairs=
	for dir in /proc/[0-9]*; do
		pid=${dir#/proc/}
		[ "$pid" = "$$" ] && continue
		parent "$pid" || continue
		pairs="$pairs $pid:$ppid"
		case $root$marked in
		"$pid "* | *" $pid "*) tree="$tree$pid " ;;
		esac
	done
	grown=
	while [ "$grown" != "$tree" ]; do
		grown=$tree
		for pair in $pairs; do
			pid=${pair%:*}
			case $tree in *" $pid "*) continue ;; esac
			case $tree in *" ${pair#*:} "*) tree="$tree$pid " ;; esac
		done
	done
}

if [ "$sig" != 9 ]; then
	members
	[ "$tree" = " " ] || kill -"$sig" $tree 2>/dev/null
	exit 0
fi

# Stopped processes make no children, so the set closes.
round=0 before=
while [ $round -lt 20 ]; do
	members
	[ "$tree" = "$before" ] && break
	[ "$tree" = " " ] || kill -STOP $tree 2>/dev/null
	before=$tree round=$((round + 1))
done
round=0
while [ "$tree" != " " ]; do
	kill -9 $tree 2>/dev/null
	members
	round=$((round + 1))
	[ $round -lt 50 ] || exit 1
done
exit 0
