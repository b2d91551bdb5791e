"""The three packages carry their types with them."""

from types import ModuleType

import agm
import agm_propagation
import agm_store

packages: tuple[ModuleType, ...] = (agm, agm_propagation, agm_store)
