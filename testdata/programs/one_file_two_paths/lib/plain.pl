plain(1).
