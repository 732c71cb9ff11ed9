# What run and test share: find what is missing, install it, configure, build. Sourced, not run.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3

say() { printf '%s\n' "$*" >&2; }
give_up() { say "Cannot go on: $*"; exit 3; }

# The packages of one section of packages.txt that dpkg does not have.
missing_packages() {
  local wanted=$1 section=build line
  while read -r line; do
    case $line in
      '' | '#'*) continue ;;
      tests) section=tests; continue ;;
    esac
    [ "$section" = "$wanted" ] || continue
    dpkg-query -W -f='${db:Status-Status}\n' "$line" 2>/dev/null | grep -q '^installed$' || printf '%s\n' "$line"
  done < scripts/packages.txt
}

# install_missing build|tests: everything of that section, through apt, as root or by sudo.
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

# Where nvcc is, of this machine or of install_cuda; nothing where there is none.
nvcc_here() {
  local folder
  command -v nvcc && return
  for folder in "${CUDA_HOME:-/usr/local/cuda}" build/cuda/nvidia/cu13; do
    [ -x "$folder/bin/nvcc" ] && printf '%s\n' "$folder/bin/nvcc" && return
  done
  return 0
}

# install_cuda: nvcc and its headers into build/cuda, from PyPI and without root. A configured build looks again.
install_cuda() {
  local there log
  there=$(nvcc_here)
  [ -z "$there" ] || { say "There is an nvcc already: $there"; return; }
  python3 -m pip --version >/dev/null 2>&1 || give_up "nvcc comes through pip, and python3 has none here (Debian has it as python3-pip)"
  need_disk
  say "Installing CUDA's compiler into build/cuda (100 MB to download)"
  log=$(mktemp)
  rm -rf build/cuda
  if ! python3 -m pip install --quiet --no-deps --target build/cuda -r scripts/cuda_packages.txt >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -rf build/cuda
    give_up "pip could not install what scripts/cuda_packages.txt names (no network, or no such package)"
  fi
  rm -f "$log"
  ln -s lib build/cuda/nvidia/cu13/lib64
  [ ! -f build/build.ninja ] || say "build is configured without it: cmake --fresh -S . -B build, or another folder, finds it"
}

need_disk() {
  local free_mb
  free_mb=$(df -Pm . | awk 'NR == 2 {print $4}')
  [ "$free_mb" -ge 3000 ] || give_up "the build needs 3 GB of disk, and $free_mb MB are free here"
}

# build PRESET [TARGET...]: configured at the first time, quick when nothing has changed.
build() {
  local preset=$1 folder=build log
  shift
  [ "$preset" = release ] || folder=build-$preset
  command -v g++ >/dev/null || give_up "there is no C++ compiler (g++ 12 or newer)"
  need_disk
  log=$(mktemp)
  if [ ! -f "$folder/build.ninja" ]; then
    say "Configuring $folder"
    cmake --preset "$preset" >"$log" 2>&1 || { tail -n 20 "$log" >&2; give_up "cmake could not configure (above)"; }
  fi
  if ! ninja -C "$folder" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
    say "Building $folder (a few minutes the first time)"
    local started=$SECONDS
    ninja -C "$folder" "$@" >"$log" 2>&1 || { grep -E 'error|FAILED' -A 6 "$log" | head -n 60 >&2; give_up "the build failed (above)"; }
    say "Built $folder in $((SECONDS - started)) s"
  fi
  rm -f "$log"
}
