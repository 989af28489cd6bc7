"""What happens to a request before Django: its body is read, with limits, off the threads that work."""
