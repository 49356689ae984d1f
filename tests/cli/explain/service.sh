# The planned peak of a service with a profile, and the start of a replica, down to their sources.
cd "$ROOT"
"$GPUPLAN" explain examples/chat-fleet.yaml chat demandRequestsPerS
"$GPUPLAN" explain examples/chat-fleet.yaml chat coldStartS | sed -n '/^coldStart/,/^$/p'
