"""The tables of TPC-C, with statements of the kinds that its five transactions consist of."""
