"""Who somebody is: what a client presents, the providers that know people, and the chain that asks them in order."""
