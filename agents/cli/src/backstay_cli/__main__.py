"""`python -m backstay_cli`."""

from backstay_cli.cli import main

if __name__ == "__main__":
    main()
