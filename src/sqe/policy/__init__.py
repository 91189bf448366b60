"""Who may do what with which rows and columns: engines that answer, and the point that makes one decision of it."""
