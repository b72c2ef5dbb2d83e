% Doses and interactions of drugs.
:- type(drug, oneof([ibuprofen, paracetamol, amoxicillin, warfarin])).
:- mode(dose(+drug, +atom, -integer), zero_or_one).
:- mode(interacts(+atom, +drug, -drug), zero_or_more).
:- info(dose/3, [
       comment is 'The single dose of a drug for a patient, if it may be given.',
       arguments is [drug - 'Drug', patient - 'Name, as in the data', dose - 'In mg']
   ]).
:- info(interacts/3, [
       comment is 'Finds the drugs a patient takes that interact with another.',
       arguments is [patient - 'Name, as in the data', drug - 'The new drug', other - 'A drug that the patient takes']
   ]).

tools([dose/3, interacts/3]).

dose(Drug, Patient, Dose) :-
    drug(Drug, Group, Adult, PerKg),
    patient(Patient, Age, Weight),
    \+ allergic(Patient, Drug),
    \+ allergic(Patient, Group),
    renal_ok(Drug, Patient),
    (   Age < 12
    ->  Dose is min(Adult, truncate(Weight * PerKg))
    ;   Dose = Adult
    ).

renal_ok(Drug, Patient) :-
    renal_limit(Drug, Limit),
    egfr(Patient, Value),
    Value >= Limit.

interacts(Patient, Drug, Other) :-
    takes(Patient, Other),
    (   interaction(Drug, Other)
    ;   interaction(Other, Drug)
    ).

drug(ibuprofen, nsaid, 400, 10).
drug(paracetamol, anilide, 500, 15).
drug(amoxicillin, penicillin, 750, 25).
drug(warfarin, coumarin, 5, 0.1).

renal_limit(ibuprofen, 30).
renal_limit(amoxicillin, 10).

patient(eva, 34, 70).
patient(tom, 8, 25.5).
patient(ida, 70, 60).
patient(leo, 12, 40).

egfr(eva, 95).
egfr(ida, 25).
egfr(leo, 30).

allergic(eva, penicillin).
allergic(ida, paracetamol).

takes(ida, warfarin).
takes(ida, amoxicillin).

interaction(warfarin, ibuprofen).
interaction(paracetamol, warfarin).
