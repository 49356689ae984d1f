printf 'a,b\n1,2\n' >vms.csv
"$GPUPLAN" price skypilot vms.csv --provider aws --region us-east-1
