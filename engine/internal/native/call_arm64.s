#include "textflag.h"

// func call(machine unsafe.Pointer, code uintptr)
TEXT ·call(SB), NOSPLIT, $16-16
	MOVD machine+0(FP), R19
	MOVD code+8(FP), R0
	CALL (R0)
	RET
