"""`python -m backstay_lab` runs `backstay-lab`; the lab re-enters namespaces with it."""

from backstay_lab.cli import main

if __name__ == "__main__":
    main()
