#include "textflag.h"

// func call(machine unsafe.Pointer, code uintptr)
TEXT ·call(SB), NOSPLIT, $64-16
	MOVQ machine+0(FP), BX
	MOVQ code+8(FP), AX
	CALL AX
	RET
