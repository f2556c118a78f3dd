import pytest

pytest.register_assert_rewrite("tests.contract.checks")
