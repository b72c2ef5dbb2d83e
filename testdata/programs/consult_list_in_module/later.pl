later(yes).
