printf 'InstanceType,Price,Region\np5.48xlarge,cheap,us-east-1\n' >vms.csv
"$GPUPLAN" price skypilot vms.csv --provider aws --region us-east-1
