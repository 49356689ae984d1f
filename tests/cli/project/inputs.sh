# Catalogue, calibration and lock of the project enter as those of flags do; those of flags come
# after them and win.
mkdir below own
cp "$ROOT"/tests/samples/lock/gpuplan.lock own/locked
cp "$ROOT"/tests/samples/lock/plan.yaml below/
cat >own/calibration.yaml <<'END_FILE'
apiVersion: gpuplan/v1
kind: Calibration
metadata: {name: measured}
spec:
  factors:
    - {class: {gpu: h100-sxm}, term: gpuPower, factor: 0.5, samples: 10}
END_FILE
sed 's/factor: 0.5/factor: 0.9/' own/calibration.yaml >flag.yaml
catalog() {
    cat <<END_FILE
apiVersion: gpuplan/v1
kind: Catalog
metadata: {name: own}
spec:
  gpus:
    - {id: house-gpu, extends: h100-sxm, memory: $1 GiB, source: house, date: 2026-11-20, evidence: measured}
END_FILE
}
catalog 64 >own/catalog.yaml
catalog 72 >flag-catalog.yaml
cat >.gpuplan.yaml <<'END_FILE'
apiVersion: gpuplan/v1
kind: Config
catalogs: [own/catalog.yaml]
calibration: [own/calibration.yaml]
lock: own/locked
END_FILE
"$GPUPLAN" validate below/plan.yaml --locked
"$GPUPLAN" size below/plan.yaml -f json --calibration flag.yaml --catalog flag-catalog.yaml >both.json ||
    test $? -eq 1
sed -n '/"inputs"/,/"flags"/p' both.json | grep '"path"' | sed 's/^ *//'
grep -A1 '"project": {' both.json | sed 's/^ *//'
"$GPUPLAN" catalog show gpu house-gpu | grep -i memory
"$GPUPLAN" catalog show gpu house-gpu --catalog flag-catalog.yaml | grep -i memory
# A lock of a flag is the only one.
"$GPUPLAN" validate below/plan.yaml --lock nowhere --locked || echo "exit $?"
