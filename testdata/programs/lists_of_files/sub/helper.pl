helper(3).
