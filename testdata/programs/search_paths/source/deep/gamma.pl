gamma(deep).
