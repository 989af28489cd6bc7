"""Cases of schemathesis and hostile values against all operations of both APIs; `make bench-fuzz`."""
