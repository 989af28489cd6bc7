"""`python -m backstay_lab.demo` runs `backstay-demo`."""

from backstay_lab.demo.cli import main

if __name__ == "__main__":
    main()
