"""``python -m agm_store.cli``, where the console script ``agm`` is not on the path."""

import sys

from agm_store.cli import main

if __name__ == "__main__":
    sys.exit(main())
