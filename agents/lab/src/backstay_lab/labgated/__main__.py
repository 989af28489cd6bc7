"""`python -m backstay_lab.labgated` is `labgated`."""

from backstay_lab.labgated.cli import main

main()
