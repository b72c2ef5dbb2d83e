% Courses and what they require.
:- type(course, oneof([programming, maths1, maths2, algorithms, ai])).
:- mode(may_take(+atom, +course), zero_or_one).
:- mode(missing(+atom, +course, -course), zero_or_more).
:- mode(average(+atom, -decimal(1)), zero_or_one).
:- info(may_take/2, [
       comment is 'Says whether a student may take a course.',
       arguments is [student - 'Name', course - 'Course']
   ]).
:- info(missing/3, [
       comment is 'Finds the courses a student still has to pass.',
       arguments is [student - 'Name', course - 'Course', needed - 'A course to pass before']
   ]).
:- info(average/2, [
       comment is 'The average of the best grades of a student.',
       arguments is [student - 'Name', average - 'Average']
   ]).

tools([may_take/2, missing/3, average/2]).

:- table needs/2.

may_take(Student, Course) :-
    student(Student),
    \+ passed(Student, Course),
    \+ missing(Student, Course, _).

missing(Student, Course, Needed) :-
    student(Student),
    needs(Course, Needed),
    \+ passed(Student, Needed).

needs(Course, Needed) :-
    requires(Course, Needed).
needs(Course, Needed) :-
    needs(Course, Between),
    requires(Between, Needed).

passed(Student, Course) :-
    grade(Student, Course, Grade),
    Grade >= 50.

average(Student, Average) :-
    findall(Best, best(Student, _, Best), Grades),
    sum_list(Grades, Sum),
    length(Grades, Count),
    Average is Sum rdiv Count.

best(Student, Course, Best) :-
    aggregate_all(max(Grade), grade(Student, Course, Grade), Best).

student(ann).
student(bob).
student(eve).

requires(algorithms, programming).
requires(algorithms, maths1).
requires(maths2, maths1).
requires(ai, algorithms).
requires(ai, maths2).
requires(maths1, maths2).

grade(ann, programming, 80).
grade(ann, maths1, 45).
grade(ann, maths1, 65).
grade(ann, maths2, 70).
grade(bob, programming, 50).
