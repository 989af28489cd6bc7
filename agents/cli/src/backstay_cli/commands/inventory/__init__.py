"""What the site consists of: devices, ports, links, fabrics, agents, files."""
