"""`python -m backstay_operator`."""

from backstay_operator.cli import main

if __name__ == "__main__":
    main()
