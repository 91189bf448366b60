"""Infrastructure without domain knowledge, for every other package: caches, locks, files, HTTP, rate limits."""
