"""What a change would do, worked out beforehand: policies and what is seen in, a frozen plan out."""
