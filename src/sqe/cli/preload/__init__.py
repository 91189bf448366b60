"""The preloaded shell: a process with the shell's modules loaded, which runs commands for new `sqe` processes."""
