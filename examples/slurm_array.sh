#!/bin/bash
# One Monte Carlo study as a job array of 40 shards: sbatch examples/slurm_array.sh
# When all jobs have ended: tisserand merge part-*.jsonl -o study.csv
#SBATCH --job-name=two-wing
#SBATCH --array=1-40
#SBATCH --cpus-per-task=4
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -euo pipefail
# a job that is requeued goes on where it stopped; a shard keeps only every 40th sample
tisserand montecarlo examples/two_wing.toml --vary bodies.bus.mass=normal:420:10 --vary loads.slew.strength.value=uniform:5:7 \
  -n 10000 --seed 1 --shard "$SLURM_ARRAY_TASK_ID/40" --keep "part-$SLURM_ARRAY_TASK_ID.jsonl" --resume --jobs 4 --quiet
