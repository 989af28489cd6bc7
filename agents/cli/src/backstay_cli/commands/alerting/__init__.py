"""Commands about alerting."""
