:- module(spec, [spec/1]).
spec([[opt(verbose), type(boolean), default(false), shortflags([v]), longflags([verbose]), help('say more')],
      [opt(depth), type(integer), default(3), shortflags([d]), longflags([depth]), meta('N'), help('how deep to go')]]).
