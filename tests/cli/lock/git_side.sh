# The lock of a revision belongs to the specs of that revision.
git init -q . && git config user.email a@b.c && git config user.name a
mkdir site && cp "$ROOT"/tests/samples/lock/* site/
git add . && git commit -qm one
"$GPUPLAN" diff git:HEAD:site/plan.yaml site/plan.yaml || echo "exit $?"
rm site/gpuplan.lock
"$GPUPLAN" diff git:HEAD:site/plan.yaml git:HEAD:site/plan.yaml || echo "exit $?"
