"$GPUPLAN" price skypilot vms.csv --region x || [ $? -eq 2 ]
"$GPUPLAN" price azure || [ $? -eq 2 ]
"$GPUPLAN" price azure --region 'a b' || [ $? -eq 2 ]
"$GPUPLAN" price azure --region a --tier weekly || [ $? -eq 2 ]
"$GPUPLAN" price ibm
