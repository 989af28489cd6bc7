"""`python -m backstay_lab` is the same program as `backstay-lab`; the lab re-enters itself this way."""

from backstay_lab.cli import main

if __name__ == "__main__":
    main()
