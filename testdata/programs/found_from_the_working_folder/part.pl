b(part).
