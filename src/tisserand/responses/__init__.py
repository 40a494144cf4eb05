"""What a program needs of a reduced model: deliveries with recovery matrices, acceptance, base drive, jitter, coupled loads."""
