"""From operator expressions to statements and sweeps: the parts `derive.sweeps.to_recursion` puts together."""
