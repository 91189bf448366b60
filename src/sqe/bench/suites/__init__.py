"""The benchmark suites, one package each; `registry` lists them."""
