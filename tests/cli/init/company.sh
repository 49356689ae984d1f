# The work of a company: it sizes, its first screen is eighty columns wide, and it holds as declared.
"$GPUPLAN" init --template company >plan.yaml
"$GPUPLAN" size plan.yaml >screen
awk 'length > 80 { print "too wide: " $0 }' screen
cat screen
"$GPUPLAN" check -q plan.yaml
