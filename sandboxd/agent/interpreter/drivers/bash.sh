# Kernel driver for bash.
#
# Started by the server with four descriptors: 3 requests, 4 events,
# 5 acknowledgements (unused, bash has no results), 6 this text. A request is a
# line `execute L1 L2 ...`, followed by strings of those lengths in bytes: the
# code, then name and value of each environment variable. Events are JSON lines.
# Descriptors 1 and 2 belong to the code that runs.
#
# The loop of the kernel is in the command that started bash; it calls
# __kernel_turn, evaluates __kernel_code and calls __kernel_ended. Code is
# evaluated there, at the top level, so that what it declares is global. When it
# ends the shell (exit, set -e, an interrupt), the trap on EXIT has the process
# start bash anew in its place, with the variables and functions that it had.

# High numbers are out of the way of the code. Its children inherit them, which
# does no harm: nobody waits for the end of these pipes.
exec 198<&3 199>&4 3<&- 4>&- 5<&-
__kernel_pid=$BASHPID
__kernel_running=
__kernel_status=0
__kernel_flags=

__kernel_send() { printf '%s\n' "$1" >&199; }

# Reads a string of $2 bytes into the variable $1.
__kernel_string() {
  if (($2)); then
    LC_ALL=C IFS= read -r -N "$2" -u 198 "$1"
  else
    printf -v "$1" ''
  fi
}

# Reads a request: sets __kernel_code and the environment variables.
__kernel_read() {
  local -a lengths
  local name value previous i
  IFS=' ' read -r -u 198 -a lengths || return 1
  __kernel_string __kernel_code "${lengths[1]}"
  __kernel_undo=
  for ((i = 2; i < ${#lengths[@]}; i += 2)); do
    __kernel_string name "${lengths[i]}"
    __kernel_string value "${lengths[i + 1]}"
    [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || continue # bash has no such variable
    previous=$(declare -p "$name" 2>/dev/null)
    __kernel_undo+="unset -v $name"$'\n'"${previous/#declare/declare -g}"$'\n'
    declare -gx "$name=$value"
  done
  __kernel_running=1
}

# Ends the cell that ran, if any, and gets the next one. Its $? and its options
# are those that the last one left.
__kernel_turn() {
  if [[ $__kernel_running ]]; then
    __kernel_finish
    __kernel_send '{"type":"done"}'
  fi
  __kernel_read || { __kernel_alive=; exit 0; }
  trap 'exit 130' INT
  __kernel_send '{"type":"started"}'
  if [[ $__kernel_flags ]]; then
    set -"$__kernel_flags"
  else
    return "$__kernel_status"
  fi
}

# Notes with which status and options the cell ended.
__kernel_ended() {
  set +efux
  trap '' INT
  __kernel_status=$1 __kernel_flags=${2//[!efux]/}
}

# Tells how the cell ended and takes its environment variables back.
__kernel_finish() {
  [[ $__kernel_running ]] || return 0
  __kernel_running=
  eval "$__kernel_undo"
  if ((__kernel_status)); then
    __kernel_send '{"type":"error","name":"SystemExit","value":"'"$__kernel_status"'","traceback":"exit status '"$__kernel_status"'"}'
  fi
}

# Prints the state of the shell as commands that set it again.
__kernel_state() {
  local __kernel_name
  for __kernel_name in $(compgen -v); do
    case $__kernel_name in
      BASH* | __kernel_* | COMP_WORDBREAKS | DIRSTACK | EPOCH* | EUID | FUNCNAME | GROUPS | LINENO | PIPESTATUS | \
        PPID | RANDOM | SECONDS | SHELLOPTS | SRANDOM | UID | _) ;;
      *) declare -p "$__kernel_name" ;;
    esac
  done
  declare -f
  shopt -p
  alias -p
  printf '__kernel_status=%s\n' "$__kernel_status"
}

__kernel_exit() {
  __kernel_status=$?
  set +efux
  [[ $BASHPID == "$__kernel_pid" && $__kernel_alive ]] || return "$__kernel_status"
  trap '' INT
  __kernel_finish
  exec 3<&198 4>&199 5</dev/null 6< <(printf '%s\0' "$__kernel_text"; __kernel_state)
  trap - INT # a signal that is ignored stays so across exec
  exec "$BASH" --noprofile --norc -c "$__kernel_start" bash done
}

# The state of the shell in whose place this one stands.
IFS= read -r -d '' -u 6 __kernel_restored
exec 6<&-
eval "$__kernel_restored" 2>/dev/null
unset -v __kernel_restored
trap __kernel_exit EXIT
trap '' INT
__kernel_alive=1
__kernel_send '{"type":"'"$1"'"}'
set --
