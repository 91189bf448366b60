"""The engines that benchmarks compare; `registry` lists them."""
