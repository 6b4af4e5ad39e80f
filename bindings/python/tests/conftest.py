"""What several tests use."""

from hypothesis import settings

# Other programs of a busy machine must not fail a test, and a failure shows how to repeat it.
settings.register_profile("sortid", deadline=None, database=None, print_blob=True)
settings.load_profile("sortid")
