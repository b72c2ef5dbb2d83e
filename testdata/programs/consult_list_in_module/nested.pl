nested(yes).
