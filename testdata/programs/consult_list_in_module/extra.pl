extra(in_user).
