"""Run the statements about access: check the author's rights, change grants and policies, and report on them."""
