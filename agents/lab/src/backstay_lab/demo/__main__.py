"""Lets `python -m backstay_lab.demo` be the same program as `backstay-demo`."""

from backstay_lab.demo.cli import main

if __name__ == "__main__":
    main()
