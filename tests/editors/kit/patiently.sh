# To be sourced: `patiently COMMAND…` asks three times, for a registry that does not answer at once.
patiently() {
  "$@" && return
  sleep 5
  "$@" && return
  sleep 20
  "$@"
}
