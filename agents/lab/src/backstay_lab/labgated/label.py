"""How the stand-in calls itself: nobody shall take it for the real one."""

VERSION = "1.0"
LABEL = f"labgated {VERSION}, a lab's stand-in for GateD 3 (this is not GateD)"
