"""`python -m backstay_lab.labgated` runs `labgated`."""

from backstay_lab.labgated.cli import main

main()
