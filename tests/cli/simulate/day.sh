# A day has the planned rate in its busiest hour and, on average, what the stated mean of the week
# gives a working day: 1 request/s at the peak, 0.4 in the mean, 0.456 and 0.497 on working days.
"$GPUPLAN" init --template inference | sed 's/requestsPerSecond: 2/requestsPerSecond: {mean: 0.4, peak: 1}/' > plan.yaml
for profile in diurnal office flat; do
    "$GPUPLAN" simulate plan.yaml --process diurnal --set "workloads.chat.traffic.profile=$profile" |
        sed -n '/^arrivals/p; /^requests  /p'
done
