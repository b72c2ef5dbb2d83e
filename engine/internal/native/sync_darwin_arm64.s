#include "textflag.h"

TEXT icacheInvalidate<>(SB), NOSPLIT, $0-0
	JMP libc_sys_icache_invalidate(SB)

GLOBL ·icacheInvalidateAddress(SB), RODATA, $8
DATA ·icacheInvalidateAddress(SB)/8, $icacheInvalidate<>(SB)
