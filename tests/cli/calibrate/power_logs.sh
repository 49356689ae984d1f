# Samples of power: a row for each kind of GPU, named as its driver does; what no GPU draws is an
# error at its place, all of them in one run; a blank of DCGM is no sample.
samples=$ROOT/tests/samples
sed '3s/NVIDIA H100 80GB HBM3/NVIDIA L40S/' "$samples/nvidia_smi.csv" >two.csv
"$GPUPLAN" calibrate --read two.csv
sed 's/590.00 W/-590.00 W/; s/610.00 W/610000 mW/' "$samples/nvidia_smi.csv" >bad.csv
"$GPUPLAN" calibrate --read bad.csv 2>&1 || echo "exit $?"
sed 's/580.000/9223372036854775794/' "$samples/dcgm_dmon.txt" >blank.txt
"$GPUPLAN" calibrate --read blank.txt
sed 's/580.000/58000.0/' "$samples/dcgm_dmon.txt" >much.txt
"$GPUPLAN" calibrate --read much.txt 2>&1 || echo "exit $?"
"$GPUPLAN" calibrate --read "$samples/nvidia_smi.csv" --set model=llama-3.1-70b --set gpus=4 \
    --set avg_batch=32 --set input_len=1000 --set output_len=200 --set precision=fp8 -o rows.csv
"$GPUPLAN" calibrate rows.csv | grep -e class -e term
