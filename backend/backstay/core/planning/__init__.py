"""Plans: from policies and observations to a frozen plan with its checks and predicted impact."""
