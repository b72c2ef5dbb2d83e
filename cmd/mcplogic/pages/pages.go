// Package pages lets go of the parts of the program file that a process needs no more.
//
// The system maps sixteen pages around each one that is touched. So each phase of a process,
// initialising some two hundred packages, reading the arguments, loading, touches most of a file of
// sixteen megabytes, while a running goal needs one. [Drop] between two phases keeps the peak at what
// the largest of them needs. Pages stay in the system's cache and come back when they are touched, which
// costs about a tenth of a millisecond in all.
//
// Initialising the packages is cut in three by packages that only drop. Go initialises packages by
// their paths, as soon as their imports are; so what they import says when it is their turn.
package pages
