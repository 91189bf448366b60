"""What machines ask of a server: is it alive, is it ready, how does it do?"""
