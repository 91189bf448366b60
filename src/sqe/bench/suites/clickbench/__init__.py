"""ClickBench: one wide table of page views, 43 queries."""
