# Functions shared by run and test: find and install what is missing, configure, build. Sourced, not executed.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3

# What cmake gets as ASSAY_CUDA, AUTO if it is not set. Scripts set it; the environment does not.
unset cuda

say() { printf '%s\n' "$*" >&2; }
give_up() { say "Cannot go on: $*"; exit 3; }

# Packages in a section of packages.txt that are not installed.
missing_packages() {
  local wanted=$1 section=build line
  while read -r line; do
    case $line in
      '' | '#'*) continue ;;
      cuda | tests | full) section=$line; continue ;;
    esac
    [ "$section" = "$wanted" ] || continue
    dpkg-query -W -f='${db:Status-Status}\n' "$line" 2>/dev/null | grep -q '^installed$' || printf '%s\n' "$line"
  done < scripts/packages.txt
}

# install_missing build|cuda|tests|full: installs the packages of that section with apt, as root or with sudo.
install_missing() {
  local packages as_root=()
  command -v dpkg-query >/dev/null || {
    say "No dpkg here: taking it that the packages of scripts/packages.txt are installed."
    return
  }
  packages=$(missing_packages "$1")
  [ -n "$packages" ] || return 0
  say "Installing: $(tr '\n' ' ' <<<"$packages")"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || give_up "these packages are missing and only root can install them: $(tr '\n' ' ' <<<"$packages")"
    as_root=(sudo)
  fi
  local log
  log=$(mktemp)
  # shellcheck disable=SC2086
  if ! { "${as_root[@]}" apt-get update && DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y --no-install-recommends $packages; } >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    give_up "apt-get could not install the packages above (no network, or no such package); its whole output is in $log"
  fi
  rm -f "$log"
}

# The path of nvcc, from this machine or install_cuda; empty if there is none.
nvcc_here() {
  local folder
  command -v nvcc && return
  for folder in "${CUDA_HOME:-/usr/local/cuda}" build/cuda/nvidia/cu13; do
    [ -x "$folder/bin/nvcc" ] && printf '%s\n' "$folder/bin/nvcc" && return
  done
  return 0
}

# The folder of CUDA's headers, from this machine, install_cuda_headers or install_cuda; empty if there is none.
cuda_headers_here() {
  local folder
  for folder in "${CUDA_HOME:-/usr/local/cuda}" build/cuda/nvidia/cu13 build/cuda_headers/nvidia/cu13; do
    [ -f "$folder/include/cuda_runtime_api.h" ] && printf '%s\n' "$folder/include" && return
  done
  return 0
}

# The path of cuobjdump, from this machine, install_cuda or install_cuobjdump; empty if there is none.
cuobjdump_here() {
  local folder
  command -v cuobjdump && return
  for folder in "${CUDA_HOME:-/usr/local/cuda}" build/cuda/nvidia/cu13 build/cuda_tools/nvidia/cu13; do
    [ -x "$folder/bin/cuobjdump" ] && printf '%s\n' "$folder/bin/cuobjdump" && return
  done
  return 0
}

# install_from_pypi FOLDER WHAT [PATTERN]: installs those packages of cuda_packages.txt that match into the folder.
install_from_pypi() {
  local log packages
  python3 -m pip --version >/dev/null 2>&1 || install_missing cuda
  python3 -m pip --version >/dev/null 2>&1 || give_up "$2 come through pip, and python3 has none here"
  need_disk
  say "Installing $2 into $1"
  log=$(mktemp)
  packages=$(grep -v '^#' scripts/cuda_packages.txt | grep -E "${3:-.}")
  rm -rf "$1"
  # shellcheck disable=SC2086
  if ! python3 -m pip install --quiet --no-deps --target "$1" $packages >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -rf "$1"
    give_up "pip could not install what scripts/cuda_packages.txt names (no network, or no such package); scripts/run --no-cuda goes without"
  fi
  rm -f "$log"
}

# install_cuda_headers: installs CUDA's headers into build/cuda_headers, from PyPI, if there are none.
install_cuda_headers() {
  [ -n "$(cuda_headers_here)" ] || install_from_pypi build/cuda_headers "CUDA's headers (6 MB to download)" '^nvidia-cuda-(cccl|crt|runtime)='
}

# install_cuda: installs nvcc, its headers and cuobjdump into build/cuda, from PyPI; needs root only if pip itself is missing. The next
# configuration finds it.
install_cuda() {
  local there
  there=$(nvcc_here)
  [ -z "$there" ] || { say "There is an nvcc already: $there"; return; }
  install_from_pypi build/cuda "CUDA's compiler and headers (100 MB to download)"
  ln -s lib build/cuda/nvidia/cu13/lib64
  # ccache identifies a compiler by size and modification time, and pip sets new times.
  find build/cuda/nvidia/cu13/bin build/cuda/nvidia/cu13/nvvm/bin -type f -exec touch -d 2025-01-01 {} +
}

# install_cuobjdump: installs what reads compiled kernels into build/cuda_tools, from PyPI, if the nvcc here came without it.
install_cuobjdump() {
  [ -n "$(cuobjdump_here)" ] || install_from_pypi build/cuda_tools "cuobjdump (0.4 MB to download)" '^nvidia-cuda-cuobjdump='
}

need_disk() {
  local free_mb
  free_mb=$(df -Pm . | awk 'NR == 2 {print $4}')
  [ "$free_mb" -ge 3000 ] || give_up "the build needs 3 GB of disk, and $free_mb MB are free here"
}

# What a configuration depends on besides the sources: nvcc, and the installed packages.
surroundings() {
  printf 'nvcc %s\n' "$(nvcc_here)"
  printf 'headers %s\n' "$(cuda_headers_here)"
  printf 'cuda %s\n' "${cuda:-AUTO}"
  printf 'cuobjdump %s\n' "$(cuobjdump_here)"
  command -v dpkg-query >/dev/null || return 0
  # shellcheck disable=SC2046
  dpkg-query -W -f='${Package} ${db:Status-Status}\n' $(grep -v '^#' scripts/packages.txt) 2>/dev/null | grep ' installed$' || true
}

# configure PRESET FOLDER: configures if that was not done, or if these dependencies have changed. `cuda` OFF leaves CUDA out.
configure() {
  local preset=$1 folder=$2 log now before='' fresh=()
  now=$(surroundings)
  [ ! -f "$folder/surroundings.txt" ] || before=$(<"$folder/surroundings.txt")
  if [ -f "$folder/build.ninja" ] && [ "$now" = "$before" ]; then return; fi
  # CMake searches again for what it did not find, but keeps the compilers that it has found.
  before=${before%%$'\n'*}
  if [ "$before" != "${now%%$'\n'*}" ] && [ "$before" != 'nvcc ' ] && [ -n "$before" ]; then fresh=(--fresh); fi
  say "Configuring $folder"
  log=$(mktemp)
  cmake --preset "$preset" "${fresh[@]}" -DASSAY_CUDA="${cuda:-AUTO}" >"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; give_up "cmake could not configure (above)"; }
  rm -f "$log"
  printf '%s\n' "$now" >"$folder/surroundings.txt"
}

# show_steps LOG: stores ninja's output, which it reads, and shows its progress: on a terminal as one line that is
# rewritten, elsewhere as a line every half minute.
show_steps() {
  local line step shown=$SECONDS
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]' ' ]] || continue
    step="step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    if [ -t 2 ]; then
      printf '\r%s\033[K' "$step" >&2
    elif [ $((SECONDS - shown)) -ge "${heartbeat_s:-30}" ]; then
      say "$step"
      shown=$SECONDS
    fi
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

# build PRESET [TARGET...]: configures if needed; fast if nothing has changed.
build() {
  local preset=$1 folder=build log started=$SECONDS
  shift
  [ "$preset" = release ] || folder=build-$preset
  command -v g++ >/dev/null || give_up "there is no C++ compiler (g++ 12 or newer)"
  need_disk
  configure "$preset" "$folder"
  say "Building $folder (some minutes the first time)"
  log=$(mktemp)
  NINJA_STATUS='[%f/%t] ' ninja -C "$folder" "$@" 2>&1 | show_steps "$log" ||
    { grep -E 'error|FAILED' -A 6 "$log" | head -n 60 >&2; give_up "the build failed (above)"; }
  rm -f "$log"
  say "Built $folder in $((SECONDS - started)) s"
}
