"""``python -m tisserand``: the command line."""

from tisserand.cli.app import main

if __name__ == "__main__":
    main()
