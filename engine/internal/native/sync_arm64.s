//go:build linux

#include "textflag.h"

// func syncRange(start, end uintptr)
//
// CTR_EL0 has the sizes of the smallest lines, as powers of 2 and in words of 4 bytes: of data caches in bits 16 to 19,
// of instruction caches in bits 0 to 3.
TEXT ·syncRange(SB), NOSPLIT, $0-16
	MOVD start+0(FP), R0
	MOVD end+8(FP), R1
	MRS  CTR_EL0, R2
	MOVD $4, R3
	UBFX $16, R2, $4, R4
	LSL  R4, R3, R4
	UBFX $0, R2, $4, R5
	LSL  R5, R3, R5

	SUB  $1, R4, R6
	BIC  R6, R0, R7

clean:
	DC  CVAU, R7
	ADD R4, R7
	CMP R1, R7
	BLO clean
	DSB $0xb // of all processors that share memory

	SUB $1, R5, R6
	BIC R6, R0, R7

invalidate:
	WORD $0xd50b7527 // IC IVAU, R7
	ADD  R5, R7
	CMP  R1, R7
	BLO  invalidate
	DSB  $0xb
	ISB  $0xf
	RET
