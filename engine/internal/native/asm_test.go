//go:build amd64 || arm64

package native

import (
	"math"
	"math/bits"
	"runtime"
	"testing"
	"unsafe"
)

// The tests of this file make small routines by the methods of the assembler, run them, and compare what they leave in
// memory with what Go calculates. They are the same for all processors.

// area stands for the machine. The furthest access is that of noteConditions, behind the word farAt.
type area [5000]uint64

// word is the place of a word of the area.
func word(i int) mem { return at(rM, 8*i) }

// routine is native code that returns.
type routine struct{ pages *pages }

// assemble makes a routine.
func assemble(t *testing.T, emit func(a *asm)) routine {
	t.Helper()
	a := &asm{}
	emit(a)
	a.ret()
	p := publish(&a.buffer)
	if p == nil {
		t.Skip("the system allows no native code")
	}
	return routine{p}
}

func (r routine) run(m *area) {
	call(unsafe.Pointer(m), r.pages.base())
	runtime.KeepAlive(r.pages)
}

// registers are all but rM.
var registers = append([]reg{rT0, rT1, rT2, rHeap, rH, rE, rS}, rX[:]...)

// numbers are operands of all kinds.
var numbers = []int64{
	0, 1, -1, 2, 5, -7, 8, 127, -128, 128, 255, -256, 4095, 4096, -4096, 1 << 20, 0xfff000, 1<<24 - 1, 1 << 24,
	math.MaxInt32, math.MinInt32, math.MaxUint32, 1 << 32, -1 << 32, 0x123456789abcdef0, -0x123456789abcdef0,
	1 << 60, -1 << 60, 1 << 62, math.MaxInt64, math.MinInt64, math.MinInt64 + 1,
}

func TestMoves(t *testing.T) {
	for _, d := range registers {
		for _, n := range numbers {
			var m area
			m[0], m[1] = uint64(n), math.MaxUint64
			assemble(t, func(a *asm) {
				s := registers[0]
				if s == d {
					s = registers[1]
				}
				a.movImm(d, n)
				a.store(word(10), d)
				a.load(s, word(0))
				a.mov(d, s)
				a.store(word(11), d)
				a.load(d, word(1))
				a.movLow(d, s)
				a.store(word(12), d)
				a.signedHalf(d, s)
				a.store(word(13), d)
				a.tag(d, s)
				a.store(word(14), d)
				a.load32(d, word(0))
				a.store(word(15), d)
				a.load16(d, word(0))
				a.store(word(16), d)
			}).run(&m)
			u := uint64(n)
			want := [...]uint64{u, u, uint64(uint32(n)), uint64(int32(n)), u & 7, uint64(uint32(n)), uint64(uint16(n))}
			if got := [len(want)]uint64(m[10:]); got != want {
				t.Errorf("register %d, number %#x: got %#x, want %#x", d, n, got, want)
			}
		}
	}
}

// displacements are distances at and beyond the limits of instructions.
var displacements = []int{
	0, 8, -8, 3, -5, 127, 128, -128, -136, 248, 255, 256, -256, -257, 264, 4088, 4095, 4096, 8191, 32760, 32768, 32769,
	-32768, 1<<20 + 8, 1<<24 - 8, 1 << 24, -1 << 24, -1<<24 - 8, math.MaxInt32 - 7, math.MinInt32,
}

func TestPlaces(t *testing.T) {
	for i, base := range registers {
		for k := range registers {
			if k%3 != i%3 || k == i {
				continue
			}
			for _, disp := range displacements {
				for scale := range uint8(4) {
					testPlace(t, base, registers[k], scale, disp)
				}
			}
		}
	}
}

// testPlace accesses word 2 with and without an index, from a base that is as far off as disp says.
func testPlace(t *testing.T, base, other reg, scale uint8, disp int) {
	t.Helper()
	const index = 5
	m := area{2: 0x8877665544332211}
	origin := uint64(uintptr(unsafe.Pointer(&m[2]))) - uint64(disp)
	m[0], m[1] = origin, origin-index<<scale
	assemble(t, func(a *asm) {
		place := func(indexes bool) mem {
			if !indexes {
				a.load(base, word(0))
				return at(base, disp)
			}
			a.load(base, word(1))
			a.movImm(other, index)
			return indexed(base, other, scale, disp)
		}
		for i, indexes := range []bool{false, true} {
			to := 10 + 10*i
			a.load(other, place(indexes))
			a.store(word(to), other)
			a.load32(other, place(indexes))
			a.store(word(to+1), other)
			a.load16(other, place(indexes))
			a.store(word(to+2), other)
			a.lea(other, place(indexes))
			a.store(word(to+3), other)
			a.lea(base, place(indexes))
			a.store(word(to+4), base)
			a.opMemImm(opAdd, place(indexes), math.MinInt32)
			a.load(other, word(2))
			a.store(word(to+5), other)
			a.storeImm(place(indexes), -2)
			a.load(other, word(2))
			a.store(word(to+6), other)
			m := place(indexes)
			a.opMem(opSub, base, m)
			a.store(word(to+7), base)
			a.storeByte(place(indexes), 1)
			a.load(other, word(2))
			a.store(word(to+8), other)
			a.load(other, word(10))
			a.store(word(2), other)
			m = place(indexes)
			a.floatLoad(0, m)
			a.floatToBits(other)
			a.store(word(to+9), other)
		}
	}).run(&m)
	const n = uint64(0x8877665544332211)
	address := uint64(uintptr(unsafe.Pointer(&m[2])))
	for i := range 2 {
		want := [10]uint64{n, n & 0xffffffff, n & 0xffff, address, address, n - 1<<31, ^uint64(1), m[i] + 2,
			^uint64(1)&^0xff | 1, n}
		if got := [10]uint64(m[10+10*i:]); got != want {
			t.Errorf("base %d, index %d<<%d (%d), displacement %d:\n got %x\nwant %x", base, other, scale, i, disp, got, want)
		}
	}
}

// operation is an operation on numbers as Go does it: the result, and whether it overflows.
type operation struct {
	name string
	op   alu
	do   func(x, y int64) (n int64, overflow bool)
}

func subtract(x, y int64) (int64, bool) { return x - y, (x < y) != (x-y < 0) }

func logical(do func(x, y int64) int64) func(x, y int64) (int64, bool) {
	return func(x, y int64) (int64, bool) { return do(x, y), false }
}

var operations = []operation{
	{"add", opAdd, func(x, y int64) (int64, bool) { return x + y, y > 0 && x+y < x || y < 0 && x+y > x }},
	{"sub", opSub, subtract},
	{"cmp", opCmp, subtract},
	{"and", opAnd, logical(func(x, y int64) int64 { return x & y })},
	{"or", opOr, logical(func(x, y int64) int64 { return x | y })},
	{"xor", opXor, logical(func(x, y int64) int64 { return x ^ y })},
}

// signedConditions hold for what an operation leaves, the unsigned ones for two operands that are compared.
var (
	signedConditions = []struct {
		name  string
		cc    cond
		holds func(n int64, overflow bool) bool
	}{
		{"O", ccO, func(_ int64, o bool) bool { return o }},
		{"NO", ccNO, func(_ int64, o bool) bool { return !o }},
		{"E", ccE, func(n int64, _ bool) bool { return n == 0 }},
		{"NE", ccNE, func(n int64, _ bool) bool { return n != 0 }},
		{"S", ccS, func(n int64, _ bool) bool { return n < 0 }},
		{"NS", ccNS, func(n int64, _ bool) bool { return n >= 0 }},
		{"L", ccL, func(n int64, o bool) bool { return n < 0 != o }},
		{"GE", ccGE, func(n int64, o bool) bool { return n < 0 == o }},
		{"LE", ccLE, func(n int64, o bool) bool { return n == 0 || n < 0 != o }},
		{"G", ccG, func(n int64, o bool) bool { return n != 0 && n < 0 == o }},
	}
	unsignedConditions = []struct {
		name  string
		cc    cond
		holds func(x, y uint64) bool
	}{
		{"B", ccB, func(x, y uint64) bool { return x < y }},
		{"AE", ccAE, func(x, y uint64) bool { return x >= y }},
		{"BE", ccBE, func(x, y uint64) bool { return x <= y }},
		{"A", ccA, func(x, y uint64) bool { return x > y }},
	}
)

// Where tests of operations leave the result and whether the conditions hold.
const (
	resultAt   = 10
	signedAt   = 20
	unsignedAt = 40
	farAt      = 3000 // words behind it lie beyond what one instruction reaches on arm64
)

// noteConditions stores which conditions hold. Everything between the jumps leaves the flags.
func noteConditions(a *asm, tmp, tmp2 reg) {
	note := func(cc cond, i int) {
		holds := a.newLabel()
		a.movImm(tmp, 1)
		a.jcc(cc, holds)
		a.movImm(tmp, 0)
		a.bind(holds)
		a.store(word(i), tmp)
		a.movImm(tmp2, 0x123456789)
		a.lea(tmp2, word(farAt+1500))
		a.lea(tmp2, indexed(tmp2, tmp, 3, -5))
		a.mov(tmp, tmp2)
		a.movLow(tmp2, tmp)
		a.load16(tmp2, at(rM, 8*farAt+12345))
		a.storeImm(word(farAt), -1)
		a.storeByte(at(rM, 8*farAt+12345), 1)
		a.loadLabel(tmp2, holds)
		a.floatLoad(0, word(farAt))
		a.floatToBits(tmp2)
	}
	for i, c := range signedConditions {
		note(c.cc, signedAt+i)
	}
	for i, c := range unsignedConditions {
		note(c.cc, unsignedAt+i)
	}
}

// checkOperation compares what a test has left with what Go says.
func checkOperation(t *testing.T, m *area, how string, o operation, x, y int64) {
	t.Helper()
	n, overflow := o.do(x, y)
	want := n
	if o.op == opCmp {
		want = x
	}
	if got := int64(m[resultAt]); got != want {
		t.Errorf("%s %s %#x, %#x: got %#x, want %#x", o.name, how, x, y, got, want)
	}
	for i, c := range signedConditions {
		if got := m[signedAt+i] == 1; got != c.holds(n, overflow) {
			t.Errorf("%s %s %#x, %#x: condition %s is %v", o.name, how, x, y, c.name, got)
		}
	}
	if o.op != opCmp && o.op != opSub {
		return
	}
	for i, c := range unsignedConditions {
		if got := m[unsignedAt+i] == 1; got != c.holds(uint64(x), uint64(y)) {
			t.Errorf("%s %s %#x, %#x: condition %s is %v", o.name, how, x, y, c.name, got)
		}
	}
}

func TestOperations(t *testing.T) {
	for i, o := range operations {
		d, s, tmp, tmp2 := registers[i], registers[i+7], registers[i+1], registers[i+2]
		for how, emit := range map[string]func(a *asm){
			"registers": func(a *asm) {
				a.load(s, word(1))
				a.op(o.op, d, s)
			},
			"memory": func(a *asm) { a.opMem(o.op, d, word(1)) },
			"index": func(a *asm) {
				a.movImm(s, 3)
				a.opMem(o.op, d, indexed(rM, s, 3, -16))
			},
		} {
			r := assemble(t, func(a *asm) {
				a.load(d, word(0))
				emit(a)
				a.store(word(resultAt), d)
				noteConditions(a, tmp, tmp2)
			})
			for _, x := range numbers {
				for _, y := range numbers {
					m := area{uint64(x), uint64(y)}
					r.run(&m)
					checkOperation(t, &m, how, o, x, y)
				}
			}
		}
	}
}

func TestOperationsOnNumbers(t *testing.T) {
	immediates := []int64{7, 6, 0x7ff, -8, 0x0ff0, -2147483641, 0x7ff000, 0x801, 0x1001, -4095, -4097, 1 << 30, 0x55555555}
	for _, y := range append(immediates, numbers...) {
		if y != int64(int32(y)) {
			continue
		}
		for i, o := range operations {
			d, tmp, tmp2 := registers[i+7], registers[i], registers[i+1]
			inRegister := assemble(t, func(a *asm) {
				a.load(d, word(0))
				a.opImm(o.op, d, int(y))
				a.store(word(resultAt), d)
				noteConditions(a, tmp, tmp2)
			})
			inMemory := assemble(t, func(a *asm) {
				a.load(d, word(0))
				a.store(word(resultAt), d)
				a.opMemImm(o.op, word(resultAt), int(y))
				noteConditions(a, tmp, tmp2)
			})
			for _, x := range numbers {
				m := area{uint64(x)}
				inRegister.run(&m)
				checkOperation(t, &m, "number", o, x, y)
				m = area{uint64(x)}
				inMemory.run(&m)
				checkOperation(t, &m, "number to memory", o, x, y)
			}
		}
	}
}

func TestTests(t *testing.T) {
	for i, r := range registers {
		tmp, tmp2 := registers[(i+1)%len(registers)], registers[(i+2)%len(registers)]
		test := func(emit func(a *asm)) routine {
			return assemble(t, func(a *asm) {
				a.load(r, word(0))
				emit(a)
				a.store(word(resultAt), r)
				noteConditions(a, tmp, tmp2)
			})
		}
		whole, tag, low := test(func(a *asm) { a.test(r) }), test(func(a *asm) { a.testTag(r) }),
			test(func(a *asm) { a.testByte(word(0)) })
		asCompared := operation{"test", opCmp, subtract}
		for _, x := range numbers {
			m := area{uint64(x)}
			whole.run(&m)
			checkOperation(t, &m, "register", asCompared, x, 0)
			for mask, code := range map[int64]routine{7: tag, 255: low} {
				code.run(&m)
				if got, want := m[signedAt+2] == 1, x&mask == 0; got != want || m[signedAt+3] == m[signedAt+2] {
					t.Errorf("register %d, number %#x, mask %d: got %v, want %v", r, x, mask, got, want)
				}
			}
		}
	}
}

func TestInSet(t *testing.T) {
	for _, tags := range []uint8{0, 1, 0x80, 0x70, 0x8f, 0xff} {
		r := assemble(t, func(a *asm) {
			unless := a.newLabel()
			a.load(rT1, word(0))
			a.storeImm(word(1), 0)
			a.inSet(tags, unless)
			a.storeImm(word(1), 1)
			a.bind(unless)
		})
		for tag := range uint64(8) {
			m := area{tag}
			r.run(&m)
			if want := uint64(tags) >> tag & 1; m[1] != want {
				t.Errorf("tag %d in %#x: got %d, want %d", tag, tags, m[1], want)
			}
		}
	}
}

func TestShifts(t *testing.T) {
	shifts := map[shiftKind]func(x int64, n int) int64{
		shl: func(x int64, n int) int64 { return x << n },
		shr: func(x int64, n int) int64 { return int64(uint64(x) >> n) },
		sar: func(x int64, n int) int64 { return x >> n },
	}
	for kind, want := range shifts {
		for n := range 64 {
			d := registers[n%len(registers)]
			by := registers[n%len(registers)]
			if by == rT1 {
				by = rT2
			}
			r := assemble(t, func(a *asm) {
				a.load(d, word(0))
				a.shift(kind, d, n)
				a.store(word(1), d)
				a.load(by, word(0))
				a.movImm(rT1, int64(n))
				a.shiftBy(kind, by)
				a.store(word(2), by)
			})
			for _, x := range numbers {
				m := area{uint64(x)}
				r.run(&m)
				if w := uint64(want(x, n)); m[1] != w || m[2] != w {
					t.Errorf("shift %d of %#x by %d: got %#x and %#x, want %#x", kind, x, n, m[1], m[2], w)
				}
			}
		}
	}
}

func TestProducts(t *testing.T) {
	for i := range registers {
		d, s := registers[i], registers[(i+5)%len(registers)]
		r := assemble(t, func(a *asm) {
			overflow, end := a.newLabel(), a.newLabel()
			a.load(d, word(0))
			a.load(s, word(1))
			a.mulLow(d, s)
			a.store(word(2), d)
			a.load(d, word(0))
			a.mul(d, s, overflow)
			a.store(word(3), d)
			a.storeImm(word(4), 0)
			a.jmp(end)
			a.bind(overflow)
			a.storeImm(word(4), 1)
			a.bind(end)
			a.load(d, word(0))
			a.max(d, s)
			a.store(word(5), d)
		})
		for _, x := range numbers {
			for _, y := range numbers {
				m := area{uint64(x), uint64(y)}
				r.run(&m)
				high, low := bits.Mul64(uint64(x), uint64(y))
				high -= uint64(x>>63)&uint64(y) + uint64(y>>63)&uint64(x) // that of signed numbers
				overflows := int64(high) != int64(low)>>63
				if m[2] != low || (m[4] == 1) != overflows || !overflows && m[3] != low || m[5] != max(m[0], m[1]) {
					t.Errorf("%#x, %#x: got %#x", x, y, m[2:6])
				}
			}
		}
	}
}

func TestDivide(t *testing.T) {
	r := assemble(t, func(a *asm) {
		a.load(rT0, word(0))
		a.load(rT1, word(1))
		a.divide()
		a.store(word(2), rT0)
		a.store(word(3), rT2)
		a.store(word(4), rT1)
	})
	for _, x := range numbers {
		for _, y := range numbers {
			if y == 0 || y == -1 {
				continue
			}
			m := area{uint64(x), uint64(y)}
			r.run(&m)
			if int64(m[2]) != x/y || int64(m[3]) != x%y || int64(m[4]) != y {
				t.Errorf("%d / %d: got %d, remainder %d", x, y, int64(m[2]), int64(m[3]))
			}
		}
	}
}

var floatNumbers = []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1.5, -2.25, 1e308, -1e308, 5e-324, math.MaxFloat64,
	math.Inf(1), math.Inf(-1), math.NaN(), 1 << 53}

func TestFloats(t *testing.T) {
	floatOps := []struct {
		op byte
		do func(x, y float64) float64
	}{
		{floatAdd, func(x, y float64) float64 { return x + y }},
		{floatSub, func(x, y float64) float64 { return x - y }},
		{floatMul, func(x, y float64) float64 { return x * y }},
		{floatDiv, func(x, y float64) float64 { return x / y }},
	}
	for i, o := range floatOps {
		d := registers[(i+7)%len(registers)]
		r := assemble(t, func(a *asm) {
			a.floatLoad(0, word(0))
			a.floatLoad(1, word(1))
			a.floatOp(o.op)
			a.floatToBits(d)
			a.store(word(2), d)
		})
		for _, x := range floatNumbers {
			for _, y := range floatNumbers {
				m := area{math.Float64bits(x), math.Float64bits(y)}
				r.run(&m)
				got, want := math.Float64frombits(m[2]), o.do(x, y)
				same := m[2] == math.Float64bits(want) || math.IsNaN(got) && math.IsNaN(want)
				if !same {
					t.Errorf("operation %d of %g and %g: got %g, want %g", o.op, x, y, got, want)
				}
			}
		}
	}
}

func TestFloatOfInteger(t *testing.T) {
	for i, s := range registers {
		f := reg(i & 1)
		r := assemble(t, func(a *asm) {
			a.load(s, word(0))
			a.floatInt(f, s)
			a.movImm(s, 0)
			a.floatInt(1-f, s)
			a.floatOp(floatAdd)
			a.floatToBits(s)
			a.store(word(1), s)
		})
		for _, x := range numbers {
			m := area{uint64(x)}
			r.run(&m)
			if got := math.Float64frombits(m[1]); got != float64(x) {
				t.Errorf("float of %d: got %g", x, got)
			}
		}
	}
}

func TestFloatCompare(t *testing.T) {
	r := assemble(t, func(a *asm) {
		unordered := a.newLabel()
		a.storeImm(word(resultAt), 1)
		a.floatLoad(0, word(0))
		a.floatLoad(1, word(1))
		a.floatCompare(unordered)
		a.storeImm(word(resultAt), 0)
		noteConditions(a, rT0, rT1)
		a.bind(unordered)
	})
	for _, x := range floatNumbers {
		for _, y := range floatNumbers {
			m := area{math.Float64bits(x), math.Float64bits(y)}
			r.run(&m)
			if unordered := math.IsNaN(x) || math.IsNaN(y); unordered != (m[resultAt] == 1) {
				t.Errorf("%g and %g: unordered is %v", x, y, !unordered)
			} else if unordered {
				continue
			}
			got := [...]uint64{m[signedAt+2], m[signedAt+3], m[unsignedAt], m[unsignedAt+1], m[unsignedAt+2], m[unsignedAt+3]}
			for i, want := range []bool{x == y, x != y, x < y, x >= y, x <= y, x > y} {
				if want != (got[i] == 1) {
					t.Errorf("%g and %g: got %v for E, NE, B, AE, BE, A", x, y, got)
				}
			}
		}
	}
}

func TestJumps(t *testing.T) {
	for _, d := range registers {
		r := assemble(t, func(a *asm) {
			table, first, second, end := a.newLabel(), a.newLabel(), a.newLabel(), a.newLabel()
			other := rS
			if d == other {
				other = rE
			}
			a.loadLabel(d, table)
			a.load(other, word(0))
			a.jmpMem(indexed(d, other, 3, 0))
			a.align()
			a.bind(table)
			a.address(first)
			a.address(second)
			a.bind(first)
			a.storeImm(word(1), 10)
			a.jmp(end)
			a.bind(second)
			a.storeImm(word(1), 20)
			a.loadLabel(d, first)
			a.load(other, word(2))
			a.test(other)
			a.jcc(ccE, end)
			a.jmpReg(d)
			a.storeImm(word(1), 30)
			a.bind(end)
		})
		for _, c := range [][3]uint64{{0, 0, 10}, {1, 0, 20}, {1, 1, 10}} {
			m := area{c[0], 0, c[1]}
			r.run(&m)
			if m[1] != c[2] {
				t.Errorf("register %d, case %v: got %d", d, c, m[1])
			}
		}
	}
}

// TestFarJumps jumps across almost as much code as there may be, up to 1 MiB.
func TestFarJumps(t *testing.T) {
	for _, size := range []int{1 << 10, 1 << 16, min(maxCode, 1<<20) - 4096} {
		r := assemble(t, func(a *asm) {
			back, far, far2, end := a.newLabel(), a.newLabel(), a.newLabel(), a.newLabel()
			a.load(rX[0], word(0))
			a.loadLabel(rX[1], far2)
			a.test(rX[0])
			a.jcc(ccE, far)
			a.bind(back)
			a.opMemImm(opAdd, word(1), 1)
			a.jmpReg(rX[1])
			for len(a.code) < size {
				a.storeImm(word(1), 77)
			}
			a.bind(far)
			a.opMemImm(opAdd, word(1), 10)
			a.opMemImm(opCmp, word(1), 10)
			a.jcc(ccE, back)
			a.bind(far2)
			a.loadLabel(rX[1], end)
			a.opMemImm(opAdd, word(1), 100)
			a.opMemImm(opCmp, word(1), 200)
			a.jcc(ccL, back)
			a.bind(end)
		})
		for start, want := range []uint64{112, 102} {
			m := area{uint64(start)}
			r.run(&m)
			if m[1] != want {
				t.Errorf("%d bytes, %d: got %d, want %d", size, start, m[1], want)
			}
		}
	}
}

// TestTooMuchCode makes sure that code beyond the reach of jumps is refused.
func TestTooMuchCode(t *testing.T) {
	if maxCode > 1<<24 {
		t.Skip("jumps reach far")
	}
	b := &buffer{code: make([]byte, maxCode)}
	if publish(b) != nil {
		t.Error("was made executable")
	}
}

// TestPatchedAgain makes sure that instructions are seen that lie where others lay before.
func TestPatchedAgain(t *testing.T) {
	for i := range 200 {
		memory := writable(pageSize)
		if memory == nil {
			t.Skip("the system allows no native code")
		}
		a := &asm{}
		a.storeImm(word(0), i)
		a.ret()
		copy(memory, a.code)
		if !makeExecutable(memory) {
			t.Skip("the system allows no native code")
		}
		var m area
		call(unsafe.Pointer(&m), uintptr(unsafe.Pointer(&memory[0])))
		release(memory)
		if m[0] != uint64(i) {
			t.Fatalf("got %d, want %d", m[0], i)
		}
	}
}
